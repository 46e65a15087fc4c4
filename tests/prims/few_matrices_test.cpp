// Factors and triangular systems of small matrices, written out by other primitives. Oracle: the kernels of lu and triangular_solve, to the bit; and
// which matrices are left to these.
#include <jacquard/prims/few_matrices.hpp>

#include <jacquard/backends/interpreter/eager.hpp>
#include <jacquard/numpy/vocabulary.hpp>
#include <jacquard/prims/lu.hpp>
#include <jacquard/testing/comparison.hpp>

#include <limits>

#include <doctest/doctest.h>

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), not_one = std::numeric_limits<double>::quiet_NaN();

void same(const array& got, const array& want) {
  const auto r = jq::testing::identical(got, want);
  CHECK_MESSAGE(r.ok, r.text);
}
void same_factors(const array& x) {
  const jq::array_list want = lax::lu(x), got = jq::detail::lu_written_out(x);
  for (std::size_t i = 0; i < 3; ++i) same(got[i], want[i]);
}
/// Some numbers, of which no two are alike and signs change.
array numbers(const jq::shape& s, double from) { return jq::sin(jq::reshape(jq::arange(double(s.elements())), s) * 1.7 + from); }

}  // namespace

TEST_CASE("few matrices: factors with row exchanges, of one and of many") {
  for (const jq::dtype t : {jq::dtype::f32, jq::dtype::f64})
    for (std::int64_t n = 1; n <= 4; ++n) {
      for (int k = 0; k < 6; ++k) same_factors(numbers({n, n}, k).astype(t));
      same_factors(numbers({3, 2, n, n}, 0.3).astype(t));
    }
}
TEST_CASE("few matrices: equal pivots, none, and what is no number") {
  for (const array& x : {jq::asarray({1.0, 2.0, -1.0, 3.0}), jq::asarray({0.0, 2.0, 0.0, 3.0}), jq::asarray({0.0, inf, 0.0, 3.0}), jq::asarray({not_one, 2.0, 1.0, 3.0}), jq::asarray({1.0, 2.0, not_one, 3.0}),
                         jq::asarray({inf, 2.0, -inf, 3.0}), jq::asarray({0.0, 0.0, 0.0, 0.0}), jq::asarray({-0.0, 1.0, 1.0, -0.0})})
    same_factors(jq::reshape(x, {2, 2}));
  same_factors(jq::reshape(jq::asarray({1.0, 2.0, 3.0, 2.0, 4.0, 6.0, -2.0, 1.0, inf}), {3, 3}));
  same_factors(jq::reshape(jq::asarray({0.0, 2.0, inf, 0.0, not_one, 6.0, 0.0, 1.0, 1.0}), {3, 3}));
}
TEST_CASE("few matrices: triangular systems from both sides, forward and backward, with ones on the diagonal or without") {
  for (std::int64_t n = 1; n <= 4; ++n)
    for (const std::int64_t k : {std::int64_t(1), std::int64_t(3)})
      for (int which = 0; which < 16; ++which) {
        const jq::triangular_options o{.left_side = (which & 1) != 0, .lower = (which & 2) != 0, .transpose_a = (which & 4) != 0, .unit_diagonal = (which & 8) != 0};
        const bool turned = o.transpose_a == o.left_side;
        for (const jq::shape& lead : {jq::shape{}, jq::shape{5}}) {
          jq::int_list square = lead, other = lead;
          square.push_back(n), square.push_back(n), other.push_back(o.left_side ? n : k), other.push_back(o.left_side ? k : n);
          const array a = numbers(jq::shape(square), 0.1), b = numbers(jq::shape(other), 0.7);
          same(jq::detail::triangular_written_out(a, b, o.left_side, turned, o.lower != turned, o.unit_diagonal), lax::triangular_solve(a, b, o));
        }
      }
}
TEST_CASE("few matrices: larger ones, those that are not square, and complex ones are left to kernels") {
  using jq::detail::is_written_out;
  CHECK(is_written_out({jq::f64, {7, 4, 4}}));
  CHECK_FALSE(is_written_out({jq::f64, {5, 5}}));
  CHECK_FALSE(is_written_out({jq::f64, {3, 4}}));
  CHECK_FALSE(is_written_out({jq::c128, {3, 3}}));
  CHECK_FALSE(is_written_out({jq::f64, {0, 0}}));
}
