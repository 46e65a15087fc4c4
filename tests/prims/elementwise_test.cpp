// The base of elementwise primitives: types of results, weak literals, and a primitive of the user's own.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
struct cube_p : jq::elementwise<cube_p, jq::inexact, 1> {
  static constexpr std::string_view name = "cube";
  template <class T>
  static constexpr T apply(T x) {
    return jq::math::multiply(x, jq::math::multiply(x, x));
  }
  static constexpr array jvp(const array& t, const array& x, const array&) {
    return lax::mul(t, lax::mul(3.0, lax::mul(x, x)));
  }
};
array cube(const array& x) { return jq::bind<cube_p>({}, jq::location::current(), x); }
}  // namespace

TEST_CASE("elementwise: a primitive of the user's own has every rule") {
  const array x = make({1.0, -2.0, 0.5});
  CHECK_CLOSE(cube(x), make({1.0, -8.0, 0.125}), 0);
  check_dtypes(unary(cube), {x}, jq::inexact);
  check_derivatives(unary(cube), {x}, 3, 1e-8);
  check_batching(unary(cube), {x});
}
TEST_CASE("elementwise: types of results") {
  CHECK(lax::add(make({1.0f}), scalar(1.0f)).aval() == jq::aval(jq::f32, {1}));
  CHECK(lax::add(scalar(1.0f), 2.0).aval() == jq::aval(jq::f32, {}));
  CHECK(lax::add(1.0, 2.0).weak_type());
  CHECK_FALSE(lax::add(scalar(1.0), 2.0).weak_type());
  CHECK(lax::add(make({1}), 2).dtype() == jq::i32);
  CHECK(lax::mul(make<jq::complex64>({{1, 2}}), 2.0).dtype() == jq::c64);
}
TEST_CASE("elementwise: errors name the operation, what it got, and where") {
  CHECK_THROWS_WITH_AS(
      cube(make({1})),
      doctest::Contains("cube does not accept dtype int32: got int32, wanted one of: floating point, complex"),
      jq::type_error);
  CHECK_THROWS_WITH_AS(cube(make({1})), doctest::Contains("elementwise_test.cpp:"), jq::type_error);
  CHECK_THROWS_WITH_AS(lax::add(make({1}), 0.5),
                       doctest::Contains("add requires arguments to have the same dtypes, got int32, float64"),
                       jq::type_error);
  CHECK_THROWS_WITH_AS(lax::not_(make({1.0})), doctest::Contains("wanted one of: bool, integers"), jq::type_error);
  CHECK_THROWS_WITH_AS(lax::add(make({1.0, 2.0}), make({1.0}, {1})),
                       doctest::Contains("add got incompatible shapes for broadcasting: (2,), (1,)"), jq::shape_error);
  CHECK_THROWS_WITH_AS(lax::neg(array()), doctest::Contains("neg got an empty jq::array"), jq::type_error);
}
