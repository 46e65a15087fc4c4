// Question: what does it cost, per equation, to trace a function, to differentiate it and to vectorise it?
// Task: chains of m operations, alternately x * x0 and sin(x), on a scalar and on a vector of 8 (T8 of the task list).
// Unit: nanoseconds per equation of the resulting program. Bar: 1000.

#include <jacquard/jacquard.hpp>

#include "interleaved.hpp"

namespace jq = jacquard;

namespace {

/// A chain of m operations.
struct chain {
  int m;
  jq::array operator()(const jq::array& x0) const {
    jq::array x = x0;
    for (int i = 0; i < m; ++i) x = i % 2 ? jq::sin(x) : x * x0;
    return x;
  }
};

/// Runs `make` and reports its time per equation of the program it returns.
template <class Make>
void measure(const char* name, int operations, Make make) {
  const std::size_t equations = make()->equations.size();
  const auto run = [&] {
    const jq::closed_jaxpr p = make();
    interleaved::observe(&p);
  };
  const std::string task = std::string(name) + ", " + std::to_string(operations) + " operations";
  interleaved::report({task, "-", interleaved::rounds_of(run, int(equations)), 1000, "ns"});
}

}  // namespace

int main() {
  const jq::array x = jq::asarray(0.5), rows = jq::ones({8, 3}), column = jq::ones({8});
  for (const int m : {10, 100, 1000}) {
    const chain f{m};
    measure("T8 trace", m, [&] { return jq::make_jaxpr(f)(x); });
    measure("T8 grad", m, [&] { return jq::make_jaxpr(jq::grad(f))(x); });
    measure("T8 vmap", m, [&] { return jq::make_jaxpr(jq::vmap(f))(rows); });
    measure("T8 vmap of grad", m, [&] { return jq::make_jaxpr(jq::vmap(jq::grad(f)))(column); });
    const jq::closed_jaxpr p = jq::make_jaxpr(jq::grad(f))(x);
    measure("simplify grad", m, [&] { return jq::simplify(p); });
  }
}
