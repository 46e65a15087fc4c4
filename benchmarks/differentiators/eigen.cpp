// Eigen's AutoDiffScalar with a fixed count of derivatives, nested for a Hessian. It goes forward only: deliberately without functions of
// hundreds of inputs.

#include <Eigen/Core>
#include <unsupported/Eigen/AutoDiff>

#include "differentiators.hpp"

namespace {

using namespace differentiators;

template <class Inner, size_t n>
using with_derivatives = Eigen::AutoDiffScalar<Eigen::Matrix<Inner, int(n), 1>>;

template <class Task>
void gradient(const double* x, double* g) {
  using number = with_derivatives<double, Task::inputs>;
  number in[Task::inputs], out;
  for (size_t i = 0; i < Task::inputs; ++i) in[i] = number(x[i], int(Task::inputs), int(i));
  Task{}(in, &out);
  for (size_t i = 0; i < Task::inputs; ++i) g[i] = out.derivatives()[int(i)];
}
void jacobian(const double* x, double* j) {
  using number = with_derivatives<double, 15>;
  number p[15], y[2];
  for (int i = 0; i < 15; ++i) p[i] = number(x[i], 15, i);
  reprojection{}(p, x + 15, y);
  for (size_t i = 0; i < 2; ++i)
    for (size_t k = 0; k < 15; ++k) j[15 * i + k] = y[i].derivatives()[int(k)];
}
void hessian(const double* x, double* h) {
  using inner = with_derivatives<double, 6>;
  using number = with_derivatives<inner, 6>;
  number in[6], out;
  for (int i = 0; i < 6; ++i) {
    in[i] = number(inner(x[i], 6, i), 6, i);
    for (int k = 0; k < 6; ++k) in[i].derivatives()[k].derivatives().setZero();
  }
  kepler{}(in, &out);
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 6; ++k) h[6 * i + k] = out.derivatives()[i].derivatives()[k];
}

const registration here({"Eigen AutoDiff", at_points<gradient<rosenbrock<2>>, 2, 2>, nullptr, nullptr, nullptr, at_points<jacobian, 17, 30>,
                         at_points<hessian, 6, 36>, gradient<chain>});

}  // namespace
