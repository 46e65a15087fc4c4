// sub: values, wrapping integers, derivatives in both operands, batching with rank-0 operands, errors.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array difference(const array& a, const array& b) { return lax::sub(a, b); }
}  // namespace

static_assert(jq::sub_p::apply(std::int8_t(-128), std::int8_t(1)) == 127);

TEST_CASE("sub: values") {
  CHECK_CLOSE(difference(make({1.0, inf, inf, 2.0}), make({3.0, 1.0, inf, not_a_number})),
              make({-2.0, inf, not_a_number, not_a_number}), 0);
  CHECK_CLOSE(difference(make<std::uint8_t>({1, 2}), make<std::uint8_t>({2, 1})), make<std::uint8_t>({255, 1}), 0);
  CHECK_CLOSE(difference(make<std::int64_t>({INT64_MIN}), make<std::int64_t>({1})), make<std::int64_t>({INT64_MAX}), 0);
  const array z = difference(make<jq::complex128>({{1, 2}}), make<jq::complex128>({{3, -4}}));
  CHECK_CLOSE(z, make<jq::complex128>({{-2, 6}}), 0);
  check_dtypes(binary(difference), {make({1.5, 2.0}), make({-1.0, 3.0})}, jq::numbers);
}
TEST_CASE("sub: rank 0 and literals mix with arrays") {
  CHECK_CLOSE(difference(scalar(1.0f), make({1.0f, 2.0f})), make({0.0f, -1.0f}), 0);
  CHECK_CLOSE(lax::sub(make({1.0f, 2.0f}), 0.5), make({0.5f, 1.5f}), 0);
  CHECK_CLOSE(lax::sub(3.0, make({1.0f})), make({2.0f}), 0);
}
TEST_CASE("sub: derivative and batching") {
  const array a = make({1.0, 2.0}), b = make({3.0, 5.0}), s = scalar(2.0);
  for (const arrays& x : {arrays{a, b}, arrays{s, b}, arrays{a, s}}) {
    check_derivatives(binary(difference), x);
    check_batching(binary(difference), x);
  }
  const arrays back = cotangents(binary(difference), {s, b}, make({1.0, 10.0}));
  CHECK_CLOSE(back[0], scalar(11.0), 0);
  CHECK_CLOSE(back[1], make({-1.0, -10.0}), 0);
}
TEST_CASE("sub: refuses other dtypes and shapes") {
  CHECK_THROWS_WITH_AS(difference(make({1.0f}), make({1.0})),
                       doctest::Contains("sub requires arguments to have the same dtypes, got float32, float64"),
                       jq::type_error);
  CHECK_THROWS_WITH_AS(difference(make({1.0, 2.0}), make({1.0, 2.0, 3.0})),
                       doctest::Contains("sub got incompatible shapes for broadcasting: (2,), (3,)"), jq::shape_error);
}
