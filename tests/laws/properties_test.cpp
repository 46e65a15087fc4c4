// Laws of properties: what passes ask of a table holds.
#include "row.hpp"

#include <jacquard/testing/comparison.hpp>

using namespace laws;
using jq::testing::identical;
using jq::testing::report;

namespace {
constexpr dtype_set some = only(jq::bool_, jq::i32, jq::u32, jq::f32, jq::f64, jq::c128);
leaves first(const leaves& y, std::size_t n) { return leaves(y.begin(), y.begin() + std::ptrdiff_t(n)); }
/// Elements in reverse order.
array backwards(const array& x) { return lax::rev(x, int_list::iota(x.ndim())); }
}  // namespace

TEST_CASE("commutative primitives do not care about the order of operands") {
  for_each_instance(some, [](const instance& i) {
    if (!i.of->op->commutative) return report{};
    const leaves x = operands_of(i);
    return identical(function_of(i)({x[1], x[0]}), function_of(i)(x));
  });
}
TEST_CASE("a unit changes nothing") {
  for_each_instance(some, [](const instance& i) {
    report r;
    if (!i.of->op->has_unit) return r;
    const array x = operands_of(i)[0], unit(jq::literal(i.of->op->unit, x.dtype(), false));
    r.add("right", identical(function_of(i)({x, unit})[0], x));
    if (i.of->op->commutative) r.add("left", identical(function_of(i)({unit, x})[0], x));
    return r;
  });
}
TEST_CASE("elementwise primitives compute element by element and broadcast scalars") {
  for_each_instance(some, [](const instance& i) {
    report r;
    if (!i.of->op->elementwise) return r;
    const leaf_function f = function_of(i);
    const leaves x = operands_of(i), y = f(x);
    leaves reversed = x, full = x;
    for (array& a : reversed) a = backwards(a);
    for (array& a : full) a = lax::broadcast_in_dim(a, y[0].shape(), a.ndim() == 0 ? int_list{} : int_list::iota(a.ndim()));
    r.add("reversed", identical(backwards(f(reversed)[0]), y[0]));
    return r.add("broadcast", identical(f(full)[0], y[0]));
  });
}
TEST_CASE("identities return their operands") {
  for_each_instance(some, [](const instance& i) {
    if (!i.of->op->identity) return report{};
    const leaves x = operands_of(i), y = function_of(i)(x);
    return identical(y, first(x, y.size()));
  });
}
