// Optimizers: their first steps by hand, and that they reach the minimum of a quadratic, also within jit.
#include "../numpy/numpy_testing.hpp"

#include <jacquard/optim/optimizers.hpp>

namespace optim = jacquard::optim;

namespace {
double at(const array& x) { return x.item<double>(); }

/// Two steps from 1 with the gradients 2 and -1.
template <class O>
std::pair<double, double> two_steps(const O& o) {
  array p = asarray(1.0);
  auto s = o.init(p);
  const auto [u, s1] = o.update(asarray(2.0), s, p);
  p = optim::apply_updates(p, u);
  const auto [v, s2] = o.update(asarray(-1.0), s1, p);
  CHECK(s2.count.template item<int>() == 2);
  return {at(u), at(v)};
}
struct model {
  array w, b;
};
/// The distance from the minimum of a quadratic after `count` steps, each compiled.
template <class O>
double after(const O& o, int count) {
  const array target = asarray({1.0, -2.0});
  const auto loss = [&](const model& m) { return jq::sum(jq::square(m.w - target) * asarray({1.0, 4.0})) + jq::square(m.b - 0.5); };
  model m{jq::zeros({2}, jq::f64), jq::zeros({}, jq::f64)};
  auto s = o.init(m);
  const auto step = jq::jit([&](const model& at_now, const decltype(s)& state) {
    const auto [u, next] = o.update(jq::grad(loss)(at_now), state, at_now);
    return std::pair{optim::apply_updates(at_now, u), next};
  }, jq::backend("interpreter"));
  for (int i = 0; i < count; ++i) std::tie(m, s) = step(m, s);
  return distance(m.w, target) + std::abs(at(m.b) - 0.5);
}
}  // namespace

