// The handle: kinds, copies and moves, identity, types, elements, conversions, errors of reading.
#include <jacquard/core/array.hpp>

#include <complex>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include "../show.hpp"

using jq::array_kind;

static_assert(jq::array().is_none() && jq::array(2.0).kind() == array_kind::literal && jq::array(2.0).weak_type());
static_assert(jq::array(3).item<double>() == 3.0 && double(jq::array(2.5f)) == 2.5 && bool(jq::array(true)));
static_assert(jq::array(2.0).same_as(jq::array(2.0)) && !jq::array(2.0).same_as(jq::array(2.f)));
static_assert(!std::is_convertible_v<jq::array, double> && std::is_constructible_v<double, jq::array>);

TEST_CASE("copies share the buffer, moves leave an empty handle") {
  jq::array x = jq::asarray({1.f, 2.f});
  jq::array y = x;
  CHECK(y.same_as(x));
  CHECK(x.as_buffer()->references == 2);
  jq::array z = std::move(y);
  CHECK(y.is_none());
  CHECK(z.same_as(x));
  jq::array& itself = z;
  z = itself;
  CHECK(z.same_as(x));
  jq::array& alias = z;
  z = std::move(alias);
  CHECK(z.same_as(x));
  z = jq::array();
  CHECK(x.as_buffer()->references == 1);
  CHECK_FALSE(x.same_as(jq::asarray({1.f, 2.f})));
}

TEST_CASE("a handle that is given another buffer lets go of what it held") {
  const jq::aval type(jq::f32, {2});
  const jq::array first(jq::make_buffer(type));
  jq::array x = first;
  CHECK(first.as_buffer()->is_shared());
  jq::buffer* const other = jq::make_buffer(type);
  x.reset(other);
  CHECK_FALSE(first.as_buffer()->is_shared());
  CHECK(x.as_buffer() == other);
  CHECK_FALSE(other->is_shared());
  jq::array y(3.0f);
  y.reset(jq::make_buffer(type));
  CHECK(y.shape() == jq::shape{2});
}
TEST_CASE("types") {
  const jq::array x = jq::asarray({{1, 2, 3}, {4, 5, 6}});
  CHECK(x.shape() == jq::shape{2, 3});
  CHECK(x.dtype() == jq::i32);
  CHECK(x.ndim() == 2);
  CHECK(x.size() == 6);
  CHECK_FALSE(x.weak_type());
  CHECK(x.is_concrete());
  CHECK_FALSE(x.is_tracer());
  CHECK(jq::array(1).aval() == jq::aval(jq::i32, {}, true));
  CHECK(jq::asarray(1).aval() == jq::aval(jq::i32, {}));
}

TEST_CASE("elements") {
  const jq::array x = jq::asarray({1.5, 2.5});
  CHECK(x.data<double>()[1] == 2.5);
  CHECK(jq::array(7).data<std::int32_t>()[0] == 7);
  CHECK(jq::asarray({std::complex<float>(1, 2)}).data<std::complex<float>>()[0].imag() == 2);
  CHECK(jq::asarray({std::complex<float>(1, 2)}).data<jq::complex64>()[0].imag() == 2);
  CHECK(jq::zeros({0}).data<float>().empty());
}

namespace {
constexpr jq::array constant_half(0.5), constant_third(1.0f / 3), constant_five(std::int8_t(-5)), constant_yes(true);
constexpr jq::array constant_z(jq::literal(jq::complex64(1.5f, -2.0f))), constant_w(jq::literal(jq::complex128(0.1, 1e300)));
template <class T>
void check_number(T v) {
  const jq::array x{jq::literal(v)};
  CAPTURE(jq::name(x.dtype()));
  const std::span<const T> e = x.data<T>();
  REQUIRE(e.size() == 1);
  CHECK(e[0] == v);
  CHECK(x.kind() == jq::array_kind::literal);  // reading changes nothing
  CHECK(x.data<T>().data() == e.data());
  CHECK(x.as_literal() == jq::literal(v));
  const jq::array stored = x.materialised(), moved = jq::array(x);
  CHECK(stored.as_buffer() != nullptr);
  CHECK(stored.data<T>()[0] == v);
  CHECK(moved.data<T>()[0] == v);
}
}  // namespace
TEST_CASE("the element of a number lies in the array itself, of constants too") {
  CHECK(constant_half.data<double>()[0] == 0.5);
  CHECK(constant_third.data<float>()[0] == 1.0f / 3);
  CHECK(constant_five.data<std::int8_t>()[0] == -5);
  CHECK(constant_yes.data<bool>()[0]);
  CHECK(constant_z.data<jq::complex64>()[0] == jq::complex64(1.5f, -2.0f));
  CHECK(constant_w.data<std::complex<double>>()[0] == std::complex<double>(0.1, 1e300));
  check_number(true);
  check_number(std::int8_t(-128));
  check_number(std::uint8_t(200));
  check_number(std::int16_t(-12345));
  check_number(std::uint16_t(54321));
  check_number(std::int32_t(-123456789));
  check_number(std::uint32_t(4000000000u));
  check_number(std::int64_t(-1) << 62);
  check_number(~std::uint64_t(0));
  check_number(jq::float16(1.5f));
  check_number(jq::bfloat16(-2.25f));
  check_number(1e-40f);  // denormal
  check_number(-0.1);
  check_number(jq::complex64(3.25f, -1e-3f));
  check_number(jq::complex128(-1.0 / 3, 2.0 / 3));
  CHECK(std::signbit(jq::array(-0.0).data<double>()[0]));
  CHECK_THROWS_AS((void)constant_half.data<float>(), jq::type_error);
}

