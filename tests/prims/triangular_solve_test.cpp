// triangular_solve: every side, triangle and form of the matrix against the product, the half that is not read, derivatives, one
// matrix for a batch of right-hand sides, the compile-time lane, errors.
#include <jacquard/prims/triangular_solve.hpp>

#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
const array real3 = make({2.0, 0.5, -1.0, 1.5, -3.0, 0.25, 0.75, 1.0, 4.0}, {3, 3});
array matrix(jq::dtype t) {
  if (!jq::is_complex(t)) return cast(real3, t);
  return cast(lax::complex(real3, lax::mul(0.5, jq::detail::matrix_transpose(real3))), t);
}
/// The triangle that the options name, as the matrix that multiplies.
array operator_of(const array& a, const jq::triangular_options& o) {
  array m = o.lower ? jq::detail::lower_part(a) : jq::detail::upper_part(a);
  if (o.unit_diagonal) m = lax::select(jq::detail::on_diagonal(m), cast(scalar(1.0), a.dtype()), m);
  if (o.transpose_a) m = jq::detail::matrix_transpose(m);
  return o.conjugate_a ? lax::conj(m) : m;
}
template <class F>
void for_each_form(F f) {
  for (int i = 0; i < 32; ++i) f(jq::triangular_options{(i & 1) != 0, (i & 2) != 0, (i & 4) != 0, (i & 8) != 0, (i & 16) != 0});
}
}  // namespace

TEST_CASE("triangular_solve: the product with the solution is the right-hand side") {
  for (jq::dtype t : {jq::f32, jq::f64, jq::c64, jq::c128})
    for_each_form([&](const jq::triangular_options& o) {
      const array a = matrix(t), b = direction(lax::zeros(jq::aval(t, o.left_side ? shape{3, 2} : shape{2, 3})), 5);
      const array x = lax::triangular_solve(a, b, o), m = operator_of(a, o);
      CHECK_CLOSE(o.left_side ? jq::detail::product_of(m, x) : jq::detail::product_of(x, m), b, 64 * precision(t));
    });
}
TEST_CASE("triangular_solve: the other triangle is not read; zeros on the diagonal give infinities") {
  CHECK_CLOSE(lax::triangular_solve(make({2.0, not_a_number, 1.0, 4.0}, {2, 2}), make({2.0, 9.0}, {2, 1})), make({1.0, 2.0}, {2, 1}), 0);
  CHECK_CLOSE(lax::triangular_solve(make({0.0}, {1, 1}), make({2.0}, {1, 1})), make({inf}, {1, 1}), 0);
}
TEST_CASE("triangular_solve: derivatives and batching") {
  for_each_form([&](const jq::triangular_options& o) {
    const function f = binary([=](const array& a, const array& b) { return lax::triangular_solve(a, b, o); });
    const array b = o.left_side ? make({1.0, 2.0, 3.0, -1.0, 0.5, 1.0}, {3, 2}) : make({1.0, 2.0, 3.0, -1.0, 0.5, 1.0}, {2, 3});
    check_derivatives(f, {real3, b}, 2, 1e-7);
    check_batching(f, {real3, b});
  });
  const function f = binary([=](const array& a, const array& b) { return lax::triangular_solve(a, b, {.transpose_a = true, .conjugate_a = true}); });
  check_derivatives(f, {matrix(jq::c128), direction(lax::zeros(jq::aval(jq::c128, {3, 2})), 1)}, 2, 1e-7);
}
TEST_CASE("triangular_solve: one matrix for many right-hand sides is not repeated") {
  const jq::closed_jaxpr p = jq::make_jaxpr([](const array& b) {
    return jq::vmap([](const array& v) { return lax::triangular_solve(real3, v); })(b);
  })(jq::zeros({7, 3, 2}, jq::f64));
  for (const jq::aval& t : p->avals) CHECK_FALSE(t.dims == shape{7, 3, 3});
}
TEST_CASE("triangular_solve: errors") {
  CHECK_THROWS_WITH_AS(lax::triangular_solve(real3, make({1.0, 2.0}, {2, 1})),
                       doctest::Contains("triangular_solve: got operands of shapes (3, 3) and (2, 1), wanted (..., n, n) and (..., n, k)"), jq::shape_error);
  CHECK_THROWS_AS(lax::triangular_solve(real3, make({1.0, 2.0, 3.0})), jq::shape_error);
  CHECK_THROWS_AS(lax::triangular_solve(real3, make<float>({1, 2, 3}, {3, 1})), jq::type_error);
}
constexpr auto there = jq::jvp([](const auto& a, const auto& b) { return lax::triangular_solve(a, b); },
                               jq::primals(jq::tensor<double, 2, 2>{2, 0, 1, 4}, jq::tensor<double, 2, 1>{2, 9}),
                               jq::tangents(jq::tensor<double, 2, 2>{0, 0, 4, 0}, jq::tensor<double, 2, 1>{0, 4}));
static_assert(there.first == jq::tensor<double, 2, 1>{1, 2});
static_assert(there.second == jq::tensor<double, 2, 1>{0, 0});
