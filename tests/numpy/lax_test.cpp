// Functions of jax.lax made of others: against the functions they stand for, the published hash, errors.
#include <jacquard/numpy/lax.hpp>

#include "numpy_testing.hpp"

static_assert(traced([](array x) { return lax::slice_in_dim(lax::collapse(x, 0), 1, -1); }, {2, 3}) == 2);

TEST_CASE("second names") {
  CHECK(show(lax::reciprocal(asarray({2.0, 4.0}))) == "f64[2] 0.5 0.25");
  CHECK(show(lax::bitwise_and(asarray({6}), asarray({3}))) == "i32[1] 2");
  CHECK(show(lax::bitwise_or(asarray({6}), asarray({3}))) == "i32[1] 7");
  CHECK(show(lax::bitwise_xor(asarray({6}), asarray({3}))) == "i32[1] 5");
  CHECK(show(lax::bitwise_not(asarray({6}))) == "i32[1] -7");
  CHECK(lax::betainc(asarray(2.0), asarray(3.0), asarray(0.4)).item<double>() == doctest::Approx(0.5248));
  CHECK(show(lax::broadcasted_iota(jq::i32, {2, 2}, 0)) == "i32[2,2] 0 0 1 1");
}
TEST_CASE("shapes and parts") {
  const array x = jq::reshape(jq::arange(12), {2, 3, 2});
  CHECK(lax::broadcast(x, {4, 5}).shape() == jq::shape{4, 5, 2, 3, 2});
  CHECK(lax::expand_dims(x, {0, -1}).shape() == jq::shape{1, 2, 3, 2, 1});
  CHECK(lax::collapse(x, 1).shape() == jq::shape{2, 6});
  CHECK(lax::collapse(x, 0, 2).shape() == jq::shape{6, 2});
  CHECK(show(lax::slice_in_dim(x, 1, jq::none, 1, 1)) == show(x(jq::all, jq::slice(1, jq::none))));
  CHECK(show(lax::slice_in_dim(asarray({1, 2, 3, 4, 5}), 0, -1, 2)) == "i32[2] 1 3");
  CHECK(lax::slice_in_dim(x, 2, 1).shape() == jq::shape{0, 3, 2});
  CHECK(show(lax::index_in_dim(x, -1, 1)) == "i64[2,1,2] 4 5 10 11");
  CHECK(show(lax::index_in_dim(x, 0, 0, false)) == show(x[0]));
  const auto [keys, values] = lax::sort_key_val(asarray({3, 1, 2}), asarray({30.0, 10.0, 20.0}));
  CHECK(show(keys) == "i32[3] 1 2 3");
  CHECK(show(values) == "f64[3] 10 20 30");
  CHECK_ERROR(jq::value_error, lax::collapse(x, 2, 1), "collapse", "(2, 3, 2)");
  CHECK_ERROR(jq::value_error, lax::slice_in_dim(x, 0, 1, 0), "slice_in_dim", "stride 0");
  CHECK_ERROR(jq::value_error, lax::index_in_dim(x, 3, 1), "index_in_dim", "index 3", "size 3");
  CHECK_ERROR(jq::value_error, lax::expand_dims(x, {7}), "expand_dims", "axis 7");
}
TEST_CASE("broadcast_to_rank and scatter_sub") {
  CHECK(lax::broadcast_to_rank(asarray({{1, 2}}), 4).shape() == jq::shape{1, 1, 1, 2});
  CHECK(show(lax::broadcast_to_rank(asarray(5), 1)) == "i32[1] 5");
  CHECK_ERROR(jq::value_error, lax::broadcast_to_rank(asarray({{1, 2}}), 1), "broadcast_to_rank", "rank 1", "(1, 2)");
  const array at = jq::reshape(asarray({2, 0, 2}), {3, 1});
  CHECK(show(lax::scatter_sub(asarray({10, 20, 30}), at, asarray({1, 2, 3}), {{}, {0}, {0}})) == "i32[3] 8 20 26");
}
TEST_CASE("products and patches") {
  const array a = jq::reshape(jq::arange(12) * 1.0, {2, 2, 3}), b = jq::reshape(jq::arange(12) * 0.5, {2, 3, 2});
  CHECK(show(lax::batch_matmul(a, b)) == show(jq::matmul(a, b)));
  CHECK_ERROR(jq::shape_error, lax::batch_matmul(a, asarray({1.0})), "batch_matmul", "(1,)");
  const array x = jq::reshape(jq::arange(18) * 1.0, {1, 2, 3, 3}), p = lax::conv_general_dilated_patches(x, {2, 2}, {1, 1}, "VALID");
  CHECK(p.shape() == jq::shape{1, 8, 2, 2});
  CHECK(show(p(0, jq::all, 0, 0)) == "f64[8] 0 1 3 4 9 10 12 13");
  CHECK(show(p(0, jq::all, 1, 1)) == "f64[8] 4 5 7 8 13 14 16 17");
  // A convolution is a product with its patches.
  const array w = jq::reshape(jq::arange(24) * 0.1, {3, 2, 2, 2});
  CHECK(distance(jq::einsum("ok,nkij->noij", jq::reshape(w, {3, 8}), p), lax::conv(x, w, {1, 1}, "VALID")) < 1e-12);
  CHECK(lax::conv_general_dilated_patches(x, {3, 3}, {2, 2}, "SAME").shape() == jq::shape{1, 18, 2, 2});
  CHECK_ERROR(jq::shape_error, lax::conv_general_dilated_patches(x, {2}, {1}, "VALID"), "conv_general_dilated_patches", "(2,)");
}
TEST_CASE("rng_bit_generator: Random123's known answers, and a state that moves on") {
  const array zero = jq::zeros({4}, jq::u32);
  const auto [next, bits] = lax::rng_bit_generator(zero, {2});
  CHECK(bits.data<std::uint32_t>()[0] == 0x6b200159u);
  CHECK(bits.data<std::uint32_t>()[1] == 0x99ba4efeu);
  CHECK(show(next) == "u32[4] 0 0 1 0");
  const array ones = jq::full({4}, 4294967295u);
  const auto [wrapped, last] = lax::rng_bit_generator(ones, {1}, jq::u64);
  CHECK(last.data<std::uint64_t>()[0] == 0xbb002be71cb996fcull);
  CHECK(show(wrapped(jq::slice(2, 4))) == "u32[2] 0 0");
  // Two calls in a row give what one call of twice the size gives.
  const auto [second, more] = lax::rng_bit_generator(next, {2});
  const array both = lax::rng_bit_generator(zero, {4}).second;
  CHECK(show(asarray({bits.data<std::uint32_t>()[0], more.data<std::uint32_t>()[0], bits.data<std::uint32_t>()[1],
                      more.data<std::uint32_t>()[1]})) == show(both));
  CHECK(lax::rng_bit_generator(zero, {3, 5}, jq::u8).second.aval() == jq::aval{jq::u8, {3, 5}});
  CHECK(jq::mean(lax::rng_bit_generator(zero, {20000}, jq::u16).second.astype(jq::f64)).item<double>() == doctest::Approx(32767.5).epsilon(0.02));
  CHECK_ERROR(jq::type_error, lax::rng_bit_generator(jq::zeros({2}, jq::u32), {2}), "rng_bit_generator", "u32[2]", "u32[4]");
  CHECK_ERROR(jq::type_error, lax::rng_bit_generator(zero, {2}, jq::f32), "rng_bit_generator", "float32");
  CHECK_ERROR(jq::shape_error, lax::rng_bit_generator(zero, {-2}), "rng_bit_generator", "(-2,)");
}
TEST_CASE("broadcast_like, reduce_xor and collectives under short names") {
  CHECK(show(lax::broadcast_like(asarray({1, 2}), jq::zeros({2, 2}))) == "i32[2,2] 1 2 1 2");
  CHECK_ERROR(jq::shape_error, lax::broadcast_like(jq::zeros({1, 2}), asarray({1})), "broadcast_like", "(1, 2)", "(1,)");
  CHECK(show(lax::reduce_xor(asarray({{1, 2}, {3, 7}}), {0})) == "i32[2] 2 5");
  CHECK(show(lax::reduce_xor(asarray({true, true, true}), {0})) == "bool[] 1");
  CHECK_ERROR(jq::type_error, lax::reduce_xor(asarray({1.0}), {0}), "reduce_xor", "float64");
  const auto mapped = [](auto f) { return jq::vmap(f, jq::axis_name<"i">)(asarray({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}})); };
  CHECK(show(mapped([](const array& v) { return lax::pshuffle(v, "i", {2, 0, 1}); })) == "i32[3,3] 7 8 9 1 2 3 4 5 6");
  CHECK_THROWS_WITH_AS(mapped([](const array& v) { return lax::pshuffle(v, "i", {0, 0, 1}); }),
                       doctest::Contains("`perm` does not represent a permutation: [0, 0, 1]"), jq::value_error);
  CHECK(show(mapped([](const array& v) { return lax::pswapaxes(v, "i", 0); })) == "i32[3,3] 1 4 7 2 5 8 3 6 9");
}
TEST_CASE("pargmax, pargmin: the first member that has the value, or a NaN") {
  const auto mapped = [](const jq::array& x, auto f) { return jq::vmap(f, jq::axis_name<"i">)(x); };
  const auto largest = [](const jq::array& v) { return lax::pargmax(v, "i"); };
  const auto smallest = [](const jq::array& v) { return lax::pargmin(v, {"i"}); };
  const jq::array x = asarray({{1.f, 5.f, 2.f}, {3.f, 5.f, 2.f}, {3.f, 1.f, 4.f}});
  CHECK(show(mapped(x, largest)) == "i32[3,3] 1 0 2 1 0 2 1 0 2");
  CHECK(show(mapped(x, smallest)) == "i32[3,3] 0 2 0 0 2 0 0 2 0");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(show(mapped(asarray({1.f, nan, nan, 9.f}), largest)) == "i32[4] 1 1 1 1");
  CHECK(show(mapped(asarray({true, false, false}), smallest)) == "i32[3] 1 1 1");
  CHECK(show(mapped(asarray({1, 2}), [](const jq::array&) { return lax::pargmax(asarray(7), "i"); })) == "i32[2] 0 0");
  const auto over_both = [](const jq::array& v) { return lax::pargmin(v, {"i", "j"}); };
  CHECK_THROWS_WITH_AS(jq::vmap(jq::vmap(over_both, jq::axis_name<"j">), jq::axis_name<"i">)(x),
                       doctest::Contains("pargmin only accepts a single axis, got ('i', 'j')"), jq::type_error);
}
namespace {
__extension__ typedef __int128 signed_product;
__extension__ typedef unsigned __int128 unsigned_product;
}  // namespace
TEST_CASE("mulhi: the high half, against products in wider numbers") {
  CHECK(show(lax::mulhi(asarray({std::int8_t(-128), std::int8_t(127)}), asarray({std::int8_t(127), std::int8_t(127)}))) == "i8[2] -64 63");
  CHECK(show(lax::mulhi(asarray({0xffffffffu, 3u}), asarray({0xffffffffu, 5u}))) == "u32[2] 4.295e+09 0");
  const std::uint64_t words[] = {0, 1, 0xffffffffffffffff, 0x123456789abcdef0, 0x8000000000000000, 0xfedcba9876543210};
  for (const std::uint64_t a : words)
    for (const std::uint64_t b : words) {
      CHECK(lax::mulhi(asarray(a), asarray(b)).item<std::uint64_t>() == std::uint64_t((unsigned_product(a) * b) >> 64));
      const auto p = std::int64_t(a), q = std::int64_t(b);
      CHECK(lax::mulhi(asarray(p), asarray(q)).item<std::int64_t>() == std::int64_t((signed_product(p) * q) >> 64));
    }
  CHECK_ERROR(jq::type_error, lax::mulhi(asarray({1.0}), asarray({1.0})), "mulhi", "float64");
}
TEST_CASE("ragged_dot: each group of rows by its own matrix") {
  const array x = jq::reshape(jq::arange(10, jq::f64), {5, 2}), w = jq::reshape(jq::arange(12, jq::f64), {3, 2, 2});
  const array y = lax::ragged_dot(x, w, asarray({1, 0, 3}));
  CHECK(distance(y(jq::slice(0, 1)), jq::matmul(x(jq::slice(0, 1)), w(0))) == 0);
  CHECK(distance(y(jq::slice(1, 4)), jq::matmul(x(jq::slice(1, 4)), w(2))) == 0);
  CHECK(show(y(4)) == "f64[2] 0 0");
  const array g = jq::grad([&](const array& m) { return jq::sum(lax::ragged_dot(x, m, asarray({1, 0, 3}))); })(w);
  CHECK(show(g) == "f64[3,2,2] 0 0 1 1 0 0 0 0 12 12 15 15");
  CHECK_ERROR(jq::shape_error, lax::ragged_dot(x, w, asarray({1, 4})), "ragged_dot", "(5, 2)", "(2,)");
  CHECK_ERROR(jq::type_error, lax::ragged_dot(x, w, asarray({1.0, 2.0, 2.0})), "ragged_dot", "float64");
}
TEST_CASE("conv_general_dilated_local: equal weights give a convolution, others are by place") {
  const array x = jq::reshape(jq::arange(32, jq::f64), {1, 2, 4, 4}), f = jq::reshape(jq::arange(24, jq::f64), {3, 2, 2, 2});
  const array weights = jq::broadcast_to(jq::reshape(f, {3, 8, 1, 1}), {3, 8, 3, 3});
  CHECK(distance(lax::conv_general_dilated_local(x, weights, {1, 1}, "VALID", {2, 2}), lax::conv_general_dilated(x, f, {1, 1}, "VALID")) == 0);
  const array vector = asarray({{{1.0, 2.0, 3.0}}}), by_place = asarray({{{1.0, 10.0}, {100.0, 1000.0}}});  // taps, then places
  CHECK(show(lax::conv_general_dilated_local(vector, by_place, {1}, "VALID", {2})) == "f64[1,1,2] 201 3020");
  CHECK_ERROR(jq::shape_error, lax::conv_general_dilated_local(vector, by_place, {1}, "SAME", {2}), "conv_general_dilated_local", "(1, 2, 2)");
}
