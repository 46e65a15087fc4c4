// Question: what does sorting cost next to what a user would call: std::sort and std::stable_sort for values, std::stable_sort of
// indices for the order, std::partial_sort for the largest elements? Rows of random numbers, new ones for each row, so that
// branches cannot be learned. Bar: 1.2x. And running operations next to the loop by hand.
// Unit: nanoseconds per row, and the ratio to the baseline in the same round (interleaved.hpp). Values are compared first.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>

#include <jacquard/jacquard.hpp>

#include "interleaved.hpp"

namespace jq = jacquard;
using interleaved::compare, interleaved::observe;
using jq::array;

namespace {

/// `count` rows of `length` random numbers.
template <class T>
struct rows {
  std::int64_t count, length;
  std::vector<T> values;
  array x;

  rows(std::int64_t rows_wanted, std::int64_t row_length) : count(rows_wanted), length(row_length) {
    interleaved::numbers number;
    for (std::int64_t i = 0; i < count * length; ++i) values.push_back(T(1e6 * number()));
    x = jq::asarray(values, jq::shape{count, length});
  }
  template <class F>
  void each(std::vector<T>& v, F f) const {
    for (std::int64_t r = 0; r < count; ++r) f(v.data() + r * length, v.data() + (r + 1) * length);
  }
};
template <class T>
double difference(const T* want, const array& got) {
  double r = 0;
  for (std::int64_t i = 0; i < got.size(); ++i) r = std::max(r, std::fabs(double(want[i]) - double(got.data<T>()[std::size_t(i)])));
  return r;
}

template <class T>
void values(const char* name, std::int64_t count, std::int64_t length) {
  const rows<T> data(count, length);
  std::vector<T> sorted = data.values;
  data.each(sorted, [](T* a, T* b) { std::sort(a, b); });
  const double error = difference(sorted.data(), jq::sort(data.x));
  const auto ours = [&] { observe(jq::sort(data.x).template data<T>().data()); };
  const auto by = [&](auto f) {
    return [&, f] {
      std::vector<T> v = data.values;
      data.each(v, f);
      observe(v.data());
    };
  };
  compare(name, int(count), error, by([](T* a, T* b) { std::sort(a, b); }), ours, 1.2, "std::sort");
  compare(name, int(count), error, by([](T* a, T* b) { std::stable_sort(a, b); }), ours, 1.2, "std::stable_sort");
}
void order(const char* name, std::int64_t count, std::int64_t length) {
  const rows<double> data(count, length);
  std::vector<std::int64_t> places(data.values.size());
  const auto by_hand = [&] {
    for (std::int64_t r = 0; r < count; ++r) {
      const double* row = data.values.data() + r * length;
      std::int64_t* at = places.data() + r * length;
      std::iota(at, at + length, 0);
      std::stable_sort(at, at + length, [&](std::int64_t a, std::int64_t b) { return row[a] < row[b]; });
    }
    observe(places.data());
  };
  by_hand();
  const auto ours = [&] { observe(jq::argsort(data.x).data<std::int64_t>().data()); };
  compare(name, int(count), difference(places.data(), jq::argsort(data.x)), by_hand, ours, 1.2, "std::stable_sort");
}
void largest(const char* name, std::int64_t count, std::int64_t length, std::int64_t k) {
  const rows<double> data(count, length);
  std::vector<double> best(std::size_t(count * k)), row;
  const auto by_hand = [&] {
    for (std::int64_t r = 0; r < count; ++r)
      std::partial_sort_copy(data.values.data() + r * length, data.values.data() + (r + 1) * length, best.data() + r * k, best.data() + (r + 1) * k,
                             std::greater<>());
    observe(best.data());
  };
  by_hand();
  const auto ours = [&] { observe(jq::top_k(data.x, k).values.data<double>().data()); };
  compare(name, int(count), difference(best.data(), jq::top_k(data.x, k).values), by_hand, ours, 1.2, "std::partial_sort_copy");
}
void running(const char* name, std::int64_t count, std::int64_t length) {
  const rows<double> data(count, length);
  std::vector<double> y(data.values.size());
  const auto by_hand = [&] {
    for (std::int64_t r = 0; r < count; ++r) {
      double s = -HUGE_VAL;
      for (std::int64_t i = 0; i < length; ++i) y[std::size_t(r * length + i)] = s = std::max(s, data.values[std::size_t(r * length + i)]);
    }
    observe(y.data());
  };
  by_hand();
  compare(name, int(count), difference(y.data(), jq::lax::cummax(data.x, 1)), by_hand, [&] { observe(jq::lax::cummax(data.x, 1).data<double>().data()); });
}

}  // namespace

int main() {
  values<double>("sort f64, 2000 x 100", 2000, 100);
  values<double>("sort f64, 200 x 1000", 200, 1000);
  values<double>("sort f64, 100000", 1, 100000);
  values<float>("sort f32, 200 x 1000", 200, 1000);
  values<std::int32_t>("sort i32, 200 x 1000", 200, 1000);
  values<std::int64_t>("sort i64, 100000", 1, 100000);
  order("argsort f64, 2000 x 100", 2000, 100);
  order("argsort f64, 100000", 1, 100000);
  largest("top_k f64, 200 x 1000, k = 8", 200, 1000, 8);
  largest("top_k f64, 100000, k = 100", 1, 100000, 100);
  running("cummax f64, 200 x 1000", 200, 1000);
}
