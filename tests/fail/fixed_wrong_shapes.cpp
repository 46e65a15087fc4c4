// expect: mul got incompatible shapes for broadcasting: \(2,\), \(3,\)\. Dimensions must be equal or 1; reshape one of the operands
#include <jacquard/fixed.hpp>
namespace jq = jacquard;
constexpr auto f = [](auto x) { return jq::sum(x * jq::zeros({3})); };
auto run() { return jq::grad(f)(jq::tensor<double, 2>{1, 2}); }
