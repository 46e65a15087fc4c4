// iota: values along each dimension, all dtypes, jaxprs, errors.
#include "reference.hpp"

using namespace prim_testing;

static_assert(constant_kernel<jq::iota_p>({jq::f64, {2, 2}, 0}, {2, 2}, {}) ==
              std::vector<double>{0, 0, 1, 1});

TEST_CASE("iota: values") {
  for (int d = 0; d < 3; ++d) {
    table want({2, 3, 4});
    each(want.dims, [&](const position& i) { want(i) = double(i[std::size_t(d)]); });
    CHECK_CLOSE(lax::iota(jq::f64, {2, 3, 4}, d), want.get(), 0);
    CHECK_CLOSE(lax::iota(jq::i32, {2, 3, 4}, d), want.get(jq::i32), 0);
  }
  CHECK_CLOSE(lax::iota(jq::u8, 4), make<std::uint8_t>({0, 1, 2, 3}), 0);
  CHECK_CLOSE(lax::iota(jq::c64, 3), make<jq::complex64>({{0, 0}, {1, 0}, {2, 0}}), 0);
  CHECK(lax::iota(jq::f32, {0, 3}, 0).shape() == shape{0, 3});
  CHECK(lax::iota(jq::f32, {3, 0}, 0).shape() == shape{3, 0});
  for (int i = 1; i < jq::dtype_count; ++i)
    CHECK_CLOSE(cast(lax::iota(jq::dtype(i), 5), jq::f64), make({0., 1., 2., 3., 4.}), 0);
}
TEST_CASE("iota: in a program it is an equation without operands") {
  const auto p = jq::make_jaxpr([](const array& x) { return lax::add(x, lax::iota(jq::f32, 3)); })(
      make({1.f, 2.f, 3.f}));
  CHECK(std::string(jq::to_string(p)).find("b:f32[3] = iota[dimension=0 dtype=float32 shape=(3,)]\n") !=
        std::string::npos);
  CHECK(!jq::check_jaxpr(*p));
}
TEST_CASE("iota: errors") {
  CHECK_THROWS_WITH_AS(lax::iota(jq::bool_, 3), doctest::Contains("iota does not accept dtype bool"),
                       jq::type_error);
  CHECK_THROWS_WITH_AS(
      lax::iota(jq::i32, {2, 3}, 2),
      doctest::Contains("iota: got dimension 2 for the shape (2, 3); wanted a dimension in [0, 2)"),
      jq::shape_error);
  CHECK_THROWS_WITH_AS(lax::iota(jq::i32, shape{}, 0), doctest::Contains("got dimension 0"), jq::shape_error);
  CHECK_THROWS_WITH_AS(lax::iota(jq::i32, {-1}, 0), doctest::Contains("none of them negative"),
                       jq::shape_error);
}
