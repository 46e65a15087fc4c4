// expect: an aggregate argument has arithmetic or foreign members
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
struct pose {
  double x, y;
};
auto run(pose p) { return jq::make_jaxpr([](pose q) { return jq::array(q.x); })(p); }
