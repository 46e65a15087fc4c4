// convolve and correlate: the examples of numpy's documentation, modes, lengths, dtypes, derivatives, sizes that are masked.
#include "numpy_testing.hpp"

#include <algorithm>

static_assert(traced([](array x) { return jq::convolve(x, x) + jq::correlate(x, x, "full"); }, {3}) > 0);
static_assert(traced([](array x) { return jq::convolve(x, x, "all"); }, {3}) == -1);

namespace {
const array x = asarray({1.0, 2.0, 3.0}), k = asarray({0.0, 1.0, 0.5});

/// The sums by definition: of a[i] * b[n - i].
std::vector<double> by_definition(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> r(a.size() + b.size() - 1, 0.0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) r[i + j] += a[i] * b[j];
  return r;
}
}  // namespace

TEST_CASE("convolve: numpy's examples") {
  CHECK(show(jq::convolve(x, k)) == "f64[5] 0 1 2.5 4 1.5");
  CHECK(show(jq::convolve(x, k, "same")) == "f64[3] 1 2.5 4");
  CHECK(show(jq::convolve(x, k, "valid")) == "f64[1] 2.5");
}
TEST_CASE("correlate: numpy's examples") {
  CHECK(show(jq::correlate(x, k)) == "f64[1] 3.5");
  CHECK(show(jq::correlate(x, k, "same")) == "f64[3] 2 3.5 3");
  CHECK(show(jq::correlate(x, k, "full")) == "f64[5] 0.5 2 3.5 3 0");
  const jq::complex128 j(0, 1);
  const array z = asarray({1.0 + j, 2.0 + 0.0 * j, 3.0 - j}), w = asarray({0.0 * j, 1.0 + 0.0 * j, 0.5 * j});
  const array full = asarray({0.5 - 0.5 * j, 1.0 + 0.0 * j, 1.5 - 1.5 * j, 3.0 - j, 0.0 * j});
  CHECK(distance(jq::real(jq::correlate(z, w, "full")), jq::real(full)) == 0);
  CHECK(distance(jq::imag(jq::correlate(z, w, "full")), jq::imag(full)) == 0);
  const array back = jq::flip(jq::conj(jq::correlate(w(jq::slice(1, 3)), z, "full")));
  CHECK(distance(jq::imag(back), jq::imag(jq::correlate(z, w(jq::slice(1, 3)), "full"))) == 0);
}
TEST_CASE("convolve: every pair of lengths, in either order") {
  for (std::size_t n = 1; n <= 5; ++n)
    for (std::size_t m = 1; m <= 5; ++m) {
      std::vector<double> a, b;
      for (std::size_t i = 0; i < n; ++i) a.push_back(double(i * i) + 1);
      for (std::size_t i = 0; i < m; ++i) b.push_back(3 - double(i));
      const array want = asarray(by_definition(a, b)), u = asarray(a), v = asarray(b);
      const std::int64_t longer = std::int64_t(std::max(n, m)), shorter = std::int64_t(std::min(n, m)), start = (shorter - 1) / 2;
      CHECK(show(jq::convolve(u, v)) == show(want));
      CHECK(show(jq::convolve(u, v, "same")) == show(want(jq::slice(start, start + longer))));
      CHECK(show(jq::convolve(u, v, "valid")) == show(want(jq::slice(shorter - 1, longer))));
      CHECK(show(jq::correlate(u, v, "full")) == show(jq::convolve(u, jq::flip(v))));
    }
}
TEST_CASE("convolve: dtypes are promoted, integers stay") {
  CHECK(show(jq::convolve(asarray({1, 2}), asarray({3, 4}))) == "i32[3] 3 10 8");
  CHECK(show(jq::convolve(asarray({1, 2}), asarray({0.5f, 1.f}))) == "f32[3] 0.5 2 2");
}
TEST_CASE("convolve: gradients") {
  const auto f = [](const array& a, const array& b) { return jq::sum(jq::convolve(a, b) * jq::arange(4)); };
  const auto [da, db] = jq::grad(f, jq::argnums<0, 1>)(x, asarray({4.0, 5.0}));
  CHECK(show(da) == "f64[3] 5 14 23");
  CHECK(show(db) == "f64[2] 8 14");
}
TEST_CASE("convolve: masked operands") {
  const auto f = jq::mask([](const array& a) { return jq::convolve(a, k); }, jq::in_shapes<"n+3">, jq::out_shape<"n+5">);
  CHECK(show(f(jq::args(asarray({1.0, 2.0, 3.0, 7.0})), jq::dims{{"n", 0}})) == "f64[6] 0 1 2.5 4 1.5 0");
}
TEST_CASE("convolve: a masked operand that is not the longer one any more is an error where the result would be another") {
  const array padded = asarray({1.0, 2.0, 3.0, 7.0});
  for (const char* mode : {"same", "valid"}) {
    const auto f = jq::mask([&](const array& a) { return jq::convolve(a, k, mode); }, jq::in_shapes<"n">);
    CHECK(show(f(jq::args(padded), jq::dims{{"n", 3}}).first) == (mode[0] == 's' ? "f64[4] 1 2.5 4 0" : "f64[2] 2.5 0"));
    CHECK_THROWS_WITH_AS(f(jq::args(padded), jq::dims{{"n", 2}}), doctest::Contains("mask: the function needs n >= 3"), jq::value_error);
    const auto g = jq::mask([&](const array& a) { return jq::correlate(a, k, mode); }, jq::in_shapes<"n">);
    CHECK_THROWS_WITH_AS(g(jq::args(padded), jq::dims{{"n", 2}}), doctest::Contains("mask: the function needs n >= 3"), jq::value_error);
  }
}
TEST_CASE("convolve: errors") {
  CHECK_ERROR(jq::shape_error, jq::convolve(jq::ones({2, 3}), x), "convolve", "(2, 3)", "(3,)", "one dimension each");
  CHECK_ERROR(jq::shape_error, jq::correlate(x, jq::zeros({0})), "correlate", "(0,)", "at least one element");
  CHECK_ERROR(jq::value_error, jq::convolve(x, k, "all"), "convolve", "\"all\"", "full, same or valid");
}
