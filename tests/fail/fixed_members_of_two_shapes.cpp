// expect: members of a returned class template that share a template parameter differ in dtype or shape; give each kind a parameter of its own
#include <jacquard/fixed.hpp>
namespace jq = jacquard;
template <class T>
struct belief {
  T mean, cov;
};
auto run() { return jq::vmap([](auto x) { return belief<jq::array>{x, jq::stack({x, x})}; })(jq::tensor<double, 2>{1, 2}); }
