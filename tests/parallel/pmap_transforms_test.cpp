// pmap and other transforms, either way round: loops and branches with collectives, derivatives, jit, vmap, nested pmap, programs, static arguments.
#include "pmap_testing.hpp"

#include <jacquard/fixed.hpp>

using namespace pmap_testing;
using testing::count;
using testing::text_of;

namespace {

const array four = jq::asarray({0.f, 1.f, 2.f, 3.f});
const array x34 = jq::sin(jq::reshape(jq::arange(12, jq::f64), {3, 4}));
const auto sum = [](const array& x) { return lax::psum(x, "i"); };
const auto square_sum = [](const array& x) { return lax::psum(x * x, "i"); };
const auto turn = [](const array& x) { return lax::ppermute(x, "i", {{0, 1}, {1, 2}, {2, 0}}); };

/// Equal but for what the order of additions makes.
void check_near(const array& got, const array& want, double tolerance = 1e-13) {
  INFO("got " << start_of(got) << "\nwanted " << start_of(want));
  REQUIRE(got.shape() == want.shape());
  REQUIRE(got.dtype() == want.dtype());
  const array error = jq::max(jq::abs(got - want)), scale = 1.0 + jq::max(jq::abs(want));
  CHECK(jq::copy(error / scale).item<double>() <= tolerance);
}

constexpr auto static_mean = [](const auto& x) { return x / jq::lax::pmean(x, "i"); };
constexpr auto static_turn = [](const auto& x) { return jq::lax::ppermute(x, "i", {{0, 1}, {1, 2}}) + jq::lax::psum(x, "i"); };
constexpr auto static_square = [](const auto& x) { return jq::lax::psum(x * x, "i"); };
constexpr auto static_loss = [](const auto& x) { return jq::sum(jq::pmap(static_square, jq::axis_name<"i">)(x)); };

}  // namespace

// With static arguments it is computed by the compiler.
using vec3 = jq::tensor<double, 3>;
static_assert(jq::pmap(static_mean, jq::axis_name<"i">)(vec3{1, 2, 3}) == vec3{0.5, 1, 1.5});
static_assert(jq::pmap(static_turn, jq::axis_name<"i">)(vec3{1, 2, 3}) == vec3{6, 7, 8});
static_assert(jq::pmap([](const auto& x, const auto& y) { return x * y; }, jq::in_axes<0, jq::none>)(vec3{1, 2, 3}, 2.0) == vec3{2, 4, 6});
static_assert(jq::grad(static_loss)(vec3{1, 2, 3}) == vec3{6, 12, 18});

