// Demand: values that are wanted at several places go to memory where that costs less than computing them again. Oracle: steps that a person
// would write, who keeps the state of each step and the derivative by it; a bound for each step makes growth linear.
#include <jacquard/exec/lowering/lowering.hpp>

#include "../../show.hpp"

using jq::array;

namespace {

bool everything(jq::scalar_op, jq::dtype) { return true; }

constexpr int length = 100000;

/// What the loops of a program do: kernels, steps in their code, and steps run for each of `length` elements.
struct effort {
  std::size_t alone = 0, kernels = 0, steps = 0;
  double run = 0;
};
template <class F>
effort effort_of(F f, const jq::shape& s) {
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(jq::ones(s)));
  const jq::lowering::lowered_program l = jq::lowering::lower(*p, &everything);
  effort r;
  r.kernels = l.kernels.size();
  for (const jq::lowering::lowered_step& step : l.steps) r.alone += step.kernel < 0;
  for (const jq::lowering::loop_kernel& k : l.kernels) {
    double iterations = 1;
    for (const jq::lowering::loop& loop : k.loops) iterations *= double(loop.extent);
    r.steps += k.body.steps.size();
    r.run += iterations * double(k.body.steps.size()) / length;
  }
  return r;
}

array periodic(const array& u) {
  const array before = jq::concatenate({u(jq::slice(-1, jq::none)), u(jq::slice(0, -1))});
  const array after = jq::concatenate({u(jq::slice(1, jq::none)), u(jq::slice(0, 1))});
  return u + 0.1f * (before - 2.f * u + after);
}
array plane(const array& u) {
  return u + 0.25f * (jq::roll(u, 1, 0) + jq::roll(u, -1, 0) + jq::roll(u, 1, 1) + jq::roll(u, -1, 1) - 4.f * u);
}
auto steps_of(array (*step)(const array&), int n) {
  return [=](array u) {
    for (int i = 0; i < n; ++i) u = step(u);
    return u;
  };
}
auto gradient_of(array (*step)(const array&), int n) {
  return jq::grad([=](array u) {
    u = steps_of(step, n)(u);
    return jq::sum(u * u);
  });
}
#define CHECK_WITHIN(got, n, kernels_each, steps_each, run_each)                    \
  do {                                                                              \
    const effort e = got;                                                           \
    CHECK_MESSAGE(e.alone == 0, n, " steps: ", e.alone, " equations alone");        \
    CHECK_MESSAGE(e.kernels <= (kernels_each) * n, n, " steps: ", e.kernels, " kernels"); \
    CHECK_MESSAGE(e.steps <= (steps_each) * n, n, " steps: ", e.steps, " in code");  \
    CHECK_MESSAGE(e.run <= (run_each) * n, n, " steps: ", e.run, " for each element"); \
  } while (false)

}  // namespace

TEST_CASE("demand: unrolled steps of a stencil are a bounded number of kernels each, and so are their derivatives") {
  for (const std::size_t n : {4u, 8u, 16u}) {
    CHECK_WITHIN(effort_of(steps_of(&periodic, int(n)), {length}), n, 3, 70, 14);
    CHECK_WITHIN(effort_of(gradient_of(&periodic, int(n)), {length}), n, 6, 150, 40);
    CHECK_WITHIN(effort_of(gradient_of(&plane, int(n)), {250, 400}), n, 18, 420, 48);
  }
}
TEST_CASE("demand: what is cheap is computed where it is wanted, what is not only once") {
  const auto shifted = [](array (*f)(const array&)) {
    return [f](array x) { return f(x)(jq::slice(2, jq::none)) - f(x)(jq::slice(1, -1)) * f(x)(jq::slice(0, -2)); };
  };
  CHECK(effort_of(shifted([](const array& x) { return x * x + x; }), {length}).kernels == 1);
  const auto polynomial = [](const array& x) {
    array y = x;
    for (int i = 0; i < 12; ++i) y = y * x + float(i);
    return y;
  };
  CHECK(effort_of(shifted(polynomial), {length}).kernels == 2);
  CHECK(effort_of(shifted(polynomial), {8}).kernels == 1);  // a kernel more takes longer than eight elements
}
TEST_CASE("demand: kernels that may become one want their values once") {
  const auto pair = [](array x) {
    array y = x;
    for (int i = 0; i < 40; ++i) y = y * x + 1.f;
    return std::tuple{y * 2.f, y + 3.f, jq::sum(y)};
  };
  CHECK(effort_of(pair, {length}).kernels == 1);
}
TEST_CASE("demand: what each row wants again is computed before the rows, unless that is as cheap as reading it or there are few rows") {
  const auto times_row = [](const array& x) { return x * jq::exp(x(0)); };
  const effort row = effort_of(times_row, {250, 400});
  CHECK(row.kernels == 2);
  CHECK(row.run < 4);  // two values read, multiplied; exp for one row only
  CHECK(effort_of(times_row, {2, 400}).kernels == 1);
  CHECK(effort_of([](const array& x) { return x * x(0); }, {250, 400}).kernels == 1);
  const effort column = effort_of([](const array& x) { return x * jq::exp(x(jq::all, jq::slice(0, 1))); }, {250, 400});
  CHECK(column.kernels == 1);  // a row computes it before its elements
  CHECK(effort_of([](const array& x) { return x + jq::eye(20, jq::f32); }, {5000, 20, 20}).kernels == 1);  // known, but for indices
}
