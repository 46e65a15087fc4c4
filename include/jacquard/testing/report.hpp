#pragma once
// What a check found: whether all is well and, if not, a text of what differed. Deliberately independent of every test
// framework: a test asserts `ok` and shows `text`.

#include <string>

#include "jacquard/core/text.hpp"

namespace jacquard::testing {

/// The outcome of a check; converts to bool.
struct report {
  bool ok = true;
  std::string text;  ///< one finding per line, each ended by a newline; empty if ok

  explicit operator bool() const { return ok; }

  /// Records a finding.
  template <class... Parts>
  report& fail(const Parts&... parts) {
    ok = false;
    text += cat(parts...).view();
    text += '\n';
    return *this;
  }
  /// Takes over the findings of a part of the check, each line preceded by where it was made.
  report& add(std::string_view where, const report& part) {
    if (part.ok) return *this;
    ok = false;
    std::size_t from = 0;
    while (from < part.text.size()) {
      const std::size_t end = part.text.find('\n', from);
      text.append(where).append(": ").append(part.text, from, end - from).append("\n");
      if (end == std::string::npos) break;
      from = end + 1;
    }
    return *this;
  }
};

}  // namespace jacquard::testing
