// scan_p: the same values and derivatives as the loop laid out trip by trip, its transforms as scans, and residuals that are
// the same in every trip outside of it.
#include "control_testing.hpp"

using jq::array;
using jq::asarray;

namespace {

using two = std::pair<array, array>;

/// One trip: a nonlinear step with a constant, a carry and an element.
two step(const array& w, const array& c, const array& x) {
  const array h = lax::tanh(lax::add(lax::mul(w, c), x));
  return {h, lax::mul(h, lax::sin(w))};
}
const auto looped = [](const array& w, const array& c, const array& xs) {
  return lax::scan([&](const array& h, const array& x) { return step(w, h, x); }, c, xs);
};
const auto unrolled = [](const array& w, array c, const array& xs) {
  std::vector<array> ys;
  for (std::int64_t i = 0; i < xs.shape()[0]; ++i) {
    const auto [h, y] = step(w, c, xs(i));
    c = h;
    ys.push_back(y);
  }
  return two{c, testing::stacked(ys)};
};
const auto loss = [](const auto& f) {
  return [f](const array& w, const array& c, const array& xs) {
    const auto [h, ys] = f(w, c, xs);
    return total(h * h) + total(ys);
  };
};
const array w = asarray({0.5, -1.0}), c = asarray({0.1, 0.2});
const array xs = asarray({{0.3, -0.4}, {0.5, 0.1}, {-0.2, 0.7}});

}  // namespace