TEST_CASE("pmap: static arguments give static results, also while the program runs") {
  const vec3 got = jq::pmap(static_mean, over_i)(vec3{2, 4, 6});
  CHECK(got == vec3{0.5, 1, 1.5});
}
TEST_CASE("pmap: collectives in fori_loop") {
  const auto f = [](const array& x) {
    return lax::fori_loop(array(0), array(5), [](const array& k, const array& v) { return turn(v) + lax::psum(v, "i") * lax::convert_element_type(k, jq::f64); }, x);
  };
  check_near(jq::pmap(f, over_i)(x34), jq::vmap(f, over_i)(x34));
}
TEST_CASE("pmap: collectives in the body and the condition of while_loop") {
  const auto body = [](const array& x) {
    return lax::while_loop([](const std::pair<array, array>& c) { return c.first < 4; },
                           [](const std::pair<array, array>& c) { return std::pair{c.first + 1, turn(c.second) * 2.0}; }, std::pair{array(0), array(x)}).second;
  };
  CHECK_SAME(jq::pmap(body, over_i)(x34), jq::vmap(body, over_i)(x34));
  // All members go on until the sum over them is large enough.
  const auto both = [](const array& x) {
    return lax::while_loop([](const array& v) { return lax::psum(jq::sum(v), "i") < 100.0; }, [](const array& v) { return turn(v) + 1.0; }, x);
  };
  const array y = jq::pmap(both, over_i)(sample({3, 2}));
  CHECK(jq::copy(jq::sum(y)).item<double>() >= 100);
  CHECK(jq::copy(jq::sum(y)).item<double>() < 106);
  CHECK_SAME(y, jq::vmap(both, over_i)(sample({3, 2})));
}
TEST_CASE("pmap: loops without collectives, of which each member makes its own number of rounds") {
  const auto f = [](const array& n) {
    const array steps = lax::while_loop([&](const array& k) { return k * k < n; }, [](const array& k) { return k + 1; }, array(0));
    return std::pair{steps, lax::psum(steps, "i")};
  };
  const array n = jq::asarray({0, 1, 17, 10000});
  CHECK(show(jq::pmap(f, over_i)(n)) == "i32[4] 0 1 5 100, i32[4] 106 106 106 106");
}
TEST_CASE("pmap: collectives in scan, over elements of each member's own") {
  const auto f = [](const array& xs) {
    return lax::scan([](const array& c, const array& v) { return std::pair{turn(c) + lax::pmean(v, "i"), lax::all_gather(v, "i")}; }, jq::zeros({}, jq::f64), xs);
  };
  const auto got = jq::pmap(f, over_i)(x34), want = jq::vmap(f, over_i)(x34);
  check_near(got.first, want.first);
  CHECK_SAME(got.second, want.second);
}
TEST_CASE("pmap: a branch that all members take may communicate; each may take its own where it does not") {
  const auto same_branch = [](const array& x, const array& which) {
    return lax::cond(which > 0, [](const array& v) { return lax::psum(v, "i"); }, [](const array& v) { return turn(v); }, x);
  };
  for (const int which : {0, 1})
    CHECK_SAME(jq::pmap(same_branch, over_i, jq::in_axes<0, jq::none>)(sample({3, 4}), jq::asarray(which)), jq::vmap(which ? function(sum) : function(turn), over_i)(sample({3, 4})));
  const auto own_branch = [](const array& x) {
    return lax::psum(lax::cond(x > 1.f, [](const array& v) { return v * 10.f; }, [](const array& v) { return -v; }, x), "i") + x;
  };
  CHECK(show(jq::pmap(own_branch, over_i)(four)) == "f32[4] 49 50 51 52");
}
TEST_CASE("pmap: jit within the function") {
  const auto inner = jq::jit([](const array& x) { return lax::psum(x, "i") + lax::convert_element_type(lax::axis_index("i"), x.dtype()); });
  const auto f = [&](const array& x) { return inner(x) + jq::jit(turn)(inner(x)); };
  CHECK_SAME(jq::pmap(f, over_i)(sample({3, 4})), jq::vmap(f, over_i)(sample({3, 4})));
  // The same function within an axis of another size.
  const auto g = [&](const array& x) { return inner(x); };
  CHECK(show(jq::pmap(g, over_i)(four)) == "f32[4] 6 7 8 9");
  CHECK(show(jq::pmap(g, over_i)(jq::asarray({1.f, 2.f}))) == "f32[2] 3 4");
  const auto checkpointed = [](const array& x) { return jq::grad(jq::checkpoint([](const array& v) { return jq::sum(jq::sin(lax::psum(v, "i"))); }))(x); };
  check_near(jq::pmap(checkpointed, over_i)(x34), jq::vmap(checkpointed, over_i)(x34));
}
TEST_CASE("pmap: derivatives within the function") {
  const auto minus_sum = [](const array& x) { return -lax::psum(x, "i"); };
  CHECK(show(jq::pmap(jq::grad(minus_sum), over_i)(jq::ones({5}, jq::f32))) == "f32[5] -5 -5 -5 -5 -5");
  const auto check = [&](const function& f) {
    check_near(jq::pmap(f, over_i)(x34), jq::vmap(f, over_i)(x34));
  };
  check(jq::grad([](const array& x) { return jq::sum(jq::sin(lax::psum(x * x, "i")) * x); }));
  check(jq::grad([](const array& x) { return jq::sum(turn(x * x) * x); }));
  check(jq::grad([](const array& x) { return jq::sum(lax::pmean(x * x, "i")); }));
  check(jq::grad([](const array& x) { return jq::sum(jq::sin(lax::all_gather(x, "i"))); }));
  check(jq::grad([](const array& x) { return jq::sum(jq::sin(lax::psum_scatter(jq::reshape(jq::concatenate({x, x, x}), {3, 4}), "i"))); }));
  check(jq::grad([](const array& x) { return jq::sum(jq::sin(lax::all_to_all(jq::reshape(jq::concatenate({x, x, x}), {3, 4}), "i", 0, 1))); }));
  check(jq::jit(jq::grad([](const array& x) { return jq::sum(jq::exp(lax::psum(x, "i") * 0.1)); })));
  check([](const array& x) { return jq::jvp([](const array& v) { return lax::psum(jq::sin(v), "i") * turn(v); }, jq::primals(x), jq::tangents(jq::cos(x))).second; });
  check(jq::grad([](const array& x) {
    return jq::sum(lax::fori_loop(0, 3, [](const array&, const array& v) { return jq::sin(lax::psum(v, "i")); }, x));
  }));
  CHECK_THROWS_WITH_AS(jq::pmap(jq::grad([](const array& v) { return lax::pmax(v, "i"); }), over_i)(jq::asarray({1.0, 2.0})),
                       doctest::Contains("Differentiation rule for 'pmax' not implemented"), jq::not_implemented);
}
TEST_CASE("pmap: vmap within the function") {
  const auto f = [](const array& m) { return jq::vmap([](const array& v) { return jq::sum(v) + lax::psum(v, "i"); })(m); };
  CHECK_SAME(jq::pmap(f, over_i)(sample({3, 4, 5})), jq::vmap(f, over_i)(sample({3, 4, 5})));
}
TEST_CASE("pmap: a step of training with the gradients' mean") {
  const array inputs = jq::reshape(jq::sin(jq::arange(8 * 6 * 3, jq::f64)), {8, 6, 3}), targets = jq::reshape(jq::cos(jq::arange(8 * 6, jq::f64)), {8, 6});
  const auto loss = [](const array& w, const array& in, const array& want) { return jq::mean(jq::square(jq::dot(in, w) - want)); };
  const auto step = jq::pmap([&](const array& w, const array& in, const array& want) { return w - 0.1 * lax::pmean(jq::grad(loss)(w, in, want), "i"); }, over_i,
                             jq::in_axes<jq::none, 0, 0>, jq::out_axes<jq::none>);
  array w = jq::zeros({3}, jq::f64), whole = w;
  for (int k = 0; k < 20; ++k) {
    w = step(w, inputs, targets);
    whole = whole - 0.1 * jq::grad(loss)(whole, jq::reshape(inputs, {48, 3}), jq::reshape(targets, {48}));
  }
  check_near(w, whole);
}
TEST_CASE("grad of pmap") {
  CHECK(show(jq::grad([](const array& x) { return total(jq::pmap(sum, over_i)(x)); })(four)) == "f32[4] 4 4 4 4");
  const auto through = [](auto map) {
    return jq::grad([map](const array& x) { return total(jq::sin(map(x))); })(x34);
  };
  check_near(through(jq::pmap(square_sum, over_i)), through(jq::vmap(square_sum, over_i)));
  check_near(through(jq::pmap(turn, over_i)), through(jq::vmap(turn, over_i)));
  const auto [primal, tangent] = jq::jvp(jq::pmap(square_sum, over_i), jq::primals(x34), jq::tangents(jq::ones({3, 4}, jq::f64)));
  check_near(primal, jq::vmap(square_sum, over_i)(x34));
  check_near(tangent, jq::vmap([](const array& x) { return 2.0 * lax::psum(x, "i"); }, over_i)(x34));
  check_near(jq::jacrev(jq::pmap(sum, over_i))(jq::asarray({1.0, 2.0})), jq::ones({2, 2}, jq::f64));
}
TEST_CASE("jit of pmap, and make_jaxpr of it, know it as vmap") {
  const auto f = jq::pmap(square_sum, over_i);
  check_near(jq::jit(f)(x34), f(x34));
  check_near(jq::jit([&](const array& x) { return f(f(x)) + 1.0; })(x34), f(f(x34)) + 1.0);
  CHECK(text_of(jq::make_jaxpr(f)(x34)) == text_of(jq::make_jaxpr(jq::vmap(square_sum, over_i))(x34)));
  CHECK(count(text_of(jq::make_jaxpr(f)(x34)), "reduce_sum") == 1);
  CHECK(jq::eval_shape(f)(x34).shape() == jq::shape{3, 4});
  // Inside of a trace there may be more members than devices.
  CHECK(jq::jit(jq::pmap(sum, over_i, jq::out_axes<jq::none>))(jq::ones({100}, jq::f32)).item<float>() == 100);
}
TEST_CASE("vmap of pmap, pmap of vmap") {
  const array x = sample({2, 3, 4});
  CHECK_SAME(jq::vmap(jq::pmap(square_sum, over_i))(x), jq::vmap(jq::vmap(square_sum, over_i))(x));
  CHECK_SAME(jq::vmap(jq::pmap(square_sum, over_i), jq::in_axes<1>)(x), jq::vmap(jq::vmap(square_sum, over_i), jq::in_axes<1>)(x));
  CHECK_SAME(jq::pmap(jq::vmap(square_sum, over_i))(x), jq::vmap(jq::vmap(square_sum, over_i))(x));
  CHECK_SAME(jq::pmap(jq::vmap(square_sum), over_i)(x), jq::vmap(jq::vmap(square_sum), over_i)(x));
}
TEST_CASE("pmap of pmap") {
  const array x = sample({4, 2, 3});
  const auto both = [](auto outer, auto inner) {
    return outer(inner([](const array& v) { return lax::psum(v, "i") * 2.0 + lax::psum(v, {"i", "j"}) + lax::convert_element_type(lax::axis_index("j"), jq::f64); },
                       jq::axis_name<"j">), jq::axis_name<"i">);
  };
  const auto p = [](auto f, auto axis) { return jq::pmap(f, axis); };
  const auto v = [](auto f, auto axis) { return jq::vmap(f, axis); };
  CHECK_SAME(both(p, p)(x), both(v, v)(x));
  // A call within the function, of an axis of its own.
  const auto within = jq::pmap([](const array& row) {
    const array inner = jq::pmap([](const array& e) { return lax::psum(e, "k"); }, jq::axis_name<"k">)(row);
    return inner + lax::psum(row, "i");
  }, over_i);
  CHECK(show(within(jq::asarray({{1.f, 2.f}, {3.f, 4.f}}))) == "f32[2,2] 7 9 11 13");
}
TEST_CASE("pmap: where jit is disabled it is vmap, traced at each call") {
  int traces = 0;
  const auto f = jq::pmap([&](const array& x) {
    ++traces;
    return lax::psum(x, "i");
  }, over_i);
  {
    const jq::disable_jit off;
    CHECK(show(f(four)) == "f32[4] 6 6 6 6");
    CHECK(show(f(four)) == "f32[4] 6 6 6 6");
  }
  CHECK(traces == 2);
  CHECK(f.cache_size() == 0);
}
