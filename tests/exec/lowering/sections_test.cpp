// Programs with very many equations: their kernels stay small and compute each value once, or twice where memory would take longer; results
// are those of the interpreter, in the same bits where that is asked for.
#include <jacquard/exec/lowering/lowering.hpp>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/testing/comparison.hpp>

#include "../../show.hpp"

using jq::array;

namespace {

bool everything(jq::scalar_op, jq::dtype) { return true; }

/// A loop that is written out: x += h (a - b x x), so many times.
auto unrolled(int count) {
  return [count](const array& x, const array& a, const array& b) {
    array y = x;
    for (int i = 0; i < count; ++i) y = y + 0.01 * (a - b * y * y);
    return y;
  };
}
auto gradient(int count) {
  return jq::grad([f = unrolled(count)](const array& x, const array& a, const array& b) { return jq::sum(f(x, a, b)); });
}

struct size_of_code {
  std::size_t equations = 0, kernels = 0, steps = 0, largest = 0, memory = 0;
};
template <class F, class... A>
size_of_code lowered(F f, const A&... x) {
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(x...));
  const jq::lowering::lowered_program l = jq::lowering::lower(*p, &everything);
  size_of_code s{p->equations.size(), l.kernels.size()};
  for (const jq::lowering::loop_kernel& k : l.kernels) {
    s.steps += k.body.steps.size();
    s.largest = std::max(s.largest, k.body.steps.size());
    s.memory += k.outputs.size();
  }
  return s;
}
array values(std::int64_t n, double low, double high, jq::dtype t = jq::f64) { return jq::linspace(low, high, int(n)).astype(t); }

}  // namespace

TEST_CASE("sections: a short program is one kernel, as ever") {
  const array x = values(10, 0, 1);
  CHECK(lowered(unrolled(30), x, x, x).kernels == 1);
}
TEST_CASE("sections: code grows with the program, kernels do not") {
  const array x = values(10, 0, 1);
  for (int count : {100, 200, 400}) {
    const size_of_code value = lowered(unrolled(count), x, x, x), derivative = lowered(gradient(count), x, x, x);
    CHECK(value.equations > std::size_t(4 * count));
    CHECK(value.steps < 2 * value.equations);
    CHECK(derivative.steps < 2 * derivative.equations);
    CHECK(value.largest <= 420);
    CHECK(derivative.largest <= 420);
  }
}
TEST_CASE("sections: of large arrays few are stored, and what is not is computed twice at most") {
  const array x = values(20000, 0, 1);
  const array few = values(10, 0, 1);
  const size_of_code large = lowered(gradient(200), x, x, x), small = lowered(gradient(200), few, few, few);
  CHECK(large.memory < 60);
  CHECK(small.memory > 150);
  CHECK(large.steps < 3 * large.equations);
  CHECK(large.largest <= 420);
}
TEST_CASE("sections: results of large programs are those of the interpreter") {
  for (const std::int64_t n : {1, 13, 9000}) {
    const array x = values(n, 0, 1), a = values(n, 0.5, 1), b = values(n, 1, 0.25);
    const auto g = gradient(120);
    const array want = jq::jit(g, jq::backend("interpreter"))(x, a, b);
    for (const jq::compile_at when : {jq::compile_at::first_call, jq::compile_at::never}) {
      const jq::testing::report r = jq::testing::all_close(jq::jit(g, jq::backend("cpu"), when)(x, a, b), want, 1e-12, 1e-12);
      CHECK_MESSAGE(r.ok, r.text);
      CHECK(bool(jq::all(jq::jit(g, jq::backend("cpu"), when, jq::precision::strict)(x, a, b) == want)));
    }
  }
}
TEST_CASE("sections: rows, columns, views and branches between them") {
  const auto f = [](const array& m, const array& w) {
    array y = m;
    for (int i = 0; i < 40; ++i) {
      const array column = jq::expand_dims(jq::sum(y * w, {1}), 1);
      y = jq::where(y > 0.3, jq::sin(y) - 0.01 * column, jq::flip(y, 1) + 0.02 * jq::exp(-y * y) * w);
      y = y + jq::concatenate({y(jq::slice(1, jq::none)), y(jq::slice(0, 1))}, 0) * 0.125;
    }
    return jq::sum(jq::tanh(y));
  };
  const array m = jq::random::normal(jq::random::key(1), {12, 9}, jq::f64), w = jq::random::normal(jq::random::key(2), {9}, jq::f64);
  const auto g = jq::grad(f);
  const array want = jq::jit(g, jq::backend("interpreter"))(m, w);
  for (const jq::compile_at when : {jq::compile_at::first_call, jq::compile_at::never}) {
    CHECK(bool(jq::all(jq::jit(g, jq::backend("cpu"), when, jq::precision::strict)(m, w) == want)));
    const jq::testing::report r = jq::testing::all_close(jq::jit(g, jq::backend("cpu"), when)(m, w), want, 1e-9, 1e-9);
    CHECK_MESSAGE(r.ok, r.text);
  }
}