TEST_CASE("scan: values, eagerly and compiled") {
  const auto cumulative = [](const array& start, const array& x) {
    return lax::scan([](const array& s, const array& v) { return two{s + v, s * v}; }, start, x);
  };
  CHECK(show(cumulative(asarray(1.f), asarray({1.f, 2.f, 3.f}))) == "f32[] 7, f32[3] 1 4 12");
  CHECK(show(jq::jit(cumulative)(asarray(1.f), asarray({1.f, 2.f, 3.f}))) == "f32[] 7, f32[3] 1 4 12");
  CHECK(show(cumulative(asarray(1.f), jq::zeros({0}, jq::f32))) == "f32[] 1, f32[0]");
  CHECK_REPORT(jq::testing::all_close(looped(w, c, xs), unrolled(w, c, xs)));
}
TEST_CASE("scan: backwards, results in the order of the elements") {
  const auto f = [](const array& x) {
    return lax::scan([](const array& s, const array& v) { return two{s * 2.0 + v, s}; }, asarray(0.0), x, {.reverse = true});
  };
  CHECK(show(f(asarray({1.0, 2.0, 3.0}))) == "f64[] 17, f64[3] 8 3 0");
  CHECK(show(jq::grad([&](const array& x) { return f(x).first; })(asarray({1.0, 2.0, 3.0}))) == "f64[3] 1 2 4");
}
TEST_CASE("scan: derivatives are those of the loop laid out, in all modes and orders") {
  const auto all = jq::argnums<0, 1, 2>;
  CHECK_REPORT(jq::testing::all_close(jq::grad(loss(looped), all)(w, c, xs), jq::grad(loss(unrolled), all)(w, c, xs)));
  CHECK_REPORT(jq::testing::all_close(jq::hessian(loss(looped), all)(w, c, xs), jq::hessian(loss(unrolled), all)(w, c, xs)));
  CHECK_REPORT(jq::testing::check_grads(looped, std::tuple{w, c, xs}, {.order = 2}));
  CHECK_REPORT(jq::testing::check_grads(jq::jit(looped), std::tuple{w, c, xs}, {.order = 1}));
}
TEST_CASE("scan: vmap over every choice of arguments, and of the gradient") {
  const auto all = jq::argnums<0, 1, 2>;
  for (int mapped = 1; mapped < 8; ++mapped) {
    CAPTURE(mapped);
    const auto axis = [&](int k) { return (mapped >> k) & 1 ? 1 : jq::none; };
    const auto operand = [&](int k, const array& x) { return (mapped >> k) & 1 ? testing::examples(x, 1) : x; };
    const std::tuple args{operand(0, w), operand(1, c), operand(2, xs)};
    CHECK_REPORT(jq::testing::check_vmap(looped, {axis(0), axis(1), axis(2)}, args));
    CHECK_REPORT(jq::testing::check_vmap(jq::grad(loss(looped), all), {axis(0), axis(1), axis(2)}, args));
  }
}
TEST_CASE("scan: a carry that is mapped only after the first trip") {
  const auto f = [](const array& x) {
    return lax::scan([&](const array& s, const std::tuple<>&) { return two{s + x, s}; }, asarray(0.0), std::tuple<>{}, {.length = 3});
  };
  CHECK(show(jq::vmap(f)(asarray({1.0, 2.0}))) == "f64[2] 3 6, f64[2,3] 0 1 2 0 2 4");
}
TEST_CASE("scan: a tangent that reaches a carry only after two trips") {
  const auto f = [](const array& x) {
    return lax::scan(
               [&](const std::tuple<array, array, array>& s, const std::tuple<>& none) {
                 const auto& [p, q, r] = s;
                 return std::pair{std::tuple{x * 2.0, p * 3.0, q * 5.0 + r}, none};
               },
               std::tuple{asarray(0.0), asarray(0.0), asarray(0.0)}, std::tuple<>{}, {.length = 4})
        .first;
  };
  CHECK(show(jq::jvp(f, jq::primals(asarray(1.0)), jq::tangents(1.0)).second) == "f64[] 2, f64[] 6, f64[] 60");
  CHECK(show(jq::grad([&](const array& x) { return std::get<2>(f(x)); })(asarray(1.0))) == "f64[] 60");
}
TEST_CASE("scan: a counter among the carries; linear_transpose runs it first") {
  const auto f = [](const array& x) {
    return lax::scan(
               [&](const std::pair<array, array>& s, const std::tuple<>& none) {
                 return std::pair{std::pair{s.first + 1, s.second + x * lax::convert_element_type(s.first, jq::f64, false)}, none};
               },
               std::pair{asarray(0), asarray(0.0)}, std::tuple<>{}, {.length = 4})
        .first.second;
  };
  CHECK(show(jq::grad(f)(asarray(2.0))) == "f64[] 6");
  CHECK(show(jq::linear_transpose(f, asarray(2.0))(asarray(1.0))) == "f64[] 6");
}
TEST_CASE("scan: what the derivative needs is stacked once, and taken out where it does not vary") {
  const auto f = [](const array& v, const array& x) {
    return total(lax::scan([&](const array& s, const array& e) { return two{s * lax::exp(lax::sin(v)) + e, s}; }, asarray(1.0), x).second);
  };
  const auto p = jq::make_jaxpr(jq::grad(f, jq::argnums<0, 1>))(asarray(0.5), asarray({1.0, 2.0}));
  CHECK_FALSE(jq::check_jaxpr(*p));
  CHECK(testing::uses(p, "scan") == 2);
  const std::string text = jq::to_string(p);
  CHECK(text.find("exp ") < text.find("scan["));  // before the first loop, not in it
  for (const char* operation : {"exp", "sin", "cos"}) CHECK(testing::uses(p, operation) == 1);
}
TEST_CASE("scan: an unused result has no tangent, an integer none either") {
  const auto f = [](const array& x) {
    return lax::scan([](const array& s, const array& v) { return std::pair{s + 1, std::pair{v * 2.0, s}}; }, asarray(0), x).second;
  };
  const auto [y, t] = jq::jvp(f, jq::primals(asarray({1.0, 2.0})), jq::tangents(asarray({1.0, 1.0})));
  CHECK(show(y) == "f64[2] 2 4, i32[2] 0 1");
  CHECK(show(t) == "f64[2] 2 2, bool[2] 0 0");
  CHECK(show(jq::grad([&](const array& x) { return total(f(x).first); })(asarray({1.0, 2.0}))) == "f64[2] 2 2");
}
TEST_CASE("scan: of a scan") {
  const auto f = [](const array& x) {
    return lax::scan(
               [](const array& s, const array& row) {
                 return two{lax::scan([](const array& q, const array& v) { return two{lax::sin(q) * v, q}; }, s, row).first, s};
               },
               asarray(1.0), x)
        .first;
  };
  CHECK_REPORT(jq::testing::check_grads(f, std::tuple{xs}, {.order = 2}));
  CHECK_REPORT(jq::testing::check_vmap(jq::grad(f), {0}, std::tuple{testing::examples(xs)}));
}
TEST_CASE("scan: cotangents of rows of a constant are added where these lie, and nothing else of the constant is touched") {
  const array table = jq::reshape(jq::arange(1.0, 11.0) * 0.1, {5, 2}), start = asarray({0.5, -0.5});
  const auto slice_of = [](const array& t, const array& i) { return jq::reshape(lax::dynamic_slice(t, {i, asarray(0)}, {1, 2}), {2}); };
  const auto loop = [&](auto row) {
    return [=](const array& t) { return total(lax::fori_loop(0, 6, [&](const array& i, const array& s) { return lax::sin(s * row(t, i)); }, start)); };
  };
  const auto check = [&](auto row, int sums) {
    const auto f = loop(row);
    const std::string text = jq::to_string(jq::make_jaxpr(jq::grad(f))(table));
    int found = 0;
    for (std::size_t at = 0; (at = text.find("f64[5,2] = add ", at)) != std::string::npos; ++at) ++found;
    CHECK(found == sums);
    CHECK_REPORT(jq::testing::check_grads(f, std::tuple{table}, {.order = 2}));
    CHECK_REPORT(jq::testing::check_vmap(jq::grad(f), {0}, std::tuple{testing::examples(table)}));
  };
  check([&](const array& t, const array& i) { return slice_of(t, i * 3 - 4); }, 0);                             // wrapped, clamped and repeated
  check([](const array& t, const array& i) { return t(i * 2 % 5); }, 0);
  check([&](const array& t, const array& i) { return slice_of(t, i) + t(i * 2 % 5) * slice_of(t, i * 2); }, 0);  // one after the other
  check([&](const array& t, const array& i) { return slice_of(t, i) * jq::sum(t) * 0.1; }, 1);                  // all of it, too
  check([&](const array& t, const array& i) {  // a loop in the loop
    return lax::fori_loop(0, 3, [&](const array& k, const array& s) { return s + slice_of(t, i + k); }, jq::zeros({2}, jq::f64));
  }, 0);
}
TEST_CASE("scan: operands that do not fit the body are type errors") {
  const jq::closed_jaxpr p = jq::make_jaxpr([](const array& a, const array& b) { return two{a, b}; })(asarray(1.f), asarray(1.f));
  const auto run = [&](const array& carry, const array& stacked) {
    jq::bind_list<jq::scan_p>({p.program, 2, 0, 1, false, 1}, {}, std::vector{carry, stacked});
  };
  CHECK_NOTHROW(run(asarray(1.f), asarray({1.f, 2.f})));
  CHECK_THROWS_WITH_AS(run(asarray(1.f), asarray({1.f})), doctest::Contains("scan: operand 1 is f32[1], wanted f32[2]"), jq::type_error);
  CHECK_THROWS_WITH_AS(run(asarray(1), asarray({1.f, 2.f})), doctest::Contains("scan: operand 0 is i32[], wanted f32[]"), jq::type_error);
}
