// Question: what do functions of numpy and special cost through jit, at 1e5 elements, next to the plain loop that one would write instead, or the
// function of the standard library? Functions whose rules, orders or searches are not such loops by themselves. One thread. Bar: 2x.
// Unit: nanoseconds per call, and the ratio to the loop in the same round (interleaved.hpp). Results are compared first.

#include <cstdlib>
#include <string>
#include <vector>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>

#include "array_task.hpp"

namespace jq = jacquard;
using jq::array;

template <class T>
void hand_lgamma(const T* x, T* y, std::int64_t n);
template <class T>
void hand_convolve(const T* x, std::int64_t n, const T* taps, std::int64_t count, T* y);
template <class T>
T hand_median(std::vector<T>& x);
template <class T>
void hand_histogram(const T* x, std::int64_t n, std::int64_t bins, std::int64_t* counts);
template <class T>
void hand_to_i32(const T* x, std::int32_t* y, std::int64_t n);
template <class T>
void hand_argmax_of_columns(const T* x, std::int64_t rows, std::int64_t columns, std::int64_t* found);
template <class T>
void hand_cummax_of_columns(const T* x, std::int64_t rows, std::int64_t columns, T* y);
template <class T>
void hand_products(const T* x, const T* y, T* z, std::int64_t count);
template <class T>
void hand_distances(const T* points, std::int64_t n, const T* centres, std::int64_t count, std::int64_t d, T* y);
template <class T>
void hand_window_sums(const T* x, std::int64_t side, std::int64_t window, T* y);
template <class T>
void hand_horner(const T* x, std::int64_t n, const T* coefficients, T* y);
template <class T>
void hand_argmax_of_rows(const T* x, std::int64_t rows, std::int64_t columns, std::int64_t* found);
template <class T>
void hand_quotients(const T* x, std::int64_t n, T* y);
template <class T>
void hand_remainders(const T* x, std::int64_t n, T* y);
template <class T>
void hand_running_sums(const T* x, std::int64_t n, T* y);
template <class T>
void hand_pair_sums(const T* x, std::int64_t rows, std::int64_t columns, T* y);

