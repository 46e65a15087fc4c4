// argmax and argmin: ties, NaN, every axis and index dtype, batching, all dtypes, errors.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array first_largest(const array& x) { return lax::argmax(x, 0, jq::i32); }
array first_smallest(const array& x) { return lax::argmin(x, 0, jq::i32); }
const array m = make({1.0, 5.0, 5.0, 4.0, 2.0, 6.0}, {2, 3});
jq::dtype always_i32(jq::dtype) { return jq::i32; }
}  // namespace

static_assert(jq::argmax_p::better(2.0, 1.0) && jq::argmin_p::better(not_a_number, -inf) &&
              !jq::argmax_p::better(0.0, -0.0));

TEST_CASE("argmax, argmin: values") {
  CHECK_CLOSE(first_largest(m), make({1, 0, 1}), 0);
  CHECK_CLOSE(lax::argmax(m, 1, jq::i64), make<std::int64_t>({1, 2}), 0);
  CHECK_CLOSE(lax::argmin(m, 1, jq::u8), make<std::uint8_t>({0, 1}), 0);
  CHECK_CLOSE(first_largest(make({2.0, 7.0, 7.0, 1.0})), scalar(1), 0);
  CHECK_CLOSE(first_smallest(make({2.0, 1.0, 1.0, 7.0})), scalar(1), 0);
  CHECK_CLOSE(first_largest(make({1.0, not_a_number, inf, not_a_number})), scalar(1), 0);
  CHECK_CLOSE(first_smallest(make({1.0, not_a_number, -inf, not_a_number})), scalar(1), 0);
  CHECK_CLOSE(first_largest(make({-0.0, 0.0})), scalar(0), 0);
  CHECK_CLOSE(first_largest(make<std::uint64_t>({1, ~0ull})), scalar(1), 0);
  CHECK(lax::argmax(make<double>({}, {3, 0}), 0, jq::i32).shape() == shape{0});
}
TEST_CASE("argmax, argmin: long rows, in which the best one, its equals and NaN lie anywhere") {
  const auto first = [](std::span<const double> x, bool largest) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < x.size(); ++i)
      if (std::isnan(x[best])) break;
      else if (std::isnan(x[i]) || (largest ? x[i] > x[best] : x[i] < x[best])) best = i;
    return std::int64_t(best);
  };
  std::uint64_t state = 5;
  const auto any = [&](std::uint64_t n) { return (state = state * 6364136223846793005u + 1442695040888963407u), (state >> 33) % n; };
  for (int round = 0; round < 300; ++round) {
    std::vector<double> x(1 + any(1200));
    for (double& v : x) v = double(any(round % 3 ? 1000000 : 4)) - 2;
    const double odd[] = {not_a_number, inf, -inf, 1e7, -1e7, 0.0, -0.0};
    for (std::uint64_t k = any(4); k > 0; --k) x[any(x.size())] = odd[any(7)];
    const array a = jq::asarray(std::span<const double>(x));
    CHECK(lax::argmax(a, 0, jq::i64).item<std::int64_t>() == first(x, true));
    CHECK(lax::argmin(a, 0, jq::i64).item<std::int64_t>() == first(x, false));
    CHECK(lax::argmax(jq::stack({a, a}, 1), 0, jq::i64)(1).item<std::int64_t>() == first(x, true));
  }
}
TEST_CASE("argmax, argmin: long columns side by side find what they find as rows") {
  for (const std::int64_t columns : {1, 7, 16, 63, 64, 100, 200})
    for (const jq::dtype t : {jq::f64, jq::f32, jq::i32, jq::i64, jq::u32, jq::u64, jq::u8, jq::bool_}) {
      std::vector<double> x;
      std::uint64_t state = 9;
      for (std::int64_t i = 0; i < 300 * columns; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const std::uint64_t any = state >> 33;
        x.push_back(jq::is_inexact(t) && any % 997 == 0 ? (any % 2 ? not_a_number : -inf) : double(any % (columns % 2 ? 90 : 1000000)));
      }
      const array a = cast(jq::asarray(std::span<const double>(x), shape{2, 150, columns}), t), rows = jq::swapaxes(a, 1, 2) + cast(make({0.0}), t);
      CHECK_CLOSE(lax::argmax(a, 1, jq::i64), lax::argmax(rows, 2, jq::i64), 0);
      CHECK_CLOSE(lax::argmin(a, 1, jq::i64), lax::argmin(rows, 2, jq::i64), 0);
    }
}
TEST_CASE("argmax, argmin: whole numbers of 64 bits in columns, at both ends of their range") {
  constexpr std::int64_t columns = 20, rows = 9;
  std::vector<std::uint64_t> x(std::size_t(columns * rows), 5);
  for (std::int64_t c = 0; c < columns; ++c) x[std::size_t((c % rows) * columns + c)] = ~0ull - std::uint64_t(c), x[std::size_t(((c + 4) % rows) * columns + c)] = 1;
  const array u = jq::asarray(std::span<const std::uint64_t>(x), shape{rows, columns}), s = lax::bitcast_convert_type(u, jq::i64);
  for (std::int64_t c = 0; c < columns; ++c) {
    CHECK(lax::argmax(u, 0, jq::i64)(int(c)).item<std::int64_t>() == c % rows);
    CHECK(lax::argmin(u, 0, jq::i64)(int(c)).item<std::int64_t>() == (c + 4) % rows);
    CHECK(lax::argmin(s, 0, jq::i64)(int(c)).item<std::int64_t>() == c % rows);
  }
}
#if defined(__x86_64__)
TEST_CASE("argmax, argmin: vectors of every size find the same, and say where there is NaN") {
  if (!jq::detail::has_widest_vectors()) return;
  constexpr std::int64_t n = 70, step = 40;
  std::vector<float> x(std::size_t(n * step));
  std::uint64_t state = 3;
  for (float& v : x) v = float((state = state * 6364136223846793005u + 1442695040888963407u) >> 40 & 31);
  x[3 * step + 5] = float(not_a_number), x[9] = float(inf), x[10] = float(not_a_number);
  std::int64_t narrow[16], wide[16];
  jq::detail::extremes_of_columns<false, 2>(std::integral_constant<int, 32>(), x.data(), n, step, narrow);
  jq::detail::extremes_of_columns<false, 1>(std::integral_constant<int, 64>(), x.data(), n, step, wide);
  CHECK(std::equal(narrow, narrow + 16, wide));
  CHECK(wide[5] == -1);
  CHECK(wide[9] == 0);
  CHECK(wide[10] == -1);
  jq::detail::extremes_of_columns<true, 1>(std::integral_constant<int, 64>(), x.data(), n, step, wide);
  for (std::int64_t c = 11; c < 16; ++c) {
    std::int64_t least = 0;
    for (std::int64_t r = 1; r < n; ++r)
      if (x[std::size_t(r * step + c)] < x[std::size_t(least * step + c)]) least = r;
    CHECK(wide[c] == least);
  }
}
#endif
TEST_CASE("argmax, argmin: dtypes, batching, no derivative") {
  for (const auto& f : {first_largest, first_smallest}) {
    check_dtypes(unary(f), {make({1.0, 0.0, 5.0, 5.0})}, jq::ordered, always_i32);
    check_batching(unary(f), {m});
    check_batching(unary(f), {make({3, 1, 2})});
  }
  const auto scaled = [](const arrays& x) {
    return lax::mul(x[0], lax::convert_element_type(first_largest(x[0]), jq::f64));
  };
  CHECK_CLOSE(cotangents(scaled, {make({1.0, 2.0})}, make({1.0, 1.0}))[0], make({1.0, 1.0}), 0);
}
TEST_CASE("argmax, argmin: errors") {
  CHECK_THROWS_WITH_AS(lax::argmax(m, 2, jq::i32),
                       doctest::Contains("argmax: Invalid axis (2,) for operand shape (2, 3)"), jq::value_error);
  CHECK_THROWS_WITH_AS(first_smallest(make<double>({}, {0, 2})),
                       doctest::Contains("argmin requires non-empty reduced dimension"), jq::value_error);
  CHECK_THROWS_WITH_AS(lax::argmin(m, 0, jq::f32),
                       doctest::Contains("index_dtype must be an integer type, but got float32"), jq::type_error);
}
