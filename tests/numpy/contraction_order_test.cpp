// The order of products: against all orders by brute force, known chains, the greedy rule, constant evaluation, einsum in every order.
#include <random>

#include <jacquard/numpy/contraction_order.hpp>

#include "numpy_testing.hpp"

using jq::detail::cheapest_order;
using jq::detail::contraction_order;
using jq::detail::contraction_problem;
using jq::detail::dimension_set;

namespace {

/// The multiplications of an order.
double cost_of(const contraction_problem& p, const contraction_order& order) {
  std::vector<dimension_set> sets = p.terms;
  std::vector<char> used(sets.size(), 0);
  double cost = 0;
  for (const auto& [i, j] : order) {
    REQUIRE((i != j && !used[i] && !used[j]));
    used[i] = used[j] = 1;
    dimension_set others = p.output;
    for (std::size_t k = 0; k < sets.size(); ++k)
      if (!used[k]) others |= sets[k];
    const auto kept = [&](std::size_t k, std::size_t partner) { return sets[k] & (others | sets[partner]); };
    cost += p.elements(kept(i, j) | kept(j, i));
    sets.push_back((sets[i] | sets[j]) & others);
    used.push_back(0);
  }
  return cost;
}
/// The least cost of all orders of terms that are not used.
double least(const contraction_problem& p, std::vector<dimension_set> sets) {
  if (sets.size() == 1) return 0;
  double best = testing::inf;
  for (std::size_t i = 0; i < sets.size(); ++i)
    for (std::size_t j = i + 1; j < sets.size(); ++j) {
      std::vector<dimension_set> rest;
      dimension_set others = p.output;
      for (std::size_t k = 0; k < sets.size(); ++k)
        if (k != i && k != j) rest.push_back(sets[k]), others |= sets[k];
      const double here = p.elements((sets[i] & (others | sets[j])) | (sets[j] & (others | sets[i])));
      rest.push_back((sets[i] | sets[j]) & others);
      best = std::min(best, here + least(p, rest));
    }
  return best;
}
/// A chain of matrices of these sizes.
constexpr contraction_problem chain(const std::vector<double>& sizes) {
  contraction_problem p;
  p.sizes = sizes;
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i) p.terms.push_back(dimension_set(3) << i);
  p.output = 1 | (dimension_set(1) << (sizes.size() - 1));
  return p;
}
static_assert(cheapest_order(chain({10, 100, 5, 50})).cost() == 7500);  // Cormen et al., "Introduction to algorithms", 15.2

}  // namespace

TEST_CASE("contraction order: textbook chains") {
  CHECK(cheapest_order(chain({30, 35, 15, 5, 10, 20, 25})).cost() == 15125);  // the same, figure 15.5
  CHECK(cheapest_order(chain({10, 100, 5, 50})).order() == contraction_order{{0, 1}, {3, 2}});
  CHECK(cheapest_order(chain({50, 5, 100, 10})).order()[0] == std::pair<std::size_t, std::size_t>{1, 2});
}
TEST_CASE("contraction order: the cheapest of all orders of random products; the greedy one is an order") {
  std::mt19937 random(3);
  for (int trial = 0; trial < 40; ++trial) {
    contraction_problem p;
    for (int d = 0; d < 6; ++d) p.sizes.push_back(double(2 + random() % 9));
    for (int t = 0; t < 5; ++t) p.terms.push_back(random() % 64);
    p.output = random() % 64 & (p.terms[0] | p.terms[1] | p.terms[2] | p.terms[3] | p.terms[4]);
    const cheapest_order found(p);
    INFO("trial " << trial);
    CHECK(cost_of(p, found.order()) == found.cost());
    CHECK(found.cost() <= least(p, p.terms) * (1 + 1e-12));
    CHECK(cost_of(p, jq::detail::greedy_order(p)) >= found.cost());
  }
}
TEST_CASE("einsum multiplies in the cheapest order and gives the same") {
  const auto number = [](const jq::shape& dims) { return jq::reshape(jq::sin(jq::arange(dims.elements()).astype(jq::f64)), dims); };
  const array a = number({7, 2}), b = number({2, 9}), c = number({9, 3}), d = number({3, 4});
  const array want = jq::matmul(jq::matmul(jq::matmul(a, b), c), d);
  CHECK(distance(jq::einsum("ij,jk,kl,lm->im", a, b, c, d), want) < 1e-13);
  CHECK(distance(jq::einsum("lm,ij,kl,jk->im", d, a, c, b), want) < 1e-13);
  const array e = number({4});
  CHECK(distance(jq::einsum("ij,jk,kl,lm,m,m,m,m,m,i->", a, b, c, d, e, e, e, e, e, number({7})), jq::sum(number({7}) * jq::matmul(want, e * e * e * e * e))) < 1e-12);
  const auto flops = [&](auto f, auto... x) { return jq::jit(f).lower(x...).compile().cost_analysis().flops; };
  const array row = number({1, 100}), square = number({100, 100});
  CHECK(flops([](array x, array y, array z) { return jq::einsum("ij,jk,kl->il", x, y, z); }, square, square, jq::transpose(row)) < 5e4);
}
