// The law of plain floats in the compile-time lane: what is made of a float is a float, and no program that the compiler traces computes in f64.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>
#include <jacquard/jacquard.hpp>

#include <type_traits>
#include <vector>

namespace jq = jacquard;
namespace nn = jacquard::nn;
namespace special = jacquard::special;
using jq::array;

namespace {

constexpr bool in_float(const jq::jaxpr& p) {
  for (const jq::aval& a : p.avals)
    if (a.type == jq::f64) return false;
  for (const jq::literal& l : p.literals)
    if (l.type == jq::f64) return false;
  for (const jq::jaxpr_ref& sub : p.subs)
    if (!in_float(*sub)) return false;
  return true;
}
/// Of the value and the derivative of f at plain floats.
template <class F, class... X>
constexpr bool in_float(F f, X... x) {
  const jq::closed_jaxpr value = jq::make_jaxpr(f)(array(x)...), slope = jq::make_jaxpr(jq::grad(f))(array(x)...);
  if (value.problem || slope.problem || value.out_avals()[0].type != jq::f32 || slope.out_avals()[0].type != jq::f32) return false;
  return in_float(*value) && in_float(*slope);
}
#define JACQUARD_IN_FLOAT(call) static_assert(in_float([](auto x) { return call; }, 0.25f))
#define JACQUARD_TWO_IN_FLOAT(call) static_assert(in_float([](auto x, auto y) { return call; }, 0.25f, 0.5f))

JACQUARD_IN_FLOAT(1.0 / x + 2.0 * x - 0.5 * (x + 1));
JACQUARD_IN_FLOAT(jq::where(x > 0.5, 2.0, x));
JACQUARD_IN_FLOAT(0.5 * jq::power(x, 3));
JACQUARD_IN_FLOAT(jq::sum(jq::stack({x, x * 0.5, 1.0})));
JACQUARD_IN_FLOAT(jq::reciprocal(x));
JACQUARD_IN_FLOAT(jq::sinc(x));
JACQUARD_IN_FLOAT(jq::deg2rad(x) + jq::rad2deg(x));
JACQUARD_IN_FLOAT(jq::nan_to_num(x));
JACQUARD_IN_FLOAT(jq::modf(x).first);
JACQUARD_IN_FLOAT(jq::i0(x));
JACQUARD_TWO_IN_FLOAT(jq::hypot(x, y));
JACQUARD_TWO_IN_FLOAT(jq::logaddexp(x, y));
JACQUARD_TWO_IN_FLOAT(jq::logaddexp2(x, y));
JACQUARD_TWO_IN_FLOAT(jq::mod(x, y) + jq::floor_divide(x, y));
JACQUARD_TWO_IN_FLOAT(jq::trapezoid(jq::stack({x, y, x * y})));
JACQUARD_TWO_IN_FLOAT(jq::sum(jq::unwrap(jq::stack({x, y, x * y}))));
JACQUARD_TWO_IN_FLOAT(jq::std(jq::stack({x, y, x * y})));
JACQUARD_IN_FLOAT(nn::relu6(x));
JACQUARD_IN_FLOAT(nn::leaky_relu(x));
JACQUARD_IN_FLOAT(nn::elu(x));
JACQUARD_IN_FLOAT(nn::celu(x));
JACQUARD_IN_FLOAT(nn::selu(x));
JACQUARD_IN_FLOAT(nn::softplus(x));
JACQUARD_IN_FLOAT(nn::log_sigmoid(x));
JACQUARD_IN_FLOAT(nn::soft_sign(x));
JACQUARD_IN_FLOAT(nn::mish(x));
JACQUARD_IN_FLOAT(nn::gelu(x));
JACQUARD_IN_FLOAT(nn::gelu(x, false));
JACQUARD_IN_FLOAT(nn::hard_tanh(x));
JACQUARD_IN_FLOAT(nn::hard_sigmoid(x));
JACQUARD_IN_FLOAT(nn::hard_swish(x));
JACQUARD_IN_FLOAT(nn::squareplus(x));
JACQUARD_IN_FLOAT(nn::sparse_plus(x));
JACQUARD_TWO_IN_FLOAT(nn::huber_loss(x, y));
JACQUARD_TWO_IN_FLOAT(nn::sigmoid_binary_cross_entropy(x, y));
JACQUARD_IN_FLOAT(nn::mse(x, 0.0));
JACQUARD_IN_FLOAT(special::logit(x));
JACQUARD_IN_FLOAT(special::entr(x));
JACQUARD_IN_FLOAT(special::i0(x) + special::i1(x));
JACQUARD_IN_FLOAT(special::ndtr(x));
JACQUARD_IN_FLOAT(special::ndtri(x));
JACQUARD_IN_FLOAT(special::log_ndtr(x));
JACQUARD_IN_FLOAT(special::erfcx(x));
JACQUARD_TWO_IN_FLOAT(special::xlogy(x, y));
JACQUARD_TWO_IN_FLOAT(special::xlog1py(x, y));
JACQUARD_TWO_IN_FLOAT(special::rel_entr(x, y));
JACQUARD_TWO_IN_FLOAT(special::kl_div(x, y));
JACQUARD_IN_FLOAT(special::hyp1f1(0.5, 2, x));

// A float and a double argument meet in double, as in C++, and so does what is made of them.
static_assert(std::is_same_v<decltype(jq::jit([](auto x, auto y) { return x * y + 1.0; })(1.f, 2.0)), double>);
static_assert(std::is_same_v<decltype(jq::jit([](auto x) { return x * 3000000000L; })(1)), long>);

constexpr auto activation = [](auto x) { return nn::gelu(x) + 0.1 * nn::softplus(x); };
constexpr auto row = [](auto x) { return special::ndtr(x) / 3.0; };
static_assert(std::is_same_v<decltype(jq::jit(activation)(1.f)), float> && std::is_same_v<decltype(jq::grad(activation)(1.f)), float>);
static_assert(std::is_same_v<decltype(jq::jit(activation)(1.0)), double>);

}  // namespace

TEST_CASE("plain floats: a map over floats gives floats, those of the other lane") {
  const std::vector<float> x{-1.5f, 0.25f, 2.f};
  std::vector<float> y(3);
  jq::map(activation, x, y);
  const array want = activation(jq::asarray(x));
  CHECK(jq::max(jq::abs(jq::asarray(y) - want)).item<float>() < 1e-6f);
  CHECK(jq::allclose(jq::asarray(jq::jit(row)(0.25f)), row(jq::asarray(0.25f))).item<bool>());
}
