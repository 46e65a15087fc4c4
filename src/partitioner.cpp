// What cuts programs into partitions, apart from the engine: programs without sharded_jit are not linked with it. Uses the library as they do.

#define JACQUARD_COMPILED
#include <jacquard/jacquard.hpp>

namespace jacquard::detail {

template std::int64_t constrained_partitions<array>(const jaxpr&, std::int64_t);
template member_plan partitioned<array>(const closed_jaxpr&, const std::vector<wanted_parts>&, const std::vector<wanted_parts>&, std::int64_t);

}  // namespace jacquard::detail
