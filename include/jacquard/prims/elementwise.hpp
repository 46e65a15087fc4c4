#pragma once
// What all elementwise primitives share: type inference with rank-0 broadcasting, and batching. Not a primitive itself.
// Deliberately strict about dtypes: promotion belongs to numpy/.

#include "jacquard/core/math.hpp"
#include "jacquard/prims/batching.hpp"
#include "jacquard/prims/operand_types.hpp"

namespace jacquard {

/// Base of elementwise primitives. Rank-0 operands are broadcast against the others.
template <class P, type_set Domain, int Arity>
struct elementwise {
  static constexpr bool is_elementwise = true;
  static constexpr int arity = Arity;
  static constexpr type_set domain = Domain;

  static constexpr aval abstract_eval(inference& c) { return detail::elementwise_type(c, Domain); }

  static constexpr batched batch(auto& c) {
    std::vector<array> operands;
    detail::align_batch(c, operands);
    return {jacquard::bind(table_of<P>(), view<const array>(operands), c.params, location{})[0], 0};
  }
  static constexpr masked mask(auto& c) {
    std::vector<array> operands;
    const dimension_list dims = detail::align_masked(c, operands);
    return {jacquard::bind(table_of<P>(), view<const array>(operands), c.params, location{})[0], dims};
  }
};

}  // namespace jacquard
