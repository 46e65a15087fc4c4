// Which library computes a product, and that each of them computes it as its definition does: every transpose, rests, rows that lie apart in
// the result, memory that holds NaN before. The tiles of large products cover them once. Libraries that are not installed are left out.
#include <jacquard/backends/cpu/product_tiles.hpp>

#include <doctest/doctest.h>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace cpu = jacquard::cpu::detail;
using cpu::dense_factor;
using cpu::dense_product;

namespace {

template <class T>
std::vector<T> numbers(std::int64_t n, unsigned seed) {
  std::mt19937 next(seed);
  std::uniform_real_distribution<double> between(-1, 1);
  std::vector<T> r;
  for (std::int64_t i = 0; i < n; ++i) r.push_back(T(between(next)));
  return r;
}
/// The largest error of what `f` computes, in units of what the sum of k products may have in any order, with or without fused operations:
/// k u sum |x y|, u the unit roundoff (Higham, "Accuracy and stability of numerical algorithms", 3.1). Checks that it wrote nowhere else.
template <class T, class F>
double error_of(std::int64_t m, std::int64_t n, std::int64_t k, bool tx, bool ty, F f) {
  const std::int64_t leading = n + 3;
  const std::vector<T> x = numbers<T>(m * k, 1), y = numbers<T>(k * n, 2);
  std::vector<T> out(std::size_t(m * leading), std::numeric_limits<T>::quiet_NaN());
  if (!f(dense_product<T>{{m, n, k}, {x.data(), tx ? m : k, tx}, {y.data(), ty ? k : n, ty}, out.data(), leading})) return -1;
  double worst = 0;
  bool outside = false;
  const std::int64_t every = m * n > 20000 ? 13 : 1;  // of large ones a part
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = i % every; j < n; j += every) {
      long double sum = 0, magnitude = 0;
      for (std::int64_t p = 0; p < k; ++p) {
        const long double term = (long double)(x[std::size_t(tx ? p * m + i : i * k + p)]) * y[std::size_t(ty ? j * k + p : p * n + j)];
        sum += term;
        magnitude += std::fabs(term);
      }
      const double bound = double(k) * double(std::numeric_limits<T>::epsilon()) / 2 * double(magnitude);
      const double e = std::fabs(double(out[std::size_t(i * leading + j)] - sum)) / bound;
      if (!(e <= worst)) worst = e;  // NaN, too
    }
    for (std::int64_t j = n; j < leading; ++j) outside = outside || !std::isnan(out[std::size_t(i * leading + j)]);
  }
  CHECK_FALSE(outside);
  return worst;
}
template <class T, class F>
void check(const std::string& name, F f) {
  INFO(name);
  const std::int64_t sizes[][3] = {{1, 1, 1}, {3, 5, 7}, {1, 90, 300}, {90, 1, 300}, {17, 33, 65}, {128, 96, 40}, {130, 131, 257}};
  for (const auto& s : sizes)
    for (int t = 0; t < 4; ++t) {
      const double e = error_of<T>(s[0], s[1], s[2], (t & 1) != 0, (t & 2) != 0, f);
      if (e < 0) return;  // not installed
      CHECK(e <= 1);
    }
}

}  // namespace

