// Question: what do gathers, scatters and running sums cost through jit, compared with loops by hand? A lookup of rows, as of embeddings, and of
// single elements in random order; of elements by two indices, of columns, along an axis, and within an expression; slices that start anywhere;
// sums into bins, updates of other kinds, and the gradient of an embedding; running sums along rows and down columns. One thread on both
// sides; loops by hand check no index, ours clamp those of gathers and drop those of scatters that are out of range. Bar: 1.2x.

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "interleaved.hpp"

namespace jq = jacquard;
using interleaved::compare, interleaved::observe;
using jq::array;

namespace {

struct data {
  std::vector<float> table, values;
  std::vector<std::int64_t> places;
};
/// `rows` rows of `length` numbers, and places of some of them with values for there.
data random_data(std::int64_t rows, std::int64_t length, std::int64_t places) {
  interleaved::numbers number;
  data d;
  for (std::int64_t i = 0; i < rows * length; ++i) d.table.push_back(float(number()));
  for (std::int64_t i = 0; i < places; ++i) {
    d.places.push_back(std::int64_t(std::fabs(double(number())) * 1e9) % rows);
    d.values.push_back(float(number()));
  }
  return d;
}
double difference(const std::vector<float>& want, const array& got) {
  double r = got.size() == std::int64_t(want.size()) ? 0 : 1;
  for (std::size_t i = 0; r < 1 && i < want.size(); ++i) r = std::max(r, std::fabs(double(want[i]) - double(got.data<float>()[i])));
  return r;
}

void lookup(const char* name, std::int64_t rows, std::int64_t length, std::int64_t places) {
  const data d = random_data(rows, length, places);
  const array table = jq::asarray(d.table, length == 1 ? jq::shape{rows} : jq::shape{rows, length}), at = jq::asarray(d.places);
  const auto ours = jq::jit([](const array& x, const array& i) { return jq::take(x, i, 0); }, jq::backend("cpu"));
  std::vector<float> y(std::size_t(places * length));
  const auto by_hand = [&] {
    for (std::int64_t i = 0; i < places; ++i)
      for (std::int64_t k = 0; k < length; ++k) y[std::size_t(i * length + k)] = d.table[std::size_t(d.places[std::size_t(i)] * length + k)];
    observe(y.data());
  };
  by_hand();
  compare(name, int(places), difference(y, ours(table, at)), by_hand, [&] { observe(ours(table, at).data<float>().data()); }, 1.2);
}
void bins(const char* name, std::int64_t count, std::int64_t places) {
  const data d = random_data(count, 1, places);
  const array at = jq::asarray(d.places), values = jq::asarray(d.values);
  const auto ours = jq::jit([=](const array& i, const array& v) { return jq::zeros({count}).at(i).add(v); }, jq::backend("cpu"));
  std::vector<float> y;
  const auto by_hand = [&] {
    y.assign(std::size_t(count), 0.0f);
    for (std::int64_t i = 0; i < places; ++i) y[std::size_t(d.places[std::size_t(i)])] += d.values[std::size_t(i)];
    observe(y.data());
  };
  by_hand();
  compare(name, int(places), difference(y, ours(at, values)), by_hand, [&] { observe(ours(at, values).data<float>().data()); }, 1.2);
}
/// A function of numbers and of places that a loop by hand computes, too, into `y`.
template <class F, class Hand>
void task(const char* name, const data& d, const jq::shape& table, std::int64_t elements, F f, Hand hand) {
  const array x = jq::asarray(d.table, table), at = jq::asarray(d.places), v = jq::asarray(d.values);
  const auto ours = jq::jit(f, jq::backend("cpu"));
  std::vector<float> y(std::size_t(elements), 0.0f);
  const auto by_hand = [&] {
    hand(d.table.data(), d.places.data(), d.values.data(), y.data());
    observe(y.data());
  };
  by_hand();
  compare(name, int(elements), difference(y, ours(x, at, v)), by_hand, [&] { observe(ours(x, at, v).template data<float>().data()); }, 1.2);
}
constexpr std::int64_t side = 1000, many = side * side;
using numbers = const float*;
using indices = const std::int64_t*;

void reads() {
  const data elements = random_data(many, 1, many), few = random_data(side, side, 100), along = random_data(side, side, many);
  task("take elements, times 2, plus others", elements, {many}, many, [](array x, array i, array v) { return jq::take(x, i) * 2 + v; },
       [](numbers x, indices i, numbers v, float* y) {
         for (std::int64_t k = 0; k < many; ++k) y[k] = x[i[k]] * 2 + v[k];
       });
  task("elements by two indices, 1000000", along, {side, side}, many, [](array x, array i, array) { return x(i, side - 1 - i); },
       [](numbers x, indices i, numbers, float* y) {
         for (std::int64_t k = 0; k < many; ++k) y[k] = x[i[k] * side + side - 1 - i[k]];
       });
  task("take columns, 1000 x 1000, 100 of them", few, {side, side}, side * 100, [](array x, array i, array) { return jq::take(x, i, 1); },
       [](numbers x, indices i, numbers, float* y) {
         for (std::int64_t r = 0; r < side; ++r)
           for (std::int64_t k = 0; k < 100; ++k) y[r * 100 + k] = x[r * side + i[k]];
       });
  task("take along rows, 1000 x 1000", along, {side, side}, many, [](array x, array i, array) { return jq::take_along_axis(x, jq::reshape(i, {side, side}), 1); },
       [](numbers x, indices i, numbers, float* y) {
         for (std::int64_t k = 0; k < many; ++k) y[k] = x[k / side * side + i[k]];
       });
  task("take down columns, 1000 x 1000", along, {side, side}, many, [](array x, array i, array) { return jq::take_along_axis(x, jq::reshape(i, {side, side}), 0); },
       [](numbers x, indices i, numbers, float* y) {
         for (std::int64_t r = 0; r < side; ++r)
           for (std::int64_t k = 0; k < side; ++k) y[r * side + k] = x[i[r * side + k] * side + k];
       });
  task("slice of 500 x 500 that starts anywhere, plus 1", few, {side, side}, 250000,
       [](array x, array i, array) { return jq::lax::dynamic_slice(x, {jq::floor_divide(i(0), 2), jq::floor_divide(i(1), 2)}, {500, 500}) + 1; },
       [](numbers x, indices i, numbers, float* y) {
         for (std::int64_t r = 0; r < 500; ++r)
           for (std::int64_t k = 0; k < 500; ++k) y[r * 500 + k] = x[(i[0] / 2 + r) * side + i[1] / 2 + k] + 1;
       });
}
/// The table as it is, but for what `put(element, value)` does at each place.
template <class F, class Put>
void updates(const char* name, const data& d, const jq::shape& table, F f, Put put) {
  const std::int64_t elements = table.elements(), length = elements / table[0];
  const std::int64_t places = std::int64_t(d.places.size());
  task(name, d, table, elements, f, [=](numbers x, indices i, numbers v, float* y) {
    std::copy(x, x + elements, y);
    for (std::int64_t k = 0; k < places; ++k)
      for (std::int64_t j = 0; j < length; ++j) put(y[i[k] * length + j], v[k]);
  });
}
void writes() {
  const data d = random_data(many, 1, many), rows = random_data(10000, 64, 5000);
  updates("put 1000000 elements", d, {many}, [](array x, array i, array v) { return x.at(i).set(v); }, [](float& y, float v) { y = v; });
  updates("multiply 1000000 elements", d, {many}, [](array x, array i, array v) { return x.at(i).multiply(v); }, [](float& y, float v) { y *= v; });
  updates("largest of 1000000 elements", d, {many}, [](array x, array i, array v) { return x.at(i).max(v); }, [](float& y, float v) { y = y < v ? v : y; });
  updates("add twice 1000000 elements", d, {many}, [](array x, array i, array v) { return x.at(i).add(2 * v); }, [](float& y, float v) { y += 2 * v; });
  updates("add to rows, 10000 x 64, 5000 times", rows, {10000, 64}, [](array x, array i, array v) { return x.at(i).add(jq::reshape(v, {5000, 1})); }, [](float& y, float v) { y += v; });
  const auto embedding = [](array x, array i, array v) {
    return jq::grad([&](array table) { return jq::sum(jq::take(table, i, 0) * jq::reshape(v, {5000, 1})); })(x);
  };
  task("gradient of an embedding, 10000 x 64, 5000 of them", rows, {10000, 64}, 640000, embedding, [](numbers, indices i, numbers v, float* y) {
    std::fill(y, y + 640000, 0.0f);
    for (std::int64_t k = 0; k < 5000; ++k)
      for (std::int64_t j = 0; j < 64; ++j) y[i[k] * 64 + j] += v[k];
  });
}
void running(const char* name, std::int64_t rows, std::int64_t length, int axis) {
  data d = random_data(rows, length, 1);
  for (float& v : d.table) v = std::round(8 * v);  // sums that are exact in any order
  const array x = jq::asarray(d.table, {rows, length});
  const auto ours = jq::jit([axis](const array& v) { return jq::cumsum(v, axis); }, jq::backend("cpu"));
  std::vector<float> y(d.table.size());
  const auto by_hand = [&] {
    const auto at = [&](std::int64_t r, std::int64_t k) { return std::size_t(r * length + k); };
    for (std::int64_t r = 0; r < rows; ++r) {
      float sum = 0;
      for (std::int64_t k = 0; k < length; ++k) {
        if (axis == 1) y[at(r, k)] = sum += d.table[at(r, k)];
        else y[at(r, k)] = d.table[at(r, k)] + (r > 0 ? y[at(r - 1, k)] : 0.0f);
      }
    }
    observe(y.data());
  };
  by_hand();
  compare(name, int(rows * length), difference(y, ours(x)), by_hand, [&] { observe(ours(x).data<float>().data()); }, 1.2);
}

}  // namespace

int main() {
  setenv("JACQUARD_THREADS", "1", 1);
  jq::cpu::set_compile_at(jq::compile_time::first_call);
  lookup("take rows, 10000 x 64, 5000 of them", 10000, 64, 5000);
  lookup("take elements, 1000000 of 10000", 10000, 1, 1000000);
  lookup("take elements, 1000000 of 1000000", 1000000, 1, 1000000);
  bins("add into 1000 bins, 1000000", 1000, 1000000);
  bins("add into 1000000 bins, 1000000", 1000000, 1000000);
  reads();
  writes();
  running("cumsum, 1000 x 1000, along rows", 1000, 1000, 1);
  running("cumsum, 1000 x 1000, down columns", 1000, 1000, 0);
}
