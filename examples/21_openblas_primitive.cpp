// needs: openblas
// Chapter 21: a library call as a primitive
//
// Chapter 10 wrote a primitive with scalar code. This one wraps a routine of a library, dgemv of OpenBLAS, with
// its derivative and its batching rule, in the place where it is used: jit, grad and vmap take it like any
// primitive. The routine works on the live buffers; nothing is copied.

#include <iostream>
#include <string>

#include <cblas.h>

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

namespace {

jq::array transposed_product(const jq::array& a, const jq::array& y);
jq::array product_of_batch(const jq::array& a, const jq::array& x);

/// A x by cblas_dgemv. The rules speak of arrays, not of numbers: they are traced like user code, and may use
/// callbacks again.
jq::array matvec(const jq::array& a, const jq::array& x) {
  const auto kernel = [](const jq::device_call& c) {
    const int rows = int(c.in[0].shape()[0]), columns = int(c.in[0].shape()[1]);
    cblas_dgemv(CblasRowMajor, CblasNoTrans, rows, columns, 1, c.input<double>(0).data(), columns, c.input<double>(1).data(), 1, 0,
                c.output<double>(0).data(), 1);
  };
  // The reverse derivative: from the cotangent of A x to those of A (an outer product) and x (A^T ct).
  const auto reverse = [](const std::tuple<jq::array, jq::array>& at, const jq::array&, const jq::array& ct) {
    const auto& [m, v] = at;
    return std::tuple{jq::expand_dims(ct, 1) * jq::expand_dims(v, 0), transposed_product(m, ct)};
  };
  return jq::device_callback(kernel, jq::shape_dtype({a.shape()[0]}, jq::f64), a, x, jq::vjp_rule(reverse),
                             jq::vmap_rule(product_of_batch));
}

/// A^T y by the same routine.
jq::array transposed_product(const jq::array& a, const jq::array& y) {
  const auto kernel = [](const jq::device_call& c) {
    const int rows = int(c.in[0].shape()[0]), columns = int(c.in[0].shape()[1]);
    cblas_dgemv(CblasRowMajor, CblasTrans, rows, columns, 1, c.input<double>(0).data(), columns, c.input<double>(1).data(), 1, 0,
                c.output<double>(0).data(), 1);
  };
  return jq::device_callback(kernel, jq::shape_dtype({a.shape()[1]}, jq::f64), a, y, jq::vmap_method::sequential);
}

/// A batch of products: one dgemv for each, in one kernel.
jq::array product_of_batch(const jq::array& a, const jq::array& x) {
  const auto kernel = [](const jq::device_call& c) {
    const jq::shape s = c.in[0].shape();
    for (std::int64_t i = 0; i < s[0]; ++i)
      cblas_dgemv(CblasRowMajor, CblasNoTrans, int(s[1]), int(s[2]), 1, c.input<double>(0).data() + i * s[1] * s[2], int(s[2]),
                  c.input<double>(1).data() + i * s[2], 1, 0, c.output<double>(0).data() + i * s[1], 1);
  };
  return jq::device_callback(kernel, jq::shape_dtype({a.shape()[0], a.shape()[1]}, jq::f64), a, x);
}

}  // namespace

int main() {
  const jq::array a = jq::asarray({{1.0, 2.0}, {3.0, 4.0}, {5.0, 6.0}});
  const jq::array x = jq::asarray({1.0, -1.0});
  std::cout << "A x = " << jq::jit(matvec)(a, x) << '\n';

  // The program has one equation for the call.
  std::cout << jq::make_jaxpr(matvec)(a, x) << '\n';

  // Gradients of ordinary code around it.
  const auto energy = [](const jq::array& m, const jq::array& v) { return jq::sum(jq::square(matvec(m, v))); };
  const auto [by_a, by_x] = jq::jit(jq::grad(energy, jq::argnums<0, 1>))(a, x);
  std::cout << "d/dA\n" << by_a << "\nd/dx " << by_x << '\n';
  const auto plain = [](const jq::array& m, const jq::array& v) { return jq::sum(jq::square(jq::matmul(m, v))); };
  std::cout << "by matmul " << jq::grad(plain, jq::argnums<1>)(a, x) << '\n';

  // A batch of vectors, one matrix: the batching rule gets both with a batch dimension.
  const jq::array many = jq::asarray({{1.0, 0.0}, {0.0, 1.0}});
  std::cout << "batch\n" << jq::vmap(matvec, jq::in_axes<jq::none, 0>)(a, many) << '\n';

  // In place: an alias hands the input's memory to the output, where nobody else needs it any more.
  const auto scale = [](const jq::array& v) {
    return jq::device_callback([](const jq::device_call& c) { cblas_dscal(int(c.out[0].size()), 10, c.output<double>(0).data(), 1); }, v, v,
                               jq::input_output_aliases{{0, 0}});
  };
  std::cout << "scaled " << jq::jit([&](const jq::array& v) { return scale(v + 1.0); })(x) << '\n';

  // Forwards there is no rule, and the message says so.
  try {
    jq::jvp(matvec, jq::primals(a, x), jq::tangents(a, x));
  } catch (const jq::not_implemented& e) {
    const std::string message = e.what();  // which ends in the line of device_callback
    std::cout << message.substr(0, message.find(" [")) << '\n';
  }
}

// output:
// A x = [-1. -1. -1.]
// { lambda ; a:f64[3,2] b:f64[2]. let
//     c:f64[3] = device_callback[
//       callback=<function>
//       loops=[]
//       method=0
//       results=f64[3]
//       sizes=[]
//     ] a b
//   in (c,) }
// d/dA
// [[-2.  2.]
//  [-2.  2.]
//  [-2.  2.]]
// d/dx [-18. -24.]
// by matmul [-18. -24.]
// batch
// [[1. 3. 5.]
//  [2. 4. 6.]]
// scaled [20.  0.]
// device_callback: can't apply forward-mode autodiff (jvp) to a function with a vjp rule; pass jq::jvp_rule(f) too
