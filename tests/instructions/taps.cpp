// Taps in functions of static values, for `inlined` beside this file: functions named *_inlined must refer to nothing but the global that
// their tap adds to, and value_calls must be seen to call what the compiler cannot look into. Nothing here is run: that taps are called
// with the right values is in tests/fixed/tap_step_test.cpp.
#include <jacquard/jacquard.hpp>
#include <jacquard/fixed.hpp>

namespace jq = jacquard;
using three = jq::tensor<double, 3>;
using pair = std::pair<double, three>;

extern double shown;
extern "C" void unknown_function(double);

/// Traced with arrays, called with numbers.
constexpr auto add_to_shown = [](const auto& v) {
  if constexpr (std::is_same_v<decltype(v), const double&>) shown += v;
  else if constexpr (std::is_same_v<decltype(v), const three&>) shown += v[0] + v[1] + v[2];
  else if constexpr (std::is_same_v<decltype(v), const pair&>) shown += v.first * v.second[2];
};

constexpr auto value = [](auto x) { return jq::id_tap(add_to_shown, x * 0.5) + 1.0; };
extern "C" double value_inlined(double x) { return jq::jit(value)(x); }

constexpr auto twice = [](auto x) { return jq::id_tap(add_to_shown, jq::id_tap(add_to_shown, x * 0.5) * x); };
extern "C" double twice_inlined(double x) { return jq::jit(twice)(x); }

// The tap sees the value and the cotangent.
constexpr auto cube = [](auto x) { return jq::id_tap(add_to_shown, x) * x * x; };
extern "C" double gradient_inlined(double x) { return jq::grad(cube)(x); }

constexpr auto square = [](auto x) { return jq::sum(jq::id_tap(add_to_shown, x * x)); };
extern "C" double tensor_inlined(const three& x) { return jq::jit(square)(x); }
extern "C" void batch_inlined(const three& x, three& y) { y = jq::vmap(value)(x); }

constexpr auto both = [](auto x, auto y) { return jq::id_tap(add_to_shown, std::pair{x, y * x}).second; };
extern "C" void tuple_inlined(double x, const three& y, three& z) { z = jq::jit(both)(x, y); }

constexpr auto call_unknown = [](const auto& v) {
  if constexpr (std::is_same_v<decltype(v), const double&>) unknown_function(v);
};
constexpr auto outside = [](auto x) { return jq::id_tap(call_unknown, x * 0.5) + 1.0; };
extern "C" double value_calls(double x) { return jq::jit(outside)(x); }
