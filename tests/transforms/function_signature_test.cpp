// Functions seen by their signature: one type for all of a signature, results of every kind, copies of constant functions, members.
#include <jacquard/transforms/function_signature.hpp>

#include <jacquard/jacquard.hpp>
#include <jacquard/testing/testing.hpp>

#include <doctest/doctest.h>

namespace jq = jacquard;
using jq::array;
using jq::detail::function_of;
using jq::detail::seen_by_signature;

namespace {

struct counter {
  int calls = 0;
  array operator()(const array& x) { return x + double(++calls); }
};
struct scaled {
  array factor;
  array times(const array& x) const { return factor * x; }
};
template <class T>
constexpr T twice_of(const function_of<T, T>& f, const T& x) {
  return f(f(x));
}

}  // namespace

TEST_CASE("functions of one signature are of one type") {
  const auto sine = [](const array& x) { return jq::sin(x); };
  const auto any = [](auto x) { return x * 2.0; };
  const auto by_value = [](array x) { return x; };
  using wanted = const function_of<array, array>&;
  static_assert(std::is_same_v<decltype(seen_by_signature<array>(sine).of_signature()), wanted>);
  static_assert(std::is_same_v<decltype(seen_by_signature<array>(any).of_signature()), wanted>);
  static_assert(std::is_same_v<decltype(seen_by_signature<array>(by_value).of_signature()), wanted>);
  static_assert(std::is_same_v<decltype(seen_by_signature<double>(any).of_signature()), wanted>);  // arguments are traced as arrays
  CHECK(twice_of(seen_by_signature<array>(any).of_signature(), jq::asarray(3.0)).item<double>() == 12.0);
}
TEST_CASE("results: nothing is an empty tuple, references are values, trees stay") {
  int calls = 0;
  const array kept = jq::asarray(5.0);
  const auto nothing = [&](const array&) { ++calls; };
  const auto reference = [&](const array&) -> const array& { return kept; };
  const auto pair = [](const array& x, const std::vector<array>& y) { return std::pair{y, x}; };
  CHECK(seen_by_signature<array>(nothing).of_signature()(kept) == std::tuple<>());
  CHECK(calls == 1);
  static_assert(std::is_same_v<decltype(seen_by_signature<array>(reference).of_signature()(kept)), array>);
  CHECK(seen_by_signature<array>(reference).of_signature()(jq::asarray(1.0)).item<double>() == 5.0);
  const auto [y, x] = seen_by_signature<array, std::vector<array>>(pair).of_signature()(kept, {kept, kept});
  CHECK(y.size() == 2);
  CHECK(x.item<double>() == 5.0);
}
TEST_CASE("a constant function is copied for each call, another is called itself") {
  const array zero = jq::asarray(0.0);
  counter changing;
  const counter constant;
  for (double want : {1.0, 2.0}) CHECK(seen_by_signature<array>(changing).of_signature()(zero).item<double>() == want);
  for (int i = 0; i < 2; ++i) CHECK(seen_by_signature<array>(constant).of_signature()(zero).item<double>() == 1.0);
  CHECK(jq::grad(counter{})(jq::asarray(2.0)).item<double>() == 1.0);
  CHECK(jq::jit(counter{})(jq::asarray(2.0)).item<double>() == 3.0);
}
TEST_CASE("member functions take their object first") {
  const auto times = &scaled::times;
  const scaled two{jq::asarray(2.0)};
  CHECK(seen_by_signature<scaled, array>(times).of_signature()(two, jq::asarray(4.0)).item<double>() == 8.0);
  CHECK(jq::grad(&scaled::times, jq::argnums<1>)(two, jq::asarray(4.0)).item<double>() == 2.0);
}
TEST_CASE("in constant evaluation") {
  constexpr double r = [] {
    auto square = [](double x) { return x * x; };
    jq::detail::function_seen<decltype(square), double, double> seen(square);
    return twice_of(seen.of_signature(), 3.0);
  }();
  static_assert(r == 81.0);
}
