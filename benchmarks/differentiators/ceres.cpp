// The Jet of Ceres Solver, which its cost functions are differentiated by. It goes forward only, to first derivatives: deliberately without
// functions of hundreds of inputs and Hessians.

#include <ceres/jet.h>

#include "differentiators.hpp"

namespace {

using namespace differentiators;

template <class Task>
void gradient(const double* x, double* g) {
  using number = ceres::Jet<double, int(Task::inputs)>;
  number in[Task::inputs], out;
  for (size_t i = 0; i < Task::inputs; ++i) in[i] = number(x[i], int(i));
  Task{}(in, &out);
  for (size_t i = 0; i < Task::inputs; ++i) g[i] = out.v[int(i)];
}
void jacobian(const double* x, double* j) {
  using number = ceres::Jet<double, 15>;
  number p[15], y[2];
  for (int i = 0; i < 15; ++i) p[i] = number(x[i], i);
  reprojection{}(p, x + 15, y);
  for (size_t i = 0; i < 2; ++i)
    for (size_t k = 0; k < 15; ++k) j[15 * i + k] = y[i].v[int(k)];
}

const registration here({"Ceres Jet", at_points<gradient<rosenbrock<2>>, 2, 2>, nullptr, nullptr, nullptr, at_points<jacobian, 17, 30>,
                         nullptr, gradient<chain>});

}  // namespace
