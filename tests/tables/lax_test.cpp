// Calls of jq::lax: the functions of primitives, which take operands of one dtype and of fitting shapes.
#include "calls.hpp"

#include <jacquard/control/reduce.hpp>
#include <jacquard/prims/linear_algebra.hpp>

namespace tables {

namespace {

using namespace jacquard;

const section one_operand{
    "lax, of one operand",
    {CALL(lax::abs(x)), CALL(lax::acos(x)), CALL(lax::acosh(x)), CALL(lax::asin(x)), CALL(lax::asinh(x)), CALL(lax::atan(x)), CALL(lax::atanh(x)),
     CALL(lax::bessel_i0e(x)), CALL(lax::bessel_i1e(x)), CALL(lax::cbrt(x)), CALL(lax::ceil(x)), CALL(lax::clz(x)), CALL(lax::conj(x)), CALL(lax::cos(x)),
     CALL(lax::cosh(x)), CALL(lax::digamma(x)), CALL(lax::erf(x)), CALL(lax::erf_inv(x)), CALL(lax::erfc(x)), CALL(lax::exp(x)), CALL(lax::exp2(x)),
     CALL(lax::expm1(x)), CALL(lax::floor(x)), CALL(lax::imag(x)), CALL(lax::integer_pow(x, 3)), CALL(lax::is_finite(x)), CALL(lax::lgamma(x)), CALL(lax::log(x)),
     CALL(lax::log1p(x)), CALL(lax::logistic(x)), CALL(lax::neg(x)), CALL(lax::not_(x)), CALL(lax::population_count(x)), CALL(lax::real(x)),
     CALL(lax::reduce_precision(x, 5, 10)), CALL(lax::round(x)), CALL(lax::rsqrt(x)), CALL(lax::sign(x)), CALL(lax::sin(x)), CALL(lax::sinh(x)), CALL(lax::sqrt(x)),
     CALL(lax::tan(x)), CALL(lax::tanh(x)), CALL(lax::convert_element_type(x, f32)), CALL(lax::bitcast_convert_type(x, u8)), CALL(lax::stop_gradient(x)),
     CALL(lax::optimization_barrier(x)), CALL(lax::checkpoint_name(x, "x"))}};
const section more_operands{
    "lax, of more operands",
    {CALL(lax::add(x, y)), CALL(lax::and_(x, y)), CALL(lax::atan2(x, y)), CALL(lax::clamp(x, x, y)), CALL(lax::complex(x, y)), CALL(lax::div(x, y)), CALL(lax::eq(x, y)),
     CALL(lax::ge(x, y)), CALL(lax::gt(x, y)), CALL(lax::igamma(x, y)), CALL(lax::igamma_grad_a(x, y)), CALL(lax::igammac(x, y)), CALL(lax::le(x, y)),
     CALL(lax::lt(x, y)), CALL(lax::max(x, y)), CALL(lax::min(x, y)), CALL(lax::mul(x, y)), CALL(lax::ne(x, y)), CALL(lax::nextafter(x, y)), CALL(lax::or_(x, y)),
     CALL(lax::polygamma(x, y)), CALL(lax::pow(x, y)), CALL(lax::random_gamma_grad(x, y)), CALL(lax::regularized_incomplete_beta(x, y, s)),
     CALL(lax::regularized_incomplete_beta_grad_a(x, y, s)), CALL(lax::regularized_incomplete_beta_grad_b(x, y, s)), CALL(lax::rem(x, y)),
     CALL(lax::select(flags, x, y)), CALL(lax::select_n(flags, x, y)), CALL(lax::shift_left(x, y)), CALL(lax::shift_right_arithmetic(x, y)),
     CALL(lax::shift_right_logical(x, y)), CALL(lax::sub(x, y)), CALL(lax::xor_(x, y)), CALL(lax::zeta(x, y)), CALL(lax::mask_cotangent(x, flags)),
     CALL(lax::threefry2x32(s, s, x, y)), CALL(lax::random_bits(s, s, 2))}};
const section movements{
    "lax, moving elements",
    {CALL(lax::broadcast_in_dim(s, {2}, {})), CALL(lax::concatenate({x, y}, 0)), CALL(lax::dynamic_slice(x, {i(1)}, {2})),
     CALL(lax::dynamic_slice_in_dim(x, i(1), 2, 0)), CALL(lax::dynamic_index_in_dim(x, i(1), 0)), CALL(lax::dynamic_update_slice(x, y, {i(0)})),
     CALL(lax::dynamic_update_slice_in_dim(x, y, i(0), 0)), CALL(lax::dynamic_update_index_in_dim(m, w(0), i(0), 0)), CALL(lax::full({2}, literal(1).as(t))),
     CALL(lax::zeros(x.aval())), CALL(lax::iota(t, 3)), CALL(lax::gather(x, reshape(i, {4, 1}), {{}, {0}, {0}}, {1})),
     CALL(lax::gather_fill(x, reshape(i, {4, 1}), {{}, {0}, {0}}, {1}, 0)), CALL(lax::pad(x, s, {1}, {1})), CALL(lax::prefix_mask(x, 2)), CALL(lax::reshape(x, {2, 2})),
     CALL(lax::rev(x, {0})), CALL(lax::scatter(x, reshape(i, {4, 1}), y, {{}, {0}, {0}})), CALL(lax::scatter_add(x, reshape(i, {4, 1}), y, {{}, {0}, {0}})),
     CALL(lax::scatter_mul(x, reshape(i, {4, 1}), y, {{}, {0}, {0}})), CALL(lax::scatter_min(x, reshape(i, {4, 1}), y, {{}, {0}, {0}})),
     CALL(lax::scatter_max(x, reshape(i, {4, 1}), y, {{}, {0}, {0}})), CALL(lax::slice(x, {0}, {2})), CALL(lax::sort(x, 0)), CALL(lax::squeeze(h, {0, 1})),
     CALL(lax::top_k(x, 2)), CALL(lax::transpose(m, {1, 0}))}};
const section reducing{
    "lax, combining elements",
    {CALL(lax::argmax(x, 0, i64)), CALL(lax::argmin(x, 0, i64)), CALL(lax::cumlogsumexp(x, 0)), CALL(lax::cummax(x, 0)), CALL(lax::cummin(x, 0)),
     CALL(lax::cumprod(x, 0)), CALL(lax::cumsum(x, 0)), CALL(lax::linear_recurrence(x, y, 0)), CALL(lax::reduce_and(x, {0})), CALL(lax::reduce_max(x, {0})),
     CALL(lax::reduce_min(x, {0})), CALL(lax::reduce_or(x, {0})), CALL(lax::reduce_prod(x, {0})), CALL(lax::reduce_sum(x, {0})),
     CALL(lax::reduce([](const array& a, const array& b) { return lax::max(a, b); }, x, s, {0})), CALL(lax::reduce_window_max(m, {2, 2})),
     CALL(lax::reduce_window_min(m, {2, 2})), CALL(lax::reduce_window_sum(m, {2, 2})),
     CALL(lax::reduce_window([](const array& a, const array& b) { return lax::max(a, b); }, m, s, {2, 2})), CALL(lax::select_and_gather_add(m, w, {2, 2})),
     CALL(lax::select_and_scatter_add(m, h(0, 0), {2, 2}))}};
const section products{
    "lax, products",
    {CALL(lax::dot(m, w)), CALL(lax::dot_general(m, w, {{1}, {0}})), CALL(lax::conv(h, f, {1, 1}, "SAME")), CALL(lax::conv_general_dilated(h, f, {1, 1}, "SAME")),
     CALL(lax::conv_with_general_padding(h, f, {1, 1}, "SAME", {}, {})), CALL(lax::conv_transpose(reshape(h, {1, 4, 4, 1}), reshape(f, {2, 2, 1, 1}), {1, 1}, "SAME"))}};
const section matrices{
    "lax, linear algebra",
    {CALL(lax::cholesky(m)), CALL(lax::eig(m)), CALL(lax::eigh(m)), CALL(lax::fft(x, fft_type::fft, {4})), CALL(lax::hessenberg(m)), CALL(lax::lu(m)), CALL(lax::qr(m)), CALL(lax::schur(m)),
     CALL(lax::svd(m)), CALL(lax::triangular_solve(m, w)), CALL(lax::tridiagonal_solve(x, y, x, reshape(y, {4, 1})))}};
const section collectives{
    "lax, across a mapped axis",
    {ACROSS(lax::all_gather(v, "i")), ACROSS(lax::all_to_all(v, "i", 0, 0)), ACROSS(lax::axis_index("i")), ACROSS(lax::axis_size("i")), ACROSS(lax::pargmax(v, "i")),
     ACROSS(lax::pargmin(v, "i")), ACROSS(lax::pdot(v, v, "i", {{0}, {0}, {}, {}})), ACROSS(lax::pmax(v, "i")),
     ACROSS(lax::pmean(v, "i")), ACROSS(lax::pmin(v, "i")), ACROSS(lax::ppermute(v, "i", {{0, 1}, {1, 2}, {2, 0}})), ACROSS(lax::psum(v, "i")),
     ACROSS(lax::psum_scatter(v, "i")), ACROSS(lax::pshuffle(v, "i", {2, 0, 1})), ACROSS(lax::pswapaxes(v, "i", 0))}};

}  // namespace

TEST_CASE("functions of jq::lax: each dtype is taken, or refused by a type_error") {
  check_calls({&one_operand, &more_operands, &movements, &reducing, &products, &matrices, &collectives});
}

}  // namespace tables
