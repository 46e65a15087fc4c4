// lbfgs: known minima, trees, jit, and what it says where there is none.
#include "../numpy/numpy_testing.hpp"

#include <jacquard/optim/lbfgs.hpp>

namespace optim = jacquard::optim;

namespace {
double at(const array& x) { return x.item<double>(); }
array rosenbrock(const array& x) {
  const array a = lax::slice(x, {0}, {x.size() - 1}), b = lax::slice(x, {1}, {x.size()});
  return jq::sum(100.0 * jq::square(b - a * a) + jq::square(1.0 - a));
}
}  // namespace

TEST_CASE("the valley of Rosenbrock") {
  const auto r = optim::lbfgs(rosenbrock, asarray({-1.2, 1.0, -1.2, 1.0, 0.5}));
  CHECK(distance(r.params, jq::ones({5})) < 1e-6);
  CHECK(r.converged.item<bool>());
  CHECK(at(r.value) < 1e-12);
  CHECK(r.iterations.item<int>() < 100);
}
TEST_CASE("a minimum that the last digits of the function do not show") {
  // Far from 0 a function has few digits left for how far it is from its minimum: 1e6 + d has none for d below 1e-10, which is reached where
  // the gradient is 1e-5.
  const auto r = optim::lbfgs([](const array& x) { return 1e6 + rosenbrock(x) + jq::sum(jq::cosh(x - 1.0)); }, asarray({-1.2, 1.0, 0.5}));
  CHECK(r.converged.item<bool>());
  CHECK(distance(r.params, jq::ones({3})) < 1e-8);
}
TEST_CASE("trees, and within jit") {
  const auto f = [](const std::pair<array, array>& p) { return jq::sum(jq::square(p.first - 3.0)) + jq::cosh(p.second + 1.0); };
  const auto run = jq::jit([&](const std::pair<array, array>& p) {
    const auto r = optim::lbfgs(f, p);
    return std::tuple{r.params.first, r.params.second, r.converged};
  });
  const auto [x, y, converged] = run(std::pair{jq::zeros({2, 2}, jq::f64), asarray(4.0)});
  CHECK(distance(x, jq::full({2, 2}, 3.0)) < 1e-7);
  CHECK(at(y) == doctest::Approx(-1));
  CHECK(converged.item<bool>());
}
TEST_CASE("it ends where there is no minimum, and at one") {
  CHECK_FALSE(optim::lbfgs([](const array& x) { return jq::sum(x); }, asarray({1.0}), {.iterations = 5}).converged.item<bool>());
  const auto r = optim::lbfgs([](const array& x) { return jq::sum(x * x); }, asarray({0.0}));
  CHECK(r.iterations.item<int>() == 0);
  CHECK(r.converged.item<bool>());
}
TEST_CASE("what it cannot begin with names lbfgs") {
  const auto f = [](const array& x) { return jq::sum(jq::real(x * jq::conj(x))); };
  CHECK_ERROR(jq::value_error, optim::lbfgs(f, jq::ones({2}, jq::f64), {.memory = 0}), "lbfgs: got a memory of 0 pairs, wanted at least 1");
  CHECK_ERROR(jq::value_error, optim::lbfgs(f, jq::ones({0}, jq::f64)), "lbfgs: got parameters without elements");
  CHECK_ERROR(jq::type_error, optim::lbfgs(f, jq::ones({2}, jq::c128)), "lbfgs", "complex128", "real");
}
