#pragma once
// checkpoint_name: a value with a name, by which policies of jq::checkpoint decide whether to keep it.

#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

/// x itself, under a name.
/// Rules   derivative 1; tangents and cotangents are not named.
struct checkpoint_name_p : elementwise<checkpoint_name_p, any_type, 1> {
  static constexpr std::string_view name = "checkpoint_name";
  struct params {
    name_text name;
    static constexpr std::string_view fields = "name";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr bool identity = true;
  template <class T>
  static constexpr T apply(T x, const params&) {
    return x;
  }
  static constexpr array jvp(const auto& t, const auto&, const auto&, const params&) { return t; }
};

namespace lax {
/// See checkpoint_name_p.
template <class Array = array>
constexpr array checkpoint_name(const lazy<Array>& x, std::string_view name, location where = location::current()) {
  return bind<checkpoint_name_p>({name_text(name)}, where, x);
}
}  // namespace lax

}  // namespace jacquard
