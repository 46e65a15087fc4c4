// Products that are steps of their own, prepared with their program: alone and between other steps, with literals, with arguments that were
// computed, on both tiers, from several threads. Oracle: sums written out here.
#include <jacquard/backends/cpu/cpu.hpp>

#include <thread>

#include "../../show.hpp"

using jq::array;

namespace {

template <class T>
std::vector<double> sums(const array& x, const array& y, bool turned) {
  const auto a = x.data<T>(), b = y.data<T>();
  const std::int64_t rows = x.shape()[0], depth = x.shape()[1], columns = turned ? y.shape()[0] : y.shape()[1];
  std::vector<double> r(std::size_t(rows * columns));
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      for (std::int64_t k = 0; k < depth; ++k)
        r[std::size_t(i * columns + j)] += double(a[std::size_t(i * depth + k)]) * double(b[std::size_t(turned ? j * depth + k : k * columns + j)]);
  return r;
}
template <class T>
double error(const array& got, const std::vector<double>& want) {
  double most = 0;
  const auto g = got.data<T>();
  REQUIRE(g.size() == want.size());
  for (std::size_t i = 0; i < want.size(); ++i) most = std::max(most, std::fabs(double(g[i]) - want[i]));
  return most;
}
template <class T>
array numbers(const jq::shape& s, std::uint64_t seed) {
  return jq::random::uniform(jq::random::key(seed), s, sizeof(T) == 4 ? jq::f32 : jq::f64, -1, 1);
}
template <class T>
void check(std::int64_t rows, std::int64_t depth, std::int64_t columns) {
  const double tolerance = (sizeof(T) == 4 ? 1e-6 : 1e-14) * double(depth);
  const array x = numbers<T>({rows, depth}, 1), y = numbers<T>({depth, columns}, 2), z = numbers<T>({columns, depth}, 3);
  for (const jq::compile_time when : {jq::compile_time::never, jq::compile_time::first_call}) {
    const auto plain = jq::jit([](array a, array b) { return jq::matmul(a, b); }, jq::backend("cpu"), jq::compile_at{{}, when});
    const auto turned = jq::jit([](array a, array b) { return jq::matmul(a, jq::transpose(b)); }, jq::backend("cpu"), jq::compile_at{{}, when});
    const auto among = jq::jit([](array a, array b) { return std::tuple{jq::matmul(jq::sin(a), b) + 1.0, jq::sum(b)}; }, jq::backend("cpu"), jq::compile_at{{}, when});
    for (int call = 0; call < 3; ++call) {
      CHECK(error<T>(plain(x, y), sums<T>(x, y, false)) <= tolerance);
      CHECK(error<T>(turned(x, z), sums<T>(x, z, true)) <= tolerance);
    }
    std::vector<double> want = sums<T>(jq::sin(x), y, false);
    for (double& w : want) w += 1;
    CHECK(error<T>(std::get<0>(among(x, y)), want) <= 4 * tolerance);
  }
}

}  // namespace

TEST_CASE("sizes that go to every kind of kernel: the loops here, the small kernels, a library") {
  check<float>(33, 3, 2), check<double>(33, 3, 2);
  check<float>(40, 17, 20), check<double>(40, 17, 20);
  check<float>(64, 48, 56), check<double>(64, 48, 56);
  check<float>(130, 120, 150);
}
TEST_CASE("a warm call of a program that is one product follows its arguments") {
  const auto f = jq::jit([](array a, array b) { return jq::matmul(a, b); }, jq::backend("cpu"), jq::compile_at::first_call);
  const array one = numbers<float>({40, 40}, 1);
  array x = one;
  for (int i = 0; i < 4; ++i) {
    const array y = f(x, one);
    CHECK(error<float>(y, sums<float>(x, one, false)) <= 1e-2);
    x = y / jq::max(jq::abs(y));
  }
  CHECK(error<float>(f(one, one), sums<float>(one, one, false)) <= 1e-4);
}
TEST_CASE("a literal, a scalar and an empty sum beside products") {
  const auto of_ones = jq::jit([](array a) { return jq::matmul(a, jq::ones({36, 36})); }, jq::backend("cpu"), jq::compile_at::first_call);
  const array x = numbers<float>({35, 36}, 1);
  CHECK(error<float>(of_ones(x), sums<float>(x, jq::ones({36, 36}), false)) <= 1e-4);
  const auto nothing = jq::jit([](array a, array b) { return jq::matmul(a, b); }, jq::backend("cpu"), jq::compile_at::first_call);
  const array zeros = nothing(jq::zeros({40, 0}), jq::zeros({0, 40}));
  for (float v : zeros.data<float>()) CHECK(v == 0);
}
TEST_CASE("threads run one prepared product at once") {
  const auto f = jq::jit([](array a, array b) { return jq::matmul(a, b); }, jq::backend("cpu"), jq::compile_at::first_call);
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const array x = numbers<double>({50, 50}, std::uint64_t(t)), y = numbers<double>({50, 50}, 9);
      const std::vector<double> want = sums<double>(x, y, false);
      for (int i = 0; i < 50; ++i) {
        const array r = f(x, y);
        for (std::size_t k = 0; k < want.size(); ++k) wrong += std::fabs(r.data<double>()[k] - want[k]) > 1e-12;
      }
    });
  for (std::thread& t : threads) t.join();
  CHECK(wrong == 0);
}
