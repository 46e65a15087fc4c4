// expect: Differentiation rule for .*one_way.* not implemented; give the primitive a jvp, or wrap it in jq::custom_jvp
#include <jacquard/fixed.hpp>
namespace jq = jacquard;
struct one_way_p : jq::elementwise<one_way_p, jq::floats, 1> {
  static constexpr std::string_view name = "one_way";
  template <class T>
  static constexpr T apply(T x) {
    return x;
  }
};
constexpr auto f = [](jq::array x) { return jq::bind<one_way_p>({}, jq::location::current(), x); };
double run() { return jq::grad(f)(2.0); }
