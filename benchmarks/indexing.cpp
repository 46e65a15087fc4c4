// Question: what do gathers, scatters and running sums cost through jit, compared with loops by hand? A lookup of rows, as of embeddings, and of
// single elements in random order; sums into bins; running sums along rows and down columns. One thread on both sides; loops by hand check
// no index, ours clamp those of gathers and drop those of scatters that are out of range. Bar: 1.2x.

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
  lookup("take rows, 10000 x 64, 5000 of them", 10000, 64, 5000);
  lookup("take elements, 1000000 of 10000", 10000, 1, 1000000);
  lookup("take elements, 1000000 of 1000000", 1000000, 1, 1000000);
  bins("add into 1000 bins, 1000000", 1000, 1000000);
  bins("add into 1000000 bins, 1000000", 1000000, 1000000);
  running("cumsum, 1000 x 1000, along rows", 1000, 1000, 1);
  running("cumsum, 1000 x 1000, down columns", 1000, 1000, 0);
}
