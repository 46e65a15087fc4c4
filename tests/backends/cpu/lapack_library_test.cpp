// LAPACK and the BLAS as the cpu backend calls them, against the loops of the interpreter: every factorisation, dtype and shape, at sizes
// that go to the library. Where it is not installed both sides are our own loops.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/prims/linear_algebra.hpp>

#include "../../prims/prim_testing.hpp"

using namespace prim_testing;

namespace {
using many = std::function<arrays(const arrays&)>;

array noise(jq::dtype t, const shape& s, unsigned seed = 1) { return direction(lax::zeros(jq::aval(t, s)), seed); }
arrays list_of(const jq::array_list& y) { return arrays(y.begin(), y.end()); }
/// Compiled for the cpu backend, which uses the libraries, and run by the interpreter, which does not.
void compare(const char* name, const many& f, const arrays& x, double tolerance) {
  INFO(name << " of " << show(x[0]).substr(0, 12) << " x " << x[0].shape()[x[0].ndim() - 1]);
  const arrays got = jq::jit(f, jq::backend("cpu"))(x), want = f(x);
  REQUIRE(got.size() == want.size());
  for (std::size_t k = 0; k < got.size(); ++k) CHECK_CLOSE(got[k], want[k], tolerance);
}
const jq::dtype types[] = {jq::f32, jq::f64, jq::c64, jq::c128};
}  // namespace

TEST_CASE("factorisations by the library are those by loops") {
  using namespace jq::detail;
  for (jq::dtype t : types) {
    const double tolerance = 4000 * precision(t);
    for (const shape& s : {shape{20, 20}, shape{2, 9, 9}}) {
      const array x = noise(t, s), definite = lax::add(product_of(x, adjoint(x)), identity_like(x));
      compare("cholesky", [](const arrays& a) { return arrays{lax::cholesky(a[0])}; }, {definite}, tolerance);
      compare("eigh", [](const arrays& a) { return list_of(lax::eigh(a[0])); }, {definite}, tolerance);
      compare("eigh of values", [](const arrays& a) { return list_of(lax::eigh(a[0], false)); }, {definite}, tolerance);
    }
    for (const shape& s : {shape{20, 20}, shape{12, 9}, shape{9, 14}, shape{2, 10, 8}}) {
      const array x = noise(t, s, 3);
      compare("lu", [](const arrays& a) { return list_of(lax::lu(a[0])); }, {x}, tolerance);
      compare("svd", [](const arrays& a) { return list_of(lax::svd(a[0])); }, {x}, tolerance);
      compare("svd of values", [](const arrays& a) { return list_of(lax::svd(a[0], false, false)); }, {x}, tolerance);
      compare("qr", [](const arrays& a) { return list_of(lax::qr(a[0])); }, {x}, tolerance);
      compare("full qr", [](const arrays& a) { return list_of(lax::qr(a[0], true)); }, {x}, tolerance);
      compare("full svd", [](const arrays& a) {  // whose last vectors are arbitrary
        const jq::array_list y = lax::svd(a[0], true);
        return arrays{y[0], product_of(y[1], adjoint(y[1])), product_of(adjoint(y[2]), y[2])};
      }, {x}, tolerance);
    }
  }
}
TEST_CASE("triangular systems by the library are those by loops, in every form") {
  for (jq::dtype t : types)
    for (int i = 0; i < 32; ++i) {
      const jq::triangular_options o{(i & 1) != 0, (i & 2) != 0, (i & 4) != 0, (i & 8) != 0, (i & 16) != 0};
      const array a = lax::add(lax::mul(0.1, noise(t, {12, 12})), jq::detail::identity_like(noise(t, {12, 12})));
      const array b = noise(t, o.left_side ? shape{12, 9} : shape{9, 12}, 2);
      compare("triangular_solve", [=](const arrays& x) { return arrays{lax::triangular_solve(x[0], x[1], o)}; }, {a, b}, 400 * precision(t));
    }
}
TEST_CASE("similar matrices by the library: forms, eigenvalues of real and complex matrices") {
  using namespace jq::detail;
  for (jq::dtype t : types)
    for (const shape& s : {shape{20, 20}, shape{2, 9, 9}}) {
      const array x = noise(t, s, 5);
      compare("hessenberg", [](const arrays& a) { return list_of(lax::hessenberg(a[0])); }, {x}, 4000 * precision(t));
      // Forms may have their blocks in another order: they are as triangular, and make the matrix again.
      compare("schur", [](const arrays& a) {
        const jq::array_list y = lax::schur(a[0]);
        return arrays{product_of(product_of(y[1], y[0]), adjoint(y[1])), product_of(adjoint(y[1]), y[1]), lax::sub(y[0], upper_part(y[0], -1))};
      }, {x}, 4000 * precision(t));
      const array z = is_complex(t) ? x : array(lax::complex(x, lax::mul(0.0, x)));
      compare("eig", [](const arrays& a) { return list_of(lax::eig(a[0])); }, {z}, 40000 * precision(t));
    }
}
TEST_CASE("what the library refuses: not positive definite, NaN") {
  const array bad = lax::neg(jq::detail::identity_like(noise(jq::f64, {10, 10})));
  compare("cholesky", [](const arrays& a) { return arrays{lax::cholesky(a[0])}; }, {bad}, 0);
  const array nan = lax::mul(not_a_number, lax::add(bad, 1.0));
  compare("svd", [](const arrays& a) { return list_of(lax::svd(a[0])); }, {nan}, 0);
}
