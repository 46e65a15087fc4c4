// docs/functions.md: each function with each dtype, from the calls in the other files here. With JACQUARD_UPDATE_TABLES set, the file is
// written instead. Deliberately eager calls on the interpreter: every backend takes the same dtypes.
#include "calls.hpp"
#include "table_file.hpp"

#include <algorithm>

#include <jacquard/testing/sample.hpp>

namespace tables {

namespace {

std::vector<const section*>& all_sections() {
  static std::vector<const section*> sections;
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
const std::vector<operands>& all_operands() {
  static const std::vector<operands> all = [] {
    std::vector<operands> r;
    for (int t = 0; t < jq::dtype_count; ++t) r.push_back(operands_of(jq::dtype(t)));
    return r;
  }();
  return all;
}
std::string row_of(const call& c) {
  std::string cells, quoted;
  bool taken = false;
  for (const operands& o : all_operands()) {
    const std::string cell = outcome(c, o);
    taken = taken || cell != ".";
    cells += " " + cell + " |";
  }
  INFO(c.text);
  CHECK(taken);
  for (char letter : c.text) quoted += letter == '|' ? "\\|" : std::string(1, letter);
  return "| `" + quoted + "` |" + cells + "\n";
}

}  // namespace

section::section(std::string of, std::vector<call> list) : header(std::move(of)), calls(std::move(list)) { all_sections().push_back(this); }

void check_calls(std::initializer_list<const section*> sections) {
  for (const section* s : sections)
    for (const call& c : s->calls) row_of(c);
}

}  // namespace tables

TEST_CASE("docs/functions.md says which dtypes functions take: others give a type_error") {
  using namespace tables;
  std::string head = "\n| call |", rule = "|---|";
  for (int t = 0; t < jq::dtype_count; ++t) head += " " + std::string(jq::name(jq::dtype(t))) + " |", rule += "---|";
  std::string text =
      "# Functions and dtypes\n\n"
      "Written by `scripts/coverage`: each call is made with operands of each dtype. A cell is the dtype of the result, or those of several; `=` is\n"
      "the dtype of the operands, `.` a dtype that is not taken, which is a `type_error`. In the calls x, y, v are vectors, s a scalar, m, w\n"
      "matrices, h an image and f a filter of that dtype, t the dtype itself, i integers, flags of bool, k a key. Names are in `jq`.\n";
  std::sort(all_sections().begin(), all_sections().end(), [](const section* a, const section* b) { return a->header < b->header; });
  for (const section* s : all_sections()) {
    text += "\n## " + s->header + "\n" + head + "\n" + rule + "\n";
    for (const call& c : s->calls) text += row_of(c);
  }
  check_file("functions.md", text);
}
