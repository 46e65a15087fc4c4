// expect: write its parameters as auto or const auto&
#include <jacquard/fixed.hpp>
namespace jq = jacquard;
double run(double x) { return jq::grad([](double y) { return y * y; })(x); }
