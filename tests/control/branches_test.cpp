// lax::cond and lax::switch_ as users call them: predicates, clamped indices, captured values, and what is said of branches
// that differ.
#include "control_testing.hpp"

#include <functional>

using jq::array;
using jq::asarray;

namespace {

template <class Error = jq::type_error, class F>
std::string complaint(F&& f) {
  return testing::message_of<Error>(std::forward<F>(f));
}
const auto twice = [](const array& x) { return x * 2.0; };
const auto square = [](const array& x) { return x * x; };
const auto negative = [](const array& x) { return -x; };

constexpr auto with_own_operand = [](const auto& p, const auto& x) {
  return lax::cond(p > 0, x, [](const auto& v) { return v + 1; }, std::pair{x, x}, [](const auto& v) { return v.first * v.second; });
};
static_assert(jq::jit(with_own_operand)(1.0, 3.0) == 4.0);
static_assert(jq::jit(with_own_operand)(-1.0, 3.0) == 9.0);

}  // namespace

TEST_CASE("cond with an operand for each branch") {
  const array x = asarray({1.0, 2.0});
  for (const array& p : {asarray(1), asarray(-1)}) {
    const array want = p.item<int>() > 0 ? x + 1 : x * x;
    CHECK_REPORT(jq::testing::all_close(with_own_operand(p, x), want));
    CHECK_REPORT(jq::testing::all_close(jq::jit(with_own_operand)(p, x), want));
  }
  CHECK(lax::cond(true, 3, [](const array& v) { return v + 1; }, 4, [](const array& v) { return v; }).item<int>() == 4);
  const auto slope = jq::grad([](const array& v) { return lax::cond(v < 0.0, v, twice, v, square); });
  CHECK(slope(asarray(-3.0)).item<double>() == 2.0);
  CHECK(slope(asarray(3.0)).item<double>() == 6.0);
  CHECK_REPORT(jq::testing::all_close(lax::cond(false, [](const array& v, const array& w) { return v + w; }, [](const array& v, const array& w) { return v - w; }, x, x),
                                      jq::zeros({2}, jq::f64)));
}

