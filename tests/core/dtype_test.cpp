// dtypes: names, sizes, the C++ types that store them, and the whole promotion table of JAX's type promotion semantics
// (docs/type_promotion, 64-bit types on), weak types included.
#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include <complex>
#include <string>

namespace jq = jacquard;
using jq::dtype;
using jq::element_type;

namespace {

// JAX's order and abbreviations; a star is a weak type.
constexpr int kinds = 18;
constexpr const char* names[kinds] = {"b1", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8",
                                      "bf", "f2", "f4", "f8", "c4", "c8", "i*", "f*", "c*"};
constexpr element_type types[kinds] = {
    {jq::bool_, false}, {jq::u8, false},  {jq::u16, false}, {jq::u32, false}, {jq::u64, false},  {jq::i8, false},
    {jq::i16, false},   {jq::i32, false}, {jq::i64, false}, {jq::bf16, false}, {jq::f16, false}, {jq::f32, false},
    {jq::f64, false},   {jq::c64, false}, {jq::c128, false}, {jq::i64, true},  {jq::f64, true},  {jq::c128, true}};
constexpr std::string_view table[kinds] = {
    "b1 u1 u2 u4 u8 i1 i2 i4 i8 bf f2 f4 f8 c4 c8 i* f* c*",  // b1
    "u1 u1 u2 u4 u8 i2 i2 i4 i8 bf f2 f4 f8 c4 c8 u1 f* c*",  // u1
    "u2 u2 u2 u4 u8 i4 i4 i4 i8 bf f2 f4 f8 c4 c8 u2 f* c*",  // u2
    "u4 u4 u4 u4 u8 i8 i8 i8 i8 bf f2 f4 f8 c4 c8 u4 f* c*",  // u4
    "u8 u8 u8 u8 u8 f* f* f* f* bf f2 f4 f8 c4 c8 u8 f* c*",  // u8
    "i1 i2 i4 i8 f* i1 i2 i4 i8 bf f2 f4 f8 c4 c8 i1 f* c*",  // i1
    "i2 i2 i4 i8 f* i2 i2 i4 i8 bf f2 f4 f8 c4 c8 i2 f* c*",  // i2
    "i4 i4 i4 i8 f* i4 i4 i4 i8 bf f2 f4 f8 c4 c8 i4 f* c*",  // i4
    "i8 i8 i8 i8 f* i8 i8 i8 i8 bf f2 f4 f8 c4 c8 i8 f* c*",  // i8
    "bf bf bf bf bf bf bf bf bf bf f4 f4 f8 c4 c8 bf bf c4",  // bf
    "f2 f2 f2 f2 f2 f2 f2 f2 f2 f4 f2 f4 f8 c4 c8 f2 f2 c4",  // f2
    "f4 f4 f4 f4 f4 f4 f4 f4 f4 f4 f4 f4 f8 c4 c8 f4 f4 c4",  // f4
    "f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 c8 c8 f8 f8 c8",  // f8
    "c4 c4 c4 c4 c4 c4 c4 c4 c4 c4 c4 c4 c8 c4 c8 c4 c4 c4",  // c4
    "c8 c8 c8 c8 c8 c8 c8 c8 c8 c8 c8 c8 c8 c8 c8 c8 c8 c8",  // c8
    "i* u1 u2 u4 u8 i1 i2 i4 i8 bf f2 f4 f8 c4 c8 i* f* c*",  // i*
    "f* f* f* f* f* f* f* f* f* bf f2 f4 f8 c4 c8 f* f* c*",  // f*
    "c* c* c* c* c* c* c* c* c* c4 c4 c4 c8 c4 c8 c* c* c*",  // c*
};
constexpr element_type wanted(int row, int column) {
  const std::string_view cell = table[row].substr(std::size_t(3 * column), 2);
  for (int k = 0; k < kinds; ++k)
    if (cell == names[k]) return types[k];
  return {};
}
constexpr bool whole_table_holds() {
  for (int i = 0; i < kinds; ++i)
    for (int j = 0; j < kinds; ++j)
      if (jq::promote(types[i], types[j]) != wanted(i, j)) return false;
  return true;
}
static_assert(whole_table_holds());

}  // namespace

