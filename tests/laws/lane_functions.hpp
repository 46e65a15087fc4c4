#pragma once
// Functions of many primitives each, and how what both lanes make of one is compared. Deliberately of no test: what costs is the compiler's time
// for their compile-time lane, which is shared out among the files that include this.
#include "static_leaves.hpp"

#include <doctest/doctest.h>
#include <jacquard/control/control.hpp>
#include <jacquard/fixed.hpp>
#include <jacquard/jacquard.hpp>
#include <jacquard/prims/linear_algebra.hpp>
#include <jacquard/testing/comparison.hpp>

#include <set>
#include <string>

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;
using jq::tensor;

namespace {

template <class List>
constexpr std::pair<array, array> pair_of(const List& l) {
  return {l[0], l[1]};
}
template <class List>
constexpr std::tuple<array, array, array> triple_of(const List& l) {
  return {l[0], l[1], l[2]};
}

constexpr auto real_functions = [](auto x) {
  return std::tuple{lax::abs(-x), lax::acos(x), lax::acosh(x + 1.0), lax::asin(x), lax::asinh(x), lax::atan(x), lax::atanh(x), lax::bessel_i0e(x), lax::bessel_i1e(x),
                    lax::cbrt(x), lax::ceil(x), lax::cos(x), lax::cosh(x), lax::digamma(x), lax::erf(x), lax::erf_inv(x), lax::erfc(x), lax::exp(x), lax::exp2(x),
                    lax::expm1(x)};
};
constexpr auto more_real_functions = [](auto x) {
  return std::tuple{lax::floor(x), lax::integer_pow(x, 3), lax::is_finite(x), lax::lgamma(x), lax::log(x), lax::log1p(x), lax::logistic(x), lax::neg(x),
                    lax::reduce_precision(x, 5, 10), lax::round(x), lax::rsqrt(x), lax::sign(x), lax::sin(x), lax::sinh(x), lax::sqrt(x), lax::tan(x), lax::tanh(x)};
};
constexpr auto pairs = [](auto x, auto y) {
  return std::tuple{lax::add(x, y), lax::sub(x, y), lax::mul(x, y), lax::div(x, y), lax::rem(x, y), lax::pow(x, y), lax::atan2(x, y), lax::max(x, y), lax::min(x, y),
                    lax::eq(x, y), lax::ne(x, y), lax::lt(x, y), lax::le(x, y), lax::gt(x, y), lax::ge(x, y), lax::nextafter(x, y), lax::clamp(x * 0.5, y, x),
                    lax::select(lax::lt(x, y), x, y), lax::convert_element_type(x, jq::f32), lax::bitcast_convert_type(x, jq::i64), lax::stop_gradient(x),
                    lax::optimization_barrier(x), lax::checkpoint_name(x, "x"), jq::bind<jq::sharding_constraint_p>({{}}, jq::location{}, x)};
};
constexpr auto special_functions = [](auto x, auto y) {
  const array half = x * 0.0 + 0.5;
  return std::tuple{lax::igamma(x, y), lax::igammac(x, y), lax::igamma_grad_a(x, y), lax::random_gamma_grad(x, y), lax::regularized_incomplete_beta(x, y, half),
                    lax::regularized_incomplete_beta_grad_a(x, y, half), lax::regularized_incomplete_beta_grad_b(x, y, half), lax::zeta(x + 2.0, y),
                    lax::polygamma(x * 0.0 + 2.0, y)};
};
constexpr auto whole_numbers = [](auto x, auto y) {
  const array one = lax::iota(jq::i32, 4);
  return std::tuple{lax::and_(x, y), lax::or_(x, y), lax::xor_(x, y), lax::not_(x), lax::shift_left(x, one), lax::shift_right_arithmetic(x, one),
                    lax::shift_right_logical(x, one), lax::clz(x), lax::population_count(x), lax::rem(x, y), lax::div(x, y)};
};
constexpr auto complex_numbers = [](auto x, auto y) {
  const array z = lax::complex(x, y);
  return std::tuple{lax::conj(z), lax::real(z * z), lax::imag(z * z), lax::exp(z), lax::fft(z, jq::fft_type::fft, {4})};
};
constexpr auto movements = [](auto x, auto y) {
  const array one(std::int64_t(1)), places = lax::reshape(lax::iota(jq::i64, 2) + one, {2, 1}), two = lax::slice(y, {0}, {2});
  return std::tuple{lax::broadcast_in_dim(x, {2, 4}, {1}), lax::concatenate({x, y}, 0), lax::dynamic_slice(x, {one}, {2}), lax::dynamic_update_slice(x, two, {one}),
                    lax::gather(x, places, {{}, {0}, {0}}, {1}), lax::pad(x, lax::squeeze(lax::slice(y, {0}, {1}), {0}), {1}, {2}), lax::prefix_mask(lax::iota(jq::i64, 4), 2),
                    lax::rev(x, {0}), lax::scatter(x, places, two, {{}, {0}, {0}}), lax::scatter_add(x, places, two, {{}, {0}, {0}}),
                    lax::scatter_mul(x, places, two, {{}, {0}, {0}}), lax::scatter_min(x, places, two, {{}, {0}, {0}}), lax::scatter_max(x, places, two, {{}, {0}, {0}}),
                    lax::sort(x, 0), pair_of(lax::top_k(x, 2)), lax::transpose(lax::reshape(x, {2, 2}), {1, 0})};
};
constexpr auto reductions = [](auto x, auto y) {
  const array image = lax::reshape(lax::concatenate({x, y, x, y}, 0), {4, 4}), small = lax::reshape(x, {2, 2}), flags = lax::lt(x, y);
  return std::tuple{lax::argmax(x, 0, jq::i64), lax::argmin(x, 0, jq::i64), lax::cumlogsumexp(x, 0), lax::cummax(x, 0), lax::cummin(x, 0), lax::cumprod(x, 0),
                    lax::cumsum(x, 0), lax::linear_recurrence(x, y, 0), lax::reduce_and(flags, {0}), lax::reduce_or(flags, {0}), lax::reduce_max(x, {0}),
                    lax::reduce_min(x, {0}), lax::reduce_prod(x, {0}), lax::reduce_sum(x, {0}), lax::reduce_window_max(image, {2, 2}), lax::reduce_window_min(image, {2, 2}),
                    lax::reduce_window_sum(image, {2, 2}), lax::select_and_gather_add(image, image, {2, 2}),
                    lax::select_and_scatter_add(lax::slice(image, {0, 0}, {3, 3}), image, {2, 2}), lax::dot(small, small),
                    lax::conv(lax::reshape(image, {1, 1, 4, 4}), lax::reshape(small, {1, 1, 2, 2}), {1, 1}, "SAME")};
};
constexpr auto matrices = [](auto m) {
  const array b = lax::slice(m, {0, 0}, {3, 1}), d = lax::reshape(b, {3});
  return std::tuple{lax::cholesky(m), pair_of(lax::eig(lax::complex(m, m * 0.1))), pair_of(lax::eigh(m)), pair_of(lax::hessenberg(m)), triple_of(lax::lu(m)), pair_of(lax::qr(m)),
                    pair_of(lax::schur(m)), triple_of(lax::svd(m)), lax::triangular_solve(m, b), lax::tridiagonal_solve(d * 0.1, d, d * 0.1, b)};
};
constexpr auto random_words = [](auto key, auto count) { return std::tuple{pair_of(lax::threefry2x32(key(0), key(1), count, count)), lax::random_bits(key(0), key(1), 2)}; };
constexpr auto programs = [](auto x) {
  const auto half = jq::custom_jvp([](const array& v) { return v * 0.5; },
                                   [](const auto& at, const auto& t) { return std::pair{array(std::get<0>(at) * 0.5), array(std::get<0>(t) * 0.5)}; });
  return std::tuple{jq::jit([](const array& v) { return v + 1.0; })(x), jq::checkpoint([](const array& v) { return jq::sin(v); })(x),
                    lax::cond(jq::sum(x) > 1.0, [](const array& v) { return v * 2.0; }, [](const array& v) { return -v; }, x),
                    lax::scan([](const array& c, const array& e) { return std::pair{array(c + e), array(c * e)}; }, array(x(0)), x),
                    lax::while_loop([](const array& v) { return jq::sum(v) < 10.0; }, [](const array& v) { return v * 2.0; }, x), half(x)};
};
constexpr auto with_rules = [](auto x) {
  const auto square = jq::custom_vjp([](const array& v) { return v * v; }, [](const array& v) { return std::pair{array(v * v), v}; },
                                     [](const array& v, const array& ct) { return std::tuple{array(2.0 * v * ct)}; });
  const auto mapped = jq::custom_batching([](const array& v) { return v + 1.0; }, [](const jq::mapped_arguments&, const array& v) { return v + 1.0; });
  const auto halved = [](const auto&, const array& b) { return b * 0.5; };
  return std::tuple{square(array(x)), mapped(array(x)), lax::custom_linear_solve([](const array& v) { return v * 2.0; }, array(x), halved, halved)};
};
constexpr auto members = [](auto x) {
  return jq::vmap([](const array& v) {
    return std::tuple{lax::all_gather(v, "i"), lax::all_to_all(v, "i", 0, 0), lax::axis_index("i"), lax::pmax(v, "i"), lax::pmin(v, "i"),
                      lax::ppermute(v, "i", {{0, 1}, {1, 2}, {2, 0}}), lax::psum(v, "i"), lax::psum_scatter(v, "i"),
                      lax::pdot(v, v, "i")};
  }, jq::axis_name<"i">)(x);
};

/// The primitives that a check has met.
std::set<std::string>& met() {
  static std::set<std::string> all;
  return all;
}
void meet(const jq::jaxpr& p) {
  for (const jq::equation& e : p.equations) met().insert(std::string(e.op->name));
  for (const jq::jaxpr_ref& s : p.subs) meet(*s);
}
template <class F, class... T>
void same(F f, const T&... x) {
  meet(*jq::make_jaxpr(f)(jq::asarray(x)...).program);
  jq::testing::leaves got;
  laws::put(jq::jit(f)(x...), got);
  const jq::testing::leaves want = jq::tree::flatten(jq::jit(f, jq::backend("interpreter"))(jq::asarray(x)...));
  const jq::testing::report r = jq::testing::all_close(got, want, 1e-12, 1e-13);
  CHECK_MESSAGE(r.ok, r.text);
}

}  // namespace
