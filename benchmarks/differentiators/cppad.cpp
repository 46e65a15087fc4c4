// CppAD as its manual advises for functions that are differentiated often: each is recorded and optimised at the first call, and the
// optimised sequence is evaluated after that, forward for values and in reverse, in memory that is held from call to call. Deliberately
// without checks of changed comparisons.

#include <cppad/cppad.hpp>

#include "differentiators.hpp"

namespace {

using namespace differentiators;
using numbers = std::vector<double>;

template <class Task>
struct recording {
  CppAD::ADFun<double> f;
  numbers x, y, weight;

  explicit recording(const double* at) : x(at, at + Task::inputs), y(Task::outputs), weight(Task::outputs, 1.0) {
    std::vector<CppAD::AD<double>> in(x.begin(), x.end()), out(Task::outputs);
    CppAD::Independent(in);
    Task{}(in.data(), out.data());
    f.Dependent(in, out);
    f.optimize("no_compare_op");
    CppAD::thread_alloc::hold_memory(true);
  }
};
template <class Task>
recording<Task>& recorded(const double* x) {
  static recording<Task> r(x);
  r.x.assign(x, x + Task::inputs);
  return r;
}

template <class Task>
void gradient(const double* x, double* g) {
  recording<Task>& r = recorded<Task>(x);
  r.f.Forward(0, r.x);
  const numbers d = r.f.Reverse(1, r.weight);
  std::copy(d.begin(), d.end(), g);
}
template <class Task>
void value_and_gradient(const double* x, double* out) {
  recording<Task>& r = recorded<Task>(x);
  out[0] = r.f.Forward(0, r.x)[0];
  const numbers d = r.f.Reverse(1, r.weight);
  std::copy(d.begin(), d.end(), out + 1);
}
void jacobian(const double* x, double* j) {
  recording<reprojection>& r = recorded<reprojection>(x);
  const numbers d = r.f.Jacobian(r.x);  // by two passes in reverse, as there are fewer results than parameters
  for (size_t i = 0; i < 2; ++i) std::copy_n(d.begin() + std::ptrdiff_t(17 * i), 15, j + 15 * i);
}
void hessian(const double* x, double* h) {
  recording<kepler>& r = recorded<kepler>(x);
  const numbers d = r.f.Hessian(r.x, 0);
  std::copy(d.begin(), d.end(), h);
}

const registration here({"CppAD", at_points<gradient<rosenbrock<2>>, 2, 2>, gradient<rosenbrock<1000>>, gradient<log_sum_exp<1000>>,
                         value_and_gradient<network>, at_points<jacobian, 17, 30>, at_points<hessian, 6, 36>, gradient<chain>});

}  // namespace
