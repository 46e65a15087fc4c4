#pragma once
// Questions for derivatives, the same for Jacquard's two lanes, for other tools of automatic differentiation (differentiators/) and for code
// by hand: values are compared first, then all of them are timed in alternation. Deliberately for one thread and f64, which all of them have.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iterator>
#include <new>
#include <type_traits>
#include <vector>

#include "gradient_tasks.hpp"
#include "interleaved.hpp"
#include "reprojection.hpp"

namespace gradient_contest {

namespace tasks = gradient_tasks;
using differentiators::derivative, differentiators::library, differentiators::points;

/// Whether a T is nothing but numbers side by side, and may be read and written where these lie.
template <class T>
constexpr bool is_numbers = std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T> && alignof(T) == alignof(double);

/// Calls f(parameters and rows, result), both of them where they lie.
template <auto f>
void network(const double* in, double* out) {
  using task = tasks::network_task;
  using result = tasks::loss_and_gradient;
  static_assert(is_numbers<task> && sizeof(task) == sizeof(double) * differentiators::network::inputs + sizeof differentiators::network_data);
  static_assert(is_numbers<result> && sizeof(result) == 578 * sizeof(double));
  f(*reinterpret_cast<const task*>(in), *::new (static_cast<void*>(out)) result);
}
inline void reprojection_by_hand(const double* x, double* j) { reprojection::by_hand(x, x + 15, j); }

inline const library by_hand{"by hand",
                             differentiators::at_points<tasks::rosenbrock_by_hand<2>, 2, 2>,
                             tasks::rosenbrock_by_hand<1000>,
                             tasks::softmax_by_hand<1000>,
                             network<tasks::network_by_hand>,
                             differentiators::at_points<reprojection_by_hand, 17, 30>,
                             differentiators::at_points<tasks::energy_hessian_by_hand<double>, 6, 36>,
                             tasks::chain_by_hand};

/// A function of x with so many results. What x holds beyond a function's inputs, the network's rows, other tools find in `network_data`.
struct question {
  const char* name;
  derivative library::*member;
  std::vector<double> x;
  std::size_t results;
};

inline std::vector<double> random_numbers(std::size_t n, double scale, double from = 0) {
  std::vector<double> r(n);
  interleaved::numbers().fill(r, scale);
  for (double& v : r) v += from;
  return r;
}
inline std::vector<double> network_and_rows() {
  std::vector<double> r = random_numbers(differentiators::network::inputs, .3);
  const std::vector<double> rows = random_numbers(std::size(differentiators::network_data), 1);
  r.insert(r.end(), rows.begin(), rows.end());
  return r;
}
inline std::vector<double> random_observations() {
  const auto observed = reprojection::observations(points, interleaved::numbers());
  std::vector<double> r(17 * points);
  static_assert(sizeof observed[0] == 17 * sizeof(double));
  std::memcpy(r.data(), observed.data(), r.size() * sizeof(double));
  return r;
}

struct questions {
  question rosenbrock_2{"T1 Rosenbrock, 2, at 100 points", &library::rosenbrock_2, random_numbers(2 * points, 1), 2 * points};
  question rosenbrock_1000{"T1 Rosenbrock, 1000", &library::rosenbrock_1000, random_numbers(1000, 1), 1000};
  question log_sum_exp_1000{"T2 log-sum-exp, 1000", &library::log_sum_exp_1000, random_numbers(1000, 3), 1000};
  question network{"T3 network, loss and gradient", &library::network, network_and_rows(), 578};
  question reprojection{"T4 reprojection, 100 Jacobians", &library::reprojection, random_observations(), 30 * points};
  question kepler{"Kepler energy, 100 Hessians", &library::kepler, random_numbers(6 * points, .5, 1), 36 * points};
  question chain{"chain of 1000 operations, gradient", &library::chain, {.3, .9, 1.1}, 3};

  questions() { std::copy(network.x.begin() + differentiators::network::inputs, network.x.end(), differentiators::network_data); }
};

/// Times `ours`, which has computed `got`, against all others that answer the question. Another count of results than it has ends the program.
template <class Ours>
void against_all(const question& q, const std::vector<double>& got, Ours& ours, double bar_by_hand) {
  if (got.size() != q.results) {
    std::fprintf(stderr, "%s: %zu results where %zu are wanted\n", q.name, got.size(), q.results);
    std::exit(1);
  }
  std::vector<double> out(q.results);
  const auto program_of = [&](derivative f) {
    return [&q, &out, f] {
      interleaved::observe(q.x.data());
      f(q.x.data(), out.data());
      interleaved::observe(out.data());
    };
  };
  std::deque<decltype(program_of(nullptr))> programs;
  std::vector<interleaved::contender> baselines;
  const auto add = [&](const library& l, double bar) {
    if (!(l.*q.member)) return;
    const auto& program = programs.emplace_back(program_of(l.*q.member));
    std::fill(out.begin(), out.end(), std::nan(""));  // what it leaves out is wrong, not what the one before it computed
    program();
    baselines.emplace_back(l.name, program, interleaved::relative_error(got.data(), out.data(), got.size()), bar);
  };
  add(by_hand, bar_by_hand);
  for (const library& peer : differentiators::libraries()) add(peer, 1.0);
  interleaved::compare({q.name, 1, 4e-12}, {"ours", ours}, std::move(baselines));
}

}  // namespace gradient_contest
