#pragma once
// A log of taps: one line per call, "jvp,batch(0,-): f32[2] 1 2".

#include "../show.hpp"

namespace testing {

inline std::string show_transforms(const jq::tap_context& c) {
  std::string s;
  for (const jq::transform_record& t : c.transforms) {
    s += (s.empty() ? "" : ",") + t.name;
    if (t.name != "batch") continue;
    s += '(';
    for (std::size_t i = 0; i < t.batch_dims.size(); ++i)
      s += (i ? "," : "") + (t.batch_dims[i] == jq::not_mapped ? std::string("-") : std::to_string(t.batch_dims[i]));
    s += ')';
  }
  return s;
}

/// Records what taps see; `lines` since the last call of take().
class tap_log {
 public:
  /// A function to tap with.
  auto operator()() {
    return [this](const auto& value, const jq::tap_context& c) {
      const std::string transforms = show_transforms(c);
      lines_.push_back((transforms.empty() ? "" : transforms + ": ") + show(value));
    };
  }
  std::vector<std::string> take() { return std::exchange(lines_, {}); }

 private:
  std::vector<std::string> lines_;
};

}  // namespace testing

using lines = std::vector<std::string>;

namespace doctest {
template <>
struct StringMaker<lines> {
  static String convert(const lines& all) {
    std::string s;
    for (const std::string& line : all) s += "\n    " + line;
    return s.c_str();
  }
};
}  // namespace doctest
