// Random numbers: published values of JAX's partitionable threefry, relations between functions, moments, errors.
#include <cmath>

#include "numpy_testing.hpp"

namespace r = jq::random;

static_assert(traced([](array x) { return x + r::normal(r::key(0), {3}) + r::permutation(r::split(r::key(0))[0], 3); }, {3}) > 0);
static_assert(traced([](array x) { return x + r::uniform(x, {3}); }, {3}) == -1);
static_assert(traced([](array x) { return x + r::randint(r::key(0), {3}, 0, 300, jq::u8); }, {3}) == -1);

namespace {
const array k = r::key(0);
}  // namespace

TEST_CASE("keys") {
  CHECK(show(r::key(0)) == "u32[2] 0 0");
  CHECK(show(r::key(1)) == "u32[2] 0 1");
  CHECK(r::key(-1).data<std::uint32_t>()[0] == 4294967295u);
  CHECK(r::key((std::int64_t(5) << 32) + 7).data<std::uint32_t>()[0] == 5);
  CHECK(show(r::key(asarray(std::uint64_t(5) << 32 | 7))) == "u32[2] 5 7");
  CHECK(r::key(asarray(-1)).data<std::uint32_t>()[0] == 0);  // a 32-bit seed has no upper half
  CHECK_ERROR(jq::type_error, r::key(asarray({1, 2})), "PRNG key seed must be a scalar; got", "(2,)");
  CHECK_ERROR(jq::type_error, r::key(1.5), "PRNG key seed must be an integer; got", "float64");
}
TEST_CASE("keys are their words") {
  CHECK(show(r::key_data(r::key(7))) == "u32[2] 0 7");
  CHECK(show(r::normal(r::wrap_key_data(asarray({0u, 7u})))) == show(r::normal(r::key(7))));
  CHECK_ERROR(jq::type_error, r::wrap_key_data(asarray({0, 7})), "wrap_key_data", "i32[2]", "u32[2]");
  CHECK_ERROR(jq::type_error, r::key_data(r::split(k)), "key_data", "u32[2,2]");
}
TEST_CASE("split and fold_in: published values") {
  const std::vector<std::uint32_t> two{1797259609u, 2579123966u, 928981903u, 3453687069u};
  const std::vector<std::uint32_t> three{1797259609u, 2579123966u, 928981903u, 3453687069u, 4146024105u, 2718843009u};
  const std::vector<std::uint32_t> folded{2285895361u, 433833334u};
  const auto words = [](const array& x) {
    const std::span<const std::uint32_t> s = x.data<std::uint32_t>();
    return std::vector<std::uint32_t>(s.begin(), s.end());
  };
  CHECK(words(r::split(k)) == two);
  CHECK(words(r::split(k, 3)) == three);
  CHECK(words(r::fold_in(k, 4)) == folded);
  for (int i = 0; i < 3; ++i) CHECK(show(r::fold_in(k, i)) == show(r::split(k, 3)[i]));
  CHECK_ERROR(jq::type_error, r::fold_in(k, 1.5), "fold_in", "f64[]", "integer scalar");
}
TEST_CASE("bits of every width come from the same words") {
  const array wide = r::bits(r::key(1701), {4}), full = r::bits(r::key(1701), {4}, jq::u64);
  CHECK(show(r::bits(r::key(1701), {4}, jq::u8)) == show((wide & 0xffu).astype(jq::u8)));
  CHECK(show(r::bits(r::key(1701), {4}, jq::u16)) == show((wide & 0xffffu).astype(jq::u16)));
  const array high = jq::floor_divide(full, asarray(std::uint64_t(1) << 32)).astype(jq::u32);
  CHECK(bool(jq::all((high ^ full.astype(jq::u32)) == wide)));
  CHECK(show(r::bits(k, {2, 3})) == show(jq::reshape(r::bits(k, {6}), {2, 3})));
  CHECK_ERROR(jq::type_error, r::bits(k, {2}, jq::i32), "bits", "int32", "unsigned");
}
TEST_CASE("uniform: published values and ranges") {
  CHECK(r::uniform(k).item<float>() == 0.947667f);
  CHECK(distance(r::uniform(k, {3}), asarray({0.947667f, 0.9785799f, 0.33229148f})) < 1e-7);
  CHECK(r::uniform(r::split(k)[1]).item<float>() == doctest::Approx(0.00729382).epsilon(1e-5));
  for (jq::dtype t : {jq::f16, jq::bf16, jq::f32, jq::f64}) {
    const array u = r::uniform(k, {10000}, t);
    CHECK(u.dtype() == t);
    CHECK(bool(jq::all((u >= 0) & (u < 1))));
    CHECK(jq::mean(u.astype(jq::f64)).item<double>() == doctest::Approx(0.5).epsilon(0.02));
    CHECK(jq::var(u.astype(jq::f64)).item<double>() == doctest::Approx(1 / 12.0).epsilon(0.05));
  }
  const array ranged = r::uniform(k, {1000}, jq::f32, -3, 5);
  CHECK(bool(jq::all((ranged >= -3) & (ranged < 5))));
  CHECK(show(r::uniform(k, {2}, jq::f64, asarray({0.0, 100.0}), asarray({1.0, 101.0})) >= asarray({0.0, 100.0})) == "bool[2] 1 1");
  CHECK_ERROR(jq::type_error, r::uniform(k, {2}, jq::i32), "uniform", "int32", "floating point");
  CHECK_ERROR(jq::type_error, r::uniform(asarray({1.0})), "uniform", "f64[1]", "u32[2]", "jq::random::key(seed)");
  CHECK_ERROR(jq::type_error, r::uniform(r::split(k)), "u32[2,2]", "index the result of split");
  CHECK_ERROR(jq::shape_error, r::uniform(k, {-1}), "uniform", "(-1,)", "non-negative");
  CHECK_ERROR(jq::shape_error, r::uniform(k, {2}, jq::f32, 0, asarray({1.f, 2.f, 3.f})), "uniform", "(3,)", "(2,)");
}
TEST_CASE("normal: published values and moments") {
  CHECK(distance(r::normal(k, {3}), asarray({1.6226422f, 2.0252647f, -0.43359444f})) < 3e-7);
  for (jq::dtype t : {jq::f32, jq::f64}) {
    const array n = r::normal(r::key(3), {100000}, t);
    CHECK(std::abs(jq::mean(n).item<double>()) < 0.01);
    CHECK(jq::var(n).item<double>() == doctest::Approx(1).epsilon(0.02));
    CHECK(jq::mean(n * n * n * n).item<double>() == doctest::Approx(3).epsilon(0.05));
  }
  const array z = r::normal(k, {10000}, jq::c64);
  CHECK(jq::mean(jq::square(jq::abs(z))).item<double>() == doctest::Approx(1).epsilon(0.05));
  CHECK(bool(jq::all(jq::isfinite(r::normal(k, {10000}, jq::f16)))));
}
TEST_CASE("exponential and gumbel have their means") {
  // The numbers of few digits that are 0 are so without a sign.
  const array coarse = jq::random::exponential(jq::random::key(3), {4096}, jq::bf16);
  CHECK(jq::any(coarse == 0.0).item<bool>());
  CHECK(!jq::any(jq::signbit(coarse)).item<bool>());
  CHECK(jq::mean(r::exponential(k, {100000})).item<double>() == doctest::Approx(1).epsilon(0.02));
  CHECK(jq::mean(r::gumbel(k, {100000})).item<double>() == doctest::Approx(0.5772156649).epsilon(0.02));
  CHECK(bool(jq::all(jq::isfinite(r::gumbel(k, {100000}, jq::f64)))));
}
TEST_CASE("randint: numbers as bounds give what arrays of them do, however many are drawn") {
  struct bounds {
    jq::dtype type;
    std::int64_t low, high;
  };
  for (const bounds& b : {bounds{jq::i64, 0, 1000}, {jq::i64, -7, 1 << 20}, {jq::i64, -(std::int64_t(1) << 62), (std::int64_t(1) << 62) + 12345}, {jq::i64, 3, 3},
                          {jq::i32, 0, 10}, {jq::i32, -2147483647, 2147483647}, {jq::i32, 5, -5}, {jq::u32, 0, 4294967295}, {jq::u32, 0, 70000},
                          {jq::u64, 1, 1 << 16}, {jq::i16, -300, 300}, {jq::u8, 0, 7}}) {
    const array from = asarray(b.low).astype(b.type), to = asarray(b.high).astype(b.type);
    for (int n : {100, 40000})
      for (int i = 0; i < 3; ++i) {  // the last of them may be compiled
        CAPTURE(b.low); CAPTURE(b.high); CAPTURE(n);
        const array key = r::key(i + n);
        CHECK(jq::array_equal(r::randint(key, {n}, b.low, b.high, b.type), r::randint(key, {n}, from, to, b.type)).item<bool>());
      }
  }
}
TEST_CASE("randint") {
  const array n = r::randint(k, {10000}, -5, 5);
  CHECK(n.dtype() == jq::i64);
  CHECK(show(jq::min(n)) == "i64[] -5");
  CHECK(show(jq::max(n)) == "i64[] 4");
  for (int i = -5; i < 5; ++i) CHECK(jq::sum(n == i).item<int>() == doctest::Approx(1000).epsilon(0.12));
  const array bytes = r::randint(k, {10000}, 0, 256, jq::u8);
  CHECK(show(jq::max(bytes)) == "u8[] 255");
  CHECK(show(jq::min(r::randint(k, {10000}, -128, 128, jq::i8))) == "i8[] -128");
  CHECK(show(r::randint(k, {3}, asarray({0, 10, 100}), asarray({1, 11, 50}), jq::i32)) == "i32[3] 0 10 100");
  CHECK(show(r::randint(k, {2}, 7, 8)) == "i64[2] 7 7");
  CHECK_ERROR(jq::value_error, r::randint(k, {2}, 0, 257, jq::u8), "randint", "uint8", "larger dtype");
  CHECK_ERROR(jq::value_error, r::randint(k, {2}, -1, 2, jq::u8), "randint", "uint8");
  CHECK_ERROR(jq::value_error, r::randint(k, {2}, -1, 2, jq::u64), "randint", "uint64", "larger dtype");
  const std::uint64_t above = std::uint64_t(1) << 63;  // one above the largest i64
  CHECK_ERROR(jq::value_error, r::randint(k, {2}, 0, above + 1, jq::i64), "randint", "int64", "larger dtype");
  const array all = r::randint(k, {1000}, std::numeric_limits<std::int64_t>::min(), above, jq::i64);
  CHECK(jq::min(all).item<std::int64_t>() < -(std::int64_t(1) << 62));
  CHECK(jq::max(all).item<std::int64_t>() > std::int64_t(1) << 62);
  CHECK_ERROR(jq::type_error, r::randint(k, {2}, 0.0, 2.0), "randint", "float64", "wanted integers");
  CHECK_ERROR(jq::type_error, r::randint(k, {2}, 0, 2, jq::f32), "randint", "float32", "integer");
}
TEST_CASE("bernoulli") {
  CHECK(jq::mean(r::bernoulli(k, 0.3, {100000})).item<double>() == doctest::Approx(0.3).epsilon(0.02));
  CHECK(show(r::bernoulli(k, asarray({0.0, 1.0}))) == "bool[2] 0 1");
  CHECK(r::bernoulli(k).shape() == jq::shape{});
}
TEST_CASE("permutation and choice") {
  const array p = r::permutation(k, 1000);
  CHECK(bool(jq::all(jq::sort(p) == jq::arange(1000))));
  CHECK(!bool(jq::all(p == jq::arange(1000))));
  CHECK(std::abs(jq::mean(p(jq::slice(0, 500))).item<double>() - 499.5) < 60);
  const array rows = r::permutation(k, jq::reshape(jq::arange(20), {10, 2}));
  CHECK(bool(jq::all(rows(jq::all, 1) == rows(jq::all, 0) + 1)));
  CHECK(bool(jq::all(jq::sort(rows(jq::all, 0)) == jq::arange(10) * 2)));
  CHECK(show(jq::sort(r::permutation(k, asarray({2.5, 1.5})))) == "f64[2] 1.5 2.5");
  const array columns = r::permutation(k, jq::reshape(jq::arange(300), {100, 3}), 0, true);
  CHECK(show(jq::sort(columns, 0)) == show(jq::reshape(jq::arange(300), {100, 3})));
  CHECK(!bool(jq::all(columns(jq::all, 1) == columns(jq::all, 0) + 1)));
  CHECK(show(jq::sort(r::choice(k, 4, {4}, false))) == "i64[4] 0 1 2 3");
  CHECK(r::choice(k, asarray({1.5, 2.5}), {3, 2}).shape() == jq::shape{3, 2});
  CHECK_ERROR(jq::value_error, r::choice(k, 3, {4}, false), "choice", "4 draws from 3", "without replacement");
  CHECK_ERROR(jq::value_error, r::permutation(k, asarray({1, 2}), 1), "permutation", "axis 1");
}
TEST_CASE("categorical") {
  const array logits = jq::log(asarray({0.1f, 0.2f, 0.7f}));
  const array draws = r::categorical(k, logits, -1, {100000});
  CHECK(draws.dtype() == jq::i64);
  CHECK(jq::mean(draws == 0).item<double>() == doctest::Approx(0.1).epsilon(0.05));
  CHECK(jq::mean(draws == 2).item<double>() == doctest::Approx(0.7).epsilon(0.02));
  CHECK(r::categorical(k, jq::zeros({4, 3})).shape() == jq::shape{4});
  CHECK(r::categorical(k, jq::zeros({4, 3}), 0).shape() == jq::shape{3});
  CHECK(show(r::categorical(k, asarray({{0.0, -inf}, {-inf, 0.0}}))) == "i64[2] 0 1");
  CHECK_ERROR(jq::shape_error, r::categorical(k, jq::zeros({4, 3}), -1, {5}), "categorical", "(5,)", "ends in (4,)");
}
TEST_CASE("the same numbers under jit, vmap and grad") {
  const auto noisy = [](const array& key, const array& x) { return jq::sum(x * r::normal(key, {3})); };
  const array x = asarray({1.f, 2.f, 3.f}), keys = r::split(k, 2);
  CHECK(show(jq::jit(noisy)(keys[0], x)) == show(noisy(keys[0], x)));
  CHECK(show(jq::vmap(noisy, jq::in_axes<0, jq::none>)(keys, x)) == show(jq::stack({noisy(keys[0], x), noisy(keys[1], x)})));
  CHECK(show(jq::grad(noisy, jq::argnums<1>)(keys[0], x)) == show(r::normal(keys[0], {3})));
}