TEST_CASE("conversion of one element, whatever the rank and dtype") {
  CHECK(float(jq::asarray({{2.25}})) == 2.25f);
  CHECK(int(jq::asarray(-2.75)) == -2);
  CHECK(jq::asarray({jq::bfloat16(1.5f)}).item<double>() == 1.5);
  CHECK(jq::item<float>(jq::asarray(3)) == 3.f);
  CHECK(jq::item<float>(3) == 3.f);
  if (jq::asarray({1, 2}).size() == 2 && jq::asarray(1) > jq::asarray(0)) CHECK(true);
}

TEST_CASE("what cannot be read says why") {
  const jq::array x = jq::asarray({1.f, 2.f});
  const auto item = testing::message_of<jq::value_error>([&] { (void)float(x); });
  CHECK(item.find("(2,)") != std::string::npos);
  CHECK(item.find("one element") != std::string::npos);
  const auto data = testing::message_of<jq::type_error>([&] { (void)x.data<double>(); });
  CHECK(data.find("float32") != std::string::npos);
  CHECK(data.find("float64") != std::string::npos);
  const jq::array z = jq::asarray({jq::complex128(1, 2)});
  CHECK(testing::message_of<jq::type_error>([&] { (void)z.item<double>(); }).find("complex128") != std::string::npos);
  CHECK(testing::message_of<jq::type_error>([&] { (void)int(jq::array(jq::complex64(1, 2))); }).find("imaginary part") != std::string::npos);
  CHECK(jq::asarray({jq::complex128(1, 0)}).item<double>() == 1);
  CHECK((z.item<bool>() && z.item<jq::complex64>() == jq::complex64(1, 2)));
  CHECK_THROWS_AS((void)jq::array().item<float>(), jq::type_error);
  CHECK_THROWS_AS((void)jq::array().data<float>(), jq::type_error);
  CHECK_THROWS_AS((void)jq::zeros({0}).item<float>(), jq::value_error);
  CHECK_THROWS_AS(jq::array() + 1.0, jq::type_error);
}

TEST_CASE("a deleted array throws on every touch, its type stays known") {
  const jq::array x = jq::asarray({1.f, 2.f});
  x.as_buffer()->remove({"here.cpp", 3});
  CHECK(x.is_deleted());
  CHECK(x.shape() == jq::shape{2});
  CHECK_THROWS_AS((void)x.data<float>(), jq::deleted_error);
  CHECK_THROWS_AS((void)x.block_until_ready(), jq::deleted_error);
  CHECK_THROWS_AS(x + 1.f, jq::deleted_error);
  CHECK_THROWS_AS(jq::grad([&](jq::array a) { return total(a * x); })(jq::asarray({1.f, 2.f})), jq::deleted_error);
  CHECK_THROWS_AS((void)jq::to_string(x), jq::deleted_error);
  const jq::array one = jq::asarray(1.f);
  one.as_buffer()->remove({});
  CHECK_THROWS_AS((void)float(one), jq::deleted_error);
}

TEST_CASE("block_until_ready returns the array") {
  const jq::array x = jq::asarray({1.f});
  CHECK(&x.block_until_ready() == &x);
}

TEST_CASE("results of eval_shape have a type and no value") {
  const jq::array s = jq::eval_shape([](jq::array x) { return x * 2.f; })(jq::zeros({3}));
  CHECK(s.aval() == jq::aval(jq::f32, {3}));
  CHECK_THROWS_AS((void)s.data<float>(), jq::value_error);
  CHECK_THROWS_AS((void)s.item<float>(), jq::value_error);
  CHECK_THROWS_AS(s + 1.f, jq::value_error);
  CHECK_THROWS_AS(jq::grad([](jq::array x) { return total(x); })(s), jq::value_error);
  CHECK(jq::to_string(s) == "ShapeDtypeStruct(shape=(3,), dtype=float32)");
}

namespace {
/// Where the compiler would compute what it can.
const int of_namespace = jq::asarray(7).item<int>();
}  // namespace
TEST_CASE("numbers of computed arrays in initialisers that might be constants") {
  const int seven = jq::asarray(7).item<int>();
  const bool more = bool(jq::asarray(2.0) > 1.0), same = bool(jq::all(jq::asarray({1, 2}) == jq::asarray({1, 2})));
  static const int sum = jq::sum(jq::asarray({1, 2})).item<int>();
  const int slope = jq::grad([](const jq::array& x) { return x * x; })(jq::array(3.0)).item<int>();
  CHECK((seven == 7 && more && same && of_namespace == 7 && sum == 3 && slope == 6));
  const auto wrong = [] {
    const int e = (jq::asarray({1, 2}) + jq::asarray({1, 2, 3})).item<int>();
    return e;
  };
  CHECK_THROWS_AS(wrong(), jq::shape_error);
}
