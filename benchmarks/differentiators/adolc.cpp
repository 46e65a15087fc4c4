// ADOL-C as its manual advises for functions whose branches do not change: each is taped at the first call, and the drivers evaluate the
// tape after that. Deliberately without taping again: all that is asked of these functions takes the same branches.

#include <adolc/adolc.h>

#include "differentiators.hpp"

namespace {

using namespace differentiators;

/// The drivers take pointers to what they do not change.
double* changeable(const double* x) { return const_cast<double*>(x); }

/// How many tapes there are; their numbers are their tags.
short tapes = 0;

template <class Task>
short record(const double* x) {
  const short tag = tapes++;
  trace_on(tag);
  {
    std::vector<adouble> in(Task::inputs);
    adouble out[Task::outputs];
    for (size_t i = 0; i < Task::inputs; ++i) in[i] <<= x[i];
    Task{}(in.data(), out);
    double values[Task::outputs];
    for (size_t i = 0; i < Task::outputs; ++i) out[i] >>= values[i];
  }
  trace_off();
  return tag;
}
template <class Task>
short tape_of(const double* x) {
  static const short tag = record<Task>(x);
  return tag;
}

template <class Task>
void gradient(const double* x, double* g) {
  ::gradient(tape_of<Task>(x), int(Task::inputs), changeable(x), g);
}
/// What the driver `gradient` does, which drops the value.
template <class Task>
void value_and_gradient(const double* x, double* out) {
  const short tag = tape_of<Task>(x);
  double one = 1;
  zos_forward(tag, 1, int(Task::inputs), 1, x, out);
  fos_reverse(tag, 1, int(Task::inputs), &one, out + 1);
}
void jacobian(const double* x, double* j) {
  const short tag = tape_of<reprojection>(x);
  double rows[2][17], *places[2] = {rows[0], rows[1]};
  ::jacobian(tag, 2, 17, x, places);
  for (size_t i = 0; i < 2; ++i)
    for (size_t k = 0; k < 15; ++k) j[15 * i + k] = rows[i][k];
}
void hessian(const double* x, double* h) {
  double* rows[6];
  for (size_t i = 0; i < 6; ++i) rows[i] = h + 6 * i;
  ::hessian(tape_of<kepler>(x), 6, changeable(x), rows);  // its lower triangle
  for (size_t i = 0; i < 6; ++i)
    for (size_t k = 0; k < i; ++k) h[6 * k + i] = h[6 * i + k];
}

const registration here({"ADOL-C", at_points<gradient<rosenbrock<2>>, 2, 2>, gradient<rosenbrock<1000>>, gradient<log_sum_exp<1000>>,
                         value_and_gradient<network>, at_points<jacobian, 17, 30>, at_points<hessian, 6, 36>, gradient<chain>});

}  // namespace
