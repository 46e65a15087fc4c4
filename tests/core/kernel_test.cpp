// Interpreter kernels: every dtype through the narrow set of compute types, tiles, scalar operands, conversions.
#include <jacquard/core/kernel.hpp>

#include <cmath>
#include <limits>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include "../show.hpp"

static_assert(jq::contains(jq::numbers, jq::bf16) && !jq::contains(jq::numbers, jq::bool_) && jq::contains(jq::bits, jq::u8));
static_assert(jq::compute_of(jq::f16) == jq::compute::single && jq::compute_of(jq::i8) == jq::compute::signed_);
static_assert(jq::storage_of(jq::compute::complex) == jq::c128);
static_assert((jq::signed_integers | jq::floats) == 10);

namespace {
template <class From, class To>
To converted(From v) {
  To r{};
  jq::detail::convert_elements(jq::dtype_of<From>(), &v, jq::dtype_of<To>(), &r, 1);
  return r;
}
}  // namespace

TEST_CASE("elementwise kernels give the same in every dtype") {
  for (int i = 1; i < jq::dtype_count; ++i) {
    const auto t = jq::dtype(i);
    CAPTURE(std::string(jq::name(t)));
    const jq::array x = lax::convert_element_type(jq::asarray({1, 2, 3}), t);
    const jq::array y = lax::add(lax::mul(x, x), x);
    CHECK(y.dtype() == t);
    CHECK(show(lax::convert_element_type(y, jq::i32)) == "i32[3] 2 6 12");
  }
}

TEST_CASE("all lengths around the tile size, with and without scalar operands") {
  for (std::int64_t n : {0, 1, 2, 511, 512, 513, 1024, 1500}) {
    CAPTURE(n);
    const jq::array x = jq::arange(n, jq::i16), s = jq::asarray(std::int16_t(3));
    const jq::array a = lax::add(x, s), b = lax::sub(s, x);
    bool good = true;
    for (std::int64_t i = 0; i < n; ++i)
      good = good && a.data<std::int16_t>()[std::size_t(i)] == i + 3 && b.data<std::int16_t>()[std::size_t(i)] == 3 - i;
    CHECK(good);
  }
  CHECK(show(lax::add(jq::asarray({5}), jq::asarray(2))) == "i32[1] 7");
}

TEST_CASE("integers wrap at their own width") {
  CHECK(show(lax::add(jq::asarray({std::uint8_t(250)}), jq::asarray({std::uint8_t(10)}))) == "u8[1] 4");
  CHECK(show(lax::mul(jq::asarray({std::int8_t(100)}), jq::asarray({std::int8_t(2)}))) == "i8[1] -56");
  const std::int64_t big = std::numeric_limits<std::int64_t>::max();
  CHECK(lax::add(jq::asarray(big), jq::asarray(std::int64_t(1))).item<std::int64_t>() == std::numeric_limits<std::int64_t>::min());
  CHECK(lax::add(jq::asarray(std::uint64_t(-1)), jq::asarray(std::uint64_t(2))).item<std::uint64_t>() == 1);
}

TEST_CASE("half precision rounds after each operation") {
  const jq::array x = jq::asarray({jq::float16(2048)}), one = jq::asarray({jq::float16(1)});
  CHECK(show(lax::add(lax::add(x, one), one)) == "f16[1] 2048");
  CHECK(std::isinf(lax::mul(x, x).item<float>()));
}

TEST_CASE("conversions are numpy's, and saturate where C++ is undefined") {
  CHECK(converted<double, std::int32_t>(-2.9) == -2);
  CHECK(converted<double, std::int32_t>(1e300) == std::numeric_limits<std::int32_t>::max());
  CHECK(converted<float, std::int8_t>(-1e10f) == std::numeric_limits<std::int8_t>::min());
  CHECK(converted<double, std::uint64_t>(std::nan("")) == 0);
  CHECK(converted<std::int32_t, std::uint8_t>(-1) == 255);
  CHECK(converted<double, bool>(0.5));
  CHECK_FALSE(converted<jq::complex64, bool>({0, 0}));
  CHECK(converted<jq::complex128, float>({2, 3}) == 2.f);
  CHECK(converted<bool, jq::complex64>(true).real() == 1.f);
  CHECK(converted<jq::bfloat16, jq::float16>(jq::bfloat16(1.5f)) == jq::float16(1.5f));
  CHECK(converted<std::uint64_t, double>(std::uint64_t(-1)) == 0x1p64);
}
