// Laws of nesting: derivatives inside derivatives that close over outer variables (the classics of perturbation
// confusion), and C++ conditions and loops under nested derivatives. Expected values are closed forms.
#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include <cmath>

namespace {

namespace jq = jacquard;
using jq::array;

double number(const array& x) { return x.item<double>(); }
/// d f / d x at x, in both modes; they must agree.
template <class F>
double slope(F f, double x) {
  const array at = jq::asarray(x), one = jq::asarray(1.0);
  const double reverse = number(jq::grad(f)(at)), forward = number(jq::jvp(f, jq::primals(at), jq::tangents(one)).second);
  CHECK(forward == doctest::Approx(reverse).epsilon(1e-13));
  return reverse;
}
/// The derivative of f at a traced point, reverse or forward.
struct reverse_mode {
  template <class F>
  static array derivative(F f, const array& x) {
    return jq::grad(f)(x);
  }
};
struct forward_mode {
  template <class F>
  static array derivative(F f, const array& x) {
    return jq::jvp(f, jq::primals(x), jq::tangents(jq::ones_like(x))).second;
  }
};
struct linear_mode {
  template <class F>
  static array derivative(F f, const array& x) {
    return jq::linearize(f, x).second(jq::ones_like(x));
  }
};

}  // namespace

TEST_CASE_TEMPLATE("an inner derivative does not see the outer variable", M, reverse_mode, forward_mode, linear_mode) {
  // d/dx x * (d/dy (x + y) at 1) = 1. Source: Siskind, Pearlmutter, "Perturbation confusion and referential transparency",
  // IFL 2005.
  const auto f = [](const array& x) {
    return x * M::derivative([&](const array& y) { return x + y; }, jq::asarray(1.0));
  };
  CHECK(slope(f, 1) == 1);
  CHECK(slope(f, 3) == 1);
}
TEST_CASE_TEMPLATE("an inner derivative may depend on the outer variable", M, reverse_mode, forward_mode, linear_mode) {
  // d/dx x * (d/dy x y at 2) = 2 x
  CHECK(slope([](const array& x) { return x * M::derivative([&](const array& y) { return x * y; }, jq::asarray(2.0)); }, 3) == 6);
  // d/dx (d/dy x^2 y^3 at x) = d/dx 3 x^4
  CHECK(slope([](const array& x) { return M::derivative([&](const array& y) { return x * x * y * y * y; }, x); }, 2) == 96);
  // d/dx d/dx at the same point: 6 x
  CHECK(slope([](const array& x) { return M::derivative([](const array& y) { return y * y * y; }, x); }, 2) == 12);
}
TEST_CASE_TEMPLATE("three levels", M, reverse_mode, forward_mode, linear_mode) {
  // d/dx [x * d/dy [y * d/dz (x y z^2) at y] at x] = d/dx [x * d/dy (2 x y^3) at x] = d/dx 6 x^4
  const auto f = [](const array& x) {
    const auto g = [&](const array& y) {
      return y * M::derivative([&](const array& z) { return x * y * z * z; }, y);
    };
    return x * M::derivative(g, x);
  };
  CHECK(slope(f, 2) == 192);
}
TEST_CASE("a derivative returned by a curried function keeps its own variable") {
  // s(x) = f shifted by x, differentiated in x at 0 and then applied twice: (D D h)(y) = h''(y).
  // Source: Manzyuk, Pearlmutter, Radul, Rush, Siskind, "Perturbation confusion in forward automatic differentiation of
  // higher-order functions", J. Funct. Prog. 29, 2019.
  const auto shifted_derivative = [](auto h) {
    return [h](const array& y) { return jq::jvp([&](const array& x) { return h(x + y); }, jq::primals(jq::asarray(0.0)),
                                                jq::tangents(jq::asarray(1.0))).second; };
  };
  const auto once = shifted_derivative([](const array& x) { return jq::exp(x); });
  const auto twice = shifted_derivative(once);
  CHECK(number(once(jq::asarray(1.0))) == doctest::Approx(std::exp(1.0)));
  CHECK(number(twice(jq::asarray(1.0))) == doctest::Approx(std::exp(1.0)));
  CHECK(slope(twice, 1) == doctest::Approx(std::exp(1.0)));
}
TEST_CASE("unused variables have zero derivatives") {
  CHECK(slope([](const array&) { return jq::asarray(2.0); }, 1) == 0);
  CHECK(slope([](const array& x) { return jq::grad([&](const array&) { return x * x; })(x); }, 3) == 0);
  CHECK(slope([](const array& x) { return jq::grad([&](const array& y) { return y + x * x; })(x); }, 3) == 0);
}
TEST_CASE("pullbacks and linear maps outlive the call, inside a trace") {
  const auto f = [](const array& x) {
    const auto [y, back] = jq::vjp([&](const array& a) { return jq::sin(a) * x; }, x * 2.0);  // cotangent: x cos(2x) ct
    return std::get<0>(back(x)) * y;                                                          // x^2 cos(2x) * x sin(2x)
  };
  const double x = 0.7, s = std::sin(2 * x), c = std::cos(2 * x);
  CHECK(slope(f, x) == doctest::Approx(3 * x * x * s * c + 2 * x * x * x * (c * c - s * s)).epsilon(1e-13));
  const auto g = [](const array& a) {
    const auto [y, lin] = jq::linearize([&](const array& b) { return b * b * a; }, a);  // t -> 2 a^2 t
    return lin(y);                                                                      // 2 a^5
  };
  CHECK(slope(g, 2) == doctest::Approx(160));
}
TEST_CASE("a jitted function inside derivatives sees outer variables as captured") {
  const auto f = [](const array& x) {
    const auto inner = jq::jit([&](const array& y) { return jq::grad([&](const array& z) { return x * y * z * z; })(y); });
    return inner(x);  // 2 x y^2 at y = x
  };
  CHECK(slope(f, 2) == 24);
  CHECK(slope(jq::jit(f), 2) == 24);
  CHECK(number(jq::jit(jq::grad(jq::jit(jq::grad(f))))(jq::asarray(2.0))) == 24);
}
TEST_CASE("a mapped function inside derivatives sees outer variables as shared") {
  const auto f = [](const array& x) {
    const auto inner = [&](const array& y) { return jq::grad([&](const array& z) { return x * z * z; })(y); };  // 2 x y
    return jq::sum(jq::vmap(inner)(jq::asarray({1.0, 2.0, 3.0}) * x));                                          // 12 x^2
  };
  CHECK(slope(f, 2) == 48);
  const array h = jq::vmap(jq::grad(jq::grad(f)))(jq::asarray({1.0, 5.0}));
  CHECK(h.data<double>()[0] == 24);
  CHECK(h.data<double>()[1] == 24);
}

