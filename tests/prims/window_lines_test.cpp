// window_lines: windows in vectors give the bits of one window after the other, with NaNs, zeros of both signs and equal elements.
#include "prim_testing.hpp"
#include "jacquard/prims/reduce_window.hpp"
#include "jacquard/testing/sample.hpp"

#include <bit>
#include <cstring>
#include <limits>

namespace jq = jacquard;
namespace d = jq::detail;

namespace {

struct layout {
  const char* name;
  jq::shape operand;
  jq::int_list window, strides, low, high, tap_dilation;
};
const layout layouts[] = {
    {"channels last", {2, 7, 9, 21}, {1, 2, 2, 1}, {1, 2, 2, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 1, 1, 1}},
    {"channels last, overlapping and padded", {2, 7, 9, 35}, {1, 3, 3, 1}, {1, 2, 2, 1}, {0, 1, 1, 0}, {0, 1, 1, 0}, {1, 1, 1, 1}},
    {"channels last, stride 1", {1, 6, 12, 5}, {1, 3, 3, 1}, {1, 1, 1, 1}, {0, 1, 1, 0}, {0, 1, 1, 0}, {1, 1, 1, 1}},
    {"rows, stride 1", {3, 5, 40}, {1, 2, 3}, {1, 1, 1}, {0, 0, 1}, {0, 0, 1}, {1, 1, 1}},
    {"rows, stride 2", {3, 8, 67}, {1, 2, 2}, {1, 2, 2}, {0, 0, 0}, {0, 0, 0}, {1, 1, 1}},
    {"rows, stride 2, overlapping", {2, 9, 75}, {1, 3, 3}, {1, 2, 2}, {0, 1, 1}, {0, 1, 0}, {1, 1, 1}},
    {"rows, stride 3, dilated", {2, 9, 60}, {1, 2, 3}, {1, 3, 3}, {0, 0, 0}, {0, 0, 0}, {1, 2, 2}},
    {"padding alone", {4, 20}, {2, 1}, {1, 1}, {3, 0}, {2, 0}, {1, 1}},
};

/// `nans`: also those, otherwise infinities of one sign are all that is special.
template <class T>
std::vector<T> numbers(std::int64_t n, unsigned seed, bool nans) {
  const T special[] = {T(0), -T(0), T(1), T(1), -T(2), std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity(),
                       std::numeric_limits<T>::quiet_NaN()};
  std::vector<T> r;
  for (std::int64_t i = 0; i < n; ++i) {
    seed = seed * 1664525U + 1013904223U;
    r.push_back((seed >> 28) < 6 ? special[seed >> 24 & (nans ? 7 : 5)] : T(int(seed >> 16 & 15)) / 4 - 2);
  }
  return r;
}
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::isnan(a[i]) && std::isnan(b[i])) && std::memcmp(&a[i], &b[i], sizeof(T)) != 0) return false;
  return a.size() == b.size();
}
/// What `make(out)` makes of windows by vectors of each size, next to one after the other.
template <class T, class Make>
void compare(std::int64_t n, const Make& make) {
  const auto by = [&]<int Bytes>(std::integral_constant<int, Bytes>) {
    std::vector<T> out(std::size_t(n), T(77));
    make(out.data()).template run<Bytes>();
    return out;
  };
  const std::vector<T> wanted = by(std::integral_constant<int, 0>{});
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) CHECK(same_bits(by(std::integral_constant<int, 32>{}), wanted));
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
    CHECK(same_bits(by(std::integral_constant<int, 64>{}), wanted));
#endif
}

