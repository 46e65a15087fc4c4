// expect: "columns as rows: size 3 is +", "different from 2 
// clang shows the whole message of a function that cannot be transformed at compile time.
#include <jacquard/fixed.hpp>
namespace jq = jacquard;
double run() {
  return jq::grad([](auto x) { return jq::sum(jq::matmul(jq::zeros({2, 3}), x)); })(jq::tensor<double, 2>{1, 2})(0);
}
