// numpy's names: the same as the operators; variants and comparisons of whole arrays against numpy's documentation.
#include <jacquard/numpy/names.hpp>

#include "numpy_testing.hpp"

static_assert(traced([](array x) { return jq::add(x, jq::multiply(x, 2.0)); }, {3}) == 2);

TEST_CASE("names of operators") {
  const array a = asarray({1.0, 2.0, 3.0}), b = asarray({3.0, 2.0, 1.0});
  CHECK(show(jq::add(a, b)) == show(a + b));
  CHECK(show(jq::subtract(a, 1)) == "f64[3] 0 1 2");
  CHECK(show(jq::multiply(a, b)) == "f64[3] 3 4 3");
  CHECK(show(jq::divide(asarray({1, 2}), 2)) == "f64[2] 0.5 1");
  CHECK(show(jq::true_divide(a, b)) == show(a / b));
  CHECK(show(jq::negative(a)) == "f64[3] -1 -2 -3");
  CHECK(show(jq::equal(a, b)) == "bool[3] 0 1 0");
  CHECK(show(jq::not_equal(a, b)) == "bool[3] 1 0 1");
  CHECK(show(jq::less(a, b)) == "bool[3] 1 0 0");
  CHECK(show(jq::less_equal(a, b)) == "bool[3] 1 1 0");
  CHECK(show(jq::greater(a, b)) == "bool[3] 0 0 1");
  CHECK(show(jq::greater_equal(a, b)) == "bool[3] 0 1 1");
  CHECK_ERROR(jq::shape_error, jq::add(a, jq::ones({2})), "add", "(3,)", "(2,)");
}
TEST_CASE("second names") {
  const array m = asarray({{1, 5}, {7, 2}});
  CHECK(show(jq::amax(m, 0)) == "i32[2] 7 5");
  CHECK(show(jq::amin(m)) == "i32[] 1");
  CHECK(show(jq::around(asarray({0.125, 2.5}), 2)) == "f64[2] 0.12 2.5");
  CHECK(show(jq::rint(asarray({0.5, 1.5, -1.7}))) == "f64[3] 0 2 -2");
  CHECK(show(jq::rint(m)) == "f64[2,2] 1 5 7 2");
  CHECK(show(jq::conjugate(asarray(jq::complex128(1, 2)))) == "c128[] 1-2i");
  CHECK(show(jq::copy(m)) == show(m));
  CHECK(show(jq::bitwise_invert(asarray({0, 5}))) == "i32[2] -1 -6");
  CHECK(show(jq::bitwise_left_shift(asarray({1, 3}), 2)) == "i32[2] 4 12");
  CHECK(show(jq::bitwise_right_shift(asarray({-8, 9}), 2)) == "i32[2] -2 2");
  CHECK(show(jq::concat({asarray({1}), asarray({2, 3})})) == "i32[3] 1 2 3");
  CHECK(show(jq::permute_dims(m, {1, 0})) == "i32[2,2] 1 7 5 2");
  CHECK(jq::matrix_transpose(jq::zeros({4, 2, 3})).shape() == jq::shape{4, 3, 2});
  CHECK(show(jq::empty({2}, jq::i32)) == "i32[2] 0 0");
  CHECK(jq::empty_like(m).aval() == m.aval());
  static_assert(jq::promote_types(jq::i32, jq::f32) == jq::promote({jq::i32, false}, {jq::f32, false}).type);
  CHECK(jq::result_type({asarray({1.f}), 2.0}) == jq::f32);
  CHECK(jq::result_type({asarray({1}), 2.0, asarray({1.0})}) == jq::f64);
  CHECK_ERROR(jq::value_error, jq::matrix_transpose(asarray({1, 2})), "axis", "dimension 1");
}
TEST_CASE("extremes that leave out NaN, running functions, complex order") {
  const array a = asarray({1.0, not_a_number, not_a_number, 4.0}), b = asarray({2.0, 3.0, not_a_number, -1.0});
  CHECK(show(jq::fmax(a, b)) == "f64[4] 2 3 nan 4");
  CHECK(show(jq::fmin(a, b)) == "f64[4] 1 3 nan -1");
  CHECK(show(jq::fmax(asarray({1, 5}), 3)) == "i32[2] 3 5");
  CHECK(show(jq::cumulative_sum(asarray({1, 2, 3}), jq::none, true)) == "i32[4] 0 1 3 6");
  CHECK(show(jq::cumulative_prod(asarray({{1.0, 2.0}, {3.0, 4.0}}), 1)) == "f64[2,2] 1 2 3 12");
  CHECK(show(jq::cumulative_prod(asarray({{1.0, 2.0}, {3.0, 4.0}}), 0, true)) == "f64[3,2] 1 1 1 2 3 8");
  CHECK_ERROR(jq::value_error, jq::cumulative_sum(jq::ones({2, 2})), "cumulative_sum", "(2, 2)", "no axis");
  CHECK(show(jq::sort_complex(asarray({3, 1, 2}))) == "c64[3] 1+0i 2+0i 3+0i");
}
static_assert(jq::broadcast_shapes({{3, 1}, {4}, {}}) == jq::shape{3, 4});
TEST_CASE("broadcast_shapes") {
  CHECK(jq::broadcast_shapes({{2, 1, 5}, {7, 1}}) == jq::shape{2, 7, 5});
  CHECK(jq::broadcast_shapes({}).rank() == 0);
  CHECK_ERROR(jq::shape_error, jq::broadcast_shapes({{2, 3}, {2}}), "broadcast_shapes", "(2, 3)", "(2,)");
}
TEST_CASE("comparisons of whole arrays") {
  const array z = asarray({jq::complex128(1, 0), jq::complex128(0, 2)});
  CHECK(show(jq::iscomplex(z)) == "bool[2] 0 1");
  CHECK(show(jq::isreal(z)) == "bool[2] 1 0");
  CHECK(show(jq::isreal(asarray({1, 2}))) == "bool[2] 1 1");
  CHECK(jq::iscomplexobj(z));
  CHECK(jq::isrealobj(asarray({1})));
  CHECK(bool(jq::array_equal(asarray({1, 2}), asarray({1.0, 2.0}))));
  CHECK(!bool(jq::array_equal(asarray({1, 2}), asarray({1, 2, 3}))));
  CHECK(!bool(jq::array_equal(asarray({1.0, not_a_number}), asarray({1.0, not_a_number}))));
  CHECK(bool(jq::array_equal(asarray({1.0, not_a_number}), asarray({1.0, not_a_number}), true)));
  CHECK(bool(jq::array_equiv(asarray({1, 2}), asarray({{1, 2}, {1, 2}}))));
  CHECK(!bool(jq::array_equiv(asarray({1, 2}), asarray({1, 2, 3}))));
}
static_assert(jq::add(1, 2.5) == 3.5 && jq::subtract(1, 3) == -2 && jq::multiply(2.f, 3) == 6.f && jq::divide(1, 2) == 0.5 && jq::true_divide(1.f, 2.f) == 0.5f);
static_assert(std::is_same_v<decltype(jq::add(std::int8_t(1), std::int8_t(2))), std::int8_t> && std::is_same_v<decltype(jq::divide(1, 2)), double>);
static_assert(jq::equal(2, 2.0) && !jq::not_equal(2, 2.0) && jq::less(1, 2) && jq::less_equal(2, 2) && jq::greater(3.f, 2) && jq::greater_equal(2, 2u) && jq::less(-1, 2u));
static_assert(jq::negative(3) == -3 && jq::rint(2.5) == 2 && jq::conjugate(2.0) == 2 && jq::fmax(1.0, std::numeric_limits<double>::quiet_NaN()) == 1 && jq::fmin(1, 2.5) == 1);
