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
TEST_CASE("tile_functions: tiles that are combined into four registers") {
  const auto check_fold = [](scalar_op op, array (*want)(const array&)) {
    for (dtype t : computed) {
      if (op == scalar_op::add && (jq::is_inexact(t) || jq::is_boolean(t))) continue;  // sums in another order
      const sets s{};
      for (int i = 0; i < s.n; ++i) {
        INFO(std::string(jq::name(op)) << " of " << std::string(jq::name(t)) << " with " << std::string(s.of[i].name));
        const array x = numbers(t, 1), first = op == scalar_op::add ? jq::zeros({}, t) : x(0);
        const array sums = lax::concatenate({jq::broadcast_to(first, {64}), x}, 0)(jq::slice(0, 64));
        const jq::cpu::tile_function f = s.of[i].fold_loop(op, t);
        REQUIRE(bool(f));
        jq::cpu::tile_call c;
        c.out = sums.as_buffer()->data;
        c.in[1] = x.as_buffer()->data;
        c.n = count;
        f(c);
        const jq::testing::report r = jq::testing::all_close(want(sums), want(x), 0, 0);
        CHECK_MESSAGE(r.ok, r.text);
      }
    }
  };
  check_fold(scalar_op::max, [](const array& x) { return jq::max(x); });
  check_fold(scalar_op::min, [](const array& x) { return jq::min(x); });
  check_fold(scalar_op::add, [](const array& x) { return jq::sum(x).astype(x.dtype()); });
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
