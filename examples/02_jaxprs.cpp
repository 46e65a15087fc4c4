// Chapter 2: jaxprs
//
// Every transform of this library works in the same way: it calls your function once with placeholder arrays,
// called tracers, and writes down which operations they meet. What is written down is a jaxpr: a short list
// of typed equations. Transforms read and write jaxprs; they never look at C++ code. This chapter reads some.

#include <iostream>
#include <vector>

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

// Functions to be traced are plain C++: functions, lambdas, templates, anything that can be called with
// arrays.
jq::array predict(const jq::array& w, const jq::array& x) { return jq::tanh(jq::matmul(w, x) + 1); }

int main() {
  const jq::array w = jq::zeros({2, 3}), x = jq::zeros({3});

  // make_jaxpr(f)(arguments...) traces f for arguments of these types. Only their dtypes and shapes count.
  std::cout << "predict:\n" << jq::make_jaxpr(predict)(w, x) << "\n\n";

  // How to read it: after `lambda ;` come the inputs, each with its type; f32[2,3] is float32 with 2 rows of
  // 3. Each equation has its results on the left; on the right are the name of a primitive, its parameters in
  // brackets, and its operands: variables, or literals such as 1.0:f32[]. After `in` come the results. The `+
  // 1` became 1.0 of float32, because a C++ number takes the dtype of the array that it meets.

  // C++ itself leaves no trace. This loop runs while tracing and leaves three equations; the helper function
  // has vanished; and so has the printing, which is no operation on arrays.
  const auto twice = [](const jq::array& a) { return 2 * a; };
  const auto eight_times = [&](jq::array a) {
    std::cout << "(tracing)\n";
    for (int i = 0; i < 3; ++i) a = twice(a);
    return a;
  };
  const jq::closed_jaxpr loop = jq::make_jaxpr(eight_times)(x);
  std::cout << loop << "\n\n";

  // Arrays that the function captures stand before the semicolon. The program keeps their values beside it.
  const jq::array scale = jq::asarray({1.f, 10.f, 100.f});
  const auto scaled = jq::make_jaxpr([&](const jq::array& a) { return a * scale; })(x);
  std::cout << "captured:\n" << scaled << "\nwith " << scaled.constants[0] << "\n\n";

  // A jaxpr is a value, and a simple one: lists that you can look at. Chapter 11 writes an interpreter with
  // no more than this.
  for (const jq::equation& e : loop->equations)
    std::cout << e.op->name << " of " << loop->inputs(e).size() << " operands, from line " << e.where.line
              << '\n';
  std::cout << '\n';

  // And it can be run: eval_jaxpr takes one array per input and gives one per result. Nothing is printed this
  // time, since the C++ function is no longer involved.
  const std::vector<jq::array> results = jq::eval_jaxpr(loop, std::vector{jq::asarray({1.f, 2.f, 3.f})});
  std::cout << "eight times [1 2 3] is " << results[0] << "\n\n";

  // Transforms make jaxprs out of jaxprs. The gradient of a sum of squares, as a program; no derivative is
  // left in it:
  const auto sum_of_squares = [](const jq::array& a) { return jq::sum(a * a); };
  std::cout << "gradient:\n" << jq::make_jaxpr(jq::grad(sum_of_squares))(x) << "\n\n";

  // If only the type of a result matters, eval_shape finds it, without arithmetic and without memory for the
  // result.
  const auto outer = [](const jq::array& a) { return jq::outer(a, a); };
  std::cout << "a million squared is " << jq::eval_shape(outer)(jq::zeros({1000000})).shape() << "\n\n";

  // A tracer of make_jaxpr has a type and no value. So a C++ `if` cannot ask for one, and the exception says
  // so. What to do instead: jq::where, or a transform that works at a known point (chapter 3).
  try {
    jq::make_jaxpr([](const jq::array& a) { return a > 0 ? a : -a; })(jq::array(1.0));
  } catch (const jq::concretization_error& e) {
    const std::string message = e.what();
    std::cout << "concretization_error: " << message.substr(0, message.find(";")) << '\n';
  }
}

// output:
// predict:
// { lambda ; a:f32[2,3] b:f32[3]. let
//     c:f32[2] = dot_general[
//       lhs_batch=()
//       lhs_contracting=(1,)
//       rhs_batch=()
//       rhs_contracting=(0,)
//     ] a b
//     d:f32[2] = add c 1.0:f32[]
//     e:f32[2] = tanh d
//   in (e,) }
//
// (tracing)
// { lambda ; a:f32[3]. let
//     b:f32[3] = mul 2.0:f32[] a
//     c:f32[3] = mul 2.0:f32[] b
//     d:f32[3] = mul 2.0:f32[] c
//   in (d,) }
//
// captured:
// { lambda a:f32[3]; b:f32[3]. let c:f32[3] = mul b a in (c,) }
// with [  1.  10. 100.]
//
// mul of 2 operands, from line 31
// mul of 2 operands, from line 31
// mul of 2 operands, from line 31
//
// eight times [1 2 3] is [ 8. 16. 24.]
//
// gradient:
// { lambda ; a:f32[3]. let
//     b:f32[3] = mul a a
//     _:f32[] = reduce_sum[axes=(0,)] b
//     c:f32[3] = broadcast_in_dim[broadcast_dimensions=() shape=(3,)] 1.0:f32[]
//     d:f32[3] = mul a c
//     e:f32[3] = mul c a
//     f:f32[3] = add d e
//   in (f,) }
//
// a million squared is (1000000, 1000000)
//
// concretization_error: Abstract tracer value encountered where concrete value is expected: the value depends on argument 0 (f64[]) of the function traced by make_jaxpr, which has no value while tracing
