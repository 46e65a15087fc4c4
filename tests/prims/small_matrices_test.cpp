// Small matrices by vectors: factors multiplied out, solutions put into their systems, for many sizes.
#include <jacquard/prims/small_matrices.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

namespace {

template <class T>
std::vector<T> numbers(std::int64_t n, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<T> uniform(-1, 1);
  std::vector<T> x;
  for (std::int64_t i = 0; i < n; ++i) x.push_back(uniform(generator));
  return x;
}
template <class T>
double distance(const std::vector<T>& a, const std::vector<T>& b) {
  double r = 0;
  for (std::size_t i = 0; i < a.size(); ++i) r = std::max(r, double(std::fabs(a[i] - b[i])));
  return r;
}
template <class T>
constexpr double tolerance = std::is_same_v<T, float> ? 1e-4 : 1e-12;

/// The product of the factors, with rows exchanged back.
template <class T>
std::vector<T> product_of_factors(const std::vector<T>& lu, const std::vector<std::int64_t>& pivots, std::int64_t m, std::int64_t n) {
  std::vector<T> r(std::size_t(m * n));
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t k = 0; k <= std::min(i, j); ++k)
        r[std::size_t(i * n + j)] += (k == i ? T(1) : lu[std::size_t(i * n + k)]) * lu[std::size_t(k * n + j)];
  for (std::size_t i = pivots.size(); i-- > 0;)
    for (std::int64_t j = 0; j < n; ++j) std::swap(r[i * std::size_t(n) + std::size_t(j)], r[std::size_t(pivots[i] * n + j)]);
  return r;
}
template <class T>
void check_all() {
  using small = jacquard::detail::small_matrices<T>;
  if (!small::suit(1, 1)) return;
  CHECK(!small::suit(33, 1));
  for (std::int64_t n = 0; n <= 32; n += n < 10 ? 1 : 11) {
    for (std::int64_t m : {n, n + 3, n / 2}) {
      if (m > 32) continue;
      const std::vector<T> a = numbers<T>(m * n, 7);
      std::vector<T> lu = a;
      std::vector<std::int64_t> pivots(std::size_t(std::min(m, n)));
      small::lu(lu.data(), pivots.data(), m, n);
      CHECK(distance(product_of_factors(lu, pivots, m, n), a) < tolerance<T>);
      for (std::int64_t j = 0; j < std::min(m, n); ++j)
        for (std::int64_t i = j + 1; i < m; ++i) CHECK(std::fabs(lu[std::size_t(i * n + j)]) <= 1);  // the largest pivots were taken
    }
    std::vector<T> a = numbers<T>(n * n, 9), l(std::size_t(n * n)), back(std::size_t(n * n));
    for (std::int64_t i = 0; i < n; ++i) a[std::size_t(i * n + i)] = 2 + std::fabs(a[std::size_t(i * n + i)]);
    const auto at = [n](std::vector<T>& x, std::int64_t i, std::int64_t j) -> T& { return x[std::size_t(i * n + j)]; };
    std::vector<T> square(std::size_t(n * n));
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; ++j)
        for (std::int64_t k = 0; k <= std::min(i, j); ++k) at(square, i, j) += at(a, i, k) * at(a, j, k);
    l = square;
    CHECK(small::cholesky(l.data(), n));
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j <= i; ++j) CHECK(double(at(l, i, j)) == doctest::Approx(double(at(a, i, j))).epsilon(1e4 * tolerance<T>));
    if (n > 0) {
      at(square, n - 1, n - 1) = -1;
      CHECK(!small::cholesky(square.data(), n));
    }
    for (std::int64_t k : {1, 3, 8, 21, 32})
      for (const bool forward : {false, true})
        for (const bool turned : {false, true})
          for (const bool unit : {false, true}) {
            const std::vector<T> b = numbers<T>(n * k, 11);
            std::vector<T> x = b, product(std::size_t(n * k));
            small::solve(a.data(), turned ? 1 : n, turned ? n : 1, forward, unit, x.data(), n, k);
            double largest = 1;
            for (T v : x) largest = std::max(largest, double(std::fabs(v)));
            for (std::int64_t i = 0; i < n; ++i)
              for (std::int64_t j = 0; j < n; ++j) {
                if (i != j && (j < i) != forward) continue;
                const T factor = i == j && unit ? T(1) : turned ? at(a, j, i) : at(a, i, j);
                for (std::int64_t q = 0; q < k; ++q) product[std::size_t(i * k + q)] += factor * x[std::size_t(j * k + q)];
              }
            CHECK(distance(product, b) < tolerance<T> * largest);
          }
  }
}

