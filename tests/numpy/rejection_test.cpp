// Rejection: what is accepted, by trips that are known.
#include <jacquard/numpy/rejection.hpp>

#include <jacquard/numpy/random_discrete.hpp>
#include <jacquard/numpy/random_gamma.hpp>
#include <jacquard/testing/masking.hpp>

#include "numpy_testing.hpp"

namespace r = jq::random;

TEST_CASE("each place gets its first accepted proposal, closed ones keep their value") {
  // Uniform numbers below a bound of each place: the first of the sequence that the key gives.
  const array k = r::key(3), bounds = asarray({1.f, 0.5f, 0.05f, 0.05f}), open = asarray({true, true, true, false});
  const auto propose = [&](const jq::operand& key, const r::detail::trial&) {
    const array u = r::uniform(key, {4});
    return r::detail::proposals{u < bounds, u};
  };
  const array got = r::detail::first_accepted(jq::operand(k), open, jq::full({4}, -1.f), propose);
  for (int place = 0; place < 3; ++place) {
    int trip = 0;
    while (!bool(r::uniform(r::fold_in(k, trip), {4})[place] < bounds[place])) ++trip;
    CHECK(got[place].item<float>() == r::uniform(r::fold_in(k, trip), {4})[place].item<float>());
  }
  CHECK(got[3].item<float>() == -1);
}
TEST_CASE("under vmap the loop runs until all are done") {
  const auto first_below = [](const array& key, const array& bound) {
    return r::detail::first_accepted(jq::operand(key), jq::full({}, true), jq::full({}, 2.f), [&](const jq::operand& k, const r::detail::trial&) {
      const array u = r::uniform(k);
      return r::detail::proposals{u < bound, u};
    });
  };
  const array keys = r::split(r::key(1), 3), bounds = asarray({0.9f, 0.1f, 0.02f});
  const array each = jq::stack({first_below(keys[0], bounds[0]), first_below(keys[1], bounds[1]), first_below(keys[2], bounds[2])});
  CHECK(show(jq::vmap(first_below)(keys, bounds)) == show(each));
}

namespace {
/// Whether two arrays have the same bits.
bool same(const array& a, const array& b) { return jq::testing::identical(jq::testing::leaves{a}, jq::testing::leaves{b}).ok; }
}  // namespace

TEST_CASE("places of large arrays, of which the last ones go on by themselves, get what they get in small ones") {
  const array k = r::key(11);
  const std::int64_t n = 5000;
  const array first = jq::arange(0.0, 40.0, 1.0), many = jq::arange(0.0, double(n), 1.0);
  const auto check = [&](const auto& draw) { CHECK(same(draw(many)[jq::slice(0, 40)], draw(first))); };
  for (jq::dtype t : {jq::f32, jq::f64, jq::f16}) {
    check([&](const array& x) { return r::gamma(k, 0.7, x.shape(), t); });
    check([&](const array& x) { return r::loggamma(k, 3.5 + x, {}, t); });
  }
  check([&](const array& x) { return r::poisson(k, 30.0, x.shape()); });
  check([&](const array& x) { return r::poisson(k, 11.0 + x); });
  check([&](const array& x) { return r::binomial(k, 200.0 + x, 0.3); });
  CHECK(same(jq::reshape(r::gamma(k, 2.0, {50, 100}), {n}), r::gamma(k, 2.0, {n})));
  const array keys = r::split(k, 2);
  const auto draw = [&](const array& key) { return r::gamma(key, 2.5, {n}, jq::f64); };
  CHECK(same(jq::vmap(draw)(keys)[1], draw(keys[1])));
  CHECK(same(jq::jit(draw, jq::backend("interpreter"))(k), draw(k)));
  const auto slope = jq::grad([&](const array& a) { return jq::sum(r::gamma(k, a, {n}, jq::f64)); });
  CHECK(slope(asarray(2.5)).item<double>() / double(n) == doctest::Approx(1).epsilon(0.05));
}
TEST_CASE("under mask large arrays have the numbers of their logical size") {
  const auto draw = [](const jq::testing::leaves& x) { return jq::testing::leaves{x[0] * r::gamma(r::key(2), 2.5, {x[0].shape()[0]}, jq::f64)}; };
  const jq::testing::report r = jq::testing::check_mask(draw, {"n"}, {jq::ones({5000}, jq::f64)}, {{"n", 4500}}, false);
  CHECK_MESSAGE(r.ok, r.text);
}
