// eig: residuals, known eigenvalues, order, defective matrices, derivatives, batching, the compile-time lane, errors.
#include <jacquard/prims/eig.hpp>

#include "prim_testing.hpp"

using namespace prim_testing;
using jq::detail::along_columns, jq::detail::product_of;
using number = jq::complex128;

namespace {
array noise(jq::dtype t, const shape& s, unsigned seed = 1) { return direction(lax::zeros(jq::aval(t, s)), seed); }
arrays pairs(const array& x) {
  const jq::array_list y = lax::eig(x);
  return {y[0], y[1]};
}
}  // namespace

TEST_CASE("eig: the matrix scales its eigenvectors, which have norm 1") {
  for (jq::dtype t : {jq::c64, jq::c128})
    for (std::int64_t n : {1, 2, 3, 6, 20}) {
      const array x = noise(t, {n, n}, unsigned(n));
      const arrays y = pairs(x);
      CHECK_CLOSE(product_of(x, y[1]), lax::mul(y[1], along_columns(y[0], n)), 16 * double(n) * precision(t));
      const array norms = lax::reduce_sum(lax::real(lax::mul(y[1], lax::conj(y[1]))), {0});
      CHECK_CLOSE(norms, lax::full({n}, jq::literal(1, norms.dtype(), false)), 16 * precision(t));
      CHECK_CLOSE(lax::eig(x, false)[0], y[0], 64 * double(n) * precision(t));
    }
}
TEST_CASE("eig: roots of unity, a rotation, a defective matrix, nothing and NaN") {
  CHECK_CLOSE(pairs(make<number>({{0, 0}, {-1, 0}, {1, 0}, {0, 0}}, {2, 2}))[0], make<number>({{0, -1}, {0, 1}}), 1e-15);
  const array cycle = make<number>({{0, 0}, {1, 0}, {0, 0}, {0, 0}, {0, 0}, {1, 0}, {1, 0}, {0, 0}, {0, 0}}, {3, 3});
  const double h = std::sqrt(0.75);
  CHECK_CLOSE(pairs(cycle)[0], make<number>({{-0.5, -h}, {-0.5, h}, {1, 0}}), 1e-14);
  const arrays y = pairs(make<number>({{2, 0}, {1, 0}, {0, 0}, {2, 0}}, {2, 2}));
  CHECK_CLOSE(y[0], make<number>({{2, 0}, {2, 0}}), 1e-15);
  CHECK_CLOSE(y[1], make<number>({{1, 0}, {1, 0}, {0, 0}, {0, 0}}, {2, 2}), 1e-14);
  CHECK_CLOSE(pairs(make<number>({}, {0, 0}))[0], make<number>({}, {0}), 0);
  CHECK(std::isnan(numbers(pairs(make<number>({{1, 0}, {not_a_number, 0}, {0, 0}, {1, 0}}, {2, 2}))[0])[0].real()));
}
TEST_CASE("eig: of real matrices real eigenvalues and vectors are exactly real, and pairs exactly conjugate") {
  for (std::int64_t n : {1, 2, 3, 6, 7, 20}) {
    const array x = noise(jq::f64, {n, n}, unsigned(n)), symmetric = lax::add(x, jq::detail::matrix_transpose(x)), zero = lax::zeros(jq::aval(jq::f64, {n, n}));
    const arrays y = pairs(lax::complex(x, zero)), real = pairs(lax::complex(symmetric, zero));
    CHECK_CLOSE(lax::imag(real[0]), lax::zeros(jq::aval(jq::f64, {n})), 0);
    CHECK_CLOSE(lax::imag(real[1]), zero, 0);
    CHECK_CLOSE(product_of(lax::complex(x, zero), y[1]), lax::mul(y[1], along_columns(y[0], n)), 16 * double(n) * precision(jq::c128));
    const std::vector<c128> w = numbers(y[0]);
    for (std::size_t i = 0; i < w.size(); ++i)
      if (w[i].imag() < 0) CHECK(w[i + 1] == std::conj(w[i]));
  }
  // Products of a triangle with 1, 2, 3, 4 and its inverse: real eigenvalues of a matrix that is not symmetric; numpy.linalg.eigvals.
  const array t = make<number>({{4, 0}, {-1, 0}, {-2, 0}, {6, 0}, {-1, 0}, {-4, 0}, {-3, 0}, {1, 0}, {1, 0}}, {3, 3});  // 1, 0 and 2
  const arrays y = pairs(make<number>({{2, 0}, {0, 0}, {0, 0}, {1, 0}, {2, 0}, {1, 0}, {-1, 0}, {0, 0}, {1, 0}}, {3, 3}));  // 1, 2 and 2
  CHECK_CLOSE(y[0], make<number>({{1, 0}, {2, 0}, {2, 0}}), 1e-7);
  CHECK_CLOSE(lax::imag(y[0]), make<double>({0, 0, 0}), 0);
  CHECK_CLOSE(product_of(t, pairs(t)[1]), lax::mul(pairs(t)[1], along_columns(pairs(t)[0], 3)), 1e-13);
}
TEST_CASE("eig: eigenvalues of a multiple are multiples, also of huge and tiny ones, with the same vectors") {
  const auto check = [](const array& x, std::initializer_list<int> powers) {
    const auto scaled = [](const array& y, int k) { return lax::mul(y, lax::full(y.shape(), jq::literal(std::ldexp(1.0, k), y.dtype(), false))); };
    const arrays want = pairs(x);
    for (int k : powers) {
      const arrays y = pairs(scaled(x, k));
      CHECK_CLOSE(scaled(y[0], -k), want[0], 200 * precision(x.dtype()));
      CHECK_CLOSE(y[1], want[1], 200 * precision(x.dtype()));
      CHECK_CLOSE(scaled(lax::eig(scaled(x, k), false)[0], -k), want[0], 200 * precision(x.dtype()));
    }
  };
  const array real = noise(jq::f64, {5, 5}, 6);
  check(lax::complex(real, lax::zeros(jq::aval(jq::f64, {5, 5}))), {-1010, 515, 1020});
  check(noise(jq::c128, {5, 5}, 6), {-1010, 515, 1020});
  const array single = noise(jq::f32, {5, 5}, 6);
  check(lax::complex(single, lax::zeros(jq::aval(jq::f32, {5, 5}))), {-120, 67, 124});
}
TEST_CASE("eig: derivatives and batching") {
  const array x = noise(jq::c128, {3, 3}, 2);
  check_derivatives(unary([](const array& a) { return lax::eig(a, false)[0]; }), {x}, 2, 1e-6);
  check_derivatives(unary([](const array& a) { return pairs(a)[0]; }), {x}, 2, 1e-6);
  check_derivatives(unary([](const array& a) { return pairs(a)[1]; }), {x}, 2, 1e-5);
  check_batching([](const arrays& a) { return pairs(a[0]); }, {x});
}
TEST_CASE("eig: errors") {
  CHECK_THROWS_WITH_AS(lax::eig(noise(jq::f64, {3, 3})), doctest::Contains("eig does not accept dtype float64: wanted complex64 or complex128"), jq::type_error);
  CHECK_THROWS_AS(lax::eig(noise(jq::c128, {3, 2})), jq::shape_error);
}
constexpr auto there = jq::jvp([](const auto& a) { return lax::eig(a)[0]; }, jq::primals(jq::tensor<number, 2, 2>{number(1, 0), number(2, 0), number(0, 0), number(3, 0)}),
                               jq::tangents(jq::tensor<number, 2, 2>{number(0, 1), number(0, 0), number(0, 0), number(0, 0)}));
static_assert(there.first[0].re > 0.999999 && there.first[1].re > 2.999999 && there.second[0].im > 0.999999);