/// Matrices of N rows: uniform ones, ones with equal pivots, singular ones, and one with a NaN.
template <std::int64_t N, class T>
std::vector<std::vector<T>> few_matrices() {
  constexpr std::size_t size = std::size_t(N * N);
  std::vector<std::vector<T>> r{std::vector<T>(size, T(2)), std::vector<T>(size, T(0)), std::vector<T>(size, T(-0.0))};
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::vector<T> x = numbers<T>(N * N, seed);
    if (seed % 4 == 1)
      for (T& v : x) v = T(int(3 * v));
    if (seed % 4 == 2)
      for (std::size_t i = 0; i < std::size_t(N); ++i) x[i * std::size_t(N)] = 0;
    if (seed % 8 == 3) x[seed % size] = std::nan("");
    r.push_back(x);
  }
  return r;
}
template <class T>
T size_of(T x) {
  return std::fabs(x);
}
template <class T>
void subtract(T* y, const T* x, T factor, std::int64_t n) {
  for (std::int64_t j = 0; j < n; ++j) y[j] = y[j] - factor * x[j];
}
template <std::int64_t N, class T>
void check_few() {
  for (const std::vector<T>& x : few_matrices<N, T>()) {
    std::vector<T> some = x, few = x;
    std::int64_t pivots[N], pivots_of_few[N], order_of_few[N], order[N];
    jacquard::detail::eliminate<&size_of<T>, &subtract<T>>(some.data(), pivots, N, N);
    jacquard::detail::eliminate_few<N>(few.data(), pivots_of_few, order_of_few);
    for (std::int64_t i = 0; i < N; ++i) order[i] = i;
    for (std::int64_t i = 0; i < N; ++i) std::swap(order[i], order[pivots[i]]);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK((few[i] == some[i] ? std::signbit(few[i]) == std::signbit(some[i]) : few[i] != few[i] && some[i] != some[i]));
    for (std::int64_t i = 0; i < N; ++i) CHECK((pivots[i] == pivots_of_few[i] && order[i] == order_of_few[i]));
  }
}
/// Of N columns by themselves, and of more, whose factor begins with theirs: those go through the general loops.
template <std::int64_t N, class T>
void check_factor_of_few() {
  if (!jacquard::detail::small_matrices<T>::suit(5, 5)) return;
  for (std::vector<T> few : few_matrices<N, T>()) {
    for (std::int64_t i = 0; i < N; ++i) few[std::size_t(i * N + i)] += T(3);
    std::vector<T> more(25);
    for (std::int64_t i = 0; i < 5; ++i)
      for (std::int64_t j = 0; j < 5; ++j) more[std::size_t(i * 5 + j)] = i < N && j < N ? few[std::size_t(i * N + j)] : T(i == j);
    REQUIRE(jacquard::detail::factor_few<N>(few.data()) == jacquard::detail::small_matrices<T>::cholesky(more.data(), 5));
    for (std::int64_t i = 0; i < N; ++i)
      for (std::int64_t j = 0; j <= i; ++j) {
        const T x = few[std::size_t(i * N + j)], y = more[std::size_t(i * 5 + j)];
        CHECK((x == y ? std::signbit(x) == std::signbit(y) : x != x && y != y));
      }
  }
}
constexpr bool eliminates_in_constant_evaluation() {
  double a[] = {1, 2, 4, 4};
  std::int64_t pivots[2]{}, order[2]{};
  jacquard::detail::eliminate_few<2>(a, pivots, order);
  return a[0] == 4 && a[1] == 4 && a[2] == 0.25 && a[3] == 1 && pivots[0] == 1 && pivots[1] == 1 && order[0] == 1 && order[1] == 0;
}
static_assert(eliminates_in_constant_evaluation());
}  // namespace

TEST_CASE("small matrices of doubles") { check_all<double>(); }
TEST_CASE("small matrices of floats") { check_all<float>(); }
TEST_CASE("small_matrices: elimination without branches has the same bits") {
  check_few<2, double>(), check_few<3, double>(), check_few<4, double>();
  check_few<2, float>(), check_few<3, float>(), check_few<4, float>();
}
TEST_CASE("small_matrices: triangular factors in registers have the same bits") {
  check_factor_of_few<2, double>(), check_factor_of_few<3, double>(), check_factor_of_few<4, double>();
  check_factor_of_few<2, float>(), check_factor_of_few<3, float>(), check_factor_of_few<4, float>();
}
