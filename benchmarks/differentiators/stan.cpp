// Stan's Math library in reverse, as its function `gradient` works: operations are recorded anew by each call on a stack that is kept, and
// nested so that what others recorded stays. A Hessian is one pass of forward over reverse for each input, as in its `hessian`.
// Deliberately without its functions of vectors, since the others get the same programs of numbers.

#include <stan/math/mix/scal.hpp>

#include "differentiators.hpp"

namespace {

using namespace differentiators;
using stan::math::var;

/// Records task(inputs, outputs), with so many of x as inputs, and calls read(inputs, outputs) before what was recorded is dropped.
template <size_t inputs, size_t outputs, class Task, class Read>
void recorded(const double* x, Task task, Read read) {
  stan::math::start_nested();
  {
    std::vector<var> in(x, x + inputs);
    var out[outputs];
    task(in.data(), out);
    read(in, out);
  }
  stan::math::recover_memory_nested();
}
template <class Task, bool with_value = false>
void gradient(const double* x, double* g) {
  recorded<Task::inputs, 1>(x, Task{}, [g](const std::vector<var>& in, const var* y) {
    stan::math::grad(y->vi_);
    if (with_value) *g = y->val();
    for (size_t i = 0; i < Task::inputs; ++i) g[i + with_value] = in[i].adj();
  });
}
void jacobian(const double* x, double* j) {
  const auto task = [m = x + reprojection::parameters](const var* p, var* y) { reprojection{}(p, m, y); };
  recorded<reprojection::parameters, reprojection::outputs>(x, task, [j](const std::vector<var>& p, const var* y) {
    for (size_t i = 0; i < 2; ++i) {
      if (i > 0) stan::math::set_zero_all_adjoints_nested();
      stan::math::grad(y[i].vi_);
      for (size_t k = 0; k < 15; ++k) j[15 * i + k] = p[k].adj();
    }
  });
}
void hessian(const double* x, double* h) {
  using number = stan::math::fvar<var>;
  for (size_t i = 0; i < 6; ++i) {
    stan::math::start_nested();
    number in[6], out;
    for (size_t k = 0; k < 6; ++k) in[k] = number(var(x[k]), var(k == i ? 1.0 : 0.0));
    kepler{}(in, &out);
    stan::math::grad(out.d_.vi_);
    for (size_t k = 0; k < 6; ++k) h[6 * i + k] = in[k].val_.adj();
    stan::math::recover_memory_nested();
  }
}

const registration here({"Stan Math", at_points<gradient<rosenbrock<2>>, 2, 2>, gradient<rosenbrock<1000>>, gradient<log_sum_exp<1000>>,
                         gradient<network, true>, at_points<jacobian, 17, 30>, at_points<hessian, 6, 36>, gradient<chain>});

}  // namespace