template <class T>
void compare_all(bool nans) {
  for (const layout& l : layouts) {
    CAPTURE(l.name);
    const jq::int_list ones = jq::int_list::filled(l.operand.rank(), 1);
    const jq::reduce_window_params p{l.window, l.strides, l.low, l.high, ones, l.tap_dilation, jq::padding_kind::numbers};
    const std::vector<d::window_dim> windows = d::windows_of(p, l.operand);
    std::int64_t count = 1;
    for (const d::window_dim& w : windows) count *= w.out;
    const std::vector<T> x = numbers<T>(l.operand.elements(), 1, nans), values = numbers<T>(l.operand.elements(), 2, nans), source = numbers<T>(count, 3, nans);
    compare<T>(count, [&](T* out) { return d::window_combination<jq::reduce_window_sum_p, T>{windows, l.operand, x.data(), out, T(0)}; });
    compare<T>(count, [&](T* out) {
      return d::window_combination<jq::reduce_window_max_p, T>{windows, l.operand, x.data(), out, -std::numeric_limits<T>::infinity()};
    });
    compare<T>(count, [&](T* out) {
      return d::window_combination<jq::reduce_window_min_p, T>{windows, l.operand, x.data(), out, std::numeric_limits<T>::infinity()};
    });
    std::vector<d::window_dim> spread;
    for (const d::window_dim& w : windows) spread.push_back(w.transposed());
    const auto spreading = [&](T* out) { return d::window_spreading<T>{windows, l.operand, source.data(), out}; };
    compare<T>(l.operand.elements(), spreading);
    std::vector<T> wanted(std::size_t(l.operand.elements())), got = wanted;
    jq::shape places;
    for (const d::window_dim& w : windows) places.push_back(w.out);
    d::window_combination<jq::reduce_window_sum_p, T>{spread, places, source.data(), wanted.data(), T(0)}.template run<0>();
    spreading(got.data()).template run<0>();
    CHECK(same_bits(got, wanted));  // the sum over windows of the operand with holes
    for (const bool smallest : {false, true}) {
      const jq::select_window_params s{l.window, l.strides, l.low, l.high, ones, l.tap_dilation, jq::padding_kind::numbers, smallest};
      compare<T>(count, [&](T* out) { return d::extreme_gathering<T>{s, l.operand, values.data(), x.data(), out, count}; });
      compare<T>(l.operand.elements(), [&](T* out) { return d::extreme_scattering<T>{s, l.operand, source.data(), x.data(), out, count}; });
    }
  }
}

