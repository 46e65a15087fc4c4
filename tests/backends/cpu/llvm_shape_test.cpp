// The shape of code: short rows that are small structures, read and written by whole vectors, and pairs whose order in registers is nobody's.
// Oracles: the interpreter, and the listing of the code.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/code_generator.hpp>
#include <jacquard/testing/comparison.hpp>

#include "../../show.hpp"

using jq::array;
using jq::slice;

namespace {

array data(const jq::shape& s, jq::dtype t) { return jq::random::normal(jq::random::key(s[0] * 7 + s[1]), s, t); }
template <class F>
void check_near(F f, const array& x) {
  const double unit = x.dtype() == jq::f64 ? 1e-13 : 4e-6;
  const array want = jq::jit(f, jq::backend("interpreter"))(x);
  for (const jq::precision& p : {jq::precision::fast, jq::precision::fast_math}) {
    const auto r = jq::testing::all_close(jq::jit(f, jq::backend("cpu"), p, jq::compile_at::first_call)(x), want, unit, unit);
    CHECK_MESSAGE(r.ok, r.text);
  }
  const auto strict = jq::testing::identical(jq::jit(f, jq::backend("cpu"), jq::precision::strict, jq::compile_at::first_call)(x), want);
  CHECK_MESSAGE(strict.ok, strict.text);
}
template <class F>
std::string code(F f, const array& x) {
  return jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call).lower(x).compile().as_text("llvm");
}
const int bytes = jq::cpu::code_generator::get() ? jq::cpu::code_generator::get()->target().bytes : 0;

array unit_rows(const array& a) { return a / jq::sqrt(jq::sum(a * a, 1, jq::keepdims)); }
array sums_and_differences(const array& a) {
  const array x = a(slice(), 0), y = a(slice(), 1);
  return jq::stack({x + 0.5 * y, x - y}, 1);
}

}  // namespace

TEST_CASE("shape: short rows, of any number") {
  for (const jq::dtype t : {jq::f32, jq::f64})
    for (const std::int64_t rows : {1, 63, 65, 128, 1001})
      for (const std::int64_t columns : {2, 3, 4, 5}) {
        const array x = data({rows, columns}, t);
        check_near(unit_rows, x);
        check_near([](array a) { return a - jq::mean(a, 1, jq::keepdims); }, x);
        check_near([](array a) { return 2.0 * a - jq::max(a, 1, jq::keepdims); }, x);
        check_near([](array a) { return jq::flip(a, 1) / jq::sum(a * a, 1, jq::keepdims); }, x);
        check_near([](array a) {
          const array s = jq::sum(a, 1, jq::keepdims);
          return jq::concatenate({a * s, a - s}, 1);
        }, x);
        check_near([](array a) { return a(slice(), slice(0, 2)) + jq::expand_dims(a(slice(), -1), 1); }, x);
      }
}
TEST_CASE("shape: rows that are structures are stored as whole vectors" * doctest::skip(bytes < 32)) {
  for (const std::int64_t columns : {2, 3, 4}) {
    const std::string c = code(unit_rows, jq::ones({256, columns}, jq::f32));
    INFO(c);
    CHECK(c.find("masked.store") == std::string::npos);
    CHECK(c.find("masked.scatter") == std::string::npos);
    CHECK(c.find("masked.gather") == std::string::npos);
  }
}
TEST_CASE("shape: pairs in any order, and where the order of lanes is somebody's") {
  for (const jq::dtype t : {jq::f32, jq::f64})
    for (const std::int64_t rows : {2, 7, 8, 33, 64, 1000}) {
      const array x = data({rows, 2}, t);
      check_near(sums_and_differences, x);
      check_near([](array a) { return jq::where(a > 0, a, 0.5 * jq::flip(a, 1)); }, x);
      check_near([](array a) { return a(slice(), 0) - 2.0 * a(slice(), 1); }, x);                                           // written side by side
      check_near([](array a) { return sums_and_differences(a) + jq::expand_dims(jq::arange(a.shape()[0]), 1); }, x);        // indices
      check_near([](array a) { return sums_and_differences(a) * jq::expand_dims(jq::sum(a, 1), 1); }, x);
      check_near([](array a) { return jq::stack({a(slice(), 1), jq::flip(a(slice(), 0), 0)}, 1); }, x);                     // backwards
      check_near([](array a) {
        const array z = jq::lax::complex(a(slice(), 0), a(slice(), 1)), w = z * z + z;
        return jq::stack({jq::real(w), jq::imag(w)}, 1);
      }, x);
    }
}
TEST_CASE("shape: pairs are shuffled within halves of registers of 32 bytes" * doctest::skip(bytes != 32)) {
  const std::string c = code(sums_and_differences, jq::ones({256, 2}, jq::f64));
  INFO(c);
  CHECK(c.find("<i32 0, i32 4, i32 2, i32 6>") != std::string::npos);  // as one instruction takes them
}
TEST_CASE("shape: distances between points and centres: vectors lie along what is written side by side") {
  for (const jq::dtype t : {jq::f32, jq::f64})
    for (const std::int64_t d : {1, 2, 3, 4, 7})
      for (const std::int64_t k : {1, 2, 3, 4, 7, 8, 12, 16, 33}) {
        const array points = data({130, d}, t);
        check_near([&](array x) { return jq::sum(jq::square(jq::expand_dims(x, 1) - x(slice(0, k))), -1); }, points);
        check_near([&](array x) { return jq::max(jq::expand_dims(x, 1) * x(slice(0, k)), -1); }, points);
      }
}
TEST_CASE("shape: distances to a few centres are no scattered stores" * doctest::skip(bytes < 32)) {
  for (const std::int64_t k : {4, 8, 16}) {
    const std::string c = code([&](array x) { return jq::sum(jq::square(jq::expand_dims(x, 1) - x(slice(0, k))), -1); }, jq::ones({5000, 4}, jq::f32));
    INFO(c);
    CHECK(c.find("masked.scatter") == std::string::npos);
  }
}
TEST_CASE("shape: rows of bytes and of words that end within a vector") {
  for (const jq::dtype t : {jq::u8, jq::i8, jq::u16, jq::i16})
    for (const std::int64_t n : {2, 3, 5, 8, 15, 17, 24, 31, 33, 47, 63, 70}) {
      const array x = jq::reshape((jq::arange(9 * n) * 37 % 251).astype(t), {9, n});
      const auto f = [n](array a) { return a(slice(), slice(0, n - 1)) + a(slice(), slice(1, n)) * 3; };
      CHECK(show(jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call)(x)) == show(jq::jit(f, jq::backend("interpreter"))(x)));
    }
}
TEST_CASE("shape: parts of rows of bytes are not loaded one by one" * doctest::skip(bytes != 32)) {
  const std::string c = code([](array a) { return a(slice(), slice(0, 30)) + a(slice(), slice(1, 31)); }, jq::ones({64, 31}, jq::u8));
  INFO(c);
  CHECK(c.find("masked.load") == std::string::npos);
}
