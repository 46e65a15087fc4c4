// Question: what do products of matrices cost through jit, compared with calls of OpenBLAS and with Eigen?
// Tasks: T12, products of n x n matrices, n = 4, 16, 64, 512, 2048; T11, W tanh(W x) for 256 rows x of 32, by vmap. f32 and f64, one thread
// and two.
// Unit: nanoseconds per call, ratios to each baseline. Bar: 1.1 of OpenBLAS.

#include "contest.hpp"

namespace {

using namespace contest;

template <class T>
void products() {
  const std::string where = std::string(", ") + number_name<T>;
  for (const std::int64_t n : {4, 16, 64, 512, 2048}) {
    if (n > 512 && interleaved::quick()) continue;
    const array a = uniform<T>(1, {n, n}), b = uniform<T>(2, {n, n});
    task<T>("T12 product" + where + ", n = " + std::to_string(n), {1.1, n > 512 ? 4.0 : 1.0}, [](array x, array y) { return jq::matmul(x, y); }, &peers::library<T>::product,
            [&](auto function, T* out) { function(read<T>(a), read<T>(b), out, std::size_t(n)); }, a, b);
  }
  const array w = uniform<T>(3, {32, 32}), x = uniform<T>(4, {256, 32});
  const auto layers = [](array m, array v) { return jq::matmul(m, jq::tanh(jq::matmul(m, v))); };
  task<T>("T11 vmap of W tanh(W x), 256 x 32" + where, 1.1, jq::vmap(layers, jq::in_axes<jq::none, 0>), &peers::library<T>::layers,
          [&](auto function, T* out) { function(read<T>(w), read<T>(x), out, 256, 32); }, w, x);
}

}  // namespace

int main(int argc, char** argv) {
  begin(argc, argv);
  products<float>();
  products<double>();
}
