// Distributions of whole numbers: Pearson's test against their probabilities, edges, errors.
#include <jacquard/numpy/random_discrete.hpp>

#include "distribution_testing.hpp"

namespace r = jq::random;

static_assert(traced([](array x) { return x + r::poisson(r::key(0), x) + r::choice(r::key(1), 3, {3}, true, jq::ones({3})); }, {3}) > 0);

namespace {
const array k = r::key(17);
const jq::shape many{20000};
double at(const array& x) { return x.item<double>(); }
double poisson_probability(double rate, int n) { return std::exp(n * std::log(rate) - rate - std::lgamma(n + 1.0)); }
double binomial_probability(int n, double p, int m) {
  return std::exp(std::lgamma(n + 1.0) - std::lgamma(m + 1.0) - std::lgamma(n - m + 1.0) + m * std::log(p) + (n - m) * std::log1p(-p));
}
}  // namespace

TEST_CASE("poisson") {
  for (double rate : {0.01, 0.7, 4.0, 9.9, 10.0, 31.5, 1000.0})
    CHECK(pearson(r::poisson(k, rate, many), [&](int n) { return poisson_probability(rate, n); }, 0, 3000) < unlikely_deviations);
  CHECK(pearson(r::poisson(k, 4.0, many), [](int n) { return poisson_probability(4.1, n); }, 0, 30) > unlikely_deviations);  // the test tells
  CHECK(kolmogorov((r::poisson(k, 1e12, many).astype(jq::f64) - 1e12) / 1e6, normal_cdf) < unlikely);
  CHECK(show(r::poisson(k, asarray({0.0, -1.0, not_a_number, inf}))) == "i64[4] 0 -1 -1 -1");
  CHECK(r::poisson(k, jq::ones({2}), {3, 2}, jq::i32).aval() == jq::aval{jq::i32, {3, 2}});
  CHECK_ERROR(jq::type_error, r::poisson(k, 2.0, {2}, jq::bool_), "poisson", "bool", "jq::i64");
  CHECK_ERROR(jq::shape_error, r::poisson(k, jq::ones({3}), {2}), "poisson", "(3,)");
  CHECK_ERROR(jq::type_error, r::poisson(asarray({1.0}), 2.0), "poisson", "u32[2]");
}
TEST_CASE("binomial") {
  for (int n : {1, 7, 40, 200})
    for (double p : {0.02, 0.3, 0.5, 0.9})
      CHECK(pearson(r::binomial(k, n, p, many), [&](int m) { return binomial_probability(n, p, m); }, 0, n) < unlikely_deviations);
  CHECK(pearson(r::binomial(k, 1e9, 2e-9, many), [](int m) { return poisson_probability(2, m); }, 0, 30) < unlikely_deviations);
  CHECK(kolmogorov((r::binomial(k, 1e12, 0.5, many).astype(jq::f64) - 5e11) / 5e5, normal_cdf) < unlikely);
  CHECK(show(r::binomial(k, asarray({0, 5, 5, 50, -1, 5}), asarray({0.3, 0.0, 1.0, 1.0, 0.5, 1.5}))) == "i64[6] 0 0 5 50 -1 -1");
}
TEST_CASE("geometric") {
  for (double p : {0.05, 0.5, 0.95})
    CHECK(pearson(r::geometric(k, p, many), [&](int n) { return p * std::pow(1 - p, n - 1); }, 1, 400) < unlikely_deviations);
  CHECK(show(r::geometric(k, asarray({1.0, 0.0, -1.0, not_a_number}))) == "i64[4] 1 -1 -1 -1");
  CHECK(at(r::geometric(k, 1e-300).astype(jq::f64)) > 1e18);
}
TEST_CASE("multinomial") {
  const array p = asarray({1.0, 5.0, 0.0, 4.0}), counts = r::multinomial(k, 12, p, {20000});
  CHECK(counts.shape() == jq::shape{20000, 4});
  CHECK(bool(jq::all(jq::sum(counts, -1) == 12)));
  CHECK(bool(jq::all(counts(jq::all, 2) == 0)));
  const double chances[] = {0.1, 0.5, 0, 0.4};
  for (int i : {0, 1, 3})
    CHECK(pearson(counts(jq::all, i), [&](int m) { return binomial_probability(12, chances[i], m); }, 0, 12) < unlikely_deviations);
  const array c = counts.astype(jq::f64);
  CHECK(at(jq::mean(c(jq::all, 0) * c(jq::all, 1))) == doctest::Approx(12 * 11 * 0.1 * 0.5).epsilon(0.03));  // n (n - 1) p q
  CHECK(r::multinomial(k, asarray({3, 100}), asarray({{0.5, 0.5}, {0.2, 0.8}})).shape() == jq::shape{2, 2});
  CHECK(show(jq::sum(r::multinomial(k, asarray({3, 100}), asarray({{0.5, 0.5}, {0.2, 0.8}})), -1)) == "i64[2] 3 100");
  CHECK_ERROR(jq::shape_error, r::multinomial(k, 3, 0.5), "multinomial", "scalar p");
}
TEST_CASE("choice with probabilities") {
  const array p = asarray({0.1, 0.0, 0.6, 0.3});
  const double chances[] = {0.1, 0, 0.6, 0.3};
  CHECK(pearson(r::choice(k, 4, many, true, 7.0 * p), [&](int i) { return chances[i]; }, 0, 3) < unlikely_deviations);
  CHECK(bool(jq::all(r::choice(k, 4, many, true, p) != 1)));
  const auto pair = [&](const array& key) { return r::choice(key, 4, {2}, false, p); };
  const array pairs = jq::vmap(pair)(r::split(k, 20000));
  CHECK(bool(jq::all(pairs(jq::all, 0) != pairs(jq::all, 1))));
  CHECK(pearson(pairs(jq::all, 0), [&](int i) { return chances[i]; }, 0, 3) < unlikely_deviations);
  // The second is drawn among the others: P(j) = sum over i of p_i p_j / (1 - p_i).
  const auto second = [&](int j) {
    double s = 0;
    for (int i = 0; i < 4; ++i) s += i == j ? 0 : chances[i] * chances[j] / (1 - chances[i]);
    return s;
  };
  CHECK(pearson(pairs(jq::all, 1), second, 0, 3) < unlikely_deviations);
  CHECK(show(r::choice(k, asarray({2.5, 3.5}), {2, 1}, true, asarray({0.0, 1.0}))) == "f64[2,1] 3.5 3.5");
  CHECK_ERROR(jq::shape_error, r::choice(k, 3, {2}, true, p), "choice", "(4,)", "3 entries");
  CHECK_ERROR(jq::value_error, r::choice(k, 4, {5}, false, p), "choice", "5 draws from 4", "without replacement");
}
TEST_CASE("counts under vmap, jit and grad") {
  const array keys = r::split(k, 4), rates = asarray({0.5, 3.0, 20.0, 400.0});
  const auto one = [](const array& key, const array& rate) { return r::poisson(key, rate, {5}); };
  const array all = jq::stack({one(keys[0], rates[0]), one(keys[1], rates[1]), one(keys[2], rates[2]), one(keys[3], rates[3])});
  CHECK(show(jq::vmap(one)(keys, rates)) == show(all));
  CHECK(show(jq::jit(jq::vmap(one))(keys, rates)) == show(all));
  const auto weighted = [](const array& rate) { return jq::sum(rate * r::poisson(k, rate, {5}).astype(jq::f64)); };
  CHECK(at(jq::grad(weighted)(asarray(3.0))) == at(jq::sum(r::poisson(k, 3.0, {5}).astype(jq::f64))));
}
TEST_CASE("equally likely whole numbers, flags, signs, categories and places; the unit interval") {
  const jq::shape lots{60000};
  const auto fits = [](const array& samples, const std::function<double(int)>& p, int first, int last) { return pearson(samples, p, first, last) < unlikely_deviations; };
  for (jq::dtype t : {jq::f32, jq::f64}) CHECK(kolmogorov(r::uniform(k, lots, t), [](double x) { return x; }) < unlikely);
  CHECK(kolmogorov(r::uniform(k, lots, jq::f64, -2.0, 6.0), [](double x) { return (x + 2) / 8; }) < unlikely);
  for (jq::dtype t : {jq::i8, jq::i16, jq::i32, jq::i64, jq::u8, jq::u32}) CHECK(fits(r::randint(k, lots, 3, 27, t), [](int) { return 1.0 / 24; }, 3, 26));
  CHECK(fits(r::bernoulli(k, 0.3, lots), [](int v) { return v ? 0.3 : 0.7; }, 0, 1));
  CHECK(fits(r::rademacher(k, lots), [](int v) { return v == 0 ? 0.0 : 0.5; }, -1, 1));
  const array logits = jq::log(asarray({0.1, 0.2, 0.3, 0.4}));
  CHECK(fits(r::categorical(k, logits, -1, lots), [](int v) { return 0.1 * (v + 1); }, 0, 3));
  CHECK(fits(r::choice(k, jq::arange(12), lots), [](int) { return 1.0 / 12; }, 0, 11));
  // Where 0 lands, and the order of 3 as a number, in many permutations.
  const array shuffled = jq::vmap([](const array& its_key) { return r::permutation(its_key, 6); })(r::split(k, 6000));
  CHECK(fits(jq::argmin(shuffled, 1), [](int) { return 1.0 / 6; }, 0, 5));
  const array three = jq::vmap([](const array& its_key) { return r::permutation(its_key, 3); })(r::split(k, 6000));
  const array order = jq::sum(three * asarray({9, 3, 1}), 1);
  CHECK(fits(order, [](int v) { return v == 5 || v == 7 || v == 11 || v == 15 || v == 19 || v == 21 ? 1.0 / 6 : 0.0; }, 0, 26));
}
