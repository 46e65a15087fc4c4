// Question: what do derivatives of the compile-time lane cost next to other tools of automatic differentiation?
// Tasks: those of peer_gradients.cpp, points one after the other, as the peers take them. Its answer for jitted functions is there: the two
// are programs of their own since one file with both takes g++ nearly five minutes.
// Unit: nanoseconds per call, and the ratio to each of the others, in alternation (interleaved.hpp). Values are compared first.

#include <new>

#include <jacquard/fixed.hpp>

#include "gradient_contest.hpp"

namespace jq = jacquard;
using differentiators::at_points, differentiators::library;
using jq::tensor;
namespace tasks = gradient_tasks;

namespace {

/// Out of In, both of which are numbers side by side, where they lie.
template <class In, class Out, class F>
void at_one(const double* in, double* out, F f) {
  static_assert(gradient_contest::is_numbers<In> && gradient_contest::is_numbers<Out>);
  ::new (static_cast<void*>(out)) Out(f(*reinterpret_cast<const In*>(in)));
}
template <const auto& f, std::size_t n>
void gradient(const double* in, double* out) {
  at_one<tensor<double, n>, tensor<double, n>>(in, out, [](const auto& x) { return jq::grad(f)(x); });
}
void hessian(const double* in, double* out) {
  at_one<tensor<double, 6>, tensor<double, 6, 6>>(in, out, [](const auto& x) { return jq::hessian(tasks::energy)(x); });
}
void jacobian(const double* in, double* out) {
  using observation = reprojection::observation<reprojection::parameters, reprojection::feature>;
  at_one<observation, reprojection::jacobian>(in, out, [](const auto& o) { return jq::jacrev(reprojection::residual)(o.p, o.m); });
}

const library lane{"compile-time lane",
                   at_points<gradient<tasks::rosenbrock, 2>, 2, 2>,
                   gradient<tasks::rosenbrock, 1000>,
                   gradient<tasks::log_sum_exp, 1000>,
                   gradient_contest::network<tasks::network_by_library>,
                   at_points<jacobian, 17, 30>,
                   at_points<hessian, 6, 36>,
                   gradient<tasks::chain, 3>};

void ask(const gradient_contest::question& q) {
  std::vector<double> got(q.results);
  const auto ours = [&] {
    interleaved::observe(q.x.data());
    (lane.*q.member)(q.x.data(), got.data());
    interleaved::observe(got.data());
  };
  ours();
  gradient_contest::against_all(q, got, ours, 1.0);
}

}  // namespace

int main() {
  const gradient_contest::questions all;
  ask(all.rosenbrock_2);
  ask(all.rosenbrock_1000);
  ask(all.log_sum_exp_1000);
  ask(all.network);
  ask(all.reprojection);
  ask(all.kepler);
  ask(all.chain);
}
