// Matrix products of the cpu backend, by OpenBLAS or oneDNN where they are installed, against the interpreter's: transposes, batches,
// vectors, NaN and infinities that meet zeros, empty ones, derivatives. A matrix inside a program with fused kernels around it. Which
// kernels OpenBLAS was built to use.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/native_backend.hpp>

#include <jacquard/testing/comparison.hpp>
#include <limits>

#include "same.hpp"

using jq::array;

namespace {

template <class F, class... A>
void same(F f, const A&... x) {
  same_within(2e-5, f, x...);
}
array numbers(const jq::shape& s, std::uint64_t seed = 1) { return jq::random::normal(jq::random::key(seed), s); }

static_assert(jq::cpu::detail::is_behind("Prescott", "SKYLAKEX") && jq::cpu::detail::is_behind("Prescott", "HASWELL"));
static_assert(jq::cpu::detail::is_behind("Haswell", "SKYLAKEX") && !jq::cpu::detail::is_behind("Haswell", "HASWELL"));
static_assert(!jq::cpu::detail::is_behind("SkylakeX", "SKYLAKEX") && !jq::cpu::detail::is_behind("Sapphirerapids", "SKYLAKEX"));

}  // namespace

TEST_CASE("OpenBLAS has the kernels of this processor, unless the environment says otherwise") {
  if (jq::cpu::detail::loaded_blas() && !std::getenv("OPENBLAS_CORETYPE")) CHECK_FALSE(jq::cpu::detail::blas_is_behind());
}
TEST_CASE("products of every transpose, batch and shape") {
  same([](const array& x, const array& y) { return jq::matmul(x, y); }, numbers({33, 47}), numbers({47, 29}));
  same([](const array& x, const array& y) { return jq::einsum("ki,kj->ij", x, y); }, numbers({47, 33}), numbers({47, 29}));
  same([](const array& x, const array& y) { return jq::einsum("ik,jk->ij", x, y); }, numbers({33, 47}), numbers({29, 47}));
  same([](const array& x, const array& y) { return jq::einsum("ki,jk->ij", x, y); }, numbers({47, 33}), numbers({29, 47}));
  same([](const array& x, const array& y) { return jq::einsum("bik,bkj->bij", x, y); }, numbers({3, 20, 31}), numbers({3, 31, 17}));
  same([](const array& x, const array& y) { return jq::einsum("kbi,bjk->bij", x, y); }, numbers({31, 3, 20}), numbers({3, 17, 31}));
  same([](const array& x, const array& y) { return jq::matmul(x, y); }, numbers({300, 40}), numbers({40}));
  same([](const array& x, const array& y) { return jq::matmul(x, y); }, numbers({40}), numbers({40, 300}));
  same([](const array& x, const array& y) { return jq::matmul(x, y); }, numbers({64, 64}).astype(jq::f64), numbers({64, 64}).astype(jq::f64));
}
TEST_CASE("a zero that meets a NaN or an infinity is NaN") {
  for (float v : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) for (std::int64_t n : {8, 40, 120}) {
    const array zeros = jq::zeros({n, n}), y = jq::full({n, n}, v);
    const array p = jq::jit([](const array& a, const array& b) { return jq::matmul(a, b); }, jq::backend("cpu"))(zeros, y);
    CHECK(jq::all(p != p).item<bool>());
    const array q = jq::jit([](const array& a, const array& b) { return jq::matmul(b, a); }, jq::backend("cpu"))(zeros, y);
    CHECK(jq::all(q != q).item<bool>());
  }
}
TEST_CASE("nothing to add up, nothing to compute") {
  same([](const array& x, const array& y) { return jq::matmul(x, y); }, jq::zeros({100, 0}), jq::zeros({0, 100}));
  same([](const array& x, const array& y) { return jq::matmul(x, y); }, jq::zeros({0, 100}), jq::zeros({100, 100}));
}
TEST_CASE("large products in tiles: every transpose, with rests, f32 and f64; the same bits for any number of threads") {
  const int before = jq::cpu::threads();
  for (jq::dtype t : {jq::f32, jq::f64})
    for (const char* which : {"ik,kj->ij", "ki,kj->ij", "ik,jk->ij", "ki,jk->ij"}) {
      const std::string equation = which;
      const array x = numbers(equation.substr(0, 2) == "ik" ? jq::shape{301, 67} : jq::shape{67, 301}).astype(t);
      const array y = numbers(equation.substr(3, 2) == "kj" ? jq::shape{67, 1033} : jq::shape{1033, 67}, 2).astype(t);
      const auto f = [&](const array& a, const array& b) { return jq::einsum(equation, a, b); };
      same(f, x, y);
      const auto compiled = jq::jit(f, jq::backend("cpu"));
      jq::cpu::set_threads(1);
      const array want = compiled(x, y);
      for (int n : {2, 3, 7}) {
        jq::cpu::set_threads(n);
        CHECK(jq::testing::identical(compiled(x, y), want).ok);
      }
    }
  jq::cpu::set_threads(before);
}
TEST_CASE("factors that the program transposes, among them those of attention") {
  const auto f = [](const array& x, const array& y) { return jq::matmul(jq::transpose(x), jq::transpose(y)); };
  same(f, numbers({47, 33}), numbers({29, 47}));
  same(f, numbers({7, 5}), numbers({6, 7}));
  same([](const array& q, const array& k) { return jq::matmul(lax::transpose(q, {0, 2, 1, 3}), lax::transpose(k, {0, 2, 3, 1})); }, numbers({2, 20, 3, 16}),
       numbers({2, 30, 3, 16}));
}
TEST_CASE("between fused kernels, and differentiated") {
  const auto loss = [](const array& w, const array& v, const array& x) {
    const array h = jq::tanh(jq::matmul(x, w) + 0.1f);
    return jq::sum(jq::softmax(jq::matmul(h, v), 1) * jq::sin(x(jq::slice(), jq::slice(0, 10))));
  };
  same(loss, numbers({20, 64}, 1), numbers({64, 10}, 2), numbers({50, 20}, 3));
  same(jq::grad(loss, jq::argnums<0, 1>), numbers({20, 64}, 1), numbers({64, 10}, 2), numbers({50, 20}, 3));
}
TEST_CASE("functions of the host that a program calls do not use its library") {
  bool seen = true;
  const auto f = jq::jit([&](const array& x) {
    return jq::sum(jq::id_tap([&](const array&) { seen = jq::detail::libraries_here != nullptr; }, jq::matmul(x, x)));
  }, jq::backend("cpu"));
  f(numbers({40, 40}));
  jq::barrier_wait();
  CHECK_FALSE(seen);
}