TEST_CASE("promotion: all pairs of 15 dtypes and 3 weak types") {
  for (int i = 0; i < kinds; ++i)
    for (int j = 0; j < kinds; ++j) {
      const element_type got = jq::promote(types[i], types[j]), want = wanted(i, j);
      INFO(names[i] << " and " << names[j] << ": got " << std::string(jq::name(got.type)) << (got.weak ? "*" : ""));
      CHECK(got == want);
    }
}
TEST_CASE("promotion: weak types of any size yield; among themselves they join") {
  for (dtype weak : {jq::i32, jq::i64, jq::u8, jq::bool_}) CHECK(jq::promote({jq::i8, false}, {weak, true}) == element_type{jq::i8, false});
  for (dtype weak : {jq::f16, jq::f32, jq::f64}) CHECK(jq::promote({jq::bf16, false}, {weak, true}) == element_type{jq::bf16, false});
  CHECK(jq::promote({jq::i32, true}, {jq::f32, true}) == element_type{jq::f32, true});
  CHECK(jq::promote({jq::i32, true}, {jq::i64, true}) == element_type{jq::i64, true});
  CHECK(jq::promote({jq::f32, false}, {jq::c64, true}) == element_type{jq::c64, false});
}
TEST_CASE("promotion: the dtypes of arrays that are added") {
  for (int i = 0; i < 15; ++i)
    for (int j = 0; j < 15; ++j) {
      if (types[i].type == jq::bool_ && types[j].type == jq::bool_) continue;  // + is not defined for bool
      const jq::array sum = jq::ones({2}, types[i].type) + jq::ones({2}, types[j].type);
      CHECK(sum.dtype() == wanted(i, j).type);
      CHECK(sum.weak_type() == wanted(i, j).weak);
    }
}
TEST_CASE("names, sizes, categories") {
  static_assert(jq::name(jq::bf16) == "bf16" && jq::long_name(jq::c128) == "complex128" && jq::name(jq::bool_) == "bool");
  static_assert(jq::size_of(jq::f16) == 2 && jq::size_of(jq::c64) == 8 && jq::size_of(jq::bool_) == 1);
  static_assert(jq::is_inexact(jq::c64) && jq::is_inexact(jq::bf16) && !jq::is_inexact(jq::i32) && !jq::is_inexact(jq::bool_));
  static_assert(jq::is_signed_integer(jq::i8) && jq::is_unsigned_integer(jq::u8) && !jq::is_integer(jq::bool_));
  static_assert(jq::real_dtype(jq::c128) == jq::f64 && jq::complex_dtype(jq::f64) == jq::c128 && jq::complex_dtype(jq::f16) == jq::c64);
  for (int k = 0; k < jq::dtype_count; ++k)
    jq::visit_dtype(dtype(k), [&]<class T>(std::type_identity<T>) {
      CHECK(jq::dtype_of<T>() == dtype(k));
      CHECK(sizeof(T) == jq::size_of(dtype(k)));
    });
}
TEST_CASE("C++ types that are numbers") {
  static_assert(jq::dtype_of<int>() == jq::i32 && jq::dtype_of<long>() == jq::i64 && jq::dtype_of<long long>() == jq::i64);
  static_assert(jq::dtype_of<unsigned long long>() == jq::u64 && jq::dtype_of<unsigned char>() == jq::u8);
  static_assert(jq::dtype_of<std::complex<float>>() == jq::c64 && jq::dtype_of<jq::complex128>() == jq::c128);
  static_assert(!jq::scalar<char> && !jq::scalar<long double> && !jq::scalar<char32_t> && !jq::scalar<void*>);
}
