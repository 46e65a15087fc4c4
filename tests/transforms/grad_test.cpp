// grad and value_and_grad: values, argnums, auxiliary data, complex conventions, nesting, and the errors of the fact sheet.
#include "../show.hpp"

#include <cmath>
#include <optional>

using jq::array;
using jq::complex128;

namespace {

constexpr auto cube = [](const array& x) { return lax::mul(x, lax::mul(x, x)); };
constexpr auto product = [](const array& x, const array& y) { return lax::mul(x, y); };
static_assert(jq::to_text(jq::make_jaxpr(jq::grad(product, jq::argnums<1>))(array(2.0), array(3.0))) ==
              "{ lambda ; a:f64[] b:f64[]. let\n"
              "    _:f64[] = mul a b\n"
              "    c:f64[] = mul a 1.0:f64[]\n"
              "  in (c,) }");
static_assert(jq::make_jaxpr(jq::grad(jq::grad(cube)))(array(2.0)).out_avals()[0] == jq::aval(jq::f64, {}, true));

struct params {
  array w, b;
};
const auto norm = [](const params& p, const array& x) { return total(lax::mul(p.w, x)) + p.b; };

}  // namespace

TEST_CASE("grad: numbers, arrays and trees, each in its own type") {
  const double d = jq::grad(cube)(2.0);
  CHECK(d == 12);
  const float f = jq::grad(cube)(2.f);
  CHECK(f == 12);
  CHECK(show(jq::grad(cube)(jq::asarray(2.f))) == "f32[] 12");
  const params g = jq::grad(norm)(params{jq::asarray({1.f, 2.f}), jq::asarray(0.f)}, jq::asarray({5.f, 7.f}));
  CHECK(show(g.w) == "f32[2] 5 7");
  CHECK(show(g.b) == "f32[] 1");
  const std::vector<double> v = jq::grad([](const array& x) { return total(cube(x)); })(std::vector<double>{1, 2});
  CHECK(v == std::vector<double>{3, 12});
}
TEST_CASE("grad: argnums in the order given, negative ones from the end") {
  const auto f = [](const array& x, const array& y, const array& z) { return x * y * z; };
  const array x = jq::asarray(2.0), y = jq::asarray(3.0), z = jq::asarray(5.0);
  CHECK(show(jq::grad(f)(x, y, z)) == "f64[] 15");
  CHECK(show(jq::grad(f, jq::argnums<1>)(x, y, z)) == "f64[] 10");
  CHECK(show(jq::grad(f, jq::argnums<-1>)(x, y, z)) == "f64[] 6");
  const auto both = jq::grad(f, jq::argnums<2, 0>)(x, y, z);
  CHECK(show(std::get<0>(both)) == "f64[] 6");
  CHECK(show(std::get<1>(both)) == "f64[] 15");
}
TEST_CASE("grad: auxiliary data is passed through") {
  const auto f = [](const array& x) { return std::pair{lax::mul(x, x), std::vector{x, lax::sin(x)}}; };
  const auto [g, aux] = jq::grad(f, jq::has_aux)(jq::asarray(2.0));
  CHECK(show(g) == "f64[] 4");
  CHECK(show(aux) == "f64[] 2, f64[] 0.9093");
  const auto [value, gradient] = jq::value_and_grad(f, jq::has_aux)(jq::asarray(2.0));
  CHECK(show(value.first) == "f64[] 4");
  CHECK(show(value.second) == "f64[] 2, f64[] 0.9093");
  CHECK(show(gradient) == "f64[] 4");
  const auto tuple = [](const array& x) { return std::tuple{x, lax::gt(x, 0.0)}; };
  CHECK(show(jq::grad(tuple, jq::has_aux)(jq::asarray(2.0)).second) == "bool[] 1");
}
TEST_CASE("value_and_grad: the function is evaluated once") {
  int calls = 0;
  const auto f = [&](const array& x) {
    ++calls;
    return cube(x);
  };
  const auto [y, g] = jq::value_and_grad(f)(array(2.0));
  CHECK(show(y) == "f64[] 8");
  CHECK(double(g) == 12);
  CHECK(calls == 1);
}
TEST_CASE("grad: a function without dependence has gradient zero") {
  CHECK(jq::grad([](const array&) { return array(3.0); })(2.0) == 0);
  CHECK(show(jq::grad([](const array& x) { return total(lax::floor(x)); })(jq::asarray({1.5f, 2.f}))) == "f32[2] 0 0");
  CHECK(show(jq::grad([](const array& x) { return lax::stop_gradient(x) * x; })(jq::asarray(3.0))) == "f64[] 3");
}
TEST_CASE("grad: nested to any depth") {
  const auto f = [](const array& x) { return lax::sin(x); };
  CHECK(jq::grad(jq::grad(jq::grad(f)))(0.5) == doctest::Approx(-std::cos(0.5)));
  CHECK(jq::grad(jq::grad(jq::grad(jq::grad(f))))(0.5) == doctest::Approx(std::sin(0.5)));
  // x * d/dy (x + y)^2 at y = 2x : x * 2 (3x) = 6 x^2
  const auto inner = [](const array& x) {
    return x * jq::grad([&](const array& y) { return (x + y) * (x + y); })(x * 2.0);
  };
  CHECK(double(jq::grad(inner)(array(1.0))) == doctest::Approx(12.0));
}
TEST_CASE("grad: ties of max and min share the gradient, abs has none at zero") {
  const auto f = [](const array& x, const array& y) { return lax::max(x, y); };
  CHECK(show(jq::grad(f, jq::argnums<0, 1>)(jq::asarray(1.0), jq::asarray(1.0))) == "f64[] 0.5, f64[] 0.5");
  CHECK(jq::grad([](const array& x) { return lax::abs(x); })(0.0) == 0);
}
TEST_CASE("grad: C++ conditions, also nested") {
  const auto f = [](const array& x) { return bool(x > 1.0) ? x * x * x : -x; };
  CHECK(double(jq::grad(f)(array(2.0))) == 12);
  CHECK(double(jq::grad(f)(array(0.5))) == -1);
  CHECK(double(jq::grad(jq::grad(f))(array(2.0))) == 12);
  const auto g = [&](const array& x) { return bool(array(jq::grad(f)(x)) > 5.0) ? x * x : x; };
  CHECK(double(jq::grad(g)(array(2.0))) == 4);
}
TEST_CASE("grad: real functions of complex arguments give df/dx - i df/dy") {
  const auto f = [](const array& z) { return total(lax::cos(lax::abs(z))); };
  const auto z = jq::asarray({complex128{0, 0}, complex128{1, 0.5}, complex128{2, 1}, complex128{3, 1.5}, complex128{4, 2}});
  CHECK(show(jq::grad(f)(z)) ==
        "c128[5] 0+0i -0.80431+0.40215i -0.70369+0.35184i 0.18865-0.094323i 0.86874-0.43437i");
  const auto square_modulus = [](const array& w) { return lax::real(lax::mul(w, lax::conj(w))); };
  CHECK(show(jq::grad(square_modulus)(jq::asarray(complex128{3, 4}))) == "c128[] 6-8i");
}
TEST_CASE("grad: holomorphic functions") {
  const auto f = [](const array& z) { return lax::mul(z, z); };
  CHECK(show(jq::grad(f, jq::holomorphic)(jq::asarray(complex128{3, 4}))) == "c128[] 6+8i");
  CHECK_THROWS_WITH_AS(jq::grad(f)(jq::asarray(complex128{3, 4})),
                       doctest::Contains("grad requires real-valued outputs (output dtype that is a sub-dtype of np.floating), but "
                                         "got complex128. For holomorphic differentiation, pass holomorphic=True."), jq::type_error);
}
TEST_CASE("grad: integers") {
  const auto f = [](const array& n, const array& x) { return x * n; };
  const std::string want = "grad requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but got "
                           "int32. If you want to use Boolean- or integer-valued inputs, use vjp or set allow_int to True.";
  CHECK_THROWS_WITH_AS(jq::grad(f)(jq::asarray(3), jq::asarray(2.0)), doctest::Contains(want.c_str()), jq::type_error);
  CHECK(show(jq::grad(f, jq::allow_int)(jq::asarray(3), jq::asarray(2.0))) == "bool[] 0");
  CHECK(show(jq::grad(f, jq::argnums<0, 1>, jq::allow_int)(jq::asarray(3), jq::asarray(2.0))) == "bool[] 0, f64[] 3");
  CHECK(show(jq::grad(f, jq::argnums<1>)(jq::asarray(3), jq::asarray(2.0))) == "f64[] 3");
  CHECK_THROWS_WITH_AS(jq::grad([](const array& x) { return lax::convert_element_type(x, jq::i32); })(array(2.0)),
                       doctest::Contains("but got int32"), jq::type_error);
}
TEST_CASE("grad: outputs that are not scalar") {
  const auto same = [](const array& x) { return x * 2.0; };
  CHECK_THROWS_WITH_AS(jq::grad(same)(jq::zeros({3})),
                       doctest::Contains("Gradient only defined for scalar-output functions. Output had shape: (3,)."), jq::type_error);
  CHECK_THROWS_WITH_AS(jq::grad(same)(jq::zeros({3})), doctest::Contains("grad_test.cpp"), jq::type_error);
  CHECK_THROWS_WITH_AS(jq::grad([](const array& x) { return std::pair{x, x}; })(array(1.0)),
                       doctest::Contains("Gradient only defined for scalar-output functions. Output was (f64[], f64[])"), jq::type_error);
  CHECK_THROWS_WITH_AS(jq::grad([](const array& x) { return std::tuple{x}; })(jq::asarray(1.0)),
                       doctest::Contains("Output was (f64[],)"), jq::type_error);
  CHECK_THROWS_WITH_AS(jq::grad([](const array& x) { return std::pair{std::tuple{x}, x}; }, jq::has_aux)(jq::asarray(1.0)),
                       doctest::Contains("Output was (f64[],)"), jq::type_error);
  CHECK_THROWS_WITH_AS(jq::grad(same)(jq::zeros({3})), doctest::Contains("jacrev"), jq::type_error);
}
TEST_CASE("jq::holomorphic takes complex arguments and gives complex results") {
  const auto square = [](const array& x) { return x * x; };
  CHECK_THROWS_WITH_AS(jq::grad(square, jq::holomorphic)(jq::asarray(1.f)),
                       doctest::Contains("grad with holomorphic=True requires inputs with complex dtype, but got float32."), jq::type_error);
  CHECK_THROWS_WITH_AS(jq::grad([](const array& x) { return lax::abs(x); }, jq::holomorphic)(jq::asarray(complex128{3, 4})),
                       doctest::Contains("grad with holomorphic=True requires outputs with complex dtype, but got float64."), jq::type_error);
  CHECK_THROWS_WITH_AS(jq::jacrev(square, jq::holomorphic)(jq::asarray(1.0)), doctest::Contains("jacrev with holomorphic=True requires inputs"), jq::type_error);
  CHECK_THROWS_WITH_AS(jq::jacfwd(square, jq::holomorphic)(jq::asarray(1.0)), doctest::Contains("jacfwd with holomorphic=True requires inputs"), jq::type_error);
  CHECK_THROWS_WITH_AS(jq::jacfwd([](const array& x) { return lax::abs(x); }, jq::holomorphic)(jq::asarray(complex128{3, 4})),
                       doctest::Contains("jacfwd with holomorphic=True requires outputs"), jq::type_error);
}
TEST_CASE("grad: f32 results stay f32, weak numbers stay weak") {
  CHECK(show(jq::grad([](const array& x) { return x * 2.5; })(jq::asarray(1.f))) == "f32[] 2.5");
  const auto p = jq::make_jaxpr(jq::grad([](const array& x) { return x; }))(1.0);
  CHECK(p.out_avals()[0].weak);
}
TEST_CASE("grad: optional arguments") {
  const auto f = [](const std::optional<array>& x, const array& y) { return x ? *x * y : y; };
  CHECK(show(*jq::grad(f)(std::optional<array>(jq::asarray(2.0)), jq::asarray(3.0))) == "f64[] 3");
  CHECK(jq::grad(f, jq::argnums<1>)(std::optional<array>(), 3.0) == 1);
}
TEST_CASE("grad of vmap, vmap of grad, grad of jit, jit of grad") {
  const auto loss = [](const array& w, const array& x) { return lax::sin(w * x); };
  const array xs = jq::asarray({0.0, 1.0, 2.0});
  const auto mean = [&](const array& w) { return total(jq::vmap(loss, jq::in_axes<jq::none, 0>)(w, xs)); };
  const double want = std::cos(0.5) + 2 * std::cos(1.0);
  CHECK(double(jq::grad(mean)(array(0.5))) == doctest::Approx(want));
  CHECK(double(jq::grad(jq::jit(mean))(array(0.5))) == doctest::Approx(want));
  CHECK(show(jq::jit(jq::grad(mean))(array(0.5))) == show(array(want)));
  const auto each = jq::vmap(jq::grad(loss), jq::in_axes<jq::none, 0>)(0.5, xs);
  CHECK(show(total(each)) == show(array(want)));
}
TEST_CASE("grad: numbers that are not differentiated stay numbers where the function takes no arrays in their place") {
  const auto power = [](const array& x, int n) {
    array r = 1.0;
    for (int i = 0; i < n; ++i) r = lax::mul(r, x);
    return r;
  };
  CHECK(show(jq::grad(power)(array(2.0), 3)) == "f64[] 12");
  CHECK(show(jq::grad(jq::grad(power))(array(2.0), 3)) == "f64[] 12");
  CHECK(show(jq::grad(jq::jit(power, jq::static_argnums<1>))(array(2.0), 3)) == "f64[] 12");
  CHECK(show(jq::jit(jq::grad(power), jq::static_argnums<1>)(array(2.0), 3)) == "f64[] 12");
  const auto f = [](int n, const array& x, const array& s, const array& y) { return lax::mul(lax::mul(lax::mul(x, double(n)), s), y); };
  const auto [v, g] = jq::value_and_grad(f, jq::argnums<1, -1>)(3, array(2.0), 0.5, array(5.0));
  CHECK(show(v) == "f64[] 15");
  CHECK(show(std::get<0>(g)) == "f64[] 7.5");
  CHECK(show(std::get<1>(g)) == "f64[] 3");
  CHECK(show(jq::grad([](const array& x, const array& s) { return lax::mul(x, s); })(array(2.0), 3.0)) == "f64[] 3");
  const auto with_aux = [](const array& x, bool twice) { return std::pair(lax::mul(x, twice ? 2.0 : 1.0), x); };
  CHECK(show(jq::grad(with_aux, jq::has_aux)(array(3.0), true)) == "f64[] 2, f64[] 3");
}
