// Chapter 22: masks
//
// Sequences of different lengths share one array by padding. jq::mask takes a function written for arrays of
// any size and runs it on padded arrays whose real sizes are values: what lies in the padding never counts.

#include <iostream>
#include <limits>

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

int main() {
  // A function of one sequence, written without a thought of padding.
  const auto softmax = [](const jq::array& x) {
    const jq::array e = jq::exp(x - jq::max(x));
    return e / jq::sum(e);
  };

  // in_shapes names the sizes of the arguments, out_shape those of the result. The last two elements are
  // padding, whatever they hold; they come out as zeros.
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const jq::array x = jq::asarray({1.f, 2.f, 3.f, nan, nan});
  const auto masked = jq::mask(softmax, jq::in_shapes<"n">, jq::out_shape<"n">);
  std::cout << "three of five: " << masked(jq::args(x), jq::dims{{"n", 3}}) << '\n';

  // Sizes are run-time values, so vmap gives each row its own, and jit compiles once for all of them.
  const jq::array rows = jq::asarray({{1.f, 2.f, 3.f}, {4.f, 5.f, nan}, {6.f, nan, nan}});
  const auto ragged = jq::jit(jq::vmap(masked));
  std::cout << "ragged rows =\n" << ragged(jq::args(rows), jq::dims{{"n", jq::asarray({3, 2, 1})}}) << '\n';
  std::cout << "other lengths =\n" << ragged(jq::args(rows), jq::dims{{"n", jq::asarray({1, 1, 1})}}) << '\n';
  std::cout << "programs compiled: " << ragged.cache_size() << "\n\n";

  // Gradients are those of the real part; nothing reaches the padding, and no NaN comes out of it.
  const auto loss = [](const jq::array& scale, const jq::array& v, const jq::array& n) {
    const auto f = [](const jq::array& s, const jq::array& w) { return jq::sum(jq::log(w) * s); };
    return jq::mask(f, jq::in_shapes<"", "n">, jq::out_shape<"">)(jq::args(scale, v), jq::dims{{"n", n}});
  };
  const auto [by_scale, by_x] = jq::grad(loss, jq::argnums<0, 1>)(jq::asarray(2.f), x, jq::asarray(3));
  std::cout << "by the scale: " << by_scale << ", by the elements: " << by_x << '\n';

  // A loop over a symbolic size stops where the array ends. "n + 1" says that no row is empty.
  const auto decayed = [](const jq::array& v) {
    const auto step = [](const jq::array& c, const jq::array& e) { return std::pair{c * 0.5f + e, std::tuple<>{}}; };
    return jq::lax::scan(step, jq::asarray(0.f), v).first;
  };
  const auto each_row = jq::vmap(jq::mask(decayed, jq::in_shapes<"n + 1">, jq::out_shape<"">));
  std::cout << "decayed sums of rows: " << each_row(jq::args(rows), jq::dims{{"n", jq::asarray({2, 1, 0})}}) << "\n\n";

  // Sizes may be computed with: slices, paddings and concatenations have polynomial sizes. Without out_shape
  // the logical shape comes along.
  const auto ends = [](const jq::array& v) { return jq::concatenate({v(jq::slice(1, jq::none)), v}); };
  const auto [y, shape] = jq::mask(ends, jq::in_shapes<"n">)(jq::args(x), jq::dims{{"n", 3}});
  std::cout << "all but the first, then all: " << y << " of shape " << shape << '\n';

  // shapecheck propagates sizes alone.
  jq::shapecheck(ends, jq::in_shapes<"n">, jq::out_shape<"2n - 1">);
  try {
    jq::shapecheck(ends, jq::in_shapes<"n">, jq::out_shape<"2n">);
  } catch (const jq::shape_error& e) {
    const std::string message = e.what();  // ends with the line of the call
    std::cout << "shape_error: " << message.substr(0, message.find(" [")) << '\n';
  }

  // A size as a value is a value of the run, too.
  const auto deviation = [](const jq::array& v) { return jq::sum(v) / jq::dim_as_value(v, 0); };
  std::cout << "mean by hand: " << jq::mask(deviation, jq::in_shapes<"n">, jq::out_shape<"">)(jq::args(x), jq::dims{{"n", 3}}) << '\n';
  try {
    const auto reciprocal = [](const jq::array& v) { return jq::sum(v) * (1.0 / double(v.shape()[0])); };
    jq::mask(reciprocal, jq::in_shapes<"n">, jq::out_shape<"">)(jq::args(x), jq::dims{{"n", 3}});
  } catch (const jq::value_error&) {
    std::cout << "value_error: a number was computed in C++ from a symbolic size\n";
  }
}

// output:
// three of five: [0.09003057 0.24472848 0.66524094 0.         0.        ]
// ragged rows =
// [[0.09003057 0.24472848 0.66524094]
//  [0.26894143 0.7310586  0.        ]
//  [1.         0.         0.        ]]
// other lengths =
// [[1. 0. 0.]
//  [1. 0. 0.]
//  [1. 0. 0.]]
// programs compiled: 1
//
// by the scale: 1.7917595, by the elements: [2.        1.        0.6666667 0.        0.       ]
// decayed sums of rows: [4.25 7.   6.  ]
//
// all but the first, then all: [2. 3. 1. 2. 3. 0. 0. 0. 0.] of shape [5]
// shape_error: Output shapes should be (2 n,) but are (2 n + -1,).
// mean by hand: 2.
// value_error: a number was computed in C++ from a symbolic size
