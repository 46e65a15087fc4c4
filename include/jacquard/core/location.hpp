#pragma once
// Source locations. A small literal type that records the user's file and line at the call of a public function; every
// equation keeps one so that errors can point at the user's code. Deliberately not std::source_location, which clang 14
// lacks and which carries a function name nobody prints.

#include <cstdint>

namespace jacquard {

/// File and line of a call. Default construction means "unknown".
struct location {
  const char* file = nullptr;
  std::uint32_t line = 0;

  /// The place of the call in whose argument list this appears as a default argument.
  static constexpr location current(const char* file = __builtin_FILE(), std::uint32_t line = __builtin_LINE()) {
    return {file, line};
  }
  constexpr bool known() const { return file != nullptr; }
};

namespace detail {
/// The user's line on whose behalf a rule is running; equations emitted by rules inherit it. Run time only.
inline constinit thread_local const location* rule_location = nullptr;
}  // namespace detail

/// Makes every equation bound during its life carry `where` instead of the line of the rule that binds it. In constant
/// evaluation it does nothing: there are no thread locals there, and errors in user code are found before rules run.
class rule_location_scope {
 public:
  constexpr explicit rule_location_scope(const location& where) {
    if (!__builtin_is_constant_evaluated()) {
      previous_ = detail::rule_location;
      if (!previous_ && where.known()) detail::rule_location = &where;
    }
  }
  constexpr ~rule_location_scope() {
    if (!__builtin_is_constant_evaluated()) detail::rule_location = previous_;
  }
  rule_location_scope(const rule_location_scope&) = delete;
  rule_location_scope& operator=(const rule_location_scope&) = delete;

 private:
  const location* previous_ = nullptr;
};

namespace detail {
/// Computes on behalf of no rule: equations keep the lines they have. Run time only.
class own_location_scope {
 public:
  own_location_scope() : previous_(rule_location) { rule_location = nullptr; }
  ~own_location_scope() { rule_location = previous_; }
  own_location_scope(const own_location_scope&) = delete;

 private:
  const location* previous_;
};
}  // namespace detail

}  // namespace jacquard
