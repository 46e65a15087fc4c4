// The law of the two lanes for derivatives: the gradient of functions of many primitives is for tensors what it is for arrays on the interpreter.
#include "lane_functions.hpp"

namespace {

/// The gradient of a weighted sum of all that F gives: what the rules of derivatives make of each primitive, in both lanes.
template <class F>
struct slopes_of {
  static constexpr array sum_of(const array& y) {
    if (jq::is_complex(y.dtype())) return jq::sum(lax::real(y) + 2.0 * lax::imag(y));
    return jq::sum(lax::convert_element_type(y, jq::f64) * lax::reshape(lax::iota(jq::f64, y.size()) + 1.0, y.shape()));
  }
  template <class... Y>
  static constexpr array total(const Y&... y) {
    array all(0.0);
    double weight = 1;
    const auto add = [&](const auto& one) {
      if constexpr (requires { std::tuple_size<std::remove_cvref_t<decltype(one)>>::value; })
        all = all + weight * std::apply([](const auto&... part) { return total(part...); }, one);
      else all = all + weight * sum_of(one);
      weight *= 0.9;
    };
    (add(y), ...);
    return all;
  }
  template <class... A>
  constexpr auto operator()(const A&... a) const {
    const auto f = [](const auto&... v) { return std::apply([](const auto&... y) { return total(y...); }, F{}(array(v)...)); };
    if constexpr (sizeof...(A) == 1) return jq::grad(f)(array(a)...);
    else return jq::grad(f, jq::argnums<0, 1>)(array(a)...);
  }
};
template <class F>
constexpr slopes_of<F> slopes(F) { return {}; }
constexpr auto factors_with_derivatives = [](auto m) {
  const array b = lax::slice(m, {0, 0}, {3, 1}), d = lax::reshape(b, {3});
  return std::tuple{lax::cholesky(m), array(lax::eigh(m, false)[0]), array(lax::lu(m)[0]), pair_of(lax::qr(m)), lax::triangular_solve(m, b), lax::tridiagonal_solve(d * 0.1, d, d * 0.1, b)};
};
constexpr auto special_functions_with_derivatives = [](auto x, auto y) {
  return std::tuple{lax::igamma(x, y), lax::igammac(x, y), lax::regularized_incomplete_beta(x, y, x * 0.0 + 0.5), lax::zeta(lax::stop_gradient(x) + 2.0, y), lax::polygamma(lax::stop_gradient(x) * 0.0 + 2.0, y)};
};

constexpr tensor<double, 4> x{0.3, 0.85, 0.1, 0.6}, y{0.5, 0.2, 0.9, 0.6};

}  // namespace

TEST_CASE("both lanes: derivatives of functions of one real number") { same(slopes(real_functions), x), same(slopes(more_real_functions), x); }
TEST_CASE("both lanes: derivatives of functions of two real numbers") { same(slopes(pairs), x, y), same(slopes(special_functions_with_derivatives), x, y); }
TEST_CASE("both lanes: derivatives of complex numbers, movements, reductions") { same(slopes(complex_numbers), x, y), same(slopes(movements), x, y), same(slopes(reductions), x, y); }
TEST_CASE("both lanes: derivatives of factors of matrices") { same(slopes(factors_with_derivatives), tensor<double, 3, 3>{4, 1, 0.5, 1, 3, 0.2, 0.5, 0.2, 2}); }
