// Arrays that become part of a program, and rules of users that bring such arrays while another rule transforms a body: under jit, in loops,
// branches and checkpoints. Oracle: the numbers, and slopes that the rules say, which are not the true ones.
#include <jacquard/jacquard.hpp>

#include "../show.hpp"

using jq::array;
using jq::asarray;

namespace {

array traced(const array& x) {
  const jq::closed_jaxpr p = jq::detail::traced_body({}, nullptr, [&](jq::view<const array>) { return std::vector<array>{jq::detail::embedded(x)}; });
  CHECK(p.constants.empty());
  return jq::eval_jaxpr(p, {})[0];
}
using one = std::tuple<array>;
/// x^2, whose slope is said to be w.
auto squared(const array& w) {
  return jq::custom_jvp([](const array& x) { return x * x; },
                        [w](const one& p, const one& t) { return std::pair{std::get<0>(p) * std::get<0>(p), jq::sum(w) * std::get<0>(t)}; });
}
auto squared_backwards(const array& w) {
  return jq::custom_vjp([](const array& x) { return x * x; }, [](const array& x) { return std::pair{x * x, x}; },
                        [w](const array&, const array& ct) { return one{jq::sum(w) * ct}; });
}

}  // namespace

TEST_CASE("embedded arrays keep numbers, shape and dtype") {
  for (const array& x : {asarray(3.5), asarray({1.f, -2.f, 0.f}), jq::reshape(jq::arange(12), {3, 4}), jq::zeros({0, 3}), asarray({true, false}),
                         asarray({1.0, 2.0}).astype(jq::bf16), jq::lax::complex(asarray({1.0, 2.0}), asarray({3.0, -0.0}))}) {
    const array y = traced(x);
    CHECK(y.dtype() == x.dtype());
    CHECK(y.shape() == x.shape());
    CHECK(jq::array_equal(x, y).item<bool>());
  }
  CHECK_THROWS_WITH_AS(jq::detail::embedded(jq::ones({65})), doctest::Contains("of shape (65,), which that body does not get"), jq::value_error);
}
TEST_CASE("rules that capture arrays, in bodies") {
  const array x = asarray(2.0);
  const auto check = [&](auto f, double slope) {
    const auto in_loop = [&](const array& a) { return jq::lax::fori_loop(0, 3, [&](const array&, const array& b) { return f(b); }, a); };
    const auto in_branch = [&](const array& a) { return jq::lax::cond(a > 0.0, [&](const array& b) { return f(b); }, [](const array& b) { return b; }, a); };
    CHECK(jq::grad(f)(x).template item<double>() == slope);
    CHECK(jq::grad(jq::jit(f))(x).template item<double>() == slope);
    CHECK(jq::jit(jq::grad(jq::jit(f)))(x).template item<double>() == slope);
    CHECK(jq::grad(in_branch)(x).template item<double>() == slope);
    CHECK(jq::grad(in_loop)(x).template item<double>() == slope * slope * slope);
    CHECK(jq::grad(jq::checkpoint(f))(x).template item<double>() == slope);
    CHECK(jq::vmap(jq::grad(jq::jit(f)))(asarray({1.0, 5.0})).template data<double>()[1] == slope);
  };
  check(squared(asarray(3.0)), 3);
  check(squared(asarray({1.0, 4.0})), 5);
  check(squared_backwards(asarray(3.0)), 3);
  check(squared_backwards(asarray({1.0, 4.0})), 5);
}
TEST_CASE("rules that capture large arrays say so") {
  const auto f = squared(jq::ones({100}, jq::f64));
  CHECK(jq::grad(f)(asarray(2.0)).item<double>() == 100);
  CHECK_THROWS_WITH_AS(jq::grad(jq::jit(f))(asarray(2.0)), doctest::Contains("pass it as an argument of the function that has the rule"), jq::value_error);
}
TEST_CASE("checkpoints keep rules of functions within them") {
  const array x = asarray(0.25);
  const auto f = [](const array& y) { return jq::special::hyp1f1(1.0, 2.0, y); };
  CHECK(jq::grad(jq::checkpoint(f))(x).item<double>() == doctest::Approx(jq::grad(f)(x).item<double>()).epsilon(1e-14));
}
