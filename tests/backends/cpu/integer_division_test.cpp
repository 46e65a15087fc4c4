// Integers divided by numbers of the program, and remainders of floats: part of fused loops on both tiers, with the results of the interpreter.
#include <limits>
#include <string>

#include "same.hpp"

using jq::array;

namespace {

template <class T>
array numbers(std::int64_t n) {
  std::vector<T> x;
  std::uint64_t state = 7;
  for (std::int64_t i = 0; i < n; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    x.push_back(T(state >> (i % 61)));
  }
  if (n > 3) x[0] = std::numeric_limits<T>::min(), x[1] = std::numeric_limits<T>::max(), x[2] = T(-1), x[3] = 0;
  return jq::asarray(x);
}

}  // namespace

TEST_CASE_TEMPLATE("quotients and remainders by numbers of the program are those of the interpreter", T, std::int8_t, std::int16_t, std::int32_t,
                   std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t) {
  using limits = std::numeric_limits<T>;
  for (const std::int64_t n : {1, 37, 1000}) {
    CHECK_SAME(
        [](const array& x) {
          std::vector<array> all;
          for (const T d : {T(0), T(1), T(2), T(3), T(7), T(10), T(64), T(100), T(-1), T(-3), T(-16), T(limits::max() - 1), limits::max(), limits::min()}) {
            const array by = array(jq::literal(d));
            all.push_back(jq::lax::div(x, by) + jq::lax::rem(x, by));
            all.push_back(jq::floor_divide(x, by) ^ jq::remainder(x, by));
          }
          return all;
        },
        numbers<T>(n));
  }
}
TEST_CASE("remainders of floats are those of the interpreter, within loops") {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const array special = jq::asarray({0.0, -0.0, inf, -inf, nan, 1e300, -5e-324, 6.0, -6.0, 3.0, 0.1, -7.25});
  for (jq::dtype t : {jq::f16, jq::bf16, jq::f32, jq::f64}) {
    CAPTURE(jq::name(t));
    const array a = jq::repeat(special, 12).astype(t), b = jq::tile(special, 12).astype(t);
    const auto f = [](const array& x, const array& y) {
      const auto plain = [](const array& r) { return jq::where(jq::isnan(r), 99, r); };  // a NaN of bfloat16 may have either sign
      return std::tuple{plain(jq::lax::rem(x, y)), plain(jq::remainder(x, y) * 2), plain(jq::fmod(x, 3.0) - x)};
    };
    CHECK_SAME(f, a, b);
  }
  const std::string loops = jq::jit([](const array& x) { return jq::sin(jq::mod(x * 3, 1.0)); }, jq::backend("cpu")).lower(special).compile().as_text("loops");
  CHECK(loops.find("kernel 0") != std::string::npos);
  CHECK(loops.find("kernel 1") == std::string::npos);
}
TEST_CASE("they run within loops, not by themselves") {
  const auto hash = [](const array& x) { return jq::lax::rem(x * 31 + 7, array(jq::literal(std::int64_t(1009)))) + jq::lax::div(x, array(jq::literal(std::int64_t(-12)))); };
  const auto program = jq::jit(hash, jq::backend("cpu")).lower(numbers<std::int64_t>(100)).compile();
  const std::string loops = program.as_text("loops");
  CHECK(loops.find("kernel 0") != std::string::npos);
  CHECK(loops.find("kernel 1") == std::string::npos);
  CHECK(loops.find("rem") == std::string::npos);
}
