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
TEST_CASE("what primitives give for few elements by others is what their kernels compute") {
  int given = 0;
  for_each_instance(some, [&](const instance& i) {
    report r;
    if (!i.of->op->of_few) return r;
    const leaves x = operands_of(i), y = function_of(i)(x);
    const jq::closed_jaxpr p = jq::make_jaxpr(function_of(i))(x);
    for (const jq::equation& e : p->equations) {
      if (e.op != i.of->op) continue;
      jq::few_call c{jq::view<const array>(x), p->params(e)};
      e.op->of_few(c);
      if (c.results.empty()) continue;
      ++given;
      CHECK(c.results.size() == y.size());
      const leaves got(c.results.begin(), c.results.end());
      const double unit = jq::is_inexact(y[0].dtype()) ? 16 * jq::testing::precision(y[0].dtype()) : 0;
      for (std::size_t k = 0; k < y.size(); ++k) {
        r.add("type", got[k].dtype() == y[k].dtype() && got[k].shape() == y[k].shape() ? report{} : report{}.fail("another type"));
        r.add("values", jq::testing::all_close(got[k], y[k], unit, unit));
      }
    }
    return r;
  });
  CHECK(given > 20);
}
TEST_CASE("identities return their operands") {
  for_each_instance(some, [](const instance& i) {
    if (!i.of->op->identity) return report{};
    const leaves x = operands_of(i), y = function_of(i)(x);
    return identical(y, first(x, y.size()));
  });
}
TEST_CASE("results made of parts are their operands side by side") {
  for_each_instance(some, [](const instance& i) {
    report r;
    if (!i.of->op->parts) return r;
    const leaves x = operands_of(i);
    const array y = function_of(i)(x)[0];
    const jq::closed_jaxpr p = jq::make_jaxpr(function_of(i))(x);
    std::vector<jq::aval> in;
    for (const array& a : x) in.push_back(a.aval());
    for (const jq::equation& e : p->equations) {
      if (e.op != i.of->op) continue;
      jq::parts_call c{jq::view<const jq::aval>(in), p->avals[p->outputs(e)[0]], p->params(e)};
      e.op->parts(c);
      if (c.parts.empty()) continue;
      const auto got = jq::testing::elements(y);
      const jq::int_list dense = y.shape().strides();
      for (std::int64_t n = 0; n < y.aval().elements(); ++n) {
        int_list at;
        for (int d = 0; d < y.ndim(); ++d) at.push_back(n / dense[d] % y.shape()[d]);
        int parts = 0;
        std::size_t operand = std::size_t(c.elsewhere);
        std::int64_t element = 0;
        for (const jq::result_part& part : c.parts) {
          std::int64_t there = 0;
          bool inside = true;
          for (int d = 0; d < y.ndim(); ++d) {
            inside = inside && part.begin[d] <= at[d] && at[d] < part.end[d];
            there += (at[d] + part.shift[d]) * in[part.operand].dims.strides()[d];
          }
          if (inside) ++parts, operand = part.operand, element = there;
        }
        if (parts > 1 || operand >= x.size()) return r.fail("element ", n, " is in ", parts, " parts, and in none of ", x.size(), " operands");
        const auto from = jq::testing::elements(x[operand]);
        if (!(from[std::size_t(element)].re == got[std::size_t(n)].re && from[std::size_t(element)].im == got[std::size_t(n)].im)) return r.fail("element ", n, " is not element ", element, " of operand ", operand);
      }
    }
    return r;
  });
}
