// expect: returned a type whose structure is not part of the type
#include <jacquard/fixed.hpp>
namespace jq = jacquard;
constexpr auto f = [](auto x) { return std::vector{x, x}; };
auto run() { return jq::vmap(f)(jq::tensor<double, 2>{1, 2}); }