namespace {

constexpr std::int64_t count = 100000;
constexpr double bar = 2;

/// ours(x...) against by_hand(out), which writes as many elements of R.
template <class R, class Ours, class ByHand, class... X>
void task(const std::string& name, const char* against, Ours ours, ByHand by_hand, double tolerance, const X&... x) {
  array_task::task<R>(name, against, bar, ours, by_hand, tolerance, x...);
}

template <class T>
void tasks(const std::string& type) {
  interleaved::numbers number;
  const double rounding = sizeof(T) == 8 ? 1e-12 : 1e-4;
  std::vector<T> v(count), positive(count), copy;
  number.fill(v, 10);
  for (T& p : positive) p = T(10.5 + 10 * number());
  const array x = jq::asarray(v), grid = jq::asarray(v, jq::shape{1000, 100}), matrices = jq::asarray(v, jq::shape{count / 16, 4, 4});
  const T* const p = v.data();
  task<T>("gammaln" + type, "std::lgamma", [](array a) { return jq::special::gammaln(a); }, [&](T* y) { hand_lgamma(positive.data(), y, count); }, rounding,
          jq::asarray(positive));
  for (const std::int64_t taps : {5, 64}) {
    const array k = x(jq::slice(0, taps));
    task<T>("convolve, " + std::to_string(taps) + " taps" + type, "by hand", [](array a, array b) { return jq::convolve(a, b); },
            [&](T* y) { hand_convolve(p, count, p, taps, y); }, rounding * 10, x, k);
  }
  const auto median_by_hand = [&](T* y) {
    copy = v;
    *y = hand_median(copy);
  };
  task<T>("median" + type, "std::nth_element", [](array a) { return jq::median(a); }, median_by_hand, rounding, x);
  const auto counts = [](array a) { return jq::histogram(a, 100).counts; };
  task<std::int64_t>("histogram of 100 bins" + type, "by hand", counts, [&](std::int64_t* y) { hand_histogram(p, count, 100, y); }, 1e-2, x);
  task<std::int32_t>("astype(i32)" + type, "by hand", [](array a) { return a.astype(jq::i32); }, [&](std::int32_t* y) { hand_to_i32(p, y, count); }, 0, x);
  task<std::int64_t>("argmax of columns, 1000 x 100" + type, "by hand", [](array a) { return jq::argmax(a, 0); },
                     [&](std::int64_t* y) { hand_argmax_of_columns(p, 1000, 100, y); }, 0, grid);
  task<T>("cummax of columns, 1000 x 100" + type, "by hand", [](array a) { return jq::lax::cummax(a, 0); },
          [&](T* y) { hand_cummax_of_columns(p, 1000, 100, y); }, 0, grid);
  const array points = jq::asarray(v, jq::shape{count / 4, 4}), square = jq::reshape(x[jq::slice(0, 316 * 316)], {316, 316});
  for (const std::int64_t centres : {4, 16})
    task<T>("squared distances of 25000 points to " + std::to_string(centres) + " centres" + type, "by hand",
            [](array a, array c) { return jq::sum(jq::square(jq::expand_dims(a, 1) - c), -1); }, [&](T* y) { hand_distances(p, count / 4, p, centres, 4, y); }, rounding * 10,
            points, points[jq::slice(0, centres)]);
  task<T>("sums of 7 x 7 windows, 316 x 316" + type, "by hand", [](array a) { return jq::lax::reduce_window_sum(a, {7, 7}, {1, 1}, "VALID"); },
          [&](T* y) { hand_window_sums(p, 316, 7, y); }, rounding * 100, square);
  const array eight = x[jq::slice(0, 8)] / 10.0;
  const auto horner = [](array a, array c) {
    return jq::lax::scan([&](const array& sum, const array& next) { return std::pair{sum * a + next, std::tuple<>{}}; }, jq::zeros_like(a), c).first;
  };
  task<T>("Horner's scheme by a scan of 8" + type, "by hand", horner, [&](T* y) { hand_horner(p, count, eight.data<T>().data(), y); }, rounding * 1e3, x, eight);
  task<std::int64_t>("argmax of rows, 6250 x 16" + type, "by hand", [](array a) { return jq::argmax(a, 1); }, [&](std::int64_t* y) { hand_argmax_of_rows(p, count / 16, 16, y); }, 0,
                     jq::asarray(v, jq::shape{count / 16, 16}));
  task<T>("6250 products of 4 x 4" + type, "by hand", [](array a) { return jq::matmul(a, a); }, [&](T* y) { hand_products(p, p, y, count / 16); }, rounding, matrices);
}

/// Of whole numbers.
template <class T>
void whole_tasks(const std::string& type) {
  interleaved::numbers number;
  std::vector<T> v(count);
  for (T& x : v) x = T(1e4 * (1 + number()));  // their sum is a number of 32 bits
  const array x = jq::asarray(v);
  const T* const p = v.data();
  task<T>("quotients by 7" + type, "by hand", [](array a) { return jq::lax::div(a, jq::full_like(a, 7)); }, [&](T* y) { hand_quotients(p, count, y); }, 0, x);
  task<T>("remainders by 60" + type, "by hand", [](array a) { return a % 60; }, [&](T* y) { hand_remainders(p, count, y); }, 0, x);
  task<T>("running sums" + type, "by hand", [](array a) { return jq::lax::cumsum(a, 0); }, [&](T* y) { hand_running_sums(p, count, y); }, 0, x);
}
template <class T>
void small_tasks(const std::string& type) {
  interleaved::numbers number;
  std::vector<T> v(3226 * 31);
  for (T& x : v) x = T(50 * (1 + number()));
  task<T>("sums of neighbours in rows of 31" + type, "by hand", [](array a) { return a(jq::slice(), jq::slice(0, 30)) + a(jq::slice(), jq::slice(1, 31)); },
          [&](T* y) { hand_pair_sums(v.data(), 3226, 31, y); }, 0, jq::asarray(v, jq::shape{3226, 31}));
}

}  // namespace

int main() {
  setenv("JACQUARD_THREADS", "1", 1);
  tasks<float>(", f32");
  tasks<double>(", f64");
  whole_tasks<std::int32_t>(", i32");
  whole_tasks<std::uint32_t>(", u32");
  whole_tasks<std::int64_t>(", i64");
  small_tasks<std::uint8_t>(", u8");
  small_tasks<std::uint16_t>(", u16");
}
