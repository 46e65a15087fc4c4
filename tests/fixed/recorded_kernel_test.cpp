// Recordings of small arithmetic kernels.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

namespace jq = jacquard;
using jq::detail::arithmetic;

constexpr jq::aval three(jq::f64, {3}), number(jq::f64, {});
template <class P>
constexpr auto record(const jq::params_of<P>& p, std::span<const jq::aval> in) {
  const jq::param_pack pack = jq::encode(p);
  return jq::detail::record_kernel<P>(pack, in, number);
}
constexpr std::size_t sum_steps = record<jq::reduce_sum_p>({{0}}, std::span(&three, 1)).steps.size();
static_assert(sum_steps == 2);
static_assert(record<jq::reduce_max_p>({{0}}, std::span(&three, 1)).steps[1].what == arithmetic::max);
constexpr jq::aval both[] = {three, three};
static_assert(record<jq::dot_general_p>({{0}, {0}, {}, {}}, both).steps.size() == 5);  // three products, two sums
constexpr jq::aval line(jq::f64, {1, 1, 3}), lines[] = {line, line};
constexpr std::size_t same_steps = [] {
  const jq::param_pack pack = jq::encode(jq::detail::conv_params_of(3, {1}, "SAME", {}));
  return jq::detail::record_kernel<jq::conv_general_dilated_p>(pack, std::span<const jq::aval>(lines), line).steps.size();
}();
static_assert(same_steps == 7 + 4);  // of nine taps two meet padding

TEST_CASE("recorded kernels: products, sums and extremes of small arrays") {
  constexpr auto f = [](auto a, auto x) { return jq::max(jq::matmul(a, x)) + jq::sum(a); };
  static_assert(jq::grad(f)(jq::tensor<double, 2, 2>{1, 2, 3, 4}, jq::tensor<double, 2>{1, 1}) == jq::tensor<double, 2, 2>{1, 1, 2, 2});
  const auto [y, back] = jq::vjp(f, jq::tensor<double, 2, 2>{1, 2, 3, 4}, jq::tensor<double, 2>{1, 1});
  CHECK(y == 17);
}
