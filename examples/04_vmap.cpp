// Chapter 4: vmap
//
// Write the function for one example; jq::vmap makes the function for a whole batch. It does not loop: it
// rewrites the program so that every operation takes an array with one more dimension.

#include <iostream>

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

int main() {
  // The inner product of two vectors. Mapped, it takes two stacks of vectors and gives one number for each
  // pair.
  const auto inner = [](const jq::array& a, const jq::array& b) { return jq::sum(a * b); };
  const jq::array xs = jq::asarray({{1.f, 2.f}, {3.f, 4.f}, {5.f, 6.f}});
  const jq::array ys = jq::asarray({{1.f, 1.f}, {0.f, 1.f}, {1.f, 0.f}});
  std::cout << "pairs: " << jq::vmap(inner)(xs, ys) << '\n';

  // in_axes says which axis of each argument is mapped; jq::none marks an argument that is the same for all.
  // out_axes says where the new axis goes in the result. Negative numbers count from the end.
  const jq::array y = jq::asarray({1.f, 10.f});
  std::cout << "one vector for all: " << jq::vmap(inner, jq::in_axes<0, jq::none>)(xs, y) << '\n';
  std::cout << "columns: " << jq::vmap(inner, jq::in_axes<-1>)(xs, ys) << '\n';
  const auto both = [](const jq::array& a) { return jq::stack({a, -a}); };
  std::cout << "results as columns =\n" << jq::vmap(both, jq::out_axes<1>)(y) << '\n';

  // Nested, vmap makes tables: every vector of xs against every vector of ys.
  const auto table = jq::vmap(jq::vmap(inner, jq::in_axes<jq::none, 0>), jq::in_axes<0, jq::none>);
  std::cout << "table =\n" << table(xs, ys) << "\n\n";

  // What vmap does to a program: one example is a matrix times a vector; a batch of vectors is still one
  // product, of two matrices. The batch ends up in the second dimension of the product, and one transpose
  // brings it to the front.
  const auto layer = [](const jq::array& w, const jq::array& x) { return jq::tanh(jq::matmul(w, x)); };
  const jq::array w = jq::asarray({{1.f, 0.f}, {0.5f, -0.5f}});
  std::cout << "one example:\n" << jq::make_jaxpr(layer)(w, y) << '\n';
  std::cout << "a batch:\n" << jq::make_jaxpr(jq::vmap(layer, jq::in_axes<jq::none, 0>))(w, xs) << "\n\n";

  // Transforms compose. The gradient of a loss over a batch is one sum; vmap(grad(...)) gives the gradient of
  // every example, which clipping, differential privacy and influence estimates need.
  const auto loss = [&](const jq::array& weights, const jq::array& x) {
    return jq::sum(jq::square(layer(weights, x)));
  };
  const auto per_example = jq::vmap(jq::grad(loss), jq::in_axes<jq::none, 0>);
  const jq::array gradients = per_example(w, xs);
  std::cout << "per-example gradients have the shape " << gradients.shape() << " and the norms "
            << jq::sqrt(jq::sum(jq::square(gradients), {1, 2})) << "\n\n";

  // Arguments and results can be trees (chapter 7). An axis then stands for all arrays of its argument.
  const auto quotient = [](const std::pair<jq::array, jq::array>& p) { return p.first / p.second; };
  std::cout << "quotients of pairs: " << jq::vmap(quotient)(std::pair{y, jq::asarray({4.f, 5.f})}) << "\n\n";

  // A mapped axis can have a name. Inside the function, one example then reaches the others: psum adds a
  // value over the axis, pmean, pmax and all_gather do what their names say, axis_index is the number of the
  // example.
  const auto centre = [](const jq::array& x) { return x - jq::lax::pmean(x, "batch"); };
  std::cout << "centred columns =\n" << jq::vmap(centre, jq::axis_name<"batch">)(xs) << '\n';
  const auto share = [](const jq::array& x) {
    const jq::array e = jq::exp(x - jq::lax::pmax(x, "batch"));
    return e / jq::lax::psum(e, "batch");
  };
  std::cout << "softmax from single numbers: " << jq::vmap(share, jq::axis_name<"batch">)(y) << "\n\n";

  // Sizes that differ are an error that lists who brought which.
  try {
    jq::vmap(inner)(xs, jq::ones({2, 2}));
  } catch (const jq::value_error& e) {
    std::cout << "value_error: " << e.what() << '\n';
  }
}

// output:
// pairs: [3. 4. 5.]
// one vector for all: [21. 43. 65.]
// columns: [6. 6.]
// results as columns =
// [[  1.  10.]
//  [ -1. -10.]]
// table =
// [[ 3.  2.  1.]
//  [ 7.  4.  3.]
//  [11.  6.  5.]]
//
// one example:
// { lambda ; a:f32[2,2] b:f32[2]. let
//     c:f32[2] = dot_general[
//       lhs_batch=()
//       lhs_contracting=(1,)
//       rhs_batch=()
//       rhs_contracting=(0,)
//     ] a b
//     d:f32[2] = tanh c
//   in (d,) }
// a batch:
// { lambda ; a:f32[2,2] b:f32[3,2]. let
//     c:f32[2,3] = dot_general[
//       lhs_batch=()
//       lhs_contracting=(1,)
//       rhs_batch=()
//       rhs_contracting=(1,)
//     ] a b
//     d:f32[3,2] = transpose[permutation=(1, 0)] c
//     e:f32[3,2] = tanh d
//   in (e,) }
//
// per-example gradients have the shape (3, 2, 2) and the norms [2.1651146 3.6356354 5.6769743]
//
// quotients of pairs: [0.25 2.  ]
//
// centred columns =
// [[-2. -2.]
//  [ 0.  0.]
//  [ 2.  2.]]
// softmax from single numbers: [1.2339458e-04 9.9987662e-01]
//
// value_error: vmap got inconsistent sizes for array axes to be mapped:
// arg 0 has shape (3, 2) and axis 0 is to be mapped
// arg 1 has shape (2, 2) and axis 0 is to be mapped
// so
// arg 0 has an axis to be mapped of size 3
// arg 1 has an axis to be mapped of size 2
