// docs/functions.md: each function with each dtype, from the calls in the other files here. With JACQUARD_UPDATE_TABLES set, the file is
// written instead. Deliberately eager calls on the interpreter: every backend takes the same dtypes.
#include "calls.hpp"
#include "table_file.hpp"

#include <algorithm>

#include <jacquard/testing/sample.hpp>

namespace tables {

namespace {

struct listed {
  std::string header;
  std::vector<call> calls;
};
std::vector<listed>& all_sections() {
  static std::vector<listed> sections;
  return sections;
}

/// An array of dtype t that holds these numbers; of bool, whether they are odd.
jq::array of(jq::dtype t, const jq::shape& dims, std::vector<double> numbers) {
  return jq::testing::detail::fill(jq::aval(t, dims), [&](std::int64_t i) {
    const double v = numbers[std::size_t(i)];
    return jq::complex128(t == jq::bool_ ? double(int(v) % 2) : v, 0);
  });
}
operands operands_of(jq::dtype t) {
  return {t,
          of(t, {4}, {1, 2, 3, 2}),
          of(t, {4}, {3, 1, 2, 1}),
          of(t, {}, {1}),
          of(t, {3, 3}, {5, 1, 1, 1, 7, 2, 1, 2, 9}),
          of(t, {3, 3}, {1, 2, 3, 1, 1, 2, 3, 1, 1}),
          of(t, {1, 1, 4, 4}, {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1}),
          of(t, {1, 1, 2, 2}, {1, 2, 3, 1}),
          jq::asarray({std::int64_t(0), std::int64_t(2), std::int64_t(1), std::int64_t(3)}),
          jq::asarray({true, false, true, true}),
          jq::random::key(1)};
}

/// The dtypes of the results, each once; `=` stands for that of the operands, `.` for a dtype that is not taken.
std::string outcome(const call& c, const operands& o) {
  std::string r;
  try {
    std::vector<jq::dtype> seen;
    for (const jq::array& y : c.run(o)) {
      if (std::find(seen.begin(), seen.end(), y.dtype()) != seen.end()) continue;
      seen.push_back(y.dtype());
      r += (r.empty() ? "" : " ") + (y.dtype() == o.t ? "=" : std::string(jq::name(y.dtype())));
    }
  } catch (const jq::type_error&) {
    return ".";
  } catch (const std::exception& e) {
    FAIL_CHECK(c.text << " of " << std::string(jq::name(o.t)) << ": " << e.what());
  }
  return r;
}
std::string row_of(const call& c, const std::vector<operands>& all) {
  std::string text = c.text, cells, quoted;
  bool taken = false;
  for (const operands& o : all) {
    const std::string cell = outcome(c, o);
    taken = taken || cell != ".";
    cells += " " + cell + " |";
  }
  INFO(c.text);
  CHECK(taken);
  for (char letter : text) quoted += letter == '|' ? "\\|" : std::string(1, letter);
  return "| `" + quoted + "` |" + cells + "\n";
}

}  // namespace

section::section(std::string header, std::vector<call> calls) { all_sections().push_back({std::move(header), std::move(calls)}); }

}  // namespace tables

TEST_CASE("docs/functions.md says which dtypes functions take: others give a type_error") {
  using namespace tables;
  std::vector<operands> all;
  std::string head = "\n| call |", rule = "|---|";
  for (int i = 0; i < jq::dtype_count; ++i) {
    all.push_back(operands_of(jq::dtype(i)));
    head += " " + std::string(jq::name(jq::dtype(i))) + " |", rule += "---|";
  }
  std::string text =
      "# Functions and dtypes\n\n"
      "Written by `scripts/coverage`: each call is made with operands of each dtype. A cell is the dtype of the result, or those of several; `=` is\n"
      "the dtype of the operands, `.` a dtype that is not taken, which is a `type_error`. In the calls x, y, v are vectors, s a scalar, m, w\n"
      "matrices, h an image and f a filter of that dtype, t the dtype itself, i integers, flags of bool, k a key. Names are in `jq`.\n";
  std::sort(all_sections().begin(), all_sections().end(), [](const listed& a, const listed& b) { return a.header < b.header; });
  for (const listed& s : all_sections()) {
    text += "\n## " + s.header + "\n" + head + "\n" + rule + "\n";
    for (const call& c : s.calls) text += row_of(c, all);
  }
  check_file("functions.md", text);
}
