// expect: this type is neither an array nor a tree; evaluate an expression, a view or a map of another library
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
class window {
 public:
  explicit window(const double* from) : from_(from) {}

 private:
  const double* from_;
};
auto run(const window& w) { return jq::grad([](const jq::array& x) { return jq::sum(x); })(w); }
