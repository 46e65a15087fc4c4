// Question: what do derivatives of jitted functions cost next to other tools of automatic differentiation?
// Tasks: gradients of T1, the chained Rosenbrock function (n = 2 at 100 points, n = 1000), of T2, log-sum-exp (n = 1000), and of a chain of
// 1000 operations; T3, loss and 577 derivatives of a network 16-32-1; T4, reprojection Jacobians of 100 observations; Hessians of the energy
// of Kepler's two bodies at 100 points. f64, one thread. Each is one function of arrays, by vmap where there are points. The peers are those
// of differentiators/ that are installed. The same in the compile-time lane: fixed_peer_gradients.
// Unit: nanoseconds per call, and the ratio to each of the others, in alternation (interleaved.hpp). Values are compared first.

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>

#include "gradient_contest.hpp"

namespace jq = jacquard;
namespace tasks = gradient_tasks;
using jq::array;

namespace {

array array_of(const std::vector<double>& x, const jq::shape& dims, std::size_t from = 0) {
  const auto first = x.begin() + std::ptrdiff_t(from);
  return jq::reshape(jq::asarray(std::vector<double>(first, first + std::ptrdiff_t(dims.elements()))), dims);
}

/// Calls f(numbers) for each piece of a result.
template <class F>
void each_piece(const array& x, F&& f) {
  f(x.data<double>());
}
template <class... A, class F>
void each_piece(const std::pair<array, std::tuple<A...>>& x, F&& f) {
  each_piece(x.first, f);
  std::apply([&](const auto&... g) { (each_piece(g, f), ...); }, x.second);
}

/// `f` is a function of arrays x..., whose results are one after the other what the question asks for.
template <class F, class... A>
void ask(const gradient_contest::question& q, F f, const A&... x) {
  const auto compiled = jq::jit(f, jq::backend("cpu"));
  auto result = compiled(x...);
  std::vector<double> got;
  each_piece(result, [&](std::span<const double> r) { got.insert(got.end(), r.begin(), r.end()); });
  const auto ours = [&] {
    result = compiled(x...);
    each_piece(result, [](std::span<const double> r) { interleaved::observe(r.data()); });
  };
  gradient_contest::against_all(q, got, ours, interleaved::no_bar);
}

}  // namespace

int main() {
  jq::cpu::set_threads(1);
  jq::cpu::set_compile_at(jq::compile_time::first_call);
  const gradient_contest::questions all;
  const int n = int(differentiators::points);
  ask(all.rosenbrock_2, jq::vmap(jq::grad(tasks::rosenbrock)), array_of(all.rosenbrock_2.x, {n, 2}));
  ask(all.rosenbrock_1000, jq::grad(tasks::rosenbrock), array_of(all.rosenbrock_1000.x, {1000}));
  ask(all.log_sum_exp_1000, jq::grad(tasks::log_sum_exp), array_of(all.log_sum_exp_1000.x, {1000}));
  const std::vector<double>& p = all.network.x;
  ask(all.network, jq::value_and_grad(tasks::network_loss, jq::argnums<0, 1, 2, 3>), array_of(p, {32, 16}), array_of(p, {32}, 512),
      array_of(p, {32}, 544), array_of(p, {}, 576), array_of(p, {16, 16}, 577), array_of(p, {16}, 577 + 256));
  const array cameras = array_of(all.reprojection.x, {n, 17});
  ask(all.reprojection, jq::vmap(jq::jacrev(reprojection::residual_with<reprojection::both>{})),
      jq::asarray(cameras(jq::all, jq::slice(0, 15))), jq::asarray(cameras(jq::all, jq::slice(15, 17))));
  ask(all.kepler, jq::vmap(jq::hessian(tasks::energy)), array_of(all.kepler.x, {n, 6}));
  ask(all.chain, jq::grad(tasks::chain), array_of(all.chain.x, {3}));
}
