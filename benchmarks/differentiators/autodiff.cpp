// autodiff by the functions of its manual: `real` numbers for few inputs, one pass for each of them, `dual2nd` for a Hessian, and `var`,
// which keeps expressions as trees, in reverse for many. Deliberately without its trees for the chain, which it walks by recursion.

#include <autodiff/forward/dual.hpp>
#include <autodiff/forward/dual/eigen.hpp>
#include <autodiff/forward/real.hpp>
#include <autodiff/forward/real/eigen.hpp>
#include <autodiff/reverse/var.hpp>
#include <autodiff/reverse/var/eigen.hpp>

#include "differentiators.hpp"

namespace {

using namespace differentiators;

template <class Task, bool with_value = false>
void reverse(const double* x, double* g) {
  autodiff::VectorXvar in = Eigen::Map<const Eigen::VectorXd>(x, Task::inputs);
  autodiff::var out;
  Task{}(in.data(), &out);
  const Eigen::VectorXd d = autodiff::gradient(out, in);
  if (with_value) *g = double(out);
  for (size_t i = 0; i < Task::inputs; ++i) g[i + with_value] = d[Eigen::Index(i)];
}
template <class Task>
void forward(const double* x, double* g) {
  autodiff::VectorXreal in = Eigen::Map<const Eigen::VectorXd>(x, Task::inputs);
  const auto f = [](const autodiff::VectorXreal& at) {
    autodiff::real out;
    Task{}(at.data(), &out);
    return out;
  };
  const Eigen::VectorXd d = autodiff::gradient(f, autodiff::detail::wrt(in), autodiff::at(in));
  for (size_t i = 0; i < Task::inputs; ++i) g[i] = d[Eigen::Index(i)];
}
void jacobian(const double* x, double* j) {
  autodiff::VectorXreal p = Eigen::Map<const Eigen::VectorXd>(x, 15);
  const auto f = [x](const autodiff::VectorXreal& at) {
    autodiff::VectorXreal y(2);
    reprojection{}(at.data(), x + 15, y.data());
    return y;
  };
  const Eigen::MatrixXd d = autodiff::jacobian(f, autodiff::detail::wrt(p), autodiff::at(p));
  for (Eigen::Index i = 0; i < 2; ++i)
    for (Eigen::Index k = 0; k < 15; ++k) j[15 * i + k] = d(i, k);
}
void hessian(const double* x, double* h) {
  autodiff::VectorXdual2nd in = Eigen::Map<const Eigen::VectorXd>(x, 6);
  const auto f = [](const autodiff::VectorXdual2nd& at) {
    autodiff::dual2nd out;
    kepler{}(at.data(), &out);
    return out;
  };
  const Eigen::MatrixXd d = autodiff::hessian(f, autodiff::detail::wrt(in), autodiff::at(in));
  for (Eigen::Index i = 0; i < 6; ++i)
    for (Eigen::Index k = 0; k < 6; ++k) h[6 * i + k] = d(i, k);
}

const registration here({"autodiff", at_points<forward<rosenbrock<2>>, 2, 2>, reverse<rosenbrock<1000>>, reverse<log_sum_exp<1000>>,
                         reverse<network, true>, at_points<jacobian, 17, 30>, at_points<hessian, 6, 36>, forward<chain>});

}  // namespace
