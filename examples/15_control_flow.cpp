// Chapter 15: control flow
//
// A C++ loop in a traced function is laid out trip by trip, and a C++ if asks for a value that a compiled function does
// not have. lax::scan, fori_loop, while_loop, cond and switch_ put the loop or the branch itself into the program: one
// equation with one body, however many trips it takes.

#include <iostream>
#include <string>
#include <tuple>

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;

int main() {
  // scan carries a value through the elements of an array and stacks what the body returns beside it. Carry, elements and
  // results may be trees.
  const auto balance = [](const array& start, const array& payments) {
    const auto month = [](const array& account, const array& payment) {
      const array next = account * 1.01 + payment;
      return std::pair{next, next};
    };
    return lax::scan(month, start, payments).second;
  };
  const array payments = jq::asarray({100.0, -50.0, 200.0});
  std::cout << "balances " << balance(jq::asarray(1000.0), payments) << '\n';

  // The loop is one equation. Its derivative is two: one forwards, which also stacks what the way back needs, and one back.
  std::cout << jq::make_jaxpr(balance)(jq::asarray(1000.0), payments) << '\n';
  const auto last = [&](const array& start, const array& p) { return balance(start, p)(2); };
  std::cout << "slopes   " << jq::grad(last, jq::argnums<1>)(jq::asarray(1000.0), payments) << "\n\n";

  // fori_loop counts. With bounds known while tracing it is a scan; otherwise a while_loop, which has forward derivatives
  // but no backward ones, since how much there is to remember is not known before.
  const auto power = [](const array& x, const array& n) {
    return lax::fori_loop(0, n, [&](const array&, const array& p) { return p * x; }, jq::asarray(1.0));
  };
  std::cout << "2^10     " << jq::jit(power)(jq::asarray(2.0), jq::asarray(10)) << '\n';
  const auto cube = [&](const array& x) { return power(x, 3); };
  std::cout << "slope    " << jq::grad(cube)(jq::asarray(2.0)) << '\n';
  const auto halvings = [](const array& x) {
    return lax::while_loop([](const std::pair<array, array>& s) { return s.first > 1.0; },
                           [](const std::pair<array, array>& s) { return std::pair{s.first / 2.0, s.second + 1}; },
                           std::pair{x, jq::asarray(0)})
        .second;
  };
  std::cout << "halvings " << halvings(jq::asarray(1000.0)) << '\n';

  // Mapped, a while_loop runs until the last example is done; those that are done keep their values.
  std::cout << "mapped   " << jq::vmap(halvings)(jq::asarray({1.0, 10.0, 1000.0})) << "\n\n";

  // cond traces both branches and runs one. switch_ chooses among several; an index out of range takes the nearest.
  const auto root = [](const array& x) {
    return lax::cond(x > 0.0, [](const array& v) { return jq::sqrt(v); }, [](const array& v) { return v * 0.0; }, x);
  };
  std::cout << "root     " << jq::jit(root)(jq::asarray(9.0)) << ' ' << jq::jit(root)(jq::asarray(-9.0)) << '\n';
  const auto shape = [](const array& i, const array& r) {
    const auto square = [](const array& v) { return v * v; };
    const auto circle = [](const array& v) { return 3.141592653589793 * v * v; };
    return lax::switch_(i, std::tuple{square, circle}, r);
  };
  std::cout << "areas    " << shape(jq::asarray(0), jq::asarray(2.0)) << ' ' << shape(jq::asarray(7), jq::asarray(2.0)) << '\n';

  // With a mapped predicate both branches run for all examples and the results are selected. What was not selected does not
  // reach the gradient, not even as NaN: the slope of sqrt at 0 is infinite.
  std::cout << "slopes   " << jq::vmap(jq::grad(root))(jq::asarray({0.0, 4.0})) << '\n';

  // A branch with a while_loop, which might not end for the others, computes with an example that it is meant for in their place.
  const auto doubled = [](const array& x) {
    const auto until_100 = [](const array& v) {
      return lax::while_loop([](const array& w) { return w < 100.0; }, [](const array& w) { return w * 2.0; }, v);
    };
    return lax::cond(x > 0.0, until_100, [](const array& v) { return v; }, x);
  };
  std::cout << "doubled  " << jq::vmap(doubled)(jq::asarray({3.0, 0.0})) << "\n\n";

  // map is scan without a carry: vmap's results with the memory of one element. associative_scan computes all partial
  // results of an associative operation in a few operations on whole arrays.
  std::cout << "map      " << lax::map(root, jq::asarray({1.0, 4.0, 9.0})) << '\n';
  const auto larger = [](const array& a, const array& b) { return jq::maximum(a, b); };
  std::cout << "so far   " << lax::associative_scan(larger, jq::asarray({3, 1, 4, 1, 5, 9, 2, 6})) << "\n\n";

  // What goes wrong is said with the user's words.
  try {
    lax::scan([](const array& s, const array& x) { return std::pair{s.astype(jq::i32), x}; }, jq::asarray(0.f), jq::asarray({1.f}));
  } catch (const jq::type_error& e) {
    const std::string what = e.what();
    std::cout << what.substr(0, what.rfind('[')) << '\n';
  }
}

// output:
// balances [1110.    1071.1   1281.811]
// { lambda ; a:f64[] b:f64[3]. let
//     _:f64[] c:f64[3] = scan[
//       jaxpr={ lambda ; d:f64[] e:f64[]. let
//           f:f64[] = mul d 1.01:f64[]
//           g:f64[] = add f e
//         in (g, g) }
//       length=3
//       num_carry=1
//       num_consts=0
//       reverse=False
//       unroll=1
//     ] a b
//   in (c,) }
// slopes   [1.0201 1.01   1.    ]
//
// 2^10     1024.
// slope    12.
// halvings 10
// mapped   [ 0  4 10]
//
// root     3. -0.
// areas    4. 12.56637061
// slopes   [0.   0.25]
// doubled  [192.   0.]
//
// map      [1. 2. 3.]
// so far   [3 3 4 4 5 9 9 9]
//
// scan carry output and input must have identical types, got
// DIFFERENT ShapedArray(int32[]) vs. ShapedArray(float32[]).
// Convert the start or the result with astype