/// Windows of all kinds: small and long, with gaps between and within them, with holes in the operand, cut off, and over nothing.
jq::reduce_window_params random_windows(jq::testing::sampler& s, jq::shape& operand) {
  static constexpr std::int64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 40};
  jq::reduce_window_params p{{}, {}, {}, {}, {}, {}, jq::padding_kind::numbers};
  for (std::int64_t rank = 1 + s.below(4); rank > 0; --rank) {
    const std::int64_t n = s.below(40) == 0 ? 0 : sizes[s.below(12)];
    operand.push_back(operand.elements() * n > 6000 ? 1 : n);
    const bool moves = s.below(3) != 0;
    p.window_dimensions.push_back(moves ? 1 + s.below(4) : 1);
    p.window_strides.push_back(moves ? 1 + s.below(s.below(2) ? 2 : 5) : 1);
    p.base_dilation.push_back(s.below(6) == 0 ? 1 + s.below(3) : 1);
    p.window_dilation.push_back(s.below(5) == 0 ? 1 + s.below(3) : 1);
    p.padding_low.push_back(moves && s.below(2) ? s.below(6) - 2 : 0);
    p.padding_high.push_back(moves && s.below(2) ? s.below(6) - 2 : 0);
  }
  return p;
}
/// Calls f(window, element) for each tap that meets an element, one window after the other.
template <class F>
void for_each_tap(const std::vector<d::window_dim>& windows, const jq::shape& operand, const F& f) {
  jq::shape places, taps;
  for (const d::window_dim& w : windows) places.push_back(w.out), taps.push_back(w.taps);
  const jq::int_list of_place = places.strides(), of_tap = taps.strides(), of_element = operand.strides();
  for (std::int64_t o = 0; o < places.elements(); ++o)
    for (std::int64_t t = 0; t < taps.elements(); ++t) {
      std::int64_t element = 0;
      for (int k = 0; k < operand.rank() && element >= 0; ++k) {
        const d::window_dim& w = windows[std::size_t(k)];
        const std::int64_t at = o / of_place[k] % places[k] * w.stride + t / of_tap[k] % taps[k] * w.tap_dilation - w.low;
        const bool is_element = at >= 0 && at % w.dilation == 0 && at / w.dilation < w.size;
        element = is_element ? element + at / w.dilation * of_element[k] : -1;
      }
      if (element >= 0) f(o, element);
    }
}
template <class T>
void compare_random(std::uint64_t seed) {
  CAPTURE(seed);
  jq::testing::sampler s(seed);
  jq::shape operand;
  const jq::reduce_window_params p = random_windows(s, operand);
  const std::vector<d::window_dim> windows = d::windows_of(p, operand);
  jq::shape places;
  for (const d::window_dim& w : windows) places.push_back(w.out);
  const bool nans = s.below(2);
  const std::vector<T> x = numbers<T>(operand.elements(), unsigned(seed), nans), values = numbers<T>(operand.elements(), unsigned(seed) + 2, nans);
  const std::vector<T> source = numbers<T>(places.elements(), unsigned(seed) + 3, nans);
  const auto check = [](const std::vector<T>& wanted, const auto& make) {
    std::vector<T> out(wanted.size(), T(77));
    jq::detail::run_by_vectors<T>(make(out.data()));
    CHECK(same_bits(out, wanted));
    if (!wanted.empty()) compare<T>(std::int64_t(wanted.size()), make);
  };
  std::vector<T> sums(source.size(), T(0)), largest(source.size(), -std::numeric_limits<T>::infinity()), to(x.size(), T(0));
  for_each_tap(windows, operand, [&](std::int64_t o, std::int64_t i) {
    sums[std::size_t(o)] += x[std::size_t(i)];
    largest[std::size_t(o)] = jq::math::max(largest[std::size_t(o)], x[std::size_t(i)]);
    to[std::size_t(i)] += source[std::size_t(o)];
  });
  check(sums, [&](T* out) { return d::window_combination<jq::reduce_window_sum_p, T>{windows, operand, x.data(), out, T(0)}; });
  check(largest, [&](T* out) { return d::window_combination<jq::reduce_window_max_p, T>{windows, operand, x.data(), out, -std::numeric_limits<T>::infinity()}; });
  check(to, [&](T* out) { return d::window_spreading<T>{windows, operand, source.data(), out}; });
  for (const bool smallest : {false, true}) {
    const jq::select_window_params q{p.window_dimensions, p.window_strides, p.padding_low, p.padding_high, p.base_dilation, p.window_dilation, p.padding, smallest};
    std::vector<std::int64_t> best(source.size(), -1);
    for_each_tap(windows, operand, [&](std::int64_t o, std::int64_t i) {
      std::int64_t& b = best[std::size_t(o)];
      const T v = x[std::size_t(i)], yet = b < 0 ? v : x[std::size_t(b)];
      if (b < 0 || (smallest ? v < yet : v > yet) || (v != v && yet == yet)) b = i;
    });
    std::vector<T> gathered(source.size(), T(0)), scattered(x.size(), T(0));
    for (std::size_t o = 0; o < best.size(); ++o)
      if (best[o] >= 0) gathered[o] = values[std::size_t(best[o])], scattered[std::size_t(best[o])] += source[o];
    check(gathered, [&](T* out) { return d::extreme_gathering<T>{q, operand, values.data(), x.data(), out, places.elements()}; });
    check(scattered, [&](T* out) { return d::extreme_scattering<T>{q, operand, source.data(), x.data(), out, places.elements()}; });
  }
}

}  // namespace

TEST_CASE("window_lines: vectors of floats") { compare_all<float>(false), compare_all<float>(true); }
TEST_CASE("window_lines: vectors of doubles") { compare_all<double>(false), compare_all<double>(true); }
TEST_CASE("window_lines: random windows, as their definitions say") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    compare_random<float>(seed);
    compare_random<double>(seed + 1000);
  }
}
TEST_CASE("window_lines: windows next to each other that do not come to all elements, since there are holes between these") {
  const jq::shape operand{3};
  const std::vector<d::window_dim> windows{{3, 3, 3, 0, 0, 2, 1, 1}};  // of five places the first three
  const std::vector<float> source{5};
  std::vector<float> out(3, 77);
  d::run_by_vectors<float>(d::window_spreading<float>{windows, operand, source.data(), out.data()});
  CHECK(out == std::vector<float>{5, 5, 0});
}
