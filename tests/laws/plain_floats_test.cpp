// The law of plain floats: functions of a C++ float compute in float, as those of a float array do, whatever doubles they are written with; so do
// their derivatives, and functions of 16-bit numbers keep their dtype.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>
#include <jacquard/jacquard.hpp>

#include <string>

namespace jq = jacquard;
namespace lax = jacquard::lax;
namespace nn = jacquard::nn;
namespace special = jacquard::special;
using jq::array;

namespace {

using function = array (*)(const array&);
using function_of_two = array (*)(const array&, const array&);

/// What is wrong with a program: its result is not of dtype t, or it computes in f64.
template <class Program>
std::string wrong_types(const Program& program, jq::dtype t) {
  const jq::closed_jaxpr& p = program;
  const std::string text = jq::to_string(p);
  for (const jq::aval& out : p.out_avals())
    if (out.type != t) return text;
  return text.find("f64") == std::string::npos && text.find("c128") == std::string::npos ? "" : text;
}

struct unary_row {
  const char* name;
  function f;
  float x = 0.25f;
};
struct binary_row {
  const char* name;
  function_of_two f;
};
/// What an optimizer makes of parameters that are their gradient.
template <class Optimizer>
array step(const Optimizer& o, const array& x) { return o.update(x, o.init(x), x).first; }
array key() { return jq::random::key(0); }

#define JACQUARD_ROW(call) {#call, [](const array& x) -> array { return call; }}
#define JACQUARD_ROW_AT(place, call) {#call, [](const array& x) -> array { return call; }, place}
constexpr unary_row of_numpy[] = {
    JACQUARD_ROW(jq::sin(x)), JACQUARD_ROW(jq::cos(x)), JACQUARD_ROW(jq::tan(x)), JACQUARD_ROW(jq::exp(x)), JACQUARD_ROW(jq::expm1(x)),
    JACQUARD_ROW(jq::log(x)), JACQUARD_ROW(jq::log1p(x)), JACQUARD_ROW(jq::tanh(x)), JACQUARD_ROW(jq::logistic(x)),
    JACQUARD_ROW(jq::sqrt(x)), JACQUARD_ROW(jq::rsqrt(x)), JACQUARD_ROW(jq::erf(x)), JACQUARD_ROW(jq::erf_inv(x)),
    JACQUARD_ROW(jq::erfc(x)), JACQUARD_ROW(jq::square(x)), JACQUARD_ROW(jq::abs(x)), JACQUARD_ROW(jq::fabs(x)), JACQUARD_ROW(jq::sign(x)),
    JACQUARD_ROW(jq::floor(x)), JACQUARD_ROW(jq::ceil(x)), JACQUARD_ROW(jq::trunc(x)), JACQUARD_ROW(jq::round(x)),
    JACQUARD_ROW(jq::round(x, 2)), JACQUARD_ROW(jq::round(x, -1)), JACQUARD_ROW(jq::real(x)), JACQUARD_ROW(jq::imag(x)),
    JACQUARD_ROW(jq::conj(x)), JACQUARD_ROW(jq::relu(x)), JACQUARD_ROW(jq::exp2(x)), JACQUARD_ROW(jq::asin(x)), JACQUARD_ROW(jq::acos(x)),
    JACQUARD_ROW(jq::atan(x)), JACQUARD_ROW(jq::sinh(x)), JACQUARD_ROW(jq::cosh(x)), JACQUARD_ROW(jq::asinh(x)),
    JACQUARD_ROW_AT(1.5f, jq::acosh(x)), JACQUARD_ROW(jq::atanh(x)), JACQUARD_ROW(jq::cbrt(x)), JACQUARD_ROW(jq::log2(x)),
    JACQUARD_ROW(jq::log10(x)), JACQUARD_ROW(jq::deg2rad(x)), JACQUARD_ROW(jq::rad2deg(x)), JACQUARD_ROW(jq::reciprocal(x)),
    JACQUARD_ROW(jq::positive(x)), JACQUARD_ROW(jq::sinc(x)), JACQUARD_ROW(jq::angle(x)), JACQUARD_ROW(jq::angle(x, true)),
    JACQUARD_ROW(jq::nan_to_num(x)), JACQUARD_ROW(jq::nan_to_num(x, 1.0)), JACQUARD_ROW(jq::modf(x).first),
    JACQUARD_ROW(jq::modf(x).second), JACQUARD_ROW(jq::frexp(x).first), JACQUARD_ROW(jq::ldexp(x, 2)), JACQUARD_ROW(jq::spacing(x)),
    JACQUARD_ROW(jq::i0(x)), JACQUARD_ROW(jq::clip(x, 0.0, 1.0)), JACQUARD_ROW(jq::power(x, 2.5)), JACQUARD_ROW(jq::power(2.5, x)),
    JACQUARD_ROW(jq::power(x, 3)), JACQUARD_ROW(jq::float_power(x, 2)), JACQUARD_ROW(jq::maximum(x, 0.5)),
    JACQUARD_ROW(jq::minimum(0.5, x)), JACQUARD_ROW(jq::where(x > 0.5, x, 1.0)), JACQUARD_ROW(jq::where(x > 0.5, 2.0, x)),
    JACQUARD_ROW(1.0 / x + 2.0 * x - 0.5), JACQUARD_ROW(jq::hypot(x, 2.0)), JACQUARD_ROW(jq::logaddexp(0.0, x)),
    JACQUARD_ROW(jq::mod(x, 0.2)), JACQUARD_ROW(jq::fmod(x, 0.2)), JACQUARD_ROW(jq::floor_divide(x, 0.2)),
    JACQUARD_ROW(jq::heaviside(x, 0.5)), JACQUARD_ROW(jq::copysign(x, -1.0)), JACQUARD_ROW(jq::atan2(x, 1.0)),
};
constexpr unary_row of_reductions[] = {
    JACQUARD_ROW(jq::sum(x)), JACQUARD_ROW(jq::prod(x)), JACQUARD_ROW(jq::mean(x)), JACQUARD_ROW(jq::var(x)), JACQUARD_ROW(jq::std(x)),
    JACQUARD_ROW(jq::max(x)), JACQUARD_ROW(jq::min(x)), JACQUARD_ROW(jq::ptp(x)), JACQUARD_ROW(jq::average(x)), JACQUARD_ROW(jq::median(x)),
    JACQUARD_ROW(jq::quantile(x, 0.3)), JACQUARD_ROW(jq::percentile(x, 30.0)), JACQUARD_ROW(jq::nansum(x)), JACQUARD_ROW(jq::nanprod(x)),
    JACQUARD_ROW(jq::nanmean(x)), JACQUARD_ROW(jq::nanvar(x)), JACQUARD_ROW(jq::nanstd(x)), JACQUARD_ROW(jq::nanmax(x)),
    JACQUARD_ROW(jq::nanmin(x)), JACQUARD_ROW(jq::nanmedian(x)), JACQUARD_ROW(jq::nanquantile(x, 0.3)), JACQUARD_ROW(jq::logsumexp(x)),
    JACQUARD_ROW(jq::linalg::norm(x)), JACQUARD_ROW(jq::sum(jq::cumsum(x))), JACQUARD_ROW(jq::sum(jq::cumprod(x))),
    JACQUARD_ROW(jq::sum(jq::cumlogsumexp(x))),
};
/// Functions of vectors, here of multiples of a float.
constexpr unary_row of_vectors[] = {
    JACQUARD_ROW(jq::softmax(x)), JACQUARD_ROW(jq::log_softmax(x)), JACQUARD_ROW(jq::var(x)), JACQUARD_ROW(jq::std(x, jq::ddof(1))),
    JACQUARD_ROW(jq::trapezoid(x)), JACQUARD_ROW(jq::trapezoid(x, 0.5)), JACQUARD_ROW(jq::trapezoid(x, x * x)), JACQUARD_ROW(jq::unwrap(x)),
    JACQUARD_ROW(jq::diff(x)), JACQUARD_ROW(jq::gradient(x)[0]), JACQUARD_ROW(jq::gradient(x, 0.5)[0]), JACQUARD_ROW(jq::ediff1d(x)),
    JACQUARD_ROW(jq::cov(x)), JACQUARD_ROW(jq::corrcoef(jq::stack({x, x * x}))), JACQUARD_ROW(jq::median(x)),
    JACQUARD_ROW(jq::quantile(x, 0.3)), JACQUARD_ROW(jq::percentile(x, 30.0)), JACQUARD_ROW(jq::average(x, x)),
    JACQUARD_ROW(jq::nanmedian(x)), JACQUARD_ROW(jq::nanquantile(x, 0.3)), JACQUARD_ROW(jq::nancumsum(x)), JACQUARD_ROW(jq::nancumprod(x)),
    JACQUARD_ROW(jq::polyval(x, 0.5)), JACQUARD_ROW(jq::polyval(x, x)), JACQUARD_ROW(jq::polyadd(x, x)), JACQUARD_ROW(jq::polymul(x, x)),
    JACQUARD_ROW(jq::polyder(x)), JACQUARD_ROW(jq::polyint(x)), JACQUARD_ROW(jq::poly(x)), JACQUARD_ROW(jq::vander(x)),
    JACQUARD_ROW(jq::convolve(x, x)), JACQUARD_ROW(jq::correlate(x, x)), JACQUARD_ROW(jq::interp(0.3, x, x * x)),
    JACQUARD_ROW(jq::interp(x, x, x * x)), JACQUARD_ROW(jq::linalg::norm(x, jq::linalg::ord(3))), JACQUARD_ROW(jq::kron(x, x)),
    JACQUARD_ROW(jq::linalg::vector_norm(x, 3)), JACQUARD_ROW(jq::cummax(x)), JACQUARD_ROW(jq::cumlogsumexp(x)),
    JACQUARD_ROW(jq::outer(x, x)), JACQUARD_ROW(jq::dot(x, x)), JACQUARD_ROW(jq::sort(x)), JACQUARD_ROW(jq::append(x, 1.0)),
    JACQUARD_ROW(jq::concatenate({x, x * 0.5})), JACQUARD_ROW(jq::pad(x, 1)), JACQUARD_ROW(jq::tril(jq::outer(x, x))),
    JACQUARD_ROW(jq::histogram_bin_edges(x)),
};
/// Of matrices, in 32 bits: their factors are computed of no narrower numbers. And optimizers, whose parameters they may be.
constexpr unary_row of_matrices[] = {
    JACQUARD_ROW(jq::linalg::solve(x, x)), JACQUARD_ROW(jq::linalg::inv(x)), JACQUARD_ROW(jq::linalg::det(x)),
    JACQUARD_ROW(jq::linalg::slogdet(x).logabsdet), JACQUARD_ROW(jq::linalg::cholesky(jq::matmul(x, x))),
    JACQUARD_ROW(jq::linalg::svdvals(x)), JACQUARD_ROW(jq::linalg::eigvalsh(x + jq::matrix_transpose(x))),
    JACQUARD_ROW(jq::linalg::pinv(x)), JACQUARD_ROW(jq::linalg::expm(x)), JACQUARD_ROW(jq::linalg::matrix_power(x, 3)),
    JACQUARD_ROW(jq::linalg::norm(x)), JACQUARD_ROW(jq::linalg::norm(x, jq::linalg::ord(2))), JACQUARD_ROW(jq::linalg::cond(x)),
    JACQUARD_ROW(jq::linalg::matrix_norm(x, jq::linalg::ord("nuc"))), JACQUARD_ROW(jq::linalg::cond(x, jq::linalg::ord("fro"))),
    JACQUARD_ROW(jq::polyfit(jq::ravel(x), jq::ravel(x * x), 1)), JACQUARD_ROW(jq::cov(x)), JACQUARD_ROW(jq::corrcoef(x)),
    JACQUARD_ROW(jq::real(jq::fft::fft(x))), JACQUARD_ROW(jq::fft::irfft(jq::fft::rfft(x))), JACQUARD_ROW(jq::abs(jq::linalg::eigvals(x))),
    JACQUARD_ROW(jq::linalg::cg(x + jq::matrix_transpose(x), jq::ravel(x)(jq::slice(0, 2)))), JACQUARD_ROW(step(jq::optim::sgd(0.1), x)),
    JACQUARD_ROW(step(jq::optim::momentum(0.1), x)), JACQUARD_ROW(step(jq::optim::rmsprop(0.1), x)),
    JACQUARD_ROW(step(jq::optim::adagrad(0.1), x)), JACQUARD_ROW(step(jq::optim::lion(0.1), x)),
    JACQUARD_ROW(jq::optim::clip_by_global_norm(x, 1.0)), JACQUARD_ROW(jq::optim::clip_by_value(x, 1.0)),
    JACQUARD_ROW(jq::optim::global_norm(x)),
};
/// Of random numbers with the parameter x.
constexpr unary_row of_random_numbers[] = {
    JACQUARD_ROW(jq::random::uniform(key(), {3}, jq::f32) * x), JACQUARD_ROW(jq::random::gamma(key(), x)),
    JACQUARD_ROW(jq::random::beta(key(), x, 0.5)), JACQUARD_ROW(jq::random::lognormal(key(), x)),
    JACQUARD_ROW(jq::random::pareto(key(), x)), JACQUARD_ROW(jq::random::truncated_normal(key(), x, 2.0)),
    JACQUARD_ROW(jq::random::t(key(), x)), JACQUARD_ROW(jq::random::weibull_min(key(), x, 0.5)),
    JACQUARD_ROW(jq::random::triangular(key(), x, 0.5, 1.0)), JACQUARD_ROW(jq::random::wald(key(), x)),
    JACQUARD_ROW(jq::random::generalized_normal(key(), x)), JACQUARD_ROW(jq::random::chisquare(key(), x)),
    JACQUARD_ROW(jq::random::rayleigh(key(), x)),
};
constexpr unary_row of_networks[] = {
    JACQUARD_ROW(nn::relu6(x)), JACQUARD_ROW(nn::leaky_relu(x)), JACQUARD_ROW(nn::elu(x)), JACQUARD_ROW(nn::celu(x)),
    JACQUARD_ROW(nn::selu(x)), JACQUARD_ROW(nn::softplus(x)), JACQUARD_ROW(nn::log_sigmoid(x)), JACQUARD_ROW(nn::soft_sign(x)),
    JACQUARD_ROW(nn::silu(x)), JACQUARD_ROW(nn::mish(x)), JACQUARD_ROW(nn::gelu(x)), JACQUARD_ROW(nn::gelu(x, false)),
    JACQUARD_ROW(nn::hard_tanh(x)), JACQUARD_ROW(nn::hard_sigmoid(x)), JACQUARD_ROW(nn::hard_swish(x)), JACQUARD_ROW(nn::squareplus(x)),
    JACQUARD_ROW(nn::sparse_plus(x)), JACQUARD_ROW(nn::sparse_sigmoid(x)), JACQUARD_ROW(nn::identity(x)), JACQUARD_ROW(nn::logmeanexp(x)),
    JACQUARD_ROW(nn::log1mexp(x)), JACQUARD_ROW(nn::mse(x, 0.0)), JACQUARD_ROW(nn::l2_loss(0.0, x)), JACQUARD_ROW(nn::huber_loss(x, 0.0)),
    JACQUARD_ROW(nn::log_cosh(x, 0.0)), JACQUARD_ROW(nn::absolute_error(x, 1.0)), JACQUARD_ROW(nn::sigmoid_binary_cross_entropy(x, 1.0)),
};
constexpr unary_row of_layers[] = {
    JACQUARD_ROW(nn::glu(x)), JACQUARD_ROW(nn::standardize(x)), JACQUARD_ROW(nn::layer_norm(x)), JACQUARD_ROW(nn::rms_norm(x)),
    JACQUARD_ROW(nn::softmax_cross_entropy(x, x)), JACQUARD_ROW(nn::softmax_cross_entropy_with_integer_labels(x, 1)),
    JACQUARD_ROW(nn::kl_divergence(x, x)), JACQUARD_ROW(nn::batch_norm(jq::outer(x, x), 1.0, 0.0, {x, x}).first),
    JACQUARD_ROW(nn::batch_norm_inference(jq::outer(x, x), 1.0, 0.0, {x, x})), JACQUARD_ROW(nn::dropout(jq::random::key(0), x, 0.5)),
};
constexpr unary_row of_special[] = {
    JACQUARD_ROW(special::gammaln(x)), JACQUARD_ROW(special::gammasgn(x)), JACQUARD_ROW(special::digamma(x)),
    JACQUARD_ROW(special::polygamma(1, x)), JACQUARD_ROW(special::zeta(lax::stop_gradient(x) + 1.5)), JACQUARD_ROW(special::zeta(2.5, x)),
    JACQUARD_ROW(special::gammainc(2.0, x)), JACQUARD_ROW(special::gammaincc(2, x)), JACQUARD_ROW(special::betainc(0.5, 2.0, x)),
    JACQUARD_ROW(special::betainc(1, 2, x)), JACQUARD_ROW_AT(2.5f, special::multigammaln(x, 2)), JACQUARD_ROW(special::erf(x)),
    JACQUARD_ROW(special::erfc(x)), JACQUARD_ROW(special::erfinv(x)), JACQUARD_ROW(special::ndtr(x)), JACQUARD_ROW(special::ndtri(x)),
    JACQUARD_ROW(special::log_ndtr(x)), JACQUARD_ROW(special::expit(x)), JACQUARD_ROW(special::logit(x)),
    JACQUARD_ROW(special::xlogy(x, 2.0)), JACQUARD_ROW(special::xlogy(2.0, x)), JACQUARD_ROW(special::xlog1py(x, 2.0)),
    JACQUARD_ROW(special::entr(x)), JACQUARD_ROW(special::rel_entr(x, 0.5)), JACQUARD_ROW(special::kl_div(x, 0.5)),
    JACQUARD_ROW(special::boxcox(x, 0.5)), JACQUARD_ROW(special::boxcox1p(x, 0.5)), JACQUARD_ROW(special::i0e(x)),
    JACQUARD_ROW(special::i0(x)), JACQUARD_ROW(special::i1e(x)), JACQUARD_ROW(special::i1(x)),
    JACQUARD_ROW(special::hyp2f1(0.5, 1, 1.5, x)), JACQUARD_ROW(special::hyp1f1(0.5, 2, x)), JACQUARD_ROW(special::erfcx(x)),
    JACQUARD_ROW(special::dawsn(x)), JACQUARD_ROW(special::owens_t(x, 0.5)), JACQUARD_ROW(special::exp1(x)), JACQUARD_ROW(special::expi(x)),
    JACQUARD_ROW(special::expn(2, x)), JACQUARD_ROW(special::loggamma(x)), JACQUARD_ROW(special::si(x)), JACQUARD_ROW(special::ci(x)),
    JACQUARD_ROW(special::spence(x)),
};
/// Of complex numbers, which have no parts of 16 bits.
constexpr unary_row of_complex_numbers[] = {
    JACQUARD_ROW(jq::real(special::wofz(x))), JACQUARD_ROW(jq::real(special::loggamma(lax::complex(x, x)))),
    JACQUARD_ROW(jq::abs(jq::sinc(lax::complex(x, x)))), JACQUARD_ROW(jq::imag(jq::log10(lax::complex(x, 1.0 - x)))),
    JACQUARD_ROW(jq::real(2.0 * lax::complex(x, x) + jq::complex128(0, 1))), JACQUARD_ROW(jq::imag(x * jq::complex128(0, 1))),
};
/// Computed in f64 on purpose, in which float is exact.
constexpr unary_row of_f64[] = {
    JACQUARD_ROW(jq::linspace(x, 2.0, 5)), JACQUARD_ROW(step(jq::optim::adam(0.1), x)), JACQUARD_ROW(step(jq::optim::adamw(0.1), x)),
    JACQUARD_ROW(special::gamma(x)), JACQUARD_ROW(special::beta(x, 0.5)), JACQUARD_ROW(special::betaln(x, 0.5)),
    JACQUARD_ROW(special::factorial(x)), JACQUARD_ROW(special::poch(x, 0.5)), JACQUARD_ROW(special::comb(x, 0.5)),
};
#undef JACQUARD_ROW
#undef JACQUARD_ROW_AT
#define JACQUARD_ROW(call) {#call, [](const array& x, const array& y) -> array { return call; }}
constexpr binary_row of_two[] = {
    JACQUARD_ROW(x + y), JACQUARD_ROW(x / y), JACQUARD_ROW(x % y), JACQUARD_ROW(jq::power(x, y)), JACQUARD_ROW(jq::maximum(x, y)),
    JACQUARD_ROW(jq::minimum(x, y)), JACQUARD_ROW(jq::arctan2(x, y)), JACQUARD_ROW(jq::mod(x, y)), JACQUARD_ROW(jq::fmod(x, y)),
    JACQUARD_ROW(jq::floor_divide(x, y)), JACQUARD_ROW(jq::hypot(x, y)), JACQUARD_ROW(jq::logaddexp(x, y)),
    JACQUARD_ROW(jq::logaddexp2(x, y)), JACQUARD_ROW(jq::float_power(x, y)), JACQUARD_ROW(jq::copysign(x, y)),
    JACQUARD_ROW(jq::nextafter(x, y)), JACQUARD_ROW(jq::heaviside(x, y)), JACQUARD_ROW(jq::divmod(x, y).first),
    JACQUARD_ROW(jq::divmod(x, y).second), JACQUARD_ROW(jq::where(jq::isclose(x, y), x, y)), JACQUARD_ROW(nn::mse(x, y)),
    JACQUARD_ROW(nn::l2_loss(x, y)), JACQUARD_ROW(nn::huber_loss(x, y)), JACQUARD_ROW(nn::log_cosh(x, y)),
    JACQUARD_ROW(nn::absolute_error(x, y)), JACQUARD_ROW(nn::sigmoid_binary_cross_entropy(x, y)), JACQUARD_ROW(special::xlogy(x, y)),
    JACQUARD_ROW(special::xlog1py(x, y)), JACQUARD_ROW(special::rel_entr(x, y)), JACQUARD_ROW(special::kl_div(x, y)),
    JACQUARD_ROW(special::boxcox(x, y)), JACQUARD_ROW(special::boxcox1p(x, y)), JACQUARD_ROW(special::gammainc(x, y)),
    JACQUARD_ROW(special::gammaincc(x, y)), JACQUARD_ROW(special::zeta(lax::stop_gradient(x) + 1.5, y)),
    JACQUARD_ROW(special::owens_t(x, y)), JACQUARD_ROW(special::betainc(x, 2.0, y)), JACQUARD_ROW(special::hyp1f1(x, 1.5, y)),
    JACQUARD_ROW(special::hyp2f1(1.0, 2, 1.5, x * y)),
};
#undef JACQUARD_ROW

/// The program of f, and those of its derivatives, of arguments.
template <class F, class... X>
void in_its_dtype(const char* name, const F& f, const array& x, const X&... y) {
  const jq::dtype t = x.dtype();
  const std::string of = std::string(name) + " of " + std::string(jq::name(t)) + (x.weak_type() ? "*" : "");
  const std::string value = wrong_types(jq::make_jaxpr(f)(x, y...), t);
  CHECK_MESSAGE(value == "", of, ": ", value);
  const auto total = [f](const auto&... v) { return jq::sum(f(v...)); };
  const auto forward = [total](const auto&... v) { return jq::jvp(total, jq::primals(v...), jq::tangents(v...)); };
  const std::string slope = wrong_types(jq::make_jaxpr(forward)(x, y...), t);
  CHECK_MESSAGE(slope == "", of, ", tangent: ", slope);
  const std::string gradient = wrong_types(jq::make_jaxpr(jq::grad(total))(x, y...), t);
  CHECK_MESSAGE(gradient == "", of, ", gradient: ", gradient);
}
std::vector<array> numbers(float x) {
  return {x, jq::float16(x), jq::bfloat16(x), jq::asarray(x), jq::asarray(jq::float16(x)), jq::asarray(jq::bfloat16(x))};
}
template <std::size_t N>
void in_their_dtypes(const unary_row (&rows)[N]) {
  for (const unary_row& r : rows)
    for (const array& x : numbers(r.x)) in_its_dtype(r.name, r.f, x);
}
template <std::size_t N>
void of_vectors_in_their_dtypes(const unary_row (&rows)[N]) {
  for (const unary_row& r : rows) {
    const auto of_row = [f = r.f](const array& v) { return f(jq::stack({v, v + v, v * v, v + v * v})); };
    for (const array& x : numbers(r.x)) in_its_dtype(r.name, of_row, x);
  }
}

}  // namespace

