// expect: an argument has members that are not of its leaf type
#include <jacquard/fixed.hpp>
namespace jq = jacquard;
template <class T>
struct body {
  T mass;
  int id;
};
double run(const body<double>& x) { return jq::grad([](auto b) { return b.mass * b.mass; })(x).mass; }
