// CoDiPack as its tutorials do: the Jacobian tape, recorded anew by each call into memory that it keeps and evaluated once; a vector of
// two adjoints for the two rows of a Jacobian; vectors of tangents within the tape for a Hessian. Deliberately without tapes of primal values.

#include <codi.hpp>

#include "differentiators.hpp"

namespace {

using namespace differentiators;

/// Records the function of x and evaluates the tape for the seed; then `read` takes the results and inputs, before the tape is emptied.
template <class Number, class Task, class Value, class Seed, class Read>
void taped(const Value* x, size_t differentiated, Seed seed, Read read) {
  static std::vector<Number> in(Task::inputs);
  Number out[Task::outputs];
  auto& tape = Number::getTape();
  tape.setActive();
  for (size_t i = 0; i < Task::inputs; ++i) in[i] = x[i];
  for (size_t i = 0; i < differentiated; ++i) tape.registerInput(in[i]);
  Task{}(in.data(), out);
  for (Number& y : out) tape.registerOutput(y);
  tape.setPassive();
  seed(out);
  tape.evaluate();
  read(in, out);
  tape.reset();
}

template <class Task, bool with_value = false>
void gradient(const double* x, double* g) {
  using number = codi::RealReverse;
  taped<number, Task>(
      x, Task::inputs, [](number* y) { y->setGradient(1.0); },
      [g](const std::vector<number>& in, const number* y) {
        if (with_value) *g = y->getValue();
        for (size_t i = 0; i < Task::inputs; ++i) g[i + with_value] = in[i].getGradient();
      });
}
void jacobian(const double* x, double* j) {
  using number = codi::RealReverseVec<2>;
  taped<number, reprojection>(
      x, 15, [](number* y) { y[0].gradient()[0] = 1.0, y[1].gradient()[1] = 1.0; },
      [j](const std::vector<number>& p, const number*) {
        for (size_t k = 0; k < 15; ++k) j[k] = p[k].getGradient()[0], j[15 + k] = p[k].getGradient()[1];
      });
}
void hessian(const double* x, double* h) {
  using tangents = codi::RealForwardVec<6>;
  using number = codi::RealReverseGen<tangents>;
  tangents at[6];
  for (size_t i = 0; i < 6; ++i) at[i] = x[i], at[i].gradient()[i] = 1.0;
  taped<number, kepler>(
      at, 6, [](number* y) { y->setGradient(1.0); },
      [h](const std::vector<number>& in, const number*) {
        for (size_t i = 0; i < 6; ++i)
          for (size_t k = 0; k < 6; ++k) h[6 * i + k] = in[i].getGradient().getGradient()[k];
      });
}

const registration here({"CoDiPack", at_points<gradient<rosenbrock<2>>, 2, 2>, gradient<rosenbrock<1000>>, gradient<log_sum_exp<1000>>,
                         gradient<network, true>, at_points<jacobian, 17, 30>, at_points<hessian, 6, 36>, gradient<chain>});

}  // namespace
