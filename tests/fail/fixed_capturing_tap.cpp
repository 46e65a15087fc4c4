// expect: a_tap_in_a_function_with_static_arguments_must_not_capture_anything
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
double run(double a) {
  return jq::grad([](auto x) {
    int seen = 0;
    return jq::id_tap([&seen](const auto&) { ++seen; }, x) * 2.0;
  })(a);
}
