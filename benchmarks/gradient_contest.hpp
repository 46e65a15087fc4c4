#pragma once
// Questions for derivatives, the same for Jacquard's two lanes, for other tools of automatic differentiation (differentiators/) and for code
// by hand: values are compared first, then all of them are timed in alternation. Deliberately for one thread and f64, which all of them have.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <string>

#include "gradient_tasks.hpp"
#include "interleaved.hpp"
#include "reprojection.hpp"

namespace gradient_contest {

namespace tasks = gradient_tasks;
using differentiators::derivative, differentiators::library, differentiators::points;

/// A network's parameters, and its rows where all of its tools read them, as the functions of gradient_tasks.hpp take them.
inline const tasks::network_task& network_of(const double* p) {
  static tasks::network_task t;
  static_assert(sizeof t.p == 577 * sizeof(double) && sizeof t.x + sizeof t.y == sizeof differentiators::network_data);
  std::memcpy(&t.p, p, sizeof t.p);
  std::memcpy(&t.x, differentiators::network_data, sizeof differentiators::network_data);
  return t;
}
/// Calls f(parameters and rows, result).
template <auto f>
void network(const double* p, double* out) {
  tasks::loss_and_gradient r;
  static_assert(sizeof r == 578 * sizeof(double));
  f(network_of(p), r);
  std::memcpy(out, &r, sizeof r);
}
inline void reprojection_by_hand(const double* x, double* j) { reprojection::by_hand(x, x + 15, j); }

inline const library by_hand{"by hand",
                             differentiators::at_points<tasks::rosenbrock_by_hand<2>, 2, 2>,
                             tasks::rosenbrock_by_hand<1000>,
                             tasks::softmax_by_hand<1000>,
                             network<tasks::network_by_hand>,
                             differentiators::at_points<reprojection_by_hand, 17, 30>,
                             differentiators::at_points<tasks::energy_hessian_by_hand, 6, 36>,
                             tasks::chain_by_hand};

/// A function of x with so many results.
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
  question network{"T3 network, loss and gradient", &library::network, random_numbers(577, .3), 578};
  question reprojection{"T4 reprojection, 100 Jacobians", &library::reprojection, random_observations(), 30 * points};
  question kepler{"Kepler energy, 100 Hessians", &library::kepler, random_numbers(6 * points, .5, 1), 36 * points};
  question chain{"chain of 1000 operations, gradient", &library::chain, {.3, .9, 1.1}, 3};

  questions() {
    const std::vector<double> rows = random_numbers(16 * 16 + 16, 1);
    std::copy(rows.begin(), rows.end(), differentiators::network_data);
  }
};

/// Times `ours`, which has computed `got`, against all others that answer the question.
template <class Ours>
void against_all(const question& q, const std::vector<double>& got, Ours& ours, double bar_by_hand) {
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
