// product_library: which factors a library may read where they lie, and that matrix products go to the one that is in use on this
// thread, and nowhere else.
#include <jacquard/prims/product_library.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>
#include <thread>

namespace jq = jacquard;
using jq::shape;
using namespace jq::detail;

static_assert(even_stride(shape{2, 3}, {3, 1}) == 1);
static_assert(even_stride(shape{2, 3}, {6, 2}) == 2);
static_assert(even_stride(shape{2, 3}, {1, 2}) == -1);
static_assert(even_stride(shape{2, 1, 3}, {3, 77, 1}) == 1);
static_assert(even_stride(shape{4}, {5}) == 5);
static_assert(even_stride(shape{}, {}) == 0);
static_assert(even_stride(shape{1, 1}, {3, 9}) == 0);

namespace {

/// Products by definition, counted.
int calls = 0;
template <class T>
T element(const dense_factor<T>& f, std::int64_t i, std::int64_t k) {
  return f.data[f.transposed ? k * f.leading + i : i * f.leading + k];
}
template <class T>
void by_definition(const product_sizes& s, const dense_factor<T>& x, const dense_factor<T>& y, T* out) {
  ++calls;
  for (std::int64_t i = 0; i < s.rows; ++i)
    for (std::int64_t j = 0; j < s.columns; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < s.depth; ++k) sum += double(element(x, i, k)) * double(element(y, k, j));
      out[i * s.columns + j] = T(sum);
    }
}
template <class T>
void small_by_definition(const strided_product<T>& p) {
  calls += int(p.count);  // products
  CHECK(p.sizes.columns <= p.most_columns);
  CHECK(p.sizes.depth <= p.most_depth);
  for (std::int64_t n = 0; n < p.count; ++n)
    for (std::int64_t i = 0; i < p.sizes.rows; ++i)
      for (std::int64_t j = 0; j < p.sizes.columns; ++j) {
        const T *x = p.x + n * p.x_apart + i * p.x_row, *y = p.y + n * p.y_apart + j * p.y_column;
        double sum = 0;
        for (std::int64_t k = 0; k < p.sizes.depth; ++k) sum += double(x[k * p.x_step]) * double(y[k * p.y_step]);
        p.out[(n * p.sizes.rows + i) * p.sizes.columns + j] = T(sum);
      }
}
const product_library* with_small_ones() {
  static constexpr product_library r{.small_f32 = &small_by_definition<float>, .small_f64 = &small_by_definition<double>};
  return &r;
}
const product_library* counting() {
  static constexpr product_library r{&by_definition<float>, &by_definition<double>};
  return &r;
}

template <product_source Source = &counting>
int calls_of(auto&& f) {
  calls = 0;
  const jq::array want = f();
  CHECK(calls == 0);
  static constexpr kernel_libraries counted{.products = Source};
  const library_scope scope(&counted);
  const jq::array got = f();
  CHECK(double(jq::max(jq::abs(got - want)).template item<float>()) < 1e-4);
  return calls;
}
jq::array numbers(const shape& s, std::uint64_t seed = 1) { return jq::random::normal(jq::random::key(seed), s); }

}  // namespace

TEST_CASE("factors that are dense in their rows or columns") {
  const float data[1] = {};
  CHECK(factor_of(data, 4, 9, 7, 1).leading == 9);
  CHECK_FALSE(factor_of(data, 4, 9, 7, 1).transposed);
  CHECK(factor_of(data, 4, 1, 7, 5).leading == 5);
  CHECK(factor_of(data, 4, 1, 7, 5).transposed);
  CHECK(factor_of(data, 1, 0, 7, 1).leading == 7);   // one row, whose stride means nothing
  CHECK(factor_of(data, 4, 1, 1, 0).leading > 0);
  CHECK(factor_of(data, 4, 2, 7, 3).leading == 0);   // neither
  CHECK(factor_of(data, 4, 3, 7, 1).leading == 0);   // rows that overlap
  CHECK(factor_of(data, 4, -1, 7, 1).leading == 0);
}
TEST_CASE("large products go to the library, of every transpose, batch and shape") {
  const jq::array x = numbers({20, 30}), y = numbers({30, 25}, 2), xt = numbers({30, 20}, 3), yt = numbers({25, 30}, 4);
  CHECK(calls_of([&] { return jq::matmul(x, y); }) == 1);
  CHECK(calls_of([&] { return jq::einsum("ki,kj->ij", xt, y); }) == 1);
  CHECK(calls_of([&] { return jq::einsum("ik,jk->ij", x, yt); }) == 1);
  CHECK(calls_of([&] { return jq::einsum("ki,jk->ij", xt, yt); }) == 1);
  CHECK(calls_of([&] { return jq::matmul(numbers({5, 20, 30}), numbers({5, 30, 25})); }) == 5);
  CHECK(calls_of([&] { return jq::tensordot(numbers({6, 5, 30}), y, 1); }) == 1);
  CHECK(calls_of([&] { return jq::matmul(numbers({200, 30}), numbers({30})); }) == 1);
  CHECK(calls_of([&] { return jq::matmul(numbers({30}), numbers({30, 200})); }) == 1);
  CHECK(calls_of([&] { return jq::matmul(x.astype(jq::f64), y.astype(jq::f64)).astype(jq::f32); }) == 1);
  CHECK(calls_of([&] { return jq::matmul(x.astype(jq::f16), y.astype(jq::f16)).astype(jq::f32); }) == 1);  // computed in f32
}
TEST_CASE("small products go to the kernel for them, read where they lie") {
  const auto small = [](auto&& f) { return calls_of<&with_small_ones>(f); };
  const jq::array x = numbers({7, 5}), y = numbers({5, 6}, 2), v = numbers({5}, 3);
  CHECK(small([&] { return jq::matmul(x, y); }) == 1);
  CHECK(small([&] { return jq::einsum("ki,jk->ij", y, x); }) == 1);
  CHECK(small([&] { return jq::matmul(x, v); }) == 1);
  CHECK(small([&] { return jq::matmul(v, y); }) == 1);
  CHECK(small([&] { return jq::sum(jq::matmul(v, v)); }) == 1);
  CHECK(small([&] { return jq::matmul(numbers({4, 3, 7, 5}), numbers({4, 3, 5, 6})); }) == 12);
  CHECK(small([&] { return jq::einsum("ibk,kjb->bij", numbers({7, 3, 5}), numbers({5, 6, 3})); }) == 3);
  CHECK(small([&] { return jq::einsum("ab,cd->abcd", numbers({2, 2}), numbers({2, 3})); }) == 1);
  CHECK(small([&] { return jq::matmul(x.astype(jq::f64), y.astype(jq::f64)).astype(jq::f32); }) == 1);
  CHECK(small([&] { return jq::matmul(numbers({7, 40}), numbers({40, 6})); }) == 0);  // not small
  CHECK(small([&] { return jq::matmul(numbers({7, 5}), numbers({5, 17})); }) == 0);
  CHECK(small([&] { return jq::matmul(jq::zeros({5, 0}), jq::zeros({0, 7})); }) == 0);
}
TEST_CASE("small products, other dtypes and other threads do not") {
  CHECK(calls_of([&] { return jq::matmul(numbers({4, 4}), numbers({4, 4})); }) == 0);
  CHECK(calls_of([&] { return jq::matmul(jq::ones({40, 40}, jq::i32), jq::ones({40, 40}, jq::i32)).astype(jq::f32); }) == 0);
  CHECK(calls_of([&] {
          jq::array r;
          std::thread([&] { r = jq::matmul(numbers({40, 40}), numbers({40, 40})); }).join();
          return r;
        }) == 0);
}
