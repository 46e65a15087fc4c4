#pragma once
// Sample calls of the functions of the library, one line each: what docs/functions.md is made of. A call is made with operands of each
// dtype; it gives results, or a type_error that says the dtype is not taken. Anything else is a failed test. The calls are data: they lie in
// the files of their headers here, and enter the table by being defined. Deliberately no check of values, which the other tests do.

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include <initializer_list>
#include <string>
#include <vector>

namespace tables {

namespace jq = jacquard;

/// Operands of one dtype. Numbers are whole and small, so that every dtype holds them; of bool they are not 0.
struct operands {
  jq::dtype t;
  jq::array x, y;      ///< t[4]
  jq::array s;         ///< t[]
  jq::array m, w;      ///< t[3,3]; m is symmetric, and positive definite
  jq::array h, f;      ///< t[1,1,4,4] and t[1,1,2,2]: an image and a filter
  jq::array i, flags;  ///< i64[4], bool[4]
  jq::array k;         ///< a key
};

using results = std::vector<jq::array>;
template <class Tree>
results results_of(const Tree& r) {
  results out;
  jq::flatten_into(r, out);
  return out;
}

inline results results_of(const jq::array_list& r) { return results(r.begin(), r.end()); }

/// What is called, as its text, and how.
struct call {
  std::string text;
  results (*run)(const operands&);
};
/// The calls of one header. Defining it adds it to the table.
struct section {
  std::string header;
  std::vector<call> calls;
  section(std::string of, std::vector<call> list);
};
/// Fails where a call neither gives results nor refuses a dtype by a type_error, or takes no dtype at all.
void check_calls(std::initializer_list<const section*> sections);

}  // namespace tables

// NOLINTBEGIN(bugprone-macro-parentheses): the text of the call is its entry in the table.
/// A call with the operands above, by their names, in namespace jacquard.
#define CALL(...)                                                             \
  ::tables::call {                                                            \
    #__VA_ARGS__, [](const ::tables::operands& o) -> ::tables::results {      \
      [[maybe_unused]] const auto& [t, x, y, s, m, w, h, f, i, flags, k] = o; \
      return ::tables::results_of(__VA_ARGS__);                               \
    }                                                                         \
  }
/// A call on each row v of w, mapped over the axis "i".
#define ACROSS(...)                                                                                                       \
  ::tables::call {                                                                                                        \
    #__VA_ARGS__, [](const ::tables::operands& o) -> ::tables::results {                                                  \
      return ::tables::results_of(jq::vmap([](const jq::array& v) { [[maybe_unused]] const auto& u = v; return __VA_ARGS__; }, jq::axis_name<"i">)(o.w)); \
    }                                                                                                                     \
  }
// NOLINTEND(bugprone-macro-parentheses)
