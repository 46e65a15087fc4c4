// Types of operands: weak literals take the dtype they meet, where that loses nothing of their kind.
#include "prim_testing.hpp"

using namespace prim_testing;
using jq::detail::match_literal;
using jq::detail::scalar_like;

TEST_CASE("literals beside an operand that decides take its dtype") {
  CHECK(jq::lax::clamp(0.f, jq::array(0.5), 1.f).dtype() == jq::f64);
  CHECK(jq::lax::clamp(std::int64_t(0), jq::array(5), std::int64_t(3)).item<int>() == 3);
  CHECK(jq::lax::regularized_incomplete_beta(0.5f, 2.0f, jq::array(0.25)).dtype() == jq::f64);
  CHECK(jq::lax::select_n(jq::asarray(1), jq::array(1.0), jq::array(2.0f), jq::array(3.0)).dtype() == jq::f64);
  CHECK(jq::lax::select(jq::asarray(true), jq::array(0.1), jq::array(2.f)).item<double>() == 0.1);
}
TEST_CASE("operand types: a weak literal takes the dtype of the array it meets") {
  CHECK(match_literal(2.5, make({1.0f})).dtype() == jq::f32);
  CHECK(match_literal(2.5, make({jq::float16(1.0f)})).item<float>() == 2.5f);
  CHECK(match_literal(2, make({1.0})).dtype() == jq::f64);
  CHECK(match_literal(true, make<std::uint8_t>({1})).item<int>() == 1);
  CHECK(match_literal(2.5, make<jq::complex64>({{1, 2}})).dtype() == jq::c64);
  CHECK_FALSE(match_literal(2.5, make({1.0f})).weak_type());
}
TEST_CASE("operand types: what would lose its kind, and strong values, stay as they are") {
  CHECK(match_literal(2.5, make({1})).dtype() == jq::f64);
  CHECK(match_literal(2, make({true})).dtype() == jq::i32);
  CHECK(match_literal(array(jq::literal(2.5)), make({1.0f})).dtype() == jq::f64);
  const array x = make({1.0f});
  CHECK(match_literal(x, make({1.0})).same_as(x));
}
TEST_CASE("operand types: two weak literals meet in the less precise of two floats, in the wider of two whole numbers") {
  CHECK(match_literal(2.5, 1.5f).dtype() == jq::f32);
  CHECK(match_literal(1.5f, 2.5).dtype() == jq::f32);
  CHECK(match_literal(2, std::int64_t(3)).dtype() == jq::i64);
  CHECK(match_literal(std::int64_t(3), 2).dtype() == jq::i64);
  CHECK(match_literal(jq::float16(1.0f), jq::bfloat16(1.0f)).dtype() == jq::f32);
  CHECK(match_literal(jq::bfloat16(1.0f), jq::float16(1.0f)).dtype() == jq::f32);
}
TEST_CASE("operand types: a scalar like another array") {
  CHECK(scalar_like(make({1.0f}), 0.5).aval() == jq::aval(jq::f32, {}));
  CHECK(scalar_like(make<jq::complex128>({{1, 2}}), 3).dtype() == jq::c128);
  CHECK(scalar_like(array(2.0), 1).weak_type());
}
TEST_CASE("operand types: what a set of dtypes is called") {
  CHECK(jq::detail::accepted(jq::numbers).view() == "integers, floating point, complex");
  CHECK(jq::detail::accepted(jq::ordered).view() == "bool, integers, floating point");
  CHECK(jq::detail::accepted(jq::signed_integers).view() == "signed integers");
}
