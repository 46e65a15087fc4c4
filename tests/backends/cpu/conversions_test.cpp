// Floating point to whole numbers in compiled kernels: what lies outside becomes the nearest number of the dtype, NaN becomes 0.
// Oracle: the interpreter.
#include "same.hpp"

#include <limits>

using jq::array;

TEST_CASE("cpu: floating point to whole numbers of all widths") {
  const double inf = std::numeric_limits<double>::infinity();
  const array special = jq::asarray({0.0, -0.0, 0.5, -0.5, 0.99, -0.99, 1.5, 127.0, 127.9, 128.0, -128.0, -128.9, -129.0, 254.9, 255.0, 255.5, 256.0, 32767.5, 32768.0, -32768.5, -32769.0, 65535.0,
                                     65535.5, 65536.0, 2147483647.0, 2147483648.0, -2147483649.0, 4294967296.0, 1e10, -1e10, 1e30, -1e30, inf, -inf, std::numeric_limits<double>::quiet_NaN(), 3.0});
  const array many = jq::concatenate({special, jq::random::normal(jq::random::key(2), {1000}).astype(jq::f64) * 200.0});
  for (const jq::dtype from : {jq::f64, jq::f32, jq::f16, jq::bf16})
    for (const jq::dtype to : {jq::u8, jq::i8, jq::u16, jq::i16, jq::u32, jq::i32, jq::u64, jq::i64}) {
      CHECK_SAME([=](array x) { return x.astype(to); }, many.astype(from));
      CHECK_SAME([=](array x) { return x.astype(to); }, special(jq::slice(30, 35)).astype(from));
    }
}
