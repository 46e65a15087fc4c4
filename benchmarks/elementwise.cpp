// Question: what do fused elementwise functions cost through jit, compared with loops by hand and with expressions of array libraries?
// Tasks: T6, a polynomial with a maximum and gelu, at 1e3, 1e5 and 1e7 elements, f32 and f64, one thread and two. Ours gives a fresh
// result, the others write to memory that is ready; at 1e3, where that is a part of the time, bars are those of rows in which all take fresh
// memory, and in which all write to memory that is ready. The loops by hand are compiled with -ffast-math; the polynomial, which that flag
// turns into another one, is also measured with precision::fast_math.
// Unit: nanoseconds per call, ratios to each baseline. Bars: 1.0 of the loop, 0.8 where it calls libmvec.

#include "contest.hpp"

namespace {

using namespace contest;

template <class T>
void functions() {
  for (const std::int64_t n : {1000, 100000, 10000000}) {
    if (n > 100000 && interleaved::quick()) continue;
    const array x = jq::sin(jq::arange(n).astype(number<T>) * 0.1);
    const std::size_t count = std::size_t(n);
    const std::string where = std::string(", ") + number_name<T> + ", " + size_name(n);
    const auto run = [&](auto function, T* out) { function(read<T>(x), out, count); };
    const auto polynomial = [](array a) {
      const array t = (a * a + 0.5) * a - 0.25 * a + 1;
      return jq::maximum(t, 0.0) * a;
    };
    for (const goal& g : {goal(1.0), goal(1.0).in_fast_math()}) task<T>("T6 polynomial" + where, g, polynomial, &peers::library<T>::poly8, run, x);
    task<T>("T6 gelu" + where, 0.8, [](array a) { return 0.5 * a * (1 + jq::tanh(0.79788456 * (a + 0.044715 * a * a * a))); },
            &peers::library<T>::gelu, run, x);
  }
}

}  // namespace

int main(int argc, char** argv) {
  begin(argc, argv);
  functions<float>();
  functions<double>();
}
