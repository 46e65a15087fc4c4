// expect: a_tap_in_a_function_with_static_arguments_must_see_a_value_that_depends_on_them
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
double run(double a) {
  return jq::grad([](auto x) {
    jq::id_tap([](const auto&) {}, 2.0);
    return x * x;
  })(a);
}
