// The structural set: the primitives transforms may name. This file includes nothing else, so that it sees what they bring.
#include <doctest/doctest.h>
#include <jacquard/transforms/structural.hpp>

using jacquard::array;
namespace lax = jacquard::lax;

TEST_CASE("the structural set: adding, scaling, choosing, moving") {
  constexpr bool traced = [] {
    jacquard::trace_scope t(jacquard::trace::purpose::staging, nullptr);
    const array x = t->input(jacquard::aval(jacquard::f32, {2, 3}));
    const array y = lax::add(lax::mul(x, 2.0f), x);
    const array picked = lax::select_n(lax::eq(x, y), x, y);
    const array moved = lax::transpose(lax::reshape(picked, {3, 2}), {1, 0});
    const array joined = lax::concatenate({moved, lax::slice(moved, {0, 0}, {1, 3})}, 0);
    const array sum = lax::reduce_sum(lax::convert_element_type(joined, jacquard::f64), {0, 1});
    const array out = lax::add(lax::broadcast_in_dim(sum, {4}, {}), lax::iota(jacquard::f64, 4));
    const array results[] = {out};
    const jacquard::closed_jaxpr p = t->finish(results);
    return p->equations.size() == 13 && p.out_avals()[0] == jacquard::aval(jacquard::f64, {4}) && !p.problem;
  }();
  CHECK(traced);
}