TEST_CASE("first steps by hand") {
  CHECK(two_steps(optim::sgd(0.1)).first == doctest::Approx(-0.2));
  CHECK(two_steps(optim::sgd(0.1)).second == doctest::Approx(0.1));
  CHECK(two_steps(optim::momentum(0.1, 0.9)).second == doctest::Approx(-0.1 * (0.9 * 2 - 1)));
  CHECK(two_steps(optim::nesterov(0.1, 0.9)).first == doctest::Approx(-0.1 * (0.9 * 2 + 2)));
  CHECK(two_steps(optim::nesterov(0.1, 0.9)).second == doctest::Approx(-0.1 * (0.9 * 0.8 - 1)));
  // m = 0.2, 0.08; v = 0.004, 0.004996; corrections 0.1, 0.19 and 0.001, 0.001999
  CHECK(two_steps(optim::adam(0.1)).first == doctest::Approx(-0.1));
  CHECK(two_steps(optim::adam(0.1)).second == doctest::Approx(-0.1 * (0.08 / 0.19) / std::sqrt(0.004996 / 0.001999)));
  CHECK(two_steps(optim::adamw(0.1, 0.5)).first == doctest::Approx(-0.1 * (1 + 0.5)));
  CHECK(two_steps(optim::rmsprop(0.1, 0.9)).first == doctest::Approx(-0.1 * 2 / std::sqrt(0.4)));
  CHECK(two_steps(optim::rmsprop(0.1, 0.9)).second == doctest::Approx(0.1 / std::sqrt(0.9 * 0.4 + 0.1)));
  CHECK(two_steps(optim::adagrad(0.1)).first == doctest::Approx(-0.1 * 2 / std::sqrt(4.1)));
  CHECK(two_steps(optim::adagrad(0.1)).second == doctest::Approx(0.1 / std::sqrt(5.1)));
  CHECK(two_steps(optim::lion(0.1)).first == doctest::Approx(-0.1));
  CHECK(two_steps(optim::lion(0.1)).second == doctest::Approx(0.1));  // 0.9 * 0.02 - 0.1
  CHECK(two_steps(optim::sgd(optim::linear_schedule{1, 0, 2})).second == doctest::Approx(0.5));
}
TEST_CASE("a step has a derivative at a gradient of 0") {
  const array p = asarray({1.0, 2.0});
  const auto o = optim::adam(0.1);
  // Of the first step, -rate g / (|g| + epsilon): almost none but at 0.
  const array slope = jq::grad([&](const array& g) { return jq::sum(o.update(g, o.init(p), p).first); })(asarray({0.0, 3.0}));
  CHECK(slope(0).item<double>() == doctest::Approx(-0.1 / 1e-8));
  CHECK(std::abs(slope(1).item<double>()) < 1e-8);
}
TEST_CASE("a quadratic is minimised") {
  CHECK(after(optim::sgd(0.1), 100) < 1e-8);
  CHECK(after(optim::momentum(0.02), 400) < 1e-6);
  CHECK(after(optim::nesterov(0.02), 400) < 1e-6);
  CHECK(after(optim::adam(optim::cosine_decay{0.1, 400}), 400) < 1e-4);
  CHECK(after(optim::adamw(optim::cosine_decay{0.1, 400}, 0), 400) < 1e-4);
  CHECK(after(optim::rmsprop(optim::cosine_decay{0.05, 400}), 400) < 1e-3);
  CHECK(after(optim::adagrad(1.0), 400) < 1e-4);
  CHECK(after(optim::lion(optim::cosine_decay{0.05, 400}), 400) < 1e-2);
}
TEST_CASE("dtypes stay") {
  const array p = jq::ones({2}, jq::f32);
  const auto o = optim::adam(optim::cosine_decay{0.1, 10});
  const auto [u, s] = o.update(p, o.init(p), p);
  CHECK(u.dtype() == jq::f32);
  CHECK(s.first.dtype() == jq::f32);
}
TEST_CASE("16-bit parameters: averages in f32, in which small gradients have squares") {
  for (const jq::dtype t : {jq::f16, jq::bf16}) {
    const array p = jq::ones({3}, t), g = asarray({0.0, 1e-4, -8.0}).astype(t);
    const auto check = [&](const auto& o, double first, double last) {
      auto s = o.init(p);
      for (int i = 0; i < 2; ++i) {
        const auto [u, next] = o.update(g, s, p);
        CHECK(u.dtype() == t);
        CHECK(u(0).astype(jq::f64).template item<double>() == 0);
        if (i == 0) CHECK(u(1).astype(jq::f64).template item<double>() == doctest::Approx(first).epsilon(0.01));
        if (i == 0) CHECK(u(2).astype(jq::f64).template item<double>() == doctest::Approx(last).epsilon(0.01));
        s = next;
      }
    };
    check(optim::adam(0.1), -0.1, 0.1);
    check(optim::rmsprop(0.1, 0.9, 1e-12), -0.316, 0.316);
    check(optim::adagrad(0.1, 0.0, 1e-12), -0.1, 0.1);
    check(optim::momentum(0.1), -1e-5, 0.8);
    check(optim::nesterov(0.1), -1.9e-5, 1.52);
    check(optim::lion(0.1), -0.1, 0.1);
    CHECK(optim::adam(0.1).init(p).second.dtype() == jq::f32);
    CHECK(optim::momentum(0.1).init(p).moment.dtype() == jq::f32);
  }
}
TEST_CASE("complex parameters: squares are those of magnitudes, and real") {
  // A step turned by i is the step of the real gradient turned by i: only |g|^2 enters its length.
  const jq::complex128 i(0, 1);
  const auto check = [&](const auto& o) {
    const auto [real_first, real_second] = two_steps(o);
    array p = asarray(jq::complex128(1));
    auto s = o.init(p);
    const auto [u, s1] = o.update(asarray(jq::complex128(2) * i), s, p);
    p = optim::apply_updates(p, u);
    const auto [v, s2] = o.update(asarray(jq::complex128(-1) * i), s1, p);
    CHECK(p.dtype() == jq::c128);
    CHECK(u.template item<jq::complex128>().real() == doctest::Approx(0));
    CHECK(u.template item<jq::complex128>().imag() == doctest::Approx(real_first));
    CHECK(v.template item<jq::complex128>().imag() == doctest::Approx(real_second));
  };
  check(optim::sgd(0.1)), check(optim::momentum(0.1)), check(optim::nesterov(0.1));
  check(optim::adam(0.1)), check(optim::rmsprop(0.1)), check(optim::adagrad(0.1)), check(optim::lion(0.1));
  const array z = asarray({jq::complex64(3, 4)});
  const auto o = optim::adam(0.1);
  const auto [u, s] = o.update(z, o.init(z), z);
  CHECK(u.dtype() == jq::c64);
  CHECK(s.first.dtype() == jq::c64);
  CHECK(s.second.dtype() == jq::f32);
  CHECK(s.second(0).item<float>() == doctest::Approx(25e-3));
}
TEST_CASE("whole numbers are refused: steps would be 0") {
  const array n = asarray({1, 2});
  CHECK_ERROR_ANYWHERE(jq::type_error, optim::adam(0.1).init(n), "got a parameter or gradient of dtype int32; wanted a floating point or complex one");
  CHECK_ERROR_ANYWHERE(jq::type_error, optim::sgd(0.1).update(n, optim::sgd(0.1).init(n), n), "convert it with x.astype(jq::f32)");
}
TEST_CASE("adam reaches the minimum of |z - c|^2, against the conjugate of its gradient") {
  const array target = asarray({jq::complex128(1, -2), jq::complex128(0.5, 3)});
  const auto loss = [&](const array& z) { return jq::sum(jq::square(jq::real(z - target)) + jq::square(jq::imag(z - target))); };
  const auto o = optim::adam(optim::cosine_decay{0.2, 300});
  array z = jq::zeros({2}, jq::c128);
  auto s = o.init(z);
  for (int i = 0; i < 300; ++i) {
    const auto [u, next] = o.update(jq::conj(jq::grad(loss)(z)), s, z);
    z = optim::apply_updates(z, u), s = next;
  }
  CHECK(jq::max(jq::abs(z - target)).item<double>() < 1e-3);
}
