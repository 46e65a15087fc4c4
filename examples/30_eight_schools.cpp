// Chapter 30: eight schools
//
// Sampling from a posterior. Eight schools tried a coaching programme; each measured an effect and how uncertain that is (Rubin, Journal
// of Educational Statistics 6, 1981). How much of the differences is chance? The model gives each school its own effect, drawn around a
// common mean with a common spread; mean, spread and effects are sampled together by Hamiltonian Monte Carlo (Neal, Handbook of Markov
// Chain Monte Carlo, 2011). The sampler is written once, for one chain and any struct of parameters: `grad` gives the force,
// `scan` makes the chain, `vmap` runs four chains side by side, and `jit` makes one program of it all.

#include <cmath>
#include <cstdio>
#include <vector>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;

/// Effects are mean + exp(log_spread) * offsets: of these three parts, none depends on another before there are data.
struct parameters {
  array mean, log_spread, offsets;
};
const array measured = jq::asarray({28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0});
const array uncertainty = jq::asarray({15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0});

array effects(const parameters& p) { return p.mean + jq::exp(p.log_spread) * p.offsets; }
array log_posterior(const parameters& p) {
  const array spread = jq::exp(p.log_spread);
  const array prior = -0.5 * jq::square(p.mean / 5.0) - 0.5 * jq::sum(jq::square(p.offsets)) - jq::log1p(jq::square(spread / 5.0)) + p.log_spread;
  return prior - 0.5 * jq::sum(jq::square((measured - effects(p)) / uncertainty));
}

// Vectors are trees: what the sampler needs of them is three functions.
template <class Tree>
Tree moved(const Tree& x, double time, const Tree& velocity) {
  return jq::tree::map([=](const array& a, const array& v) { return a + time * v; }, x, velocity);
}
template <class Tree>
array kinetic_energy(const Tree& velocity) {
  array sum = 0.0;
  for (const array& v : jq::tree::flatten(velocity)) sum = sum + 0.5 * jq::sum(v * v);
  return sum;
}
template <class Tree>
Tree normal_like(const array& key, const Tree& like) {
  std::vector<array> leaves = jq::tree::flatten(like);
  for (std::size_t i = 0; i < leaves.size(); ++i)
    leaves[i] = jq::random::normal(jq::random::fold_in(key, int(i)), leaves[i].shape(), leaves[i].dtype());
  return jq::tree::unflatten(like, leaves);
}

/// One step of the chain: a random push, a path of `steps` leaps, and a decision that makes up for their error. Returns also how likely the
/// end of the path was to be taken.
template <class F, class Tree>
std::pair<Tree, array> hamiltonian_step(F log_density, const Tree& start, const array& key, double time, int steps) {
  const array keys = jq::random::split(key);
  const Tree push = normal_like(keys[0], start);
  const auto force = jq::grad(log_density);
  const auto leap = [&](const array&, const std::pair<Tree, Tree>& s) {
    const Tree position = moved(s.first, time, s.second);
    return std::pair{position, moved(s.second, time, force(position))};
  };
  const auto [end, velocity] = lax::fori_loop(0, steps, leap, std::pair{start, moved(push, time / 2, force(start))});
  const Tree last = moved(velocity, -time / 2, force(end));
  const array gain = log_density(end) - kinetic_energy(last) - log_density(start) + kinetic_energy(push);
  const array taken = jq::log(jq::random::uniform(keys[1], {}, jq::f64)) < gain;
  return {jq::tree::map([&](const array& a, const array& b) { return jq::where(taken, a, b); }, end, start), jq::exp(jq::minimum(gain, 0.0))};
}

/// Whether chains that began apart agree: the square root of all variance over that within halves of chains, 1 at best (Gelman and Rubin,
/// Statistical Science 7, 1992). x is [chains, draws].
double disagreement(const array& x) {
  const auto half = x.shape()[1] / 2;
  const array halves = jq::reshape(x, {-1, half});
  const array within = jq::mean(jq::var(halves, 1, jq::ddof(1))), between = jq::var(jq::mean(halves, 1), jq::ddof(1));
  return std::sqrt(double(within * (1.0 - 1.0 / double(half)) + between) / double(within));
}

int main() {
  const int chains = 4, unused = 500, draws = 5000;
  const auto chain = [=](const array& key) {
    const array keys = jq::random::split(key);
    const parameters start = normal_like(keys[0], parameters{array(0.0), array(0.0), jq::zeros({8}, jq::f64)});
    const auto step = [](const parameters& p, const array& k) {
      const auto [next, probability] = hamiltonian_step(log_posterior, p, k, 0.2, 12);
      return std::pair{next, std::pair{next, probability}};
    };
    return lax::scan(step, start, jq::random::split(keys[1], unused + draws)).second;
  };
  const auto sample = jq::jit(jq::vmap(chain));
  const auto [all, probability] = sample(jq::random::split(jq::random::key(0), chains));

  // The first draws remember where the chain began. Leaves are [chains, draws, ...].
  const parameters p = jq::tree::map([=](const array& a) { return a(jq::all, jq::slice(unused, jq::none)); }, all);
  const array spread = jq::exp(p.log_spread), each = jq::vmap(jq::vmap(effects))(p);
  std::printf("paths are taken with a probability above 0.95: %s\n", double(jq::mean(probability)) > 0.95 ? "yes" : "no");
  std::printf("chains agree within 1 %%: %s\n", disagreement(p.mean) < 1.01 && disagreement(spread) < 1.01 ? "yes" : "no");

  // For a given spread all else is normal, so the posterior means follow from an integral over the spread alone: of the common mean 4.397,
  // of the spread 3.598, and of the effects these.
  const array exact = jq::asarray({6.212, 4.940, 3.927, 4.757, 3.615, 4.043, 6.297, 4.854}), estimated = jq::mean(each, {0, 1});
  const double error = double(jq::max(jq::abs(estimated - exact)));
  std::printf("common mean, spread and effects are right within 0.2: %s\n",
              error < 0.2 && std::abs(double(jq::mean(p.mean)) - 4.397) < 0.2 && std::abs(double(jq::mean(spread)) - 3.598) < 0.2 ? "yes" : "no");
  std::printf("the school that measured 28 is believed 6: %s\n", std::lround(double(estimated(0))) == 6 ? "yes" : "no");
  std::printf("it is better than the third one with probability %.1f\n", double(jq::mean(each(jq::all, jq::all, 0) > each(jq::all, jq::all, 2))));
}

// output:
// paths are taken with a probability above 0.95: yes
// chains agree within 1 %: yes
// common mean, spread and effects are right within 0.2: yes
// the school that measured 28 is believed 6: yes
// it is better than the third one with probability 0.6
