// A unit that uses the native backend, reverse mode, a batch and a primitive of its own; what the library has compiled is not compiled here.

#include <string_view>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

namespace {

/// x + 1 / x, whose rules are compiled in this unit alone.
struct with_inverse_p : jq::elementwise<with_inverse_p, jq::floats, 1> {
  static constexpr std::string_view name = "with_inverse";
  template <class T>
  static constexpr T apply(T x) {
    return x + T(1) / x;
  }
  static constexpr jq::array jvp(const jq::array& t, const jq::array& x, const jq::array&) { return t * (1.0 - 1.0 / (x * x)); }
};

jq::array with_inverse(const jq::array& x) { return jq::bind<with_inverse_p>({}, jq::location::current(), x); }

static_assert(jq::grad([](auto x) { return x * x * x; })(3.0) == 27.0);

}  // namespace

// The sum over x of f'(x) with f(x) = sin(x) (x + 1 / x): computed by machine code, or by tiles where there is no compiler.
double sum_of_slopes(const jq::array& x) {
  const auto slope = jq::grad([](jq::array y) { return jq::sin(y) * with_inverse(y); });
  const auto f = jq::jit([=](jq::array y) { return jq::sum(jq::vmap(slope)(y)); }, jq::backend("cpu"), jq::compile_at::first_call);
  return f(x).item<double>();
}
