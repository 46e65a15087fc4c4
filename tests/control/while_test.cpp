// while_p and the loops made of it: values, forward derivatives, mapped conditions, and the message of reverse mode.
#include "control_testing.hpp"

using jq::array;
using jq::asarray;

namespace {

/// Doubles x and shrinks y until x exceeds a limit.
const auto f = [](const array& limit, const array& rate, const array& x, const array& y) {
  return lax::while_loop([&](const std::pair<array, array>& s) { return s.first < limit; },
                         [&](const std::pair<array, array>& s) { return std::pair{s.first * 2.0, lax::sin(s.second * rate) * s.first}; },
                         std::pair{x, y});
};
const array limit = asarray(10.0), rate = asarray(0.9), x = asarray(1.5), y = asarray({0.3, 0.4});
std::pair<array, array> laid_out(const array& r, array a, array b) {
  while (bool(a < 10.0)) {
    b = lax::sin(b * r) * a;
    a = a * 2.0;
  }
  return {a, b};
}

}  // namespace

TEST_CASE("while: values, eagerly and compiled") {
  CHECK_REPORT(jq::testing::all_close(f(limit, rate, x, y), laid_out(rate, x, y)));
  CHECK_REPORT(jq::testing::all_close(jq::jit(f)(limit, rate, x, y), laid_out(rate, x, y)));
  CHECK(show(f(asarray(-1.0), rate, x, y)) == "f64[] 1.5, f64[2] 0.3 0.4");
}
TEST_CASE("while: forward derivatives, also of second order and through linearize") {
  const auto looped = [](const array& r, const array& a, const array& b) { return f(limit, r, a, b); };
  CHECK_REPORT(jq::testing::check_grads(looped, std::tuple{rate, x, y}, {.order = 2, .which = jq::testing::modes::forward}));
  const auto [value, f_lin] = jq::linearize(looped, rate, x, y);
  const auto want = jq::jvp(laid_out, jq::primals(rate, x, y), jq::tangents(asarray(1.0), asarray(0.5), asarray({1.0, 2.0})));
  CHECK_REPORT(jq::testing::all_close(value, want.first));
  CHECK_REPORT(jq::testing::all_close(f_lin(asarray(1.0), asarray(0.5), asarray({1.0, 2.0})), want.second));
}
TEST_CASE("while: only what varies is carried along") {
  const auto p = jq::make_jaxpr([](const array& r, const array& t) {
    return jq::jvp([](const array& v) { return f(limit, v, x, y); }, jq::primals(r), jq::tangents(t));
  })(rate, asarray(1.0));
  CHECK_FALSE(jq::check_jaxpr(*p));
  std::size_t results = 0;
  for (const jq::equation& e : p->equations)
    if (e.op == &jq::table_of<jq::while_p>()) results = e.out.count;
  CHECK(results == 3);  // both carries, and the tangent of the second
}
TEST_CASE("while: no reverse mode, and it says what to do") {
  const auto g = [](const array& a) { return total(f(limit, rate, a, y).second); };
  CHECK_THROWS_WITH_AS(jq::grad(g)(x), doctest::Contains("Reverse-mode differentiation does not work for lax::while_loop or lax::fori_loop"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::grad(g)(x), doctest::Contains("while_test.cpp:"), jq::value_error);
}
TEST_CASE("while: a mapped condition runs until all examples are done, and keeps those that are") {
  const auto up = [](const array& start) {
    return lax::while_loop([](const array& v) { return v < 3; }, [](const array& v) { return v + 2; }, start);
  };
  CHECK(show(jq::vmap(up)(asarray({0, 1, 2, 3}))) == "i32[4] 4 3 4 3");
  CHECK(show(jq::jit(jq::vmap(up))(asarray({0, 1, 2, 3}))) == "i32[4] 4 3 4 3");
}
TEST_CASE("while: vmap over every choice of arguments, and of the jvp") {
  const auto slope = [](const array& l, const array& r, const array& a, const array& b) {
    return jq::jvp([&](const array& v) { return f(l, v, a, b); }, jq::primals(r), jq::tangents(asarray(1.0)));
  };
  for (int mapped = 1; mapped < 16; ++mapped) {
    CAPTURE(mapped);
    const auto axis = [&](int k) { return (mapped >> k) & 1 ? 0 : jq::none; };
    const auto operand = [&](int k, const array& v) { return (mapped >> k) & 1 ? testing::stacked({v, v * 0.75, v * 1.5}) : v; };
    const std::tuple args{operand(0, limit), operand(1, rate), operand(2, x), operand(3, y)};
    CHECK_REPORT(jq::testing::check_vmap(f, {axis(0), axis(1), axis(2), axis(3)}, args));
    CHECK_REPORT(jq::testing::check_vmap(slope, {axis(0), axis(1), axis(2), axis(3)}, args));
  }
}
TEST_CASE("while: a tap sees all examples in every trip, those that are done too") {
  std::vector<std::string> seen;
  const auto up = [&](const array& start) {
    return lax::while_loop([](const array& v) { return v < 2; }, [&](const array& v) {
      return jq::id_tap([&](const array& a, const jq::tap_context&) { seen.push_back(show(a)); }, v + 1);
    }, start);
  };
  CHECK(show(jq::vmap(up)(asarray({0, 1, 2, 3, 4}))) == "i32[5] 2 2 2 3 4");
  jq::barrier_wait();
  CHECK(seen == std::vector<std::string>{"i32[5] 1 2 3 4 5", "i32[5] 2 3 3 4 5"});
}
TEST_CASE("while: an unmapped condition stays a scalar one") {
  const auto p = jq::make_jaxpr(jq::vmap(f, jq::in_axes<jq::none, jq::none, jq::none, 0>))(limit, rate, x, testing::examples(y));
  CHECK(testing::uses(p, "reduce_or") == 0);
  CHECK(testing::uses(p, "select_n") == 0);
}
TEST_CASE("fori_loop: known bounds make a scan, others a while") {
  const auto power = [](const array& n, const array& v) {
    return lax::fori_loop(0, n, [&](const array&, const array& p) { return p * v; }, asarray(1.0));
  };
  const auto fixed = [&](const array& v) { return power(3, v); };
  CHECK(show(fixed(asarray(2.0))) == "f64[] 8");
  CHECK(show(jq::grad(fixed)(asarray(2.0))) == "f64[] 12");
  CHECK(testing::uses(jq::make_jaxpr(fixed)(asarray(2.0)), "scan") == 1);
  CHECK(show(jq::jit(power)(asarray(3), asarray(2.0))) == "f64[] 8");
  CHECK(testing::uses(jq::make_jaxpr(power)(asarray(3), asarray(2.0)), "while") == 1);
  CHECK_THROWS_AS(jq::grad(jq::jit(power), jq::argnums<1>)(asarray(3), asarray(2.0)), jq::value_error);
}
TEST_CASE("fori_loop: counts from lower to upper, and not at all where there is nothing to count") {
  const auto digits = [](const array& from, const array& to) {
    return lax::fori_loop(from, to, [](const array& i, const array& s) { return s * 10 + i; }, asarray(0));
  };
  CHECK(show(digits(2, 5)) == "i32[] 234");
  CHECK(show(digits(asarray(-1), 2)) == "i32[] -99");
  CHECK(show(jq::jit(digits)(asarray(2), asarray(5))) == "i32[] 234");
  CHECK(show(digits(5, 2)) == "i32[] 0");
  CHECK(show(jq::jit(digits)(asarray(5), asarray(2))) == "i32[] 0");
}
TEST_CASE("while_loop and fori_loop: what is said of wrong calls") {
  const auto complaint = [](auto&& g) { return testing::message_of<jq::type_error>(g); };
  const auto same = [](const array& v) { return v; };
  const array one = asarray(1.f);
  CHECK(complaint([&] { lax::while_loop([](const array& v) { return std::tuple{v < 1.f, v < 2.f}; }, same, one); })
            .starts_with("cond_fun must return a boolean scalar, but got pytree (*, *)"));
  const std::string output = complaint([&] { lax::while_loop(same, same, one); });
  CHECK(output.starts_with("cond_fun must return a boolean scalar, but got output type(s) [ShapedArray(float32[])]. "));
  CHECK(output.find("while_test.cpp:") != std::string::npos);
  const auto below = [](const array& v) { return v < 1.f; };
  CHECK(complaint([&] { lax::while_loop(below, [](const array& v) { return std::tuple{v, v}; }, one); })
            .starts_with("body_fun output and input must have same type structure, got (*, *) and *. "));
  CHECK(complaint([&] { lax::while_loop(below, [](const array& v) { return lax::broadcast_in_dim(v, {1}, {}); }, one); })
            .starts_with("body_fun output and input must have identical types, got\nDIFFERENT ShapedArray(float32[1]) vs. ShapedArray(float32[])."));
  CHECK(complaint([&] { lax::fori_loop(asarray(std::int16_t(0)), asarray(3), [](const array&, const array& v) { return v; }, one); })
            .starts_with("arguments to fori_loop must have equal types, got int16 and int32"));
  CHECK(complaint([&] { lax::fori_loop(asarray(0.0), asarray(3.0), [](const array&, const array& v) { return v; }, one); })
            .starts_with("fori_loop: got a bound of dtype float64, wanted an integer"));
}
