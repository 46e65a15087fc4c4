// jacfwd, jacrev and hessian: shapes, trees, agreement of both modes, nesting.
#include "../show.hpp"

#include <map>

using jq::array;

namespace {

constexpr auto square = [](const array& x) { return lax::mul(x, x); };
constexpr jq::text forward() { return jq::to_text(jq::make_jaxpr(jq::jacfwd(square))(jq::zeros({2}))); }
constexpr jq::text reverse() { return jq::to_text(jq::make_jaxpr(jq::jacrev(square))(jq::zeros({2}))); }
static_assert(jq::make_jaxpr(jq::jacfwd(square))(jq::zeros({2})).out_avals()[0] == jq::aval(jq::f32, {2, 2}));
static_assert(jq::make_jaxpr(jq::jacrev(square))(jq::zeros({2})).out_avals()[0] == jq::aval(jq::f32, {2, 2}));
static_assert(forward().view().find("mul") < forward().size() && reverse().view().find("mul") < reverse().size());

const auto bilinear = [](const array& x, const array& y) { return lax::dot(x, y); };

}  // namespace

TEST_CASE("has_aux: what else a function returns comes along as it is") {
  const auto f = [](const array& x) { return std::pair{x * x, std::tuple{x * 3.0, jq::sum(x)}}; };
  const array x = jq::asarray({1.0, 2.0});
  const auto check = [&](const auto& r, const std::string& derivative) {
    CHECK(show(r.first) == derivative);
    CHECK(show(std::get<0>(r.second)) == "f64[2] 3 6");
    CHECK(show(std::get<1>(r.second)) == "f64[] 3");
  };
  check(jq::jacfwd(f, jq::has_aux)(x), "f64[2,2] 2 0 0 4");
  check(jq::jacrev(f, jq::has_aux)(x), "f64[2,2] 2 0 0 4");
  check(jq::hessian(f, jq::has_aux)(x), "f64[2,2,2] 2 0 0 0 0 0 0 2");
  check(jq::jit(jq::jacrev(f, jq::has_aux))(x), "f64[2,2] 2 0 0 4");
}
TEST_CASE("jacfwd and jacrev of an elementwise function are diagonal") {
  const array x = jq::asarray({1.0, 2.0, 3.0});
  CHECK(show(jq::jacfwd(square)(x)) == "f64[3,3] 2 0 0 0 4 0 0 0 6");
  CHECK(show(jq::jacrev(square)(x)) == "f64[3,3] 2 0 0 0 4 0 0 0 6");
}
TEST_CASE("jacobians of scalar arguments and results") {
  CHECK(show(jq::jacfwd(square)(jq::asarray(3.0))) == "f64[] 6");
  CHECK(show(jq::jacrev(square)(3.0)) == "f64[] 6");
  const auto powers = [](const array& x) { return lax::mul(x, jq::asarray({1.0, 2.0})); };
  CHECK(show(jq::jacfwd(powers)(jq::asarray(3.0))) == "f64[2] 1 2");
  CHECK(show(jq::jacrev(powers)(jq::asarray(3.0))) == "f64[2] 1 2");
}
TEST_CASE("jacobians have the dimensions of the output, then those of the input") {
  const array m = jq::asarray({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}});
  const auto f = [&](const array& x) { return lax::dot(m, x); };
  CHECK(show(jq::jacfwd(f)(jq::zeros({3}, jq::f64))) == "f64[2,3] 1 2 3 4 5 6");
  CHECK(show(jq::jacrev(f)(jq::zeros({3}, jq::f64))) == "f64[2,3] 1 2 3 4 5 6");
  const auto g = [](const array& x) { return lax::transpose(x, {1, 0}); };
  CHECK(jq::jacrev(g)(jq::zeros({2, 3})).shape() == jq::shape{3, 2, 2, 3});
  CHECK(show(jq::jacrev(g)(jq::zeros({2, 3}))) == show(jq::jacfwd(g)(jq::zeros({2, 3}))));
}
TEST_CASE("jacobians of trees: the output tree outside, the input tree inside") {
  const auto f = [](const std::pair<array, array>& p) {
    return std::map<std::string, array>{{"product", p.first * p.second}, {"sum", p.first + p.second}};
  };
  const std::pair x{jq::asarray(3.0), jq::asarray({1.0, 2.0})};
  const auto forward_tree = jq::jacfwd(f)(x);
  CHECK(show(forward_tree.at("product").first) == "f64[2] 1 2");
  CHECK(show(forward_tree.at("product").second) == "f64[2,2] 3 0 0 3");
  CHECK(show(forward_tree.at("sum").second) == "f64[2,2] 1 0 0 1");
  CHECK(show(jq::jacrev(f)(x)) == show(forward_tree));
}
TEST_CASE("jacobians with argnums") {
  const array x = jq::asarray({1.0, 2.0}), y = jq::asarray({3.0, 4.0});
  CHECK(show(jq::jacrev(bilinear, jq::argnums<1>)(x, y)) == "f64[2] 1 2");
  CHECK(show(jq::jacfwd(bilinear, jq::argnums<0, 1>)(x, y)) == "f64[2] 3 4, f64[2] 1 2");
  const auto both = jq::jacrev(bilinear, jq::argnums<0, 1>)(x, y);
  CHECK(show(std::get<0>(both)) == "f64[2] 3 4");
}
TEST_CASE("jacobian is jacrev by its other name") {
  const auto f = [](const array& x) { return x * jq::sum(x); };
  CHECK(show(jq::jacobian(f)(jq::asarray({1.0, 2.0}))) == show(jq::jacrev(f)(jq::asarray({1.0, 2.0}))));
  const auto scaled = [](const array& k, const array& x) { return k * x * x; };
  CHECK(show(jq::jacobian(scaled, jq::argnums<1>)(jq::asarray(2.0), jq::asarray({1.0, 3.0}))) == "f64[2,2] 4 0 0 12");
}
TEST_CASE("hessian of a function of one array and of a tree") {
  const auto f = [](const array& x) { return total(lax::mul(x, lax::mul(x, x))); };
  CHECK(show(jq::hessian(f)(jq::asarray({1.0, 2.0}))) == "f64[2,2] 6 0 0 12");
  CHECK(show(jq::hessian(f)(jq::asarray(2.0))) == "f64[] 12");
  const auto mixed = [](const std::pair<array, array>& p) { return lax::mul(p.first, lax::mul(p.second, p.second)); };
  const auto h = jq::hessian(mixed)(std::pair{jq::asarray(3.0), jq::asarray(5.0)});
  CHECK(show(h.first.first) == "f64[] 0");
  CHECK(show(h.first.second) == "f64[] 10");
  CHECK(show(h.second.first) == "f64[] 10");
  CHECK(show(h.second.second) == "f64[] 6");
}
TEST_CASE("jacobians nest in any order") {
  const auto f = [](const array& x, const array& y) { return lax::dot(lax::sin(x), y); };  // (2) (2, 5) -> (5)
  const array x = jq::asarray({0.5, 1.0}), y = jq::ones({2, 5}, jq::f64);
  const auto rev_rev = jq::jacrev(jq::jacrev(f, jq::argnums<1>), jq::argnums<0>)(x, y);
  CHECK(rev_rev.shape() == jq::shape{5, 2, 5, 2});
  CHECK(show(jq::jacfwd(jq::jacrev(f, jq::argnums<1>))(x, y)) == show(rev_rev));
  CHECK(show(jq::jacrev(jq::jacfwd(f, jq::argnums<1>))(x, y)) == show(rev_rev));
}
TEST_CASE("jacobians under jit, vmap and grad") {
  const auto f = [](const array& x) { return total(jq::jacfwd(square)(x)); };  // 2 sum x
  CHECK(show(jq::grad(f)(jq::asarray({1.0, 2.0}))) == "f64[2] 2 2");
  CHECK(show(jq::jit(jq::jacrev(square))(jq::asarray({1.0, 2.0}))) == "f64[2,2] 2 0 0 4");
  CHECK(show(jq::vmap(jq::jacrev(square))(jq::asarray({{1.0, 2.0}, {3.0, 4.0}}))) == "f64[2,2,2] 2 0 0 4 6 0 0 8");
}
TEST_CASE("jacobians of outputs that do not depend on the input, or are integers, are zero") {
  const auto f = [](const array& x) { return std::pair{jq::ones({2}, jq::f64), lax::gt(x, 0.0)}; };
  CHECK(show(jq::jacrev(f)(jq::asarray(1.0)).first) == "f64[2] 0 0");
  CHECK(show(jq::jacfwd(f)(jq::asarray(1.0)).first) == "f64[2] 0 0");
}
TEST_CASE("jacobians of empty arrays") {
  CHECK(jq::jacrev(square)(jq::zeros({0})).shape() == jq::shape{0, 0});
  CHECK(jq::jacfwd(square)(jq::zeros({0})).shape() == jq::shape{0, 0});
}
TEST_CASE("jacobians refuse integers, but where these are allowed") {
  CHECK_THROWS_AS(jq::jacfwd(square)(jq::asarray(3)), jq::type_error);
  CHECK_THROWS_AS(jq::jacrev(square)(jq::asarray(3)), jq::type_error);
  const auto scaled = [](const array& n, const array& x) { return x * n; };
  const auto [of_n, of_x] = jq::jacrev(scaled, jq::argnums<0, 1>, jq::allow_int)(jq::asarray({3, 4}), jq::asarray({1.0, 2.0}));
  CHECK(show(of_n) == "bool[2,2] 0 0 0 0");
  CHECK(show(of_x) == "f64[2,2] 3 0 0 4");
}
TEST_CASE("jacobians of complex numbers are those of holomorphic functions, which say so") {
  const array z = jq::asarray(jq::complex128{3, 4});
  CHECK(show(jq::jacfwd(square, jq::holomorphic)(z)) == "c128[] 6+8i");
  CHECK(show(jq::jacrev(square, jq::holomorphic)(z)) == "c128[] 6+8i");
  CHECK(show(jq::hessian(square, jq::holomorphic)(z)) == "c128[] 2+0i");
  CHECK_THROWS_WITH_AS(jq::jacfwd(square)(z), doctest::Contains("jacfwd requires real-valued inputs (input dtype that is a sub-dtype of np.floating), but got "
                                                                "complex128. For holomorphic differentiation, pass holomorphic=True."), jq::type_error);
  CHECK_THROWS_WITH_AS(jq::jacrev(square)(z), doctest::Contains("jacrev requires real-valued outputs (output dtype that is a sub-dtype of np.floating), but got "
                                                                "complex128. For holomorphic differentiation, pass holomorphic=True."), jq::type_error);
  const auto modulus = [](const array& w) { return lax::real(lax::mul(w, lax::conj(w))); };
  CHECK(show(jq::jacrev(modulus)(z)) == "c128[] 6-8i");  // as grad has it
}
