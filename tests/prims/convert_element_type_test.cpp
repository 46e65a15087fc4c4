// convert_element_type: every pair of dtypes, saturation, NaN, folding, weak types, derivatives, batching.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array convert(const array& x, jq::dtype t) { return lax::convert_element_type(x, t); }
function to(jq::dtype t) {
  return [t](const arrays& x) { return lax::convert_element_type(x[0], t); };
}
}  // namespace

static_assert(jq::convert_element_type_p::convert<std::uint8_t>(300.0) == 255 &&
              jq::convert_element_type_p::convert<bool>(0.5));

TEST_CASE("convert_element_type: small values survive every pair of dtypes") {
  for (int i = 0; i < jq::dtype_count; ++i)
    for (int j = 0; j < jq::dtype_count; ++j) {
      INFO(std::string(jq::name(jq::dtype(i))) << " to " << std::string(jq::name(jq::dtype(j))));
      const array x = convert(make({0.0, 1.0, 2.0, 100.0}), jq::dtype(i)), y = convert(x, jq::dtype(j));
      CHECK(y.dtype() == jq::dtype(j));
      const bool logical = i == 0 || j == 0;
      CHECK_CLOSE(convert(y, jq::f64), logical ? make({0.0, 1.0, 1.0, 1.0}) : make({0.0, 1.0, 2.0, 100.0}), 0);
    }
}
TEST_CASE("convert_element_type: rounding and range") {
  CHECK_CLOSE(convert(make({-2.75, 2.75, 1e300, -1e300, not_a_number, inf}), jq::i32),
              make({-2, 2, INT32_MAX, INT32_MIN, 0, INT32_MAX}), 0);
  CHECK_CLOSE(convert(make({-1.0, 255.5, 256.0}), jq::u8), make<std::uint8_t>({0, 255, 255}), 0);
  CHECK_CLOSE(convert(make({300, -1}), jq::u8), make<std::uint8_t>({44, 255}), 0);
  CHECK_CLOSE(convert(make({65519.0, 65520.0, 1e-8}), jq::f16),
              make({jq::float16(65504.0f), jq::float16(inf), jq::float16(0.0f)}), 0);
  CHECK_CLOSE(convert(make({0.0, -0.0, 1e-300, not_a_number}), jq::bool_), make({false, false, true, true}), 0);
  CHECK_CLOSE(convert(make<jq::complex128>({{1.5, 2}, {-3, 4}}), jq::f32), make({1.5f, -3.0f}), 0);
  CHECK_CLOSE(convert(make<std::int64_t>({(1ll << 53) + 1}), jq::f64), make({9007199254740992.0}), 0);
  CHECK(convert(make<double>({}, {0, 2}), jq::i8).shape() == shape{0, 2});
}
TEST_CASE("convert_element_type: what changes nothing is returned, literals are folded") {
  const array x = make({1.0});
  CHECK(convert(x, jq::f64).same_as(x));
  CHECK(convert(array(2.5), jq::i32).kind() == jq::array_kind::literal);
  CHECK(convert(array(2.5), jq::i32).item<int>() == 2);
  CHECK_FALSE(convert(array(2.5), jq::f64).weak_type());
  CHECK(lax::convert_element_type(x, jq::f64, true).weak_type());
  CHECK(lax::convert_element_type(array(1), jq::f32, true).weak_type());
}
TEST_CASE("convert_element_type: derivative and batching") {
  const array x = make({1.5f, -2.0f});
  const array back = cotangents(to(jq::f64), {x}, make({1.0, 3.0}))[0];
  CHECK_CLOSE(back, make({1.0f, 3.0f}), 0);
  CHECK_CLOSE(cotangents(to(jq::c128), {make({1.0})}, make<jq::complex128>({{2, 5}}))[0], make({2.0}), 0);
  CHECK_CLOSE(cotangents(to(jq::f64), {make<jq::complex128>({{1, 2}})}, make({3.0}))[0], make<jq::complex128>({{3, 0}}),
              0);
  const auto through_integers = [](const arrays& z) {
    return lax::mul(z[0], convert(convert(z[0], jq::i32), jq::f64));
  };
  CHECK_CLOSE(cotangents(through_integers, {make({2.5, -1.5})}, make({1.0, 1.0}))[0], make({2.0, -1.0}), 0);
  check_derivatives(to(jq::c128), {make({1.0, 2.0})});
  check_batching(to(jq::i32), {make({1.5, 2.5, 3.5, 4.5}, {2, 2})});
  check_batching(to(jq::bool_), {scalar(0.0)});
}
