// Chapter 16: rules of your own
//
// Some functions have better derivatives than those of the steps that compute them: because the steps are unstable, or
// because what they compute is a solution, whose derivative does not depend on the method. custom_jvp and custom_vjp
// attach a rule to a function; evaluation, jit and vmap still see the function itself.

#include <iostream>
#include <tuple>

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;

int main() {
  // log(1 + e^x) is x for large x. Its derivative by the chain rule is e^x / (1 + e^x), which is infinity over infinity.
  const auto plain = [](const array& x) { return jq::log(1.0 + jq::exp(x)); };
  const auto stable = jq::custom_jvp(plain, [=](const std::tuple<array>& primals, const std::tuple<array>& tangents) {
    const auto& [x] = primals;
    const auto& [t] = tangents;
    return std::pair{plain(x), (1.0 - 1.0 / (1.0 + jq::exp(x))) * t};
  });
  std::cout << "plain    " << jq::grad(plain)(jq::asarray(1000.0)) << '\n';
  std::cout << "stable   " << jq::grad(stable)(jq::asarray(1000.0)) << '\n';

  // The rule works under every transform, and is differentiated itself for higher derivatives.
  std::cout << "mapped   " << jq::vmap(jq::grad(stable))(jq::asarray({-1000.0, 0.0, 1000.0})) << '\n';
  std::cout << "second   " << jq::grad(jq::grad(stable))(jq::asarray(0.0)) << "\n\n";

  // Where the rule is a sum over the arguments, defjvps takes one for each: of its tangent, the result and the arguments; jq::none stands for
  // an argument that does not count. This length has a derivative at the origin.
  const auto share = [](const array& t, const array& r, const array& part) { return t * part / jq::maximum(r, 1e-300); };
  const auto length = jq::custom_jvp([](const array& x, const array& y) { return jq::sqrt(x * x + y * y); },
                                     jq::defjvps([=](const array& t, const array& r, const array& x, const array&) { return share(t, r, x); },
                                                 [=](const array& t, const array& r, const array&, const array& y) { return share(t, r, y); }));
  for (const double x : {3.0, 0.0}) {
    const auto [dx, dy] = jq::grad(length, jq::argnums<0, 1>)(jq::asarray(x), jq::asarray(x * 4 / 3));
    std::cout << "length   " << dx << ' ' << dy << '\n';
  }
  std::cout << '\n';

  // custom_vjp gives the way back: a forward function that also returns what the backward function needs. Here the gradient
  // is clipped on its way back. Functions may be arguments, too; they are named by nondiff_argnums.
  const auto clipped = jq::custom_vjp(
      [](const auto& f, const array& x) { return f(x); }, [](const auto& f, const array& x) { return std::pair{f(x), x}; },
      [](const auto& f, const array& x, const array& ct) {
        return std::tuple{jq::clip(std::get<0>(jq::vjp(f, x).second(ct)), -1.0, 1.0)};
      },
      jq::nondiff_argnums<0>);
  const auto steep = [](const array& x) { return jq::sum(x * x * x); };
  const auto gentle = [&](const array& x) { return clipped(steep, x); };
  std::cout << "steep    " << jq::grad(steep)(jq::asarray({0.1, 2.0})) << '\n';
  std::cout << "gentle   " << jq::grad(gentle)(jq::asarray({0.1, 2.0})) << "\n\n";

  // custom_gradient is the same in one function, which returns the value and its pullback.
  const auto reversed = jq::custom_gradient([](const array& x) {
    return std::pair{x, [](const array& ct) { return -ct; }};
  });
  std::cout << "reversed " << jq::grad([&](const array& x) { return reversed(x) * 3.0; })(jq::asarray(1.0)) << "\n\n";

  // custom_root differentiates a solution by the implicit function theorem. Newton's method runs in a while_loop, which
  // cannot be differentiated backwards; the root can.
  const auto newton = [](const auto& f, const array& start) {
    const auto step = [&](const array& x) {
      const auto [y, slope] = jq::jvp(f, jq::primals(x), jq::tangents(jq::asarray(1.0)));
      return x - y / slope;
    };
    return lax::while_loop([&](const array& x) { return jq::abs(f(x)) > 1e-12; }, step, start);
  };
  const auto cube_root = [&](const array& a) {
    const auto f = [&](const array& x) { return x * x * x - a; };
    const auto divide = [](const auto& g, const array& y) { return y / g(jq::asarray(1.0)); };
    return lax::custom_root(f, jq::asarray(1.0), newton, divide);
  };
  std::cout << "root     " << cube_root(jq::asarray(8.0)) << '\n';
  std::cout << "slope    " << jq::grad(cube_root)(jq::asarray(8.0)) << '\n';
  std::cout << "1 / 12   " << jq::asarray(1.0 / 12) << "\n\n";

  // custom_linear_solve does so for linear systems whose matrix is a function.
  const array m = jq::asarray({{4.0, 1.0}, {1.0, 3.0}});
  const auto jacobi = [](const auto& matvec, const array& b) {
    const auto step = [&](const array&, const array& x) { return x + (b - matvec(x)) * 0.25; };
    return lax::fori_loop(0, 100, step, b * 0.0);
  };
  const auto solve = [&](const array& b) {
    return lax::custom_symmetric_solve([&](const array& x) { return jq::dot(m, x); }, b, jacobi);
  };
  std::cout << "x        " << solve(jq::asarray({1.0, 2.0})) << '\n';
  std::cout << "inverse\n" << jq::jacrev(solve)(jq::asarray({1.0, 2.0})) << '\n';
}

// output:
// plain    nan
// stable   1.
// mapped   [0.  0.5 1. ]
// second   0.25
//
// length   0.6 0.8
// length   0. 0.
//
// steep    [ 0.03 12.  ]
// gentle   [0.03 1.  ]
//
// reversed -3.
//
// root     2.
// slope    0.08333333
// 1 / 12   0.08333333
//
// x        [0.09090909 0.63636364]
// inverse
// [[ 0.27272727 -0.09090909]
//  [-0.09090909  0.36363636]]