TEST_CASE("lax::cond: booleans and numbers, eagerly and compiled") {
  const auto f = [](const array& p, const array& x) { return lax::cond(p, twice, square, x); };
  CHECK(show(f(asarray(true), asarray(3.0))) == "f64[] 6");
  CHECK(show(f(asarray(false), asarray(3.0))) == "f64[] 9");
  CHECK(show(f(asarray(0), asarray(3.0))) == "f64[] 9");
  CHECK(show(f(asarray(-0.5), asarray(3.0))) == "f64[] 6");
  CHECK(show(jq::jit(f)(asarray(true), asarray(3.0))) == "f64[] 6");
  CHECK(show(jq::jit([&](const array& x) { return lax::cond(x > 2.0, twice, square, x); })(asarray(1.5))) == "f64[] 2.25");
}
TEST_CASE("lax::cond: operands, captured values and trees") {
  const array shared = asarray({1.0, 2.0});
  const auto f = [&](const array& x) {
    const array y = x * 3.0;
    return lax::cond(
        x > 0.0, [&](const std::pair<array, array>& p) { return std::tuple{p.first * y, shared}; },
        [&](const std::pair<array, array>& p) { return std::tuple{p.second, shared * 2.0}; }, std::pair{x, x + 1.0});
  };
  CHECK(show(f(asarray(2.0))) == "f64[] 12, f64[2] 1 2");
  CHECK(show(jq::jit(f)(asarray(-2.0))) == "f64[] -1, f64[2] 2 4");
  CHECK(show(jq::grad([&](const array& x) { return std::get<0>(f(x)); })(asarray(2.0))) == "f64[] 12");
}
TEST_CASE("lax::switch_: lists of functions of one type") {
  using function = std::function<array(const array&)>;
  const std::vector<function> list{twice, square, negative};
  const auto f = [&](const array& i, const array& x) { return lax::switch_(i, list, x); };
  CHECK(show(jq::vmap(f, jq::in_axes<0, jq::none>)(asarray({-1, 1, 5}), asarray(3.0))) == "f64[3] 6 9 -3");
  CHECK(show(jq::jit(jq::grad(f, jq::argnums<1>))(asarray(1), asarray(3.0))) == "f64[] 6");
  const array y = asarray(10.0);
  const auto scaled = [&](double c) { return [=](const array& x) { return std::pair{x * c, y}; }; };
  CHECK(show(lax::switch_(asarray(1), std::array{scaled(2), scaled(3)}, asarray(1.0))) == "f64[] 3, f64[] 10");
  CHECK(show(lax::switch_(asarray(7), std::vector{scaled(2)}, asarray(1.0))) == "f64[] 2, f64[] 10");
  std::vector<function> many;
  for (int k = 0; k < 200; ++k) many.push_back([k](const array& x) { return x + double(k); });
  for (const auto& [at, want] : {std::pair{asarray(std::int64_t(1) << 40), 199.0}, {asarray(150), 150.0}, {asarray(std::uint8_t(180)), 180.0}, {asarray(std::int8_t(-3)), 0.0}})
    CHECK(lax::switch_(at, many, asarray(0.0)).item<double>() == want);
  CHECK(complaint<jq::value_error>([] { lax::switch_(asarray(0), std::vector<function>(), asarray(1.0)); }).starts_with("Empty branch sequence; pass at least one branch"));
  CHECK(complaint([&] { lax::switch_(asarray(0.5), list, asarray(1.0)); }).starts_with("Index type must be an integer, got float64"));
}
TEST_CASE("lax::switch_: an index out of range takes the nearest branch, a single branch is called directly") {
  const auto f = [](const array& i, const array& x) { return lax::switch_(i, std::tuple{twice, square, negative}, x); };
  std::string values;
  for (int i : {-7, 0, 1, 2, 9}) values += show(f(asarray(i), asarray(3.0))) + " ";
  CHECK(values == "f64[] 6 f64[] 6 f64[] 9 f64[] -3 f64[] -3 ");
  CHECK(show(f(asarray(std::int64_t(1) << 40), asarray(3.0))) == "f64[] -3");
  CHECK(show(f(asarray(std::uint8_t(200)), asarray(3.0))) == "f64[] -3");
  CHECK(show(jq::vmap(f, jq::in_axes<0, jq::none>)(asarray({-1, 1, 5}), asarray(3.0))) == "f64[3] 6 9 -3");
  const auto p = jq::make_jaxpr([](const array& i, const array& x) { return lax::switch_(i, std::tuple{square}, x); })(asarray(1), asarray(3.0));
  CHECK(testing::uses(p, "cond") == 0);
}
TEST_CASE("lax::cond: weak results give way to others") {
  const auto f = [](const array& p, const array& x) { return lax::cond(p, [](const array&) { return array(1); }, [](const array& y) { return y; }, x); };
  CHECK(show(f(asarray(true), asarray(3.f))) == "f32[] 1");
  CHECK(show(f(asarray(false), asarray(3.f))) == "f32[] 3");
}
TEST_CASE("lax::cond: a plain number is no wider than the float beside it, two floats meet, and weakness is that of both branches") {
  const auto zero = [](const array&, const array&) { return array(0.0); };
  const auto first = [](const array& x, const array&) { return x; };
  const auto second = [](const array&, const array& y) { return y; };
  const auto of = [](auto f, auto g) {
    const auto choice = [=](const array& p, const array& x, const array& y) { return lax::cond(p, f, g, x, y); };
    return jq::make_jaxpr(choice)(asarray(true), array(1.f), array(1.0)).out_avals()[0];
  };
  CHECK(of(zero, first) == jq::aval(jq::f32, {}, true));
  CHECK(of(first, zero) == jq::aval(jq::f32, {}, true));
  CHECK(of(first, second) == jq::aval(jq::f64, {}, true));
  CHECK(of(second, first) == jq::aval(jq::f64, {}, true));
  const auto either = [&](bool p) { return lax::cond(asarray(p), first, second, array(1.f), asarray(2.f)).weak_type(); };
  CHECK_FALSE(either(true));
  CHECK_FALSE(either(false));
}
TEST_CASE("lax::cond: taps fire in the branch taken; in both where the predicate is mapped") {
  std::vector<int> seen;
  const auto tapped = [&](int number) {
    return [&, number](const array& x) { return jq::id_tap([&, number](const array&, const jq::tap_context&) { seen.push_back(number); }, x); };
  };
  const auto f = [&](const array& p, const array& x) { return lax::cond(p, tapped(1), tapped(2), x); };
  f(asarray(true), asarray(1.0));
  jq::jit(f)(asarray(false), asarray(1.0));
  jq::barrier_wait();
  CHECK(seen == std::vector<int>{1, 2});
  seen.clear();
  CHECK(show(jq::vmap(f)(asarray({true, false}), asarray({1.0, 2.0}))) == "f64[2] 1 2");
  jq::barrier_wait();
  CHECK(seen == std::vector<int>{2, 1});
}
TEST_CASE("lax::cond and switch_: what is said of wrong calls") {
  const array x = asarray(1.f), v = asarray({1.f, 2.f});
  CHECK(complaint([&] { lax::cond(asarray(1).astype(jq::c64), twice, square, x); })
            .starts_with("Pred type must be either boolean or number, got complex64"));
  CHECK(complaint([&] { lax::cond(v, twice, square, x); }).starts_with("Pred must be a scalar, got an array of shape (2,)"));
  CHECK(complaint([&] { lax::cond(asarray(true), [](const array& y) { return y; }, [](const array& y) { return std::tuple{y, y}; }, x); })
            .starts_with("true_fun and false_fun output must have same type structure, got * and (*, *). "));
  const std::string types = complaint([&] {
    lax::cond(asarray(true), [](const array& y) { return lax::broadcast_in_dim(y, {1}, {}); }, [](const array& y) { return y; }, x);
  });
  CHECK(types.starts_with("true_fun and false_fun output must have identical types, got\nDIFFERENT ShapedArray(float32[1]) vs. ShapedArray(float32[])."));
  CHECK(types.find("branches_test.cpp:") != std::string::npos);
  CHECK(complaint([&] { lax::switch_(x, std::tuple{twice, square}, x); }).starts_with("Index type must be an integer, got float32"));
  CHECK(complaint([&] { lax::switch_(asarray({1, 2}), std::tuple{twice, square}, x); })
            .starts_with("Branch index must be scalar, got an array of shape (2,). "));
  const auto one_branch = [](const array& y) { return lax::switch_(0, std::tuple{square}, y); };
  CHECK(jq::to_string(jq::make_jaxpr(one_branch)(x)) == "{ lambda ; a:f32[]. let b:f32[] = mul a a in (b,) }");
}
