// Question: what does a transformed function of the compile-time lane cost, compared with its derivative written by hand?
// Tasks: T1 chained Rosenbrock gradient (n = 2, 1000), T2 log-sum-exp gradient (n = 8, 64, 1000), T4 reprojection Jacobian one by
// one, T5 the same by jq::map from an array of structs and from a struct of arrays, in cache and out of it.
// Unit: nanoseconds per call, and the ratio to the baseline in the same round. Baselines run interleaved with the library; the
// median of 21 rounds counts, with quartiles. Values are compared before anything is timed.

#include <jacquard/fixed.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "gradient_tasks.hpp"
#include "interleaved.hpp"
#include "reprojection.hpp"

namespace jq = jacquard;
using interleaved::compare, interleaved::observe, interleaved::relative_error;
using namespace gradient_tasks;

namespace {

// T1 and T2

template <int n, class F, class Hand>
void gradient(const char* name, F, Hand hand, double scale, double bar = 1.0) {
  static_assert(!std::is_pointer_v<Hand>);
  static jq::tensor<double, n> x{}, want{}, got{};
  interleaved::numbers().fill(x, scale);
  const auto by_hand = [&] {
    observe(x.data());
    hand(x.data(), want.data());
    observe(want.data());
  };
  const auto ours = [&] {
    observe(x.data());
    got = jq::grad(F{})(x);
    observe(got.data());
  };
  by_hand(), ours();
  compare(name, 1, relative_error(want.data(), got.data(), n), by_hand, ours, bar);
}

// T4 and T5

using reprojection::jacobian;
using observation = reprojection::observation<reprojection::parameters, reprojection::feature>;

/// The first element on a cache line: planes that begin on one are read and written in whole lines.
double* aligned(std::vector<double>& room) {
  const auto address = reinterpret_cast<std::uintptr_t>(room.data());
  return room.data() + (64 - address % 64) % 64 / sizeof(double);
}

void reprojections(std::size_t n) {
  const std::vector<observation> in = reprojection::observations(n, interleaved::numbers());
  std::vector<jacobian> want(n), got(n);
  std::vector<double> room_in(17 * n + 8), room_out(30 * n + 8), gathered(30 * n);
  double *const planes = aligned(room_in), *const results = aligned(room_out);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < 15; ++k) planes[k * n + i] = in[i].p[k];
    for (std::size_t k = 0; k < 2; ++k) planes[(15 + k) * n + i] = in[i].m[k];
  }
  const auto hand = [&] {
    for (std::size_t i = 0; i < n; ++i) reprojection::by_hand(in[i].p.data(), in[i].m.data(), want[i].data());
    observe(want.data());
  };
  const auto one_by_one = [&] {
    for (std::size_t i = 0; i < n; ++i) got[i] = jq::jacrev(reprojection::residual)(in[i].p, in[i].m);
    observe(got.data());
  };
  const auto structs = [&] {
    jq::map(reprojection::derivative, in, got);
    observe(got.data());
  };
  const auto from = jq::columns<const observation>::contiguous(planes, n);
  auto to = jq::columns<jacobian>::contiguous(results, n);
  const auto arrays = [&] {
    jq::map(reprojection::derivative, from, to);
    observe(results);
  };
  std::vector<double> copied(47 * n), copy_of(47 * n);
  const auto copy = [&] {
    std::copy(copied.begin(), copied.end(), copy_of.begin());
    observe(copy_of.data());
  };
  // Half as many numbers each way: what a copy reads and writes, the map reads and writes.
  const auto move = [&] {
    std::copy(copied.begin(), copied.begin() + std::ptrdiff_t(47 * n / 2), copy_of.begin());
    observe(copy_of.data());
  };
  char name[64];
  const auto line = [&](const char* what) { return std::snprintf(name, sizeof name, "%s, %zu", what, n), name; };
  const int items = int(n);
  hand(), one_by_one();
  compare(line("T4 reprojection"), items, relative_error(want[0].data(), got[0].data(), 30 * n), hand, one_by_one, 1.0);
  structs();
  const double error = relative_error(want[0].data(), got[0].data(), 30 * n);
  compare(line("T5 map, array of structs"), items, error, hand, structs, n > 10000 ? interleaved::no_bar : 0.6);
  arrays();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < 30; ++k) gathered[30 * i + k] = results[k * n + i];
  const double error_of_planes = relative_error(want[0].data(), gathered.data(), 30 * n);
  compare(line("T5 map, struct of arrays"), items, error_of_planes, hand, arrays, n > 10000 ? interleaved::no_bar : 0.45);
  compare(line("T5 structs, against copying"), items, error, copy, structs, n > 10000 ? 1.1 : interleaved::no_bar, "copying");
  compare(line("T5 arrays, against copying"), items, error_of_planes, copy, arrays, n > 10000 ? 1.1 : interleaved::no_bar, "copying");
  compare(line("T5 structs, against moving as many bytes"), items, error, move, structs, interleaved::no_bar, "copying");
  compare(line("T5 arrays, against moving as many bytes"), items, error_of_planes, move, arrays, interleaved::no_bar, "copying");
}

}  // namespace

int main() {
  gradient<2>("T1 Rosenbrock, 2", rosenbrock, interleaved::direct<rosenbrock_by_hand<2>>, 1);
  gradient<1000>("T1 Rosenbrock, 1000", rosenbrock, interleaved::direct<rosenbrock_by_hand<1000>>, 1);
  gradient<8>("T2 log-sum-exp, 8", log_sum_exp, interleaved::direct<softmax_by_hand<8, double>>, 3);
  gradient<64>("T2 log-sum-exp, 64", log_sum_exp, interleaved::direct<softmax_by_hand<64, double>>, 3);
  gradient<1000>("T2 log-sum-exp, 1000", log_sum_exp, interleaved::direct<softmax_by_hand<1000, double>>, 3);
  reprojections(2000);
  reprojections(100000);
}