TEST_CASE("each library computes what the definition says") {
  check<float>("oneDNN", &cpu::multiply_by_onednn);
  check<float>("OpenBLAS, f32", &cpu::multiply_by_blas<float>);
  check<double>("OpenBLAS, f64", &cpu::multiply_by_blas<double>);
  const auto plainly = [](const auto& p) { return cpu::multiply_plainly(p), true; };
  check<float>("plain loops, f32", plainly);
  check<double>("plain loops, f64", plainly);
}
TEST_CASE("products of a matrix and a vector") {
  const auto run = [&]<class T>(T) {
    if (!cpu::blas_gemv<T>()) return;
    for (const auto& [m, n, k] : {std::array<int, 3>{1, 1, 1}, {1, 1, 900}, {1, 90, 300}, {90, 1, 300}, {1, 4, 5}, {7, 1, 1}, {1, 7, 1}, {1000, 1, 33}, {1, 1000, 33}})
      for (int t = 0; t < 4; ++t) CHECK(error_of<T>(m, n, k, (t & 1) != 0, (t & 2) != 0, &cpu::multiply_vector<T>) <= 1);
    // What lies in the result's memory does not matter.
    const std::vector<T> ones(300 * 90, T(1));
    std::vector<T> fresh(90, std::numeric_limits<T>::quiet_NaN());
    cpu::multiply_vector<T>({{1, 90, 300}, {ones.data(), 300, false}, {ones.data(), 90, false}, fresh.data(), 90});
    for (T x : fresh) CHECK(x == T(300));
    // A zero does not hide what it is multiplied by.
    const std::vector<T> zeros(300, T(0)), matrix(300 * 90, std::numeric_limits<T>::infinity());
    std::vector<T> out(90, T(1));
    for (const bool turned : {false, true}) {
      cpu::multiply_vector<T>({{1, 90, 300}, {zeros.data(), 300, false}, {matrix.data(), turned ? 300 : 90, turned}, out.data(), 90});
      for (T x : out) CHECK(std::isnan(x));
      out.assign(90, T(1));
      cpu::multiply_vector<T>({{90, 1, 300}, {matrix.data(), turned ? 90 : 300, turned}, {zeros.data(), 1, false}, out.data(), 1});
      for (T x : out) CHECK(std::isnan(x));
      out.assign(90, T(1));
    }
  };
  run(1.0f);
  run(1.0);
  // From where their own kernels are the faster ones.
  const auto own = []<class T>(std::int64_t m, std::int64_t n, std::int64_t k, T) {
    return cpu::function_for<T>({{m, n, k}, {nullptr, k, false}, {nullptr, n, false}, nullptr, n}) == &cpu::multiply_vector<T>;
  };
  if (!cpu::blas_gemv<float>() || cpu::blas_is_behind()) return;
  CHECK(own(1000, 1, 1000, 1.0f));
  CHECK(own(1, 1000, 1000, 1.0));
  CHECK(own(1, 4096, 64, 1.0));
  CHECK_FALSE(own(4096, 1, 64, 1.0));
  CHECK(own(1, 64, 4096, 1.0));
  CHECK_FALSE(own(1, 64, 4096, 1.0f));
  CHECK_FALSE(own(2, 1000, 1000, 1.0f));
}
TEST_CASE("small products in each instruction set, factors read where they lie, nothing written or read beyond") {
  cpu::tile_set sets[3];
  for (int i = cpu::tile_sets(sets); i-- > 0;) {
    const std::string name = sets[i].name;
    INFO(name);
    const auto run = [&]<class T>(T) {
      for (const auto& [m, n, k] : {std::array<int, 3>{1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}, {1, 16, 16}, {16, 1, 16}, {9, 5, 32}, {16, 16, 16}, {8, 15, 1}, {40, 7, 12}, {5, 9, 31}})
        for (int t = 0; t < 4; ++t) {
          const double e = error_of<T>(m, n, k, (t & 1) != 0, (t & 2) != 0, [&](const dense_product<T>& p) {
            std::vector<T> dense(std::size_t(m * n) + 64, T(7));
            const std::vector<T> x(p.x.data, p.x.data + m * k), y(p.y.data, p.y.data + n * k);  // of no more memory than the matrix
            const jacquard::detail::strided_product<T> small{p.sizes, x.data(), p.x.transposed ? 1 : p.x.leading, p.x.transposed ? p.x.leading : 1,
                                                             y.data(), p.y.transposed ? 1 : p.y.leading, p.y.transposed ? p.y.leading : 1, dense.data()};
            if constexpr (sizeof(T) == 4) sets[i].small_f32(small);
            else sets[i].small_f64(small);
            for (std::size_t j = std::size_t(m * n); j < dense.size(); ++j) CHECK(dense[j] == T(7));
            for (std::int64_t r = 0; r < m; ++r)
              for (std::int64_t c = 0; c < n; ++c) p.out[r * p.leading + c] = dense[std::size_t(r * n + c)];
            return true;
          });
          CHECK(e <= 1);
        }
    };
    run(1.0f);
    run(1.0);
  }
}
TEST_CASE("tiles cover a product once, however it is cut") {
  for (const auto& [m, n] : {std::pair{1000, 100}, {40, 3000}, {300, 301}, {3, 30000}})
    for (int t = 0; t < 4; ++t) {
      const auto in_tiles = [](const auto& p) {
        const cpu::tiled_product product(p);
        for (std::int64_t i = product.tiles(); i-- > 0;) product.run(i);
        return true;
      };
      CHECK(error_of<float>(m, n, 120, (t & 1) != 0, (t & 2) != 0, in_tiles) <= 1);
      CHECK(error_of<double>(m, n, 120, (t & 1) != 0, (t & 2) != 0, in_tiles) <= 1);
    }
}
TEST_CASE("large products have tiles, small ones do not") {
  const auto tiles = [](std::int64_t m, std::int64_t n, std::int64_t k) {
    return cpu::tiled_product<float>({{m, n, k}, {nullptr, k, false}, {nullptr, n, false}, nullptr, n}).tiles();
  };
  CHECK(tiles(100, 100, 100) == 1);
  CHECK(tiles(128, 128, 128) == 2);
  CHECK(tiles(512, 512, 512) == 4);
  CHECK(tiles(4096, 4096, 64) == 16);
  CHECK(tiles(64, 4096, 512) == 4);
}
TEST_CASE("oneDNN gets the products of f32 that are worth a call") {
  const bool both = cpu::onednn().sgemm && cpu::blas_gemm<float>() && !cpu::blas_is_behind();
  if (!both) return;
  const auto by_onednn = [](std::int64_t m, std::int64_t n, std::int64_t k, bool tx = false, bool ty = false) {
    return cpu::function_for(dense_product<float>{{m, n, k}, {nullptr, 1, tx}, {nullptr, 1, ty}, nullptr, n}) == &cpu::multiply_by_onednn;
  };
  const bool leads = !cpu::blas_leads();  // OpenBLAS does where there is no AVX-512
  CHECK(by_onednn(128, 128, 128) == leads);
  CHECK(by_onednn(2, 1024, 1024) == leads);
  CHECK_FALSE(by_onednn(64, 64, 64));
  CHECK_FALSE(by_onednn(4, 1024, 1024, true, true));
  CHECK(by_onednn(128, 1024, 1024, true, true) == leads);
}
