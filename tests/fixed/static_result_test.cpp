// The static types of results.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

namespace jq = jacquard;
using jq::tensor;

template <class T>
struct pair_of {
  T a, b;
};
template <class F, class... A>
using result_of = decltype(jq::detail::run_static<F, jq::detail::own_result>(std::declval<A>()...));

constexpr auto many = [](auto x) { return std::tuple{x, std::pair{x > 0.0, jq::sum(x)}, std::array{x, x}}; };
static_assert(std::is_same_v<result_of<std::remove_const_t<decltype(many)>, tensor<float, 2>>,
                             std::tuple<tensor<float, 2>, std::pair<tensor<bool, 2>, float>, std::array<tensor<float, 2>, 2>>>);
constexpr auto templated = [](auto x) { return pair_of<jq::array>{x, x + 1.0}; };
static_assert(std::is_same_v<result_of<std::remove_const_t<decltype(templated)>, double>, pair_of<double>>);
constexpr auto nothing = [](auto) { return std::tuple{}; };
static_assert(std::is_same_v<result_of<std::remove_const_t<decltype(nothing)>, double>, std::tuple<>>);
constexpr auto number = [](auto) { return 2.5f; };
static_assert(std::is_same_v<result_of<std::remove_const_t<decltype(number)>, double>, float>);

TEST_CASE("static results: a parameter takes the type of its leaves") {
  const auto r = jq::detail::run_static<std::remove_const_t<decltype(templated)>, jq::detail::own_result>(tensor<double, 2>{1, 2});
  CHECK((r.b == tensor<double, 2>{2, 3}));
}
