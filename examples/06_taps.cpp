// Chapter 6: taps
//
// A print statement in a traced function prints once, while tracing, and prints a tracer. A tap is an
// operation of the program: it hands the values to a function of yours whenever the program runs, and returns
// them unchanged.

#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

int main() {
  // id_print prints its argument and returns it; the identity is where its name comes from.
  const auto f = [](const jq::array& x) {
    std::cout << "tracing, x = " << x << '\n';
    return jq::id_print(x * x, jq::kw("what", "x^2")) * 2.0;
  };
  const auto g = jq::jit(f);
  std::cout << "-- twice through jit\n";
  g(jq::asarray({1.0, 2.0}));
  g(jq::asarray({3.0, 4.0}));

  // A tap depends on data as every operation does. If nothing uses the value that it returns, the compiled
  // program drops it together with the rest of what is unused. result() ties a tap to another value.
  const auto careless = jq::jit([](const jq::array& x) {
    jq::id_print(x, jq::kw("what", "dropped"));
    return jq::id_print(x, jq::kw("what", "tied to the result"), jq::result(x + 1.0));
  });
  std::cout << "-- dropped or tied\n";
  std::cout << careless(jq::asarray(1.0)) << '\n';

  // Transforms act on taps as on everything else, and say so. jvp taps the tangent beside the primal; under
  // grad the primal is tapped on the way forwards and the cotangent on the way back; vmap taps the whole
  // batch.
  const auto square = [](const jq::array& x) {
    const jq::array y = jq::id_print(x, jq::kw("what", "x"));
    return y * y;
  };
  std::cout << "-- jvp\n";
  jq::jvp(square, jq::primals(jq::array(3.0)), jq::tangents(0.1));
  std::cout << "-- grad\n";
  jq::grad(square)(jq::array(3.0));
  std::cout << "-- vmap\n";
  jq::vmap(square)(jq::asarray({1.0, 2.0}));
  std::cout << "-- vmap of grad\n";
  jq::vmap(jq::grad(square))(jq::asarray({1.0, 2.0}));

  // Any tree can be printed. Containers print in the style of Python, and id_print takes a stream of yours.
  std::cout << "-- trees\n";
  jq::id_print(
      std::map<std::string, std::vector<jq::array>>{{"layers", {jq::ones({2}), jq::eye(2)}}, {"empty", {}}},
      jq::output_stream(std::cout));

  // id_tap calls a function of yours with the concrete values, as the tree that was tapped. It may do what it
  // likes: count, plot, write files. Here it records the loss of every step. The step needs only the
  // gradient, so the tap is tied to the gradient, and cannot be dropped.
  std::vector<double> history;
  const auto record = [&](const jq::array& loss) { history.push_back(double(loss)); };
  const auto loss = [](const jq::array& w) { return jq::square(w - 3.0); };
  const auto step = jq::jit([&](const jq::array& w) {
    const auto [value, gradient] = jq::value_and_grad(loss)(w);
    return w - 0.25 * jq::id_tap(record, value, jq::result(gradient));
  });
  jq::array w = 1.0;
  for (int i = 0; i < 4; ++i) w = step(w);
  std::cout << "-- losses on the way to " << w << '\n';
  for (double h : history) std::cout << h << ' ';
  std::cout << '\n';

  // A function with a second parameter learns about the tap as well: keywords, transforms, device.
  const auto report = [](const jq::array& x, const jq::tap_context& context) {
    std::cout << x.shape() << " after " << context.transforms.size() << " transforms\n";
  };
  std::cout << "-- what a tap knows\n";
  jq::vmap(jq::grad([&](const jq::array& x) { return jq::square(jq::id_tap(report, x)); }))(jq::zeros({5}));

  // The values may arrive later than the call returns, on another thread: barrier_wait() waits until all
  // have. A tap that throws does not stop the computation; barrier_wait then reports it.
  const auto strict = [](const jq::array& x) {
    if (double(x) < 0) throw std::runtime_error("a negative number");
  };
  std::cout << "-- a tap that throws\n";
  std::cout << jq::jit([&](const jq::array& x) { return jq::id_tap(strict, x) + 1.0; })(jq::asarray(-1.0)) << '\n';
  try {
    jq::barrier_wait();
  } catch (const jq::tap_error& e) {
    std::cout << "tap_error: " << e.what() << '\n';
  }
}

// output:
// -- twice through jit
// tracing, x = Tracer<f64[2]>
// what: x^2
// [1. 4.]
// what: x^2
// [ 9. 16.]
// -- dropped or tied
// what: tied to the result
// 1.
// 2.
// -- jvp
// what: x
// 3.
// transforms: ['jvp'] what: x
// 0.1
// -- grad
// what: x
// 3.
// transforms: ['jvp', 'transpose'] what: x
// 6.
// -- vmap
// transforms: [('batch', {'batch_dims': (0,)})] what: x
// [1. 2.]
// -- vmap of grad
// transforms: [('batch', {'batch_dims': (0,)})] what: x
// [1. 2.]
// transforms: ['jvp', 'transpose', ('batch', {'batch_dims': (0,)})] what: x
// [2. 4.]
// -- trees
// { empty=[  ]
//   layers=[ [1. 1.]
//            [[1. 0.]
//             [0. 1.]] ] }
// -- losses on the way to 2.875
// 4 1 0.25 0.0625
// -- what a tap knows
// (5,) after 1 transforms
// (5,) after 3 transforms
// -- a tap that throws
// 0.
// tap_error: There were exceptions during callback processing: 1 tap(s) threw, the first one was: a negative number
