// The loops of the tile interpreter, in the form of each instruction set that this processor runs, against the interpreter's kernels:
// every operation that loops may hold, on every dtype, for numbers that are odd in some way. All forms give the same bits.
#include <jacquard/backends/cpu/tile_functions.hpp>

#include <jacquard/testing/comparison.hpp>
#include <jacquard/testing/sample.hpp>

#include <cmath>

#include "../../show.hpp"

using jq::array;
using jq::dtype;
using jq::scalar_op;

namespace {

constexpr double odd[] = {0.0, -0.0, 1, -1, 0.49999997, 0.5, 1.5, 2.5, -0.5, -2.5, 0.1, -7.75, 1e-40, 8388609, -4194303.5, 4503599627370497, 1e30,
                          std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()};
constexpr std::int64_t count = 48;

array numbers(dtype t, std::uint64_t seed) {
  if (jq::is_inexact(t)) return jq::testing::picked({t, {count}}, seed, odd);
  return jq::testing::sample({t, {count}}, seed, -100, 100);
}
/// What a loop makes of operands.
array run(const jq::cpu::tile_operation& f, dtype result, std::initializer_list<array> operands) {
  jq::cpu::tile_call c;
  const array out = array(jq::make_buffer({result, {count}}));
  c.out = out.as_buffer()->data;
  int k = 0;
  for (const array& x : operands) c.in[k++] = x.as_buffer()->data;
  for (; k < 3; ++k) c.in[k] = c.in[0];
  c.n = count;
  c.extra = f.extra;
  f.run(c);
  return out;
}
const dtype computed[] = {jq::bool_, jq::i8, jq::i16, jq::i32, jq::i64, jq::u8, jq::u16, jq::u32, jq::u64, jq::f32, jq::f64};

struct sets {
  jq::cpu::detail::tile_set of[3];
  int n = jq::cpu::detail::tile_sets(of);
};

/// Checks an operation against a function of arrays, wherever both take the dtype.
template <class F>
void check(scalar_op op, int operands, F want) {
  for (dtype t : computed) {
    if (!jq::cpu::can_run(op, t)) continue;
    const array x = numbers(t, 1), y = numbers(t, 2);
    array expected;
    try {
      expected = want(x, y);
    } catch (const jq::type_error&) {  // no primitive of this name takes it
      continue;
    }
    const sets s{};
    for (int i = 0; i < s.n; ++i) {
      INFO(std::string(jq::name(op)) << " of " << std::string(jq::name(t)) << " with " << std::string(s.of[i].name));
      const bool swapped = op == scalar_op::greater || op == scalar_op::greater_equal;
      const jq::cpu::tile_operation f = jq::cpu::tile_operation_of(op, t, true, s.of[i]);
      REQUIRE(bool(f.run));
      const array got = operands == 1 ? run(f, expected.dtype(), {x}) : swapped ? run(f, expected.dtype(), {y, x}) : run(f, expected.dtype(), {x, y});
      const jq::testing::report r = jq::testing::all_close(got, expected, 0, 0);
      CHECK_MESSAGE(r.ok, r.text);
      if (jq::is_inexact(t) && jq::is_inexact(expected.dtype())) {  // zeros have signs
        const jq::testing::report signs = jq::testing::identical(1.0 / jq::where(got == 0, got, jq::ones_like(got)), 1.0 / jq::where(expected == 0, expected, jq::ones_like(got)));
        CHECK_MESSAGE(signs.ok, signs.text);
      }
    }
  }
}

}  // namespace

