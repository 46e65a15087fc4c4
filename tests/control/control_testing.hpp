#pragma once
// What the tests of control flow share: checks that show a report, stacked arguments, counts of operations in programs.

#include "../show.hpp"

#include <jacquard/testing/batching.hpp>
#include <jacquard/testing/comparison.hpp>
#include <jacquard/testing/gradients.hpp>

#define CHECK_REPORT(...)                              \
  do {                                                 \
    const jq::testing::report report_ = (__VA_ARGS__); \
    INFO(report_.text);                               \
    CHECK(report_.ok);                                 \
  } while (false)

namespace testing {

/// Arrays of one shape along a new axis.
inline jq::array stacked(const std::vector<jq::array>& parts, int axis = 0) {
  std::vector<jq::array> with_axis;
  for (const jq::array& x : parts) with_axis.push_back(jq::expand_dims(x, axis));
  return jq::concatenate(with_axis, axis);
}
/// Three examples made of one, along `axis`.
inline jq::array examples(const jq::array& x, int axis = 0) { return stacked({x, x * 0.5, x - 1.0}, axis); }

/// How often the operation appears in a program and the programs within it.
template <class Program>
int uses(const Program& p, const std::string& operation) {
  const std::string text = jq::to_string(p);
  return count(text, "= " + operation + " ") + count(text, "= " + operation + "[");
}

}  // namespace testing
