// expect: jq::custom_jvp/custom_vjp: this option is not jq::nondiff_argnums<i...>
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto g = jq::custom_vjp([](jq::array x) { return x; }, [](jq::array x) { return std::pair{x, x}; }, [](jq::array, jq::array ct) { return std::tuple{ct}; }, 3);
