// Question: what do complex numbers cost through jit, compared with loops over std::complex by hand?
// Functions of 8, 1e3 and 1e5 numbers, c64 and c128, on one thread, and a sum of moduli. Both write to memory that is ready, ours by bound calls.
// The loops have no special values to care for: their products and quotients are the plain formulas. So are ours with precision::fast_math; else
// they are scaled, and keep infinities.
// Unit: nanoseconds per call, and the ratio to the loop. Bars from 1e3 on: 1.0, and 1.2 for quotients and moduli.

#include <complex>

#include "contest.hpp"

template <class T>
void hand_square(const std::complex<T>* z, std::complex<T>* out, std::size_t n);
template <class T>
void hand_exp(const std::complex<T>* z, std::complex<T>* out, std::size_t n);
template <class T>
void hand_quotient(const std::complex<T>* z, std::complex<T>* out, std::size_t n);
template <class T>
T hand_moduli(const std::complex<T>* z, std::size_t n);

namespace {

using namespace contest;

template <class T>
void functions() {
  using own = jq::complex<T>;
  using number_type = std::complex<T>;
  for (const std::int64_t n : {8, 1000, 100000}) {
    const array z = jq::lax::complex(uniform<T>(1, {n}), uniform<T>(2, {n}));
    const std::size_t count = std::size_t(n);
    const std::string where = std::string(", ") + (std::is_same_v<T, float> ? "c64" : "c128") + ", " + size_name(n);
    const auto numbers = [&](const array& x) { return reinterpret_cast<const number_type*>(x.data<own>().data()); };
    std::vector<number_type> out(count);
    const auto called = [&](const std::string& name, const jq::precision& p) { return name + where + (p.is_fast_math ? ", fast math" : ""); };
    const auto measured = [&](const std::string& name, double bar, auto f, auto hand, const jq::precision& p = jq::precision::fast) {
      const auto compiled = jq::jit(f, jq::backend("cpu"), p);
      std::vector<own> result(count);
      jq::bound_call call = bound(compiled, {compiled(z)}, result, z);
      const auto by_hand = [&] {
        hand(numbers(z), out.data(), count);
        interleaved::observe(out.data());
      };
      const auto ours = [&] {
        call();
        interleaved::observe(result.data());
      };
      by_hand(), ours();
      const double error = interleaved::relative_error(reinterpret_cast<const T*>(out.data()), reinterpret_cast<const T*>(result.data()), 2 * count);
      interleaved::compare({called(name, p), 1, tolerance<T>}, {"ours", ours}, {{"by hand", by_hand, error, n < 1000 ? interleaved::no_bar : bar}});
    };
    measured("square", 1.0, [](array x) { return x * x * 0.5 + x; }, &hand_square<T>);
    measured("exp", 1.0, [](array x) { return jq::exp(x) * x; }, &hand_exp<T>);
    for (const jq::precision& p : {jq::precision::fast, jq::precision::fast_math}) {
      measured("quotient", 1.2, [](array x) { return x / (x * x + 3.0); }, &hand_quotient<T>, p);

      const auto moduli = jq::jit([](array x) { return jq::sum(jq::abs(x)); }, jq::backend("cpu"), p);
      std::vector<T> sum(1);
      jq::bound_call call = bound(moduli, {moduli(z)}, sum, z);
      T by_loop = 0;
      const auto by_hand = [&] {
        by_loop = hand_moduli(numbers(z), count);
        interleaved::observe(&by_loop);
      };
      const auto ours = [&] {
        call();
        interleaved::observe(sum.data());
      };
      by_hand(), ours();
      interleaved::compare({called("sum of moduli", p), 1, 10 * tolerance<T>}, {"ours", ours}, {{"by hand", by_hand, interleaved::relative_error(&by_loop, sum.data(), 1), n < 1000 ? interleaved::no_bar : 1.2}});
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  begin(argc, argv);
  jq::cpu::set_threads(1);
  functions<float>();
  functions<double>();
}
