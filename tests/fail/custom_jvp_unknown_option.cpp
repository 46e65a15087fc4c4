// expect: jq::custom_jvp/custom_vjp: this option is not jq::nondiff_argnums<i...>
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto g = jq::custom_jvp([](jq::array x) { return x; }, [](const auto& x, const auto& t) { return std::pair{std::get<0>(x), std::get<0>(t)}; }, jq::argnums<0>);
