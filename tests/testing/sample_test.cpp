// Samples: reproducible, in range, of every dtype.
#include "wrong_prims.hpp"

#include <jacquard/testing/comparison.hpp>
#include <jacquard/testing/sample.hpp>

#include <algorithm>
#include <set>

namespace jq = jacquard;
using jq::testing::elements;

TEST_CASE("the same seed gives the same array, another seed another one") {
  for (int t = 0; t < jq::dtype_count; ++t) {
    const jq::aval type(jq::dtype(t), {4, 5});
    CHECK(jq::testing::identical(jq::testing::sample(type, 3), jq::testing::sample(type, 3)));
    CHECK(!jq::testing::identical(jq::testing::sample(type, 3), jq::testing::sample(type, 4)));
  }
  CHECK(jq::testing::sample({jq::f64, {}}, 1).item<double>() == jq::testing::sample({jq::f64, {3}}, 1).data<double>()[0]);
}
TEST_CASE("numbers lie in the range, whole ones for integers, none below zero for unsigned ones") {
  for (int t = 0; t < jq::dtype_count; ++t) {
    const jq::dtype type = jq::dtype(t);
    const jq::array x = jq::testing::sample({type, {200}}, 1, -3, 2);
    CHECK(x.dtype() == type);
    double low = 9, high = -9;
    for (const jq::complex128& v : elements(x)) low = std::min(low, v.re), high = std::max(high, v.re);
    const bool no_sign = jq::is_boolean(type) || jq::is_unsigned_integer(type);
    CHECK(low >= (no_sign ? 0 : -3));
    CHECK(low <= (no_sign ? 0 : -2.8));
    CHECK(high >= (jq::is_boolean(type) ? 1 : 1.8));
    CHECK(high <= (jq::is_boolean(type) ? 1 : 2));
  }
}
TEST_CASE("distinct numbers are distinct and never whole") {
  for (const jq::dtype type : {jq::f16, jq::bf16, jq::f32, jq::f64, jq::i8, jq::u8}) {
    std::set<double> seen;
    for (const jq::complex128& v : elements(jq::testing::distinct({type, {8, 8}}, 5))) {
      seen.insert(v.re);
      if (jq::is_inexact(type)) CHECK(v.re != double(int(v.re)));
    }
    CHECK(seen.size() == 64);
  }
}
TEST_CASE("picked numbers come from the list") {
  const double list[] = {-1, 7};
  for (const jq::complex128& v : elements(jq::testing::picked({jq::i32, {50}}, 1, list))) CHECK((v.re == -1 || v.re == 7));
}
TEST_CASE("directions of integers are zeros of dtype bool") {
  CHECK(jq::testing::direction(jq::zeros({3}, jq::f32), 1).dtype() == jq::f32);
  CHECK(jq::testing::identical(jq::testing::direction(jq::zeros({3}, jq::i32), 1), jq::zeros({3}, jq::bool_)));
}
