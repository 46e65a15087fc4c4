// Extremes of complex numbers next to what numpy 1.24 gives: the order, equal parts, NaN in either part, infinities, axes, indices,
// derivatives of the element that was chosen, both lanes.
#include <cmath>
#include <limits>

#include <jacquard/testing/comparison.hpp>

#include "numpy_testing.hpp"

using z128 = jq::complex128;

static_assert(traced([](array x) { return jq::max(jq::lax::complex(x, x)); }, {3}) > 0);
static_assert(traced([](array x) { return jq::maximum(jq::lax::complex(x, x), x); }, {3}) > 0);

namespace {

array table() { return asarray({{z128(1, 2), z128(3, -1), z128(3, 0)}, {z128(-2, 5), z128(-2, 4), z128(1, 9)}}); }
bool both_nan(const array& x) { return jq::all(jq::isnan(jq::real(x)) & jq::isnan(jq::imag(x))).item<bool>(); }

}  // namespace

TEST_CASE("max and min: by the real part, then the imaginary one, over all axes and along one") {
  CHECK(jq::max(table()).item<z128>() == z128(3, 0));
  CHECK(jq::min(table()).item<z128>() == z128(-2, 4));
  CHECK(jq::testing::identical(jq::max(table(), 1), asarray({z128(3, 0), z128(1, 9)})).ok);
  CHECK(jq::testing::identical(jq::min(table(), 0), asarray({z128(-2, 5), z128(-2, 4), z128(1, 9)})).ok);
  CHECK(jq::max(table(), 1, jq::keepdims).shape() == jq::shape{2, 1});
  CHECK(jq::max(table().astype(jq::c64)).dtype() == jq::c64);
  CHECK(jq::max(asarray({z128(-inf, -inf), z128(-inf, -inf)})).item<z128>() == z128(-inf, -inf));
  CHECK(jq::max(asarray({z128(inf, 1), z128(inf, -inf), z128(0, inf)})).item<z128>() == z128(inf, 1));
  CHECK(jq::ptp(table()).item<z128>() == z128(5, -4));
  CHECK_ERROR(jq::value_error, jq::max(jq::zeros({0}, jq::c64)), "max", "zero-size");
}
TEST_CASE("an extreme is one of the elements, also of many equal ones, large ones and negative zeros") {
  const array tenths = asarray({z128(0.1, 0), z128(0.1, 0), z128(0.1, 0)}), large = asarray({z128(1e308, -1e308), z128(1e308, -1e308)});
  CHECK(jq::max(tenths).item<z128>() == z128(0.1, 0));
  CHECK(jq::min(tenths).item<z128>() == z128(0.1, 0));
  CHECK(jq::max(large).item<z128>() == z128(1e308, -1e308));
  CHECK(jq::min(large).item<z128>() == z128(1e308, -1e308));
  CHECK(jq::jit([](const array& x) { return jq::max(x); })(tenths).item<z128>() == z128(0.1, 0));
  CHECK(std::signbit(jq::real(jq::max(asarray({z128(-0.0, 0), z128(-1, 0)}))).item<double>()));
}
TEST_CASE("NaN in either part of any element, or of either operand, wins") {
  for (z128 bad : {z128(not_a_number, 0), z128(0, not_a_number), z128(-5, not_a_number)}) {
    const array x = asarray({z128(1, 1), bad, z128(2, 0)});
    CHECK(both_nan(jq::max(x)));
    CHECK(both_nan(jq::min(x)));
    CHECK(jq::argmax(x).item<std::int64_t>() == 1);
    CHECK(jq::argmin(x).item<std::int64_t>() == 1);
    for (const array& y : {jq::maximum(array(bad), array(z128(7, 7))), jq::maximum(array(z128(7, 7)), array(bad)), jq::minimum(array(z128(-7, 7)), array(bad))})
      CHECK((std::isnan(y.item<z128>().real()) || std::isnan(y.item<z128>().imag())));
  }
}
TEST_CASE("maximum and minimum, with promotion and broadcasting; clip") {
  CHECK(jq::testing::identical(jq::maximum(table(), z128(1, 5)), asarray({{z128(1, 5), z128(3, -1), z128(3, 0)}, {z128(1, 5), z128(1, 5), z128(1, 9)}})).ok);
  CHECK(jq::testing::identical(jq::minimum(asarray({1.0, 4.0}), asarray({z128(1, -1), z128(4, 1)})), asarray({z128(1, -1), z128(4, 0)})).ok);
  CHECK(jq::testing::identical(jq::clip(table(), 0.0, 2.0), asarray({{z128(1, 2), z128(2, 0), z128(2, 0)}, {z128(0, 0), z128(0, 0), z128(1, 9)}})).ok);
  CHECK_ERROR(jq::shape_error, jq::maximum(table(), jq::zeros({4}, jq::c64)), "max", "(2, 3)");
}
TEST_CASE("argmax and argmin: the first of equal ones") {
  CHECK(show(jq::argmax(table(), 1)) == "i64[2] 2 2");
  CHECK(show(jq::argmin(table(), 1)) == "i64[2] 0 1");
  CHECK(jq::argmax(table()).item<std::int64_t>() == 2);
  CHECK(jq::argmax(asarray({z128(1, 1), z128(2, 0), z128(2, 0)})).item<std::int64_t>() == 1);
  CHECK_ERROR(jq::value_error, jq::argmax(jq::zeros({2, 0}, jq::c64), 1), "argmax", "non-empty");
}
TEST_CASE("the derivative is that of the element that was chosen, shared among equal ones; under vmap and jit") {
  const array z = asarray({z128(3, 1), z128(3, 2), z128(-1, 9)}), t = asarray({z128(1, 0), z128(0, 2), z128(5, 5)});
  const auto largest = [](const array& v) { return jq::max(v); };
  CHECK(jq::jvp(largest, jq::primals(z), jq::tangents(t)).second.item<z128>() == z128(0, 2));
  CHECK(jq::jvp(largest, jq::primals(asarray({z128(3, 1), z128(3, 1)})), jq::tangents(asarray({z128(1, 0), z128(0, 2)}))).second.item<z128>() == z128(0.5, 1));
  const auto one_of = [&](const array& v) { return jq::maximum(v, asarray({z128(3, 0), z128(4, 0), z128(-2, 0)})); };
  CHECK(jq::testing::identical(jq::jvp(one_of, jq::primals(z), jq::tangents(t)).second, asarray({z128(1, 0), z128(0, 0), z128(5, 5)})).ok);
  CHECK(jq::testing::identical(jq::vmap(largest)(table()), jq::max(table(), 1)).ok);
  CHECK(jq::jit(largest)(z).item<z128>() == z128(3, 2));
}