// --- C++ control flow under derivatives ----------------------------------------------------------------------------------

namespace {
/// x^3 for x > 0, else -x^2; the branch is chosen by the value.
array branches(const array& x) {
  if (jq::item<double>(x) > 0) return x * x * x;
  return -x * x;
}
/// Halves x until it is at most 1; the number of steps depends on the value.
array halved(array x) {
  while (x > 1.0) x = x * 0.5;
  return x;
}
array power(const array& x, int n) { return n == 0 ? array(jq::ones_like(x)) : array(x * power(x, n - 1)); }
}  // namespace

TEST_CASE("conditions on values, under nested derivatives") {
  CHECK(slope(branches, 2) == 12);
  CHECK(slope(branches, -2) == 4);
  CHECK(slope(jq::grad(branches), 2) == 12);
  CHECK(slope(jq::grad(branches), -2) == -2);
  CHECK(slope(jq::grad(jq::grad(branches)), 2) == 6);
  CHECK(slope([](const array& x) { return branches(x * -1.0) * x; }, 2) == doctest::Approx(-12));
}
TEST_CASE("loops whose length depends on a value") {
  CHECK(slope(halved, 6) == 0.125);
  CHECK(slope(halved, 0.5) == 1);
  CHECK(slope([](const array& x) { return halved(x * x); }, 3) == doctest::Approx(6.0 / 16));
}
TEST_CASE("recursion") {
  CHECK(slope([](const array& x) { return power(x, 5); }, 2) == 80);
  CHECK(slope(jq::grad([](const array& x) { return power(x, 5); }), 2) == 160);
}
TEST_CASE("a condition inside on the inner and on the outer variable") {
  const auto f = [](const array& x) {
    return jq::grad([&](const array& y) {
      array r = y * y * x;
      if (x > 1.0) r = r * x;
      if (y < 0.0) r = -r;
      return r;
    })(x - 1.5);  // sign(y) 2 (x - 1.5) x (x if x > 1)
  };
  CHECK(slope(f, 2) == doctest::Approx(6 * 4 - 6 * 2));           // d/dx 2 x^3 - 3 x^2
  CHECK(slope(f, 1.25) == doctest::Approx(-(6 * 1.5625 - 7.5)));  // the same, negated
  CHECK(slope(f, 0.5) == doctest::Approx(-(4 * 0.5 - 3)));        // d/dx -(2 x^2 - 3 x)
}
TEST_CASE("a condition on a derivative") {
  const auto f = [](const array& x) {
    const array d = jq::grad([](const array& y) { return jq::sin(y); })(x);
    if (d > 0.0) return d * x;
    return -d;
  };
  CHECK(slope(f, 0.5) == doctest::Approx(std::cos(0.5) - 0.5 * std::sin(0.5)));
  CHECK(slope(f, 2) == doctest::Approx(std::sin(2.0)));
}
TEST_CASE("no condition on what has no value: inside jit and vmap, derivatives or not") {
  CHECK_THROWS_AS(jq::jit(branches)(jq::asarray(1.0)), jq::concretization_error);
  CHECK_THROWS_AS(jq::jit(jq::grad(branches))(jq::asarray(1.0)), jq::concretization_error);
  CHECK_THROWS_AS(jq::grad(jq::jit(branches))(jq::asarray(1.0)), jq::concretization_error);
  CHECK_THROWS_AS(jq::vmap(branches)(jq::asarray({1.0})), jq::concretization_error);
  CHECK_THROWS_AS(jq::vmap(jq::grad(branches))(jq::asarray({1.0})), jq::concretization_error);
  CHECK_THROWS_AS(jq::jacfwd(jq::vmap(branches))(jq::asarray({1.0})), jq::concretization_error);
}
TEST_CASE("a captured variable keeps its value inside a mapped function") {
  // The mapped variable has no value, the closed-over one has.
  const auto f = [](const array& x) {
    return jq::sum(jq::vmap([&](const array& y) {
      if (x > 1.0) return x * y;
      return y;
    })(jq::asarray({1.0, 2.0})));
  };
  CHECK(slope(f, 2) == 3);
  CHECK(slope(f, 0.5) == 0);
}
TEST_CASE("values of one argument may decide about another, in every mode") {
  const auto f = [](const array& x, const array& n) {
    array r = x;
    for (int k = 1; k < jq::item<int>(n); ++k) r = r * x;
    return r;
  };
  CHECK(number(jq::grad(f)(jq::asarray(2.0), jq::asarray(4))) == 32);
  CHECK(number(jq::grad(jq::grad(f))(jq::asarray(2.0), jq::asarray(4))) == 48);
  CHECK(number(jq::jacfwd(f)(jq::asarray(2.0), jq::asarray(3))) == 12);
}
