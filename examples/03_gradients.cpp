// Chapter 3: derivatives
//
// jq::grad takes a function and returns a function: its gradient. The derivative is exact up to rounding, not
// a difference quotient, and it costs a small multiple of the function, however many inputs there are.

#include <iostream>

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

int main() {
  // A number in, a number out.
  const auto cube = [](const jq::array& x) { return x * x * x; };
  std::cout << "cube' (2) = " << jq::grad(cube)(2.0) << '\n';
  // What grad returns is again a function, so derivatives of derivatives need nothing new.
  std::cout << "cube''(2) = " << jq::grad(jq::grad(cube))(2.0) << "\n\n";

  // The gradient has the type of the argument: an array for an array. Argument 0 is differentiated unless
  // argnums says otherwise; several argnums give a tuple. value_and_grad returns the function's value as
  // well.
  const auto loss = [](const jq::array& w, const jq::array& b, const jq::array& x) {
    return jq::sum(jq::square(w * x + b));
  };
  const jq::array w = jq::asarray({1.0, -1.0}), b = jq::asarray(0.5), x = jq::asarray({2.0, 3.0});
  std::cout << "d loss/dw          = " << jq::grad(loss)(w, b, x) << '\n';
  const auto [value, gradients] = jq::value_and_grad(loss, jq::argnums<0, 1>)(w, b, x);
  const auto& [dw, db] = gradients;
  std::cout << "loss, d/dw, d/db   = " << value << ' ' << dw << ' ' << db << "\n\n";

  // Two transforms lie beneath. jvp pushes a tangent forwards: at a point (the primals), along a direction
  // (the tangents), it gives the value and its directional derivative.
  const auto polar = [](const jq::array& p) { return p[0] * jq::stack({jq::cos(p[1]), jq::sin(p[1])}); };
  const jq::array point = jq::asarray({2.0, 0.0});
  const auto [position, velocity] = jq::jvp(polar, jq::primals(point), jq::tangents(jq::asarray({0.0, 1.0})));
  std::cout << "jvp: at " << position << " turning with speed 1 moves along " << velocity << '\n';

  // vjp pulls a cotangent backwards: it gives the value and a function, the pullback, which maps a cotangent
  // of the result to cotangents of the arguments. grad is vjp with the cotangent 1.
  const auto [same_position, pullback] = jq::vjp(polar, point);
  const auto [cotangent] = pullback(jq::asarray({0.0, 1.0}));
  std::cout << "vjp: the second coordinate changes by " << cotangent << "\n\n";

  // Whole Jacobian matrices come by jacfwd, column by column, or jacrev, row by row; second derivatives by
  // hessian.
  std::cout << "Jacobian of polar =\n" << jq::jacfwd(polar)(point) << '\n';
  const auto rosenbrock = [](const jq::array& p) {
    return 100.0 * jq::square(p[1] - jq::square(p[0])) + jq::square(1.0 - p[0]);
  };
  std::cout << "Hessian of the Rosenbrock function at its minimum =\n"
            << jq::hessian(rosenbrock)(jq::asarray({1.0, 1.0})) << "\n\n";

  // At a known point, C++ control flow works: `if`, loops that stop at a tolerance, recursion. The branch
  // that is taken is the one that is differentiated. Here Newton's method finds a square root, and grad
  // follows it.
  const auto newton_root = [](const jq::array& a) {
    jq::array root = a;
    while (jq::abs(root * root - a) > 1e-12) root = 0.5 * (root + a / root);
    return root;
  };
  std::cout << "newton_root(9) = " << newton_root(9.0) << ", its derivative " << jq::grad(newton_root)(jq::array(9.0))
            << ", second derivative " << jq::grad(jq::grad(newton_root))(jq::array(9.0)) << "\n\n";

  // Closures need no care: an outer variable inside an inner derivative is a constant of the inner one. The
  // inner gradient below is d/dy (x + y) = 1, so the outer function is x * 1, and its derivative 1. Systems
  // that carry one tangent with each number and mix up the inner and the outer one (perturbation confusion)
  // answer 2.
  const auto confusing = [](const jq::array& u) {
    return u * jq::grad([&](const jq::array& v) { return u + v; })(jq::array(1.0));
  };
  std::cout << "no confusion: " << jq::grad(confusing)(1.0) << '\n';

  // stop_gradient lets a value through and holds its derivative back.
  const auto half = [](const jq::array& u) { return u * jq::stop_gradient(u); };
  std::cout << "d/dx x stop_gradient(x) at 3 = " << jq::grad(half)(3.0) << "\n\n";

  // Results beside the value travel as auxiliary data: return a pair and say has_aux.
  const auto with_residual = [](const jq::array& u) {
    const jq::array residual = u - 1.0;
    return std::pair{jq::sum(residual * residual), residual};
  };
  const auto [gradient, residual] = jq::grad(with_residual, jq::has_aux)(x);
  std::cout << "gradient " << gradient << ", residual " << residual << "\n\n";

  // A gradient needs one number to start from. A function with more of them gets an error, and advice.
  try {
    jq::grad(polar)(point);
  } catch (const jq::type_error& e) {
    const std::string message = e.what();
    std::cout << "type_error: " << message.substr(0, message.find(" [")) << '\n';
  }
}

// output:
// cube' (2) = 12
// cube''(2) = 12
//
// d loss/dw          = [ 10. -15.]
// loss, d/dw, d/db   = 12.5 [ 10. -15.] 0.
//
// jvp: at [2. 0.] turning with speed 1 moves along [0. 2.]
// vjp: the second coordinate changes by [0. 2.]
//
// Jacobian of polar =
// [[1. 0.]
//  [0. 2.]]
// Hessian of the Rosenbrock function at its minimum =
// [[ 802. -400.]
//  [-400.  200.]]
//
// newton_root(9) = 3., its derivative 0.16666667, second derivative -0.00925926
//
// no confusion: 1
// d/dx x stop_gradient(x) at 3 = 3
//
// gradient [2. 4.], residual [1. 2.]
//
// type_error: Gradient only defined for scalar-output functions. Output had shape: (2,). Reduce it, e.g. with jq::sum, or use jq::jacrev
