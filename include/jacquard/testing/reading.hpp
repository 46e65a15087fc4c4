#pragma once
// check_reading: programs survive being printed and read. Apart from the other checks of programs, since the reader knows
// every primitive and so takes its time to compile.

#include "jacquard/core/check.hpp"
#include "jacquard/backends/interpreter/eager.hpp"
#include "jacquard/exec/reader.hpp"
#include "jacquard/testing/comparison.hpp"
#include "jacquard/transforms/make_jaxpr.hpp"

namespace jacquard::testing {

/// Whether a program can be read back from its text: the same text again, and a well typed program that computes the same
/// on `x` if no constants are captured.
inline report check_reading(const closed_jaxpr& p, const leaves& x, const axis_binding* axes = nullptr) {
  report r;
  const std::string printed = to_string(p);
  const closed_jaxpr again = read_jaxpr(printed, axes);
  if (const std::string second = to_string(again); second != printed)
    r.fail("printed\n", std::string_view(printed), "\nread and printed again\n", std::string_view(second));
  if (const error_record e = check_jaxpr(*again, axes)) r.fail("read program: ", e.message, "\n", std::string_view(printed));
  if (p.constants.empty() && !axes)
    r.add("read program", identical(leaves(eval_jaxpr(again, x)), leaves(eval_jaxpr(p, x))));
  return r;
}

/// The same for the program of f at the arguments, a tuple of trees.
template <class F, class... A>
report check_reading(F f, const std::tuple<A...>& args) {
  const leaf_function g = on_leaves(f, args);
  const leaves x = leaves_of(args);
  return check_reading(make_jaxpr(g)(x), x);
}

}  // namespace jacquard::testing
