// Chapter 10: add a primitive
//
// A primitive is an operation that transforms know as one step. You add one when the derivative can be had
// cheaper or more exactly than by differentiating the parts, or when the parts do not exist. A primitive is a
// struct of static members, its rules. They are written in the library's own functions, so each rule can be
// transformed in turn.

#include <iostream>
#include <string_view>

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

// An elementwise function first: softplus(x) = log(1 + e^x), a smooth max(x, 0). The base class needs to know
// which dtypes are accepted and how many operands there are; it provides type inference, broadcasting and
// batching.
struct softplus_p : jq::elementwise<softplus_p, jq::floats, 1> {
  static constexpr std::string_view name = "softplus";
  // The function of one element. T is whatever a backend computes in.
  template <class T>
  static constexpr T apply(T x) {
    using namespace jq::math;
    return x > T(0) ? T(x + log1p(exp(T(-x)))) : T(log1p(exp(x)));
  }
  // The derivative: tangent, operand, result -> tangent of the result.
  static constexpr jq::array jvp(const jq::array& t, const jq::array& x, const jq::array&) {
    return jq::lax::mul(t, jq::lax::logistic(x));
  }
};
// bind applies a primitive: it computes, or it records an equation if something is being traced. `where`
// remembers the caller's line for messages.
constexpr jq::array softplus(const jq::array& x, jq::location where = jq::location::current()) {
  return jq::bind<softplus_p>({}, where, x);
}

// The second one has a parameter, and is linear: delay shifts the last dimension by some steps and fills with
// zeros.
constexpr jq::array delay(const jq::array& x, std::int64_t steps,
                          jq::location where = jq::location::current());

struct delay_p {
  static constexpr std::string_view name = "delay";
  struct params {
    std::int64_t steps;
    static constexpr std::string_view fields = "steps";  // their names, for printing
    constexpr bool operator==(const params&) const = default;
  };
  // Which dtypes the kernel below takes.
  static constexpr jq::type_set domain = jq::numbers;
  // Bit k: linear in operand k. The derivative follows: the tangent is delayed like the primal.
  static constexpr std::uint32_t linear = 0b1;

  // From the types of the operands to the type of the result, or the first error.
  static constexpr jq::aval abstract_eval(jq::inference& c, const params&) {
    if (c.in[0].rank() == 0)
      return c.fail(jq::error_kind::shape, ": got a scalar, wanted at least one dimension");
    return c.in[0];
  }
  // Reverse mode needs the transpose: what came from `steps` places before goes back there.
  static constexpr jq::array transpose(int, const jq::array& ct, const jq::transpose_call&, const params& p) {
    return delay(ct, -p.steps);
  }
  // Under vmap the operand has one more dimension, dims[0]. The rule returns a value and where its batch
  // dimension is. Moved to the front it does not get in the way of the last one.
  static constexpr jq::batched batch(jq::batch_call& c, const params& p) {
    return {delay(jq::moveaxis(c.x[0], c.dims[0], 0), p.steps), 0};
  }
  // The computation, on dense row-major elements.
  template <class T>
  static constexpr void kernel(const jq::kernel_args<T>& a, const params& p) {
    const jq::shape& dims = a.in_types[0].dims;
    const std::int64_t n = dims[dims.rank() - 1];
    for (std::int64_t i = 0; i < dims.elements(); ++i) {
      const std::int64_t from = i % n - p.steps;
      a.out[0][i] = from >= 0 && from < n ? a.in[0][i - p.steps] : T(0);
    }
  }
};
constexpr jq::array delay(const jq::array& x, std::int64_t steps, jq::location where) {
  return jq::bind<delay_p>({steps}, where, x);
}

int main() {
  // Every transform now knows both, together with all that exists.
  const auto smooth = [](const jq::array& x) { return softplus(x); };
  const jq::array x = jq::asarray({-2.0, 0.0, 2.0, 50.0});
  std::cout << "softplus        " << softplus(x) << '\n';
  std::cout << "derivative      " << jq::vmap(jq::grad(smooth))(x) << '\n';
  std::cout << "second          " << jq::vmap(jq::grad(jq::grad(smooth)))(x) << "\n\n";

  // A filter: its output is a weighted sum of delayed copies of a signal.
  const auto filter = [](const jq::array& h, const jq::array& s) {
    return h[0] * s + h[1] * delay(s, 1) + h[2] * delay(s, 2);
  };
  const jq::array h = jq::asarray({1.0, 0.5, 0.25}), impulse = jq::asarray({1.0, 0.0, 0.0, 0.0});
  std::cout << "response        " << jq::jit(filter)(h, impulse) << '\n';
  std::cout << "two signals\n"
            << jq::vmap(filter, jq::in_axes<jq::none, 1>)(h, jq::eye(4, 2, 0, jq::f64)) << "\n\n";

  // The gradient of a function of both, compiled.
  const auto loss = [&](const jq::array& w) { return jq::sum(softplus(filter(w, impulse))); };
  std::cout << "gradient        " << jq::jit(jq::grad(loss))(h) << "\n\n";

  // In a program they are equations like all others.
  std::cout << jq::make_jaxpr(jq::grad([](const jq::array& s) { return jq::sum(softplus(delay(s, 1))); }))(x)
            << '\n';
}

// output:
// softplus        [ 0.12692801  0.69314718  2.12692801 50.        ]
// derivative      [0.11920292 0.5        0.88079708 1.        ]
// second          [0.10499359 0.25       0.10499359 0.        ]
//
// response        [1.   0.5  0.25 0.  ]
// two signals
// [[1.   0.5  0.25 0.  ]
//  [0.   1.   0.5  0.25]]
//
// gradient        [0.73105858 0.62245933 0.5621765 ]
//
// { lambda ; a:f64[4]. let
//     b:f64[4] = delay[steps=1] a
//     c:f64[4] = softplus b
//     d:f64[4] = logistic b
//     _:f64[] = reduce_sum[axes=(0,)] c
//     e:f64[4] = broadcast_in_dim[broadcast_dimensions=() shape=(4,)] 1.0:f64[]
//     f:f64[4] = mul e d
//     g:f64[4] = delay[steps=-1] f
//   in (g,) }
