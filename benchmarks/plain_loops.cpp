// Question: what do functions of numpy and special cost through jit, at 1e5 elements, next to the plain loop that one would write instead, or the
// function of the standard library? Functions whose rules, orders or searches are not such loops by themselves. One thread. Bar: 2x.
// Unit: nanoseconds per call, and the ratio to the loop in the same round (interleaved.hpp). Results are compared first.

#include <cstdlib>
#include <string>
#include <vector>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>

#include "interleaved.hpp"

namespace jq = jacquard;
using interleaved::compare, interleaved::observe;
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

namespace {

constexpr std::int64_t count = 100000;
constexpr double bar = 2;

/// ours(x...) against by_hand(out), which writes as many elements of R.
template <class R, class Ours, class ByHand, class... X>
void task(const std::string& name, const char* against, Ours ours, ByHand by_hand, double tolerance, const X&... x) {
  const auto compiled = jq::jit(ours, jq::backend("cpu"), jq::compile_at::first_call);
  const array result = compiled(x...);
  std::vector<R> out(std::size_t(result.size()));
  const auto hand = [&] {
    by_hand(out.data());
    observe(out.data());
  };
  hand();
  const double error = interleaved::relative_error(out.data(), result.data<R>().data(), out.size());
  compare(name.c_str(), 1, error <= tolerance ? 0 : error, hand, [&] { observe(compiled(x...).template data<R>().data()); }, bar, against);
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
  task<T>("6250 products of 4 x 4" + type, "by hand", [](array a) { return jq::matmul(a, a); }, [&](T* y) { hand_products(p, p, y, count / 16); }, rounding, matrices);
}

}  // namespace

int main() {
  setenv("JACQUARD_THREADS", "1", 1);
  tasks<float>(", f32");
  tasks<double>(", f64");
}
