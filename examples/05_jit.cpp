// Chapter 5: jit
//
// jq::jit(f) is f, compiled. The first call with arguments of new types traces f, simplifies the program and
// compiles it; later calls run what was compiled, and f itself is not called again.

#include <iostream>

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

int main() {
  // A function that says when it is traced.
  const auto f = [](const jq::array& x) {
    std::cout << "  tracing for " << x.aval() << '\n';
    return jq::sum(x * x);
  };
  const auto g = jq::jit(f);

  // A call's signature is what the trace depends on: the structure of the arguments and the dtype and shape
  // of each array. The values are not part of it. One compiled program is kept for each signature.
  std::cout << "first call\n";
  std::cout << g(jq::asarray({1.f, 2.f})) << '\n';
  std::cout << "other values, same signature\n";
  std::cout << g(jq::asarray({3.f, 4.f})) << '\n';
  std::cout << "other dtype\n";
  std::cout << g(jq::asarray({3.0, 4.0})) << '\n';
  std::cout << "other shape\n";
  std::cout << g(jq::asarray({1.0, 2.0, 2.0})) << '\n';
  std::cout << "programs in the cache: " << g.cache_size() << "\n\n";

  // What else f does besides computing happens once, while tracing; chapter 6 shows how to print from inside
  // the compiled program. What f captures belongs to the trace too: a variable that changes later is not
  // looked at again. What is to change must be an argument.

  // The compiled program depends on types only, so a C++ `if` on a traced value is an error here. An argument
  // that chooses between programs can be static: it is passed on as it is, and every new value of it means a
  // new trace.
  const auto power = jq::jit(
      [](const jq::array& x, int n) {
        std::cout << "  tracing x^" << n << '\n';
        jq::array r = x;
        for (int i = 1; i < n; ++i) r = r * x;
        return r;
      },
      jq::static_argnums<1>);
  std::cout << power(3.0, 2) << '\n' << power(2.0, 2) << '\n' << power(2.0, 5) << "\n\n";

  // A jitted function inside another one becomes a call equation, which keeps programs small and readable.
  const auto norm = jq::jit([](const jq::array& x) { return jq::sqrt(jq::sum(x * x)); });
  const auto difference = [&](const jq::array& x, const jq::array& y) {
    const jq::array a = norm(x), b = norm(y);
    return a - b;
  };
  std::cout << jq::make_jaxpr(difference)(jq::zeros({3}), jq::zeros({2})) << "\n\n";

  // All transforms go through it, in both directions: the gradient of a jitted function, jitted.
  const auto gradient = jq::jit(jq::grad(norm));
  std::cout << "gradient of the norm: " << gradient(jq::asarray({3.0, 4.0})) << "\n\n";

  // The stages can be taken one at a time. lower() traces and shows the program that is going to be compiled
  // (equal subexpressions merged, unused ones dropped); compile() gives a function for this one signature.
  const auto wasteful = [](const jq::array& x) {
    const jq::array unused = jq::exp(x);
    return jq::sin(x) * 1 + jq::sin(x);
  };
  const auto lowered = jq::jit(wasteful).lower(jq::zeros({2}));
  std::cout << lowered.as_text() << '\n';
  const auto compiled = lowered.compile();
  std::cout << compiled(jq::asarray({0.f, 1.f})) << '\n';
  try {
    compiled(jq::zeros({5}));
  } catch (const jq::type_error& e) {
    std::cout << "type_error: " << std::string(e.what()).substr(0, std::string(e.what()).find(" [")) << "\n\n";
  }

  // Donation: an argument that the caller does not need any more can give its memory to a result of the same
  // type. An update loop then needs room for one state, not two. The donated array is gone after the call.
  const auto step = jq::jit([](const jq::array& state) { return state * 0.5 + 1.0; }, jq::donate_argnums<0>);
  jq::array state = jq::asarray({8.0, 0.0});
  const jq::array old = state;
  const double* memory = state.data<double>().data();
  for (int i = 0; i < 3; ++i) state = step(state);
  const bool same = state.data<double>().data() == memory;
  std::cout << "state " << state << (same ? " in the same memory\n" : " elsewhere\n");
  try {
    old.data<double>();
  } catch (const jq::deleted_error& e) {
    std::cout << "deleted_error: " << std::string(e.what()).substr(0, std::string(e.what()).find(" [")) << '\n';
  }
}

// output:
// first call
//   tracing for f32[2]
// 5.
// other values, same signature
// 25.
// other dtype
//   tracing for f64[2]
// 25.
// other shape
//   tracing for f64[3]
// 9.
// programs in the cache: 3
//
//   tracing x^2
// 9.
// 4.
//   tracing x^5
// 32.
//
// { lambda ; a:f32[3] b:f32[2]. let
//     c:f32[] = call[
//       jaxpr={ lambda ; d:f32[3]. let
//           e:f32[3] = mul d d
//           f:f32[] = reduce_sum[axes=(0,)] e
//           g:f32[] = sqrt f
//         in (g,) }
//       name=f
//     ] a
//     h:f32[] = call[
//       jaxpr={ lambda ; i:f32[2]. let
//           j:f32[2] = mul i i
//           k:f32[] = reduce_sum[axes=(0,)] j
//           l:f32[] = sqrt k
//         in (l,) }
//       name=f
//     ] b
//     m:f32[] = sub c h
//   in (m,) }
//
// gradient of the norm: [0.6 0.8]
//
// { lambda ; a:f32[2]. let b:f32[2] = sin a; c:f32[2] = add b b in (c,) }
// [0.        1.6829419]
// type_error: Computation compiled for input types:
//   float32[2]
// called with:
//   float32[5]
// in argument leaf 0; compile it for these types too, or call the jitted function
//
// state [2.75 1.75] in the same memory
// deleted_error: Array has been deleted with shape=float64[2]. It was donated to a compiled call; to go on using it, keep a copy made before that call, or do not donate it