TEST_CASE("tile_functions: operations of one operand") {
  check(scalar_op::negate, 1, [](array x, array) { return -x; });
  check(scalar_op::abs, 1, [](array x, array) { return jq::abs(x); });
  check(scalar_op::sign, 1, [](array x, array) { return jq::sign(x); });
  check(scalar_op::bit_not, 1, [](array x, array) { return ~x; });
  check(scalar_op::floor, 1, [](array x, array) { return jq::is_inexact(x.dtype()) ? jq::floor(x) : throw jq::type_error("integers are whole"); });
  check(scalar_op::ceil, 1, [](array x, array) { return jq::is_inexact(x.dtype()) ? jq::ceil(x) : throw jq::type_error("integers are whole"); });
  check(scalar_op::sqrt, 1, [](array x, array) { return jq::is_inexact(x.dtype()) ? jq::sqrt(x) : throw jq::type_error("integers have none"); });
  check(scalar_op::rsqrt, 1, [](array x, array) { return jq::lax::rsqrt(x); });
  check(scalar_op::is_finite, 1, [](array x, array) { return jq::lax::is_finite(x); });
  check(scalar_op::exp, 1, [](array x, array) { return jq::lax::exp(x); });
  check(scalar_op::erf, 1, [](array x, array) { return jq::lax::erf(x); });
}
TEST_CASE("tile_functions: rounding, halves away from zero or to even") {
  const sets s{};
  for (dtype t : {jq::f32, jq::f64})
    for (int i = 0; i < s.n; ++i) {
      INFO(std::string(s.of[i].name));
      const array x = numbers(t, 3);
      const array away = run(jq::cpu::tile_operation_of(scalar_op::round, t, true, s.of[i]), t, {x});
      const array even = run(jq::cpu::tile_operation_of(scalar_op::round_even, t, true, s.of[i]), t, {x});
      const auto v = jq::testing::elements(x), a = jq::testing::elements(away), e = jq::testing::elements(even);
      for (std::size_t k = 0; k < v.size(); ++k) {
        if (v[k].re != v[k].re) continue;
        CAPTURE(v[k].re);
        CHECK(a[k].re == std::round(v[k].re));
        CHECK(e[k].re == std::nearbyint(v[k].re));
        CHECK(std::signbit(a[k].re) == std::signbit(v[k].re));
        CHECK(std::signbit(e[k].re) == std::signbit(v[k].re));
      }
    }
}
TEST_CASE("tile_functions: bits") {
  const auto whole = [](array x) { return jq::is_integer(x.dtype()) ? x : throw jq::type_error("only integers have bits"); };
  check(scalar_op::population_count, 1, [&](array x, array) { return jq::lax::population_count(whole(x)); });
  check(scalar_op::clz, 1, [&](array x, array) { return jq::lax::clz(whole(x)); });
  check(scalar_op::shift_left, 2, [&](array x, array y) { return jq::lax::shift_left(whole(x), y); });
  check(scalar_op::shift_right_logical, 2, [&](array x, array y) { return jq::lax::shift_right_logical(whole(x), y); });
  check(scalar_op::shift_right_arithmetic, 2, [&](array x, array y) { return jq::lax::shift_right_arithmetic(whole(x), y); });
}
TEST_CASE("tile_functions: operations of two operands") {
  check(scalar_op::add, 2, [](array x, array y) { return jq::lax::add(x, y); });
  check(scalar_op::subtract, 2, [](array x, array y) { return jq::lax::sub(x, y); });
  check(scalar_op::multiply, 2, [](array x, array y) { return jq::lax::mul(x, y); });
  check(scalar_op::divide, 2, [](array x, array y) { return jq::lax::div(x, y); });
  check(scalar_op::rem, 2, [](array x, array y) { return jq::is_integer(x.dtype()) ? jq::lax::rem(x, y) : throw jq::type_error("not in loops"); });
  check(scalar_op::max, 2, [](array x, array y) { return jq::lax::max(x, y); });
  check(scalar_op::min, 2, [](array x, array y) { return jq::lax::min(x, y); });
  check(scalar_op::equal, 2, [](array x, array y) { return jq::lax::eq(x, y); });
  check(scalar_op::not_equal, 2, [](array x, array y) { return jq::lax::ne(x, y); });
  check(scalar_op::less, 2, [](array x, array y) { return jq::lax::lt(x, y); });
  check(scalar_op::less_equal, 2, [](array x, array y) { return jq::lax::le(x, y); });
  check(scalar_op::greater, 2, [](array x, array y) { return jq::lax::gt(x, y); });
  check(scalar_op::greater_equal, 2, [](array x, array y) { return jq::lax::ge(x, y); });
  check(scalar_op::pow, 2, [](array x, array y) { return jq::lax::pow(x, y); });
  check(scalar_op::atan2, 2, [](array x, array y) { return jq::lax::atan2(x, y); });
}
TEST_CASE("tile_functions: tiles of any length from one granule on, whose results may lie where an operand does") {
  const sets s{};
  for (const auto& [op, operands] : {std::pair{scalar_op::add, 2}, std::pair{scalar_op::max, 2}, std::pair{scalar_op::floor, 1}, std::pair{scalar_op::exp, 1}})
    for (dtype t : {jq::f32, jq::f64, jq::i16, jq::i32}) {
      if (!jq::cpu::can_run(op, t)) continue;
      for (int i = 0; i < s.n; ++i)
        for (std::int64_t n = 16; n <= 140; ++n)
          for (const bool in_place : {false, true}) {
            const array x = jq::testing::sample({t, {n + 1}}, 1, -50, 50), y = jq::testing::sample({t, {n}}, 2, -50, 50);
            const jq::cpu::tile_operation f = jq::cpu::tile_operation_of(op, t, true, s.of[i]);
            array want(jq::make_buffer({t, {n}})), got = in_place ? jq::copy(y) : array(jq::make_buffer({t, {n + 1}}));
            const std::int64_t size = std::int64_t(jq::size_of(t));
            const auto call = [&](char* out, const void* first, const char* second, std::int64_t length) {
              f.run({out, {second, operands == 2 ? first : second, second}, {1, 1, 1}, length, f.extra});
            };
            const char* const second = static_cast<const char*>(in_place ? got.as_buffer()->data : y.as_buffer()->data);
            const char* const first = static_cast<const char*>(x.as_buffer()->data) + size;  // on no boundary of registers
            std::vector<char> one(16 * 8), out(16 * 8), expected;
            for (std::int64_t k = 0; k < n; ++k) {  // each element by itself
              std::vector<char> other(16 * 8);
              std::memcpy(one.data(), static_cast<const char*>(y.as_buffer()->data) + k * size, std::size_t(size));
              std::memcpy(other.data(), first + k * size, std::size_t(size));
              call(out.data(), other.data(), one.data(), 16);
              expected.insert(expected.end(), out.begin(), out.begin() + size);
            }
            char* const to = static_cast<char*>(got.as_buffer()->data);
            if (!in_place) std::memset(to + n * size, 77, std::size_t(size));
            call(to, first, second, n);
            INFO(std::string(jq::name(op)) << " of " << n << ' ' << std::string(jq::name(t)) << " with " << std::string(s.of[i].name));
            CHECK(std::memcmp(to, expected.data(), expected.size()) == 0);
            if (!in_place) CHECK(to[n * size] == 77);
          }
    }
}
TEST_CASE("tile_functions: two operations at once are the two") {
  const sets s{};
  for (const scalar_op first : {scalar_op::add, scalar_op::subtract, scalar_op::multiply, scalar_op::max, scalar_op::min})
    for (const scalar_op second : {scalar_op::add, scalar_op::subtract, scalar_op::multiply})
      for (const bool swapped : {false, true})
        for (dtype t : {jq::f32, jq::f64})
          for (int i = 0; i < s.n; ++i) {
            INFO(std::string(jq::name(first)) << ", then " << std::string(jq::name(second)) << " with " << std::string(s.of[i].name));
            const array x = jq::testing::sample({t, {count}}, 1, -3, 3), y = jq::testing::sample({t, {count}}, 2, -3, 3), z = jq::testing::sample({t, {count}}, 3, -3, 3);
            const auto one = [&](scalar_op op, const array& a, const array& b) { return run(jq::cpu::tile_operation_of(op, t, true, s.of[i]), t, {a, b}); };
            const array inner = one(first, x, y), want = swapped ? one(second, z, inner) : one(second, inner, z);
            const jq::cpu::tile_function f = s.of[i].pair_loop(first, second, swapped, t);
            REQUIRE(bool(f));
            const double rounding = first == scalar_op::multiply && second != scalar_op::multiply ? (t == jq::f32 ? 1e-6 : 1e-15) : 0;  // one instead of two
            const jq::testing::report r = jq::testing::all_close(run({f, nullptr}, t, {x, y, z}), want, 0, rounding);
            CHECK_MESSAGE(r.ok, r.text);
          }
}
TEST_CASE("tile_functions: quotients by one number, also where its inverse is none") {
  const sets s{};
  for (dtype t : {jq::f32, jq::f64})
    for (int i = 0; i < s.n; ++i)
      for (const double by : {3.0, -7.1, 0.0, -0.0, 1e-30, 1e30, 1e-42, 3e38, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        INFO(by << " with " << std::string(s.of[i].name));
        const array x = numbers(t, 1), y = jq::full({count}, by, t), inverse = run(jq::cpu::tile_operation_of(scalar_op::divide, t, true, s.of[i]), t, {jq::ones({count}, t), y});
        const jq::testing::report r = jq::testing::all_close(run({s.of[i].quotient_loop(t), nullptr}, t, {x, y, inverse}), x / y, t == jq::f32 ? 1.3e-7 : 2.3e-16, 0);
        CHECK_MESSAGE(r.ok, r.text);
      }
}
TEST_CASE("tile_functions: tiles that are combined into one number, in one part or in several, of any length") {
  const auto check_fold = [](scalar_op op, array (*want)(const array&)) {
    for (dtype t : computed) {
      if (op == scalar_op::add && (jq::is_inexact(t) || jq::is_boolean(t))) continue;  // sums in another order
      const sets s{};
      for (int i = 0; i < s.n; ++i)
        for (const std::int64_t n : {0, 1, 3, 15, 16, 17, 31, 40, 48})
          for (const auto& [part, begins] : {std::pair<std::int64_t, int>{0, 1}, {16, 0}, {16, 2}, {32, 0}, {32, 2}}) {
            if (part >= n && part != 0) continue;
            INFO(std::string(jq::name(op)) << " of " << n << ' ' << std::string(jq::name(t)) << " from " << part << " with " << std::string(s.of[i].name));
            const array x = numbers(t, 1), nothing = jq::broadcast_to(op == scalar_op::add ? jq::zeros({}, t) : x(0), {16});
            const array out = jq::copy(jq::zeros({128}, t));
            const jq::cpu::tile_function f = s.of[i].fold_loop(op, t);
            REQUIRE(bool(f));
            const char* const from = static_cast<const char*>(x.as_buffer()->data);
            const char* const later = from + part * std::int64_t(jq::size_of(t));
            void* const to = out.as_buffer()->data;
            const void* const initial = nothing.as_buffer()->data;
            if (part != 0) f({to, {from, from, initial}, {1, 1, 0}, part});
            f({to, {later, later, initial}, {begins, 1, 1}, n - part});
            const array all = n == 0 ? nothing(0) : op == scalar_op::add ? x(jq::slice(0, n)) : lax::concatenate({nothing(jq::slice(0, 1)), x(jq::slice(0, n))}, 0);
            const jq::testing::report r = jq::testing::all_close(out(jq::slice(0, 16)), jq::broadcast_to(n == 0 ? all : want(all), {16}), 0, 0);
            CHECK_MESSAGE(r.ok, r.text);
          }
    }
  };
  check_fold(scalar_op::max, [](const array& x) { return jq::max(x); });
  check_fold(scalar_op::min, [](const array& x) { return jq::min(x); });
  check_fold(scalar_op::add, [](const array& x) { return jq::sum(x).astype(x.dtype()); });
  for (dtype t : {jq::f32, jq::f64}) {
    const sets s{};
    for (int i = 0; i < s.n; ++i)
      for (const std::int64_t n : {5, 16, 23, 48}) {
        const array x = jq::testing::sample({t, {count}}, 1, -3, 3), y = jq::testing::sample({t, {count}}, 2, -3, 3), zero = jq::copy(jq::zeros({16}, t)), out = jq::copy(jq::zeros({128}, t));
        s.of[i].products_loop(t)({out.as_buffer()->data, {x.as_buffer()->data, y.as_buffer()->data, zero.as_buffer()->data}, {1, 1, 1}, n});
        const jq::testing::report r = jq::testing::all_close(out(3), jq::sum(x(jq::slice(0, n)) * y(jq::slice(0, n))), 0, t == jq::f32 ? 1e-4 : 1e-12);
        CHECK_MESSAGE(r.ok, r.text);
      }
  }
}
TEST_CASE("tile_functions: conversions between all dtypes are the interpreter's") {
  const sets s{};
  for (int a = 0; a < jq::dtype_count; ++a)
    for (int b = 0; b < jq::dtype_count; ++b) {
      const dtype from = dtype(a), to = dtype(b);
      if (jq::is_complex(from) || jq::is_complex(to) || from == to) continue;
      const array x = numbers(from, 4), want = x.astype(to);
      for (int i = 0; i < s.n; ++i) {
        INFO(std::string(jq::name(from)) << " to " << std::string(jq::name(to)) << " with " << std::string(s.of[i].name));
        const jq::testing::report r = jq::testing::all_close(run(jq::cpu::tile_conversion(from, to, s.of[i]), to, {x}), want, 0, 0);
        CHECK_MESSAGE(r.ok, r.text);
      }
    }
}
TEST_CASE("tile_functions: what may be compiled may run on tiles") {
  for (int op = 0; op <= int(scalar_op::erf_inv); ++op)
    for (dtype t : computed) {
      const bool only_integers = scalar_op(op) >= scalar_op::bit_and && scalar_op(op) <= scalar_op::clz;
      const bool only_floats = scalar_op(op) >= scalar_op::is_finite;
      if ((only_integers && jq::is_inexact(t)) || (only_floats && !jq::is_inexact(t))) continue;  // which no primitive asks for
      INFO(std::string(jq::name(scalar_op(op))) << " of " << std::string(jq::name(t)));
      CHECK(jq::cpu::can_run(scalar_op(op), t) == jq::cpu::can_emit(scalar_op(op), t));
    }
}
