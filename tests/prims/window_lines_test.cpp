// window_lines: windows in vectors give the bits of one window after the other, with NaNs, zeros of both signs and equal elements.
#include "prim_testing.hpp"
#include "jacquard/prims/reduce_window.hpp"

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

template <class T>
std::vector<T> numbers(std::int64_t n, unsigned seed) {
  const T special[] = {T(0), -T(0), T(1), T(1), -T(2), std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity(),
                       std::numeric_limits<T>::quiet_NaN()};
  std::vector<T> r;
  for (std::int64_t i = 0; i < n; ++i) {
    seed = seed * 1664525U + 1013904223U;
    r.push_back((seed >> 28) < 6 ? special[seed >> 24 & 7] : T(int(seed >> 16 & 15)) / 4 - 2);
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
  CHECK(same_bits(by(std::integral_constant<int, 32>{}), wanted));
  CHECK(same_bits(by(std::integral_constant<int, 64>{}), wanted));
}

template <class T>
void compare_all() {
  for (const layout& l : layouts) {
    CAPTURE(l.name);
    const jq::int_list ones = jq::int_list::filled(l.operand.rank(), 1);
    const jq::reduce_window_params p{l.window, l.strides, l.low, l.high, ones, l.tap_dilation, jq::padding_kind::numbers};
    const std::vector<d::window_dim> windows = d::windows_of(p, l.operand);
    std::int64_t count = 1;
    for (const d::window_dim& w : windows) count *= w.out;
    const std::vector<T> x = numbers<T>(l.operand.elements(), 1), values = numbers<T>(l.operand.elements(), 2), source = numbers<T>(count, 3);
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

}  // namespace

TEST_CASE("window_lines: vectors of floats") { compare_all<float>(); }
TEST_CASE("window_lines: vectors of doubles") { compare_all<double>(); }
