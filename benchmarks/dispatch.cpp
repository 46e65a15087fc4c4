// Question: what does a warm call of a jitted function cost beyond the work it does?
// Tasks: the sum of a product and a third array of eight f32, as three arguments and as structs within structs; T7, a function of 16
// floats; the same bound to memory of the caller. The compiled kernel's work is a few nanoseconds, and is taken off: the baseline is a call of a function by hand on the same memory.
// Unit: nanoseconds more than by hand, in the same round. Bars: 50, and 100 for nested structs.

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>

#include "interleaved.hpp"

namespace jq = jacquard;
using jq::array;

namespace {

struct pair_of_arrays {
  array a, b;
};
struct nested {
  pair_of_arrays first;
  std::tuple<array> second;
};

/// Called through a pointer that the compiler does not see through, as a kernel is.
void multiply_add(const float* x, const float* y, const float* z, float* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = x[i] * y[i] + z[i];
}

using floats = std::vector<float>;

/// Times `ours`, whose result is `got()` afterwards, and the call by hand on the same memory.
template <class Ours, class Got>
void measure(const char* name, double bar, const floats& x, const floats& y, const floats& z, Ours ours, Got got) {
  floats out(x.size());
  auto* volatile function = &multiply_add;
  const auto by_hand = [&] { function(x.data(), y.data(), z.data(), out.data(), int(out.size())), interleaved::observe(out.data()); };
  by_hand(), ours();
  if (interleaved::relative_error(out.data(), got(), out.size()) > 1e-6) {
    std::printf("%s: wrong\n", name);
    std::exit(1);
  }
  constexpr int calls = 1 << 13;
  std::vector<double> more, own, hand;
  for (int round = 0; round < (interleaved::quick() ? 7 : 41); ++round) {
    hand.push_back(interleaved::nanoseconds(by_hand, calls));
    own.push_back(interleaved::nanoseconds(ours, calls));
    more.push_back(own.back() - hand.back());
  }
  using interleaved::quartiles;
  interleaved::report({name, "by hand", quartiles(more), bar, "ns", quartiles(own).middle, quartiles(hand).middle});
}
template <class F, class... A>
void measure_call(const char* name, double bar, F f, const floats& x, const floats& y, const floats& z, const A&... arguments) {
  const auto compiled = jq::jit(f, jq::backend("cpu"));
  array result;
  measure(name, bar, x, y, z, [&] { result = compiled(arguments...), interleaved::observe(&result); }, [&] { return result.data<float>().data(); });
}

}  // namespace

int main() {
  jq::cpu::set_threads(1);  // the time of others is not counted
  jq::cpu::set_compile_at(jq::compile_time::first_call);
  const array x = jq::random::normal(jq::random::key(0), {8}), y = x + 1.0, z = x * 2.0;
  const array u = jq::random::normal(jq::random::key(1), {16}), v = u + 1.0, w = u * 2.0;
  const auto elements = [](const array& a) { return floats(a.data<float>().begin(), a.data<float>().end()); };
  const floats xs = elements(x), ys = elements(y), zs = elements(z), us = elements(u), vs = elements(v), ws = elements(w);
  const auto of_arrays = [](array a, array b, array c) { return a * b + c; };
  const auto of_structs = [](const nested& n) { return n.first.a * n.first.b + std::get<0>(n.second); };
  measure_call("warm call, three arrays of 8", 50, of_arrays, xs, ys, zs, x, y, z);
  measure_call("warm call, three arrays of 8 in nested structs", 100, of_structs, xs, ys, zs, nested{{x, y}, {z}});
  measure_call("T7 warm call, 16 floats", 50, of_arrays, us, vs, ws, u, v, w);
  floats out(16);
  auto bound = jq::jit(of_arrays, jq::backend("cpu")).lower(u, v, w).compile().bind({us, vs, ws}, {out});
  measure("bound call, 16 floats", 50, us, vs, ws, [&] { bound(), interleaved::observe(out.data()); }, [&] { return out.data(); });
}
