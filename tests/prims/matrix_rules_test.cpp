// matrix_rules: triangles, diagonals, products and broadcasts of arrays of matrices, and the checks of operands.
#include <jacquard/prims/matrix_rules.hpp>

#include "prim_testing.hpp"

using namespace prim_testing;
namespace rules = jacquard::detail;
using number = jq::complex128;

namespace {
const array m = make({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, {2, 3}), s = make({1.0, 2.0, 3.0, 4.0}, {2, 2});
const array c = make<number>({{1, 5}, {2, 1}, {3, -2}, {4, 7}}, {2, 2});
}  // namespace

static_assert(rules::leading(shape{2, 3, 4}, 2, {7}) == shape{2, 7});
static_assert(rules::matrix_count(shape{2, 3, 4, 5}) == 6 && rules::matrix_count(shape{4, 5}) == 1);
static_assert(rules::conjugate(number(1, 2)) == number(1, -2) && rules::conjugate(3.0) == 3 && rules::squared(number(3, 4)) == 25);

TEST_CASE("matrix rules: triangles and diagonals") {
  CHECK_CLOSE(rules::lower_part(m), make({1.0, 0.0, 0.0, 4.0, 5.0, 0.0}, {2, 3}), 0);
  CHECK_CLOSE(rules::lower_part(m, -1), make({0.0, 0.0, 0.0, 4.0, 0.0, 0.0}, {2, 3}), 0);
  CHECK_CLOSE(rules::upper_part(m), make({1.0, 2.0, 3.0, 0.0, 5.0, 6.0}, {2, 3}), 0);
  CHECK_CLOSE(rules::upper_part(m, 1), make({0.0, 2.0, 3.0, 0.0, 0.0, 6.0}, {2, 3}), 0);
  CHECK_CLOSE(rules::half_lower_part(s), make({0.5, 0.0, 3.0, 2.0}, {2, 2}), 0);
  CHECK_CLOSE(rules::identity_like(m), make({1.0, 0.0, 0.0, 0.0, 1.0, 0.0}, {2, 3}), 0);
  CHECK_CLOSE(rules::diagonals_of(m), make({1.0, 5.0}), 0);
  CHECK_CLOSE(rules::diagonals_of(rules::matrix_transpose(m)), make({1.0, 5.0}), 0);
  CHECK_CLOSE(rules::hermitian_from_lower(s), make({1.0, 3.0, 3.0, 4.0}, {2, 2}), 0);
  CHECK_CLOSE(rules::hermitian_from_lower(c), make<number>({{1, 0}, {3, 2}, {3, -2}, {4, 0}}, {2, 2}), 0);
}
TEST_CASE("matrix rules: products, broadcasts and parts") {
  CHECK_CLOSE(rules::product_of(s, m), make({9.0, 12.0, 15.0, 19.0, 26.0, 33.0}, {2, 3}), 0);
  CHECK_CLOSE(rules::adjoint(c), make<number>({{1, -5}, {3, 2}, {2, -1}, {4, -7}}, {2, 2}), 0);
  CHECK_CLOSE(rules::along_columns(make({1.0, 2.0}), 3), make({1.0, 2.0, 1.0, 2.0, 1.0, 2.0}, {3, 2}), 0);
  CHECK_CLOSE(rules::along_rows(make({1.0, 2.0}), 3), make({1.0, 1.0, 1.0, 2.0, 2.0, 2.0}, {2, 3}), 0);
  CHECK_CLOSE(rules::first_columns(m, 1), make({1.0, 4.0}, {2, 1}), 0);
  CHECK_CLOSE(rules::first_rows(m, 1), make({1.0, 2.0, 3.0}, {1, 3}), 0);
}
TEST_CASE("matrix rules: what operands are refused") {
  const auto problem = [](std::initializer_list<jq::aval> types, bool square) {
    const std::vector<jq::aval> in(types);
    jq::inference i{"op", jq::view<const jq::aval>(in.data(), in.size()), {}};
    return !rules::check_matrices(i, square) && bool(i.problem);
  };
  CHECK_FALSE(problem({{jq::f64, {2, 3, 3}}}, true));
  CHECK_FALSE(problem({{jq::c64, {2, 3}}}, false));
  CHECK(problem({{jq::f64, {2, 3}}}, true));
  CHECK(problem({{jq::f64, {3}}}, false));
  CHECK(problem({{jq::f16, {3, 3}}}, false));
  CHECK(problem({{jq::f64, {3, 3}}, {jq::f32, {3, 3}}}, false));
}