TEST_CASE("plain floats: functions of numpy") { in_their_dtypes(of_numpy); }
TEST_CASE("plain floats: reductions") { in_their_dtypes(of_reductions); }
TEST_CASE("plain floats: functions of vectors") { of_vectors_in_their_dtypes(of_vectors); }
TEST_CASE("plain floats: functions of matrices") {
  for (const unary_row& r : of_matrices) {
    const auto of_square = [f = r.f](const array& v) { return f(jq::stack({jq::stack({v + 1.0, v}), jq::stack({0.5 * v, v + 2.0})})); };
    for (const array& x : {array(r.x), jq::asarray(r.x)}) in_its_dtype(r.name, of_square, x);
  }
}
TEST_CASE("plain floats: functions of neural networks") { in_their_dtypes(of_networks); }
TEST_CASE("plain floats: layers and losses of neural networks") { of_vectors_in_their_dtypes(of_layers); }
TEST_CASE("plain floats: special functions") { in_their_dtypes(of_special); }
TEST_CASE("plain floats: random numbers") {
  for (const unary_row& r : of_random_numbers)
    for (const array& x : {array(r.x), jq::asarray(r.x)}) in_its_dtype(r.name, r.f, x);
}
TEST_CASE("plain floats: complex numbers") {
  for (const unary_row& r : of_complex_numbers)
    for (const array& x : {array(r.x), jq::asarray(r.x)}) in_its_dtype(r.name, r.f, x);
}
TEST_CASE("plain floats: functions of two") {
  for (const binary_row& r : of_two) {
    const std::vector<array> x = numbers(0.25f), y = numbers(0.5f);
    for (std::size_t i = 0; i < x.size(); ++i) in_its_dtype(r.name, r.f, x[i], y[i]);
  }
}
TEST_CASE("plain floats: what is computed in f64 has the dtype of its operand") {
  for (const unary_row& r : of_f64)
    for (const array& x : numbers(r.x)) CHECK_MESSAGE(jq::make_jaxpr(r.f)(x).out_avals()[0].type == x.dtype(), r.name);
}
