// expect: pass a C array, a span or a pointer as std::array, jq::tensor or jq::asarray\(span, shape\)
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
void run() {
  double x[3]{1, 2, 3};
  jq::grad([](const auto& v) { return jq::sum(v * v); })(x);
}
