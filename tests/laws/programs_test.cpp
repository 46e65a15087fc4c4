// Laws of programs: the type checker is content after every transform and pass, weak types included; simplified programs
// compute the same bits.
#include "row.hpp"

#include <jacquard/testing/passes.hpp>
#include <jacquard/testing/reading.hpp>

using namespace laws;
using jq::testing::report;

namespace {
constexpr dtype_set some = only(jq::bool_, jq::i32, jq::u32, jq::bf16, jq::f32, jq::f64, jq::c128);

/// Operands whose dtypes are weak, as those of C++ scalars.
leaves weak(const leaves& x) {
  leaves r;
  for (const array& a : x) r.push_back(lax::convert_element_type(a, a.dtype(), true));
  return r;
}
bool can_differentiate(const instance& i, const leaves& x) {
  return is_differentiable(*i.of) || inexact_operands(x).empty();
}
/// Functions have no text.
bool has_text(const instance& i) {
  const jq::param_pack p = i.at->params_for ? i.at->params_for(i.type) : i.at->params;
  return p.functions.empty();
}
}  // namespace

TEST_CASE("programs of all transforms are well typed") {
  for_each_instance(some, [](const instance& i) {
    const leaves x = operands_of(i);
    if (!can_differentiate(i, x)) return jq::testing::check_program(jq::make_jaxpr(function_of(i))(x));
    return jq::testing::check_passes(function_of(i), std::tuple{x});
  });
}
TEST_CASE("programs of weakly typed operands are well typed") {
  for_each_instance(some, [](const instance& i) {
    if (!i.of->facts.weak) return report{};
    const leaves x = weak(operands_of(i));
    if (!can_differentiate(i, x)) return jq::testing::check_program(jq::make_jaxpr(function_of(i))(x));
    return jq::testing::check_passes(function_of(i), std::tuple{x});
  });
}
TEST_CASE("programs can be read back from their text, and so can their derivatives") {
  for_each_instance(every, [](const instance& i) {
    report r;
    if (!has_text(i)) return r;
    const leaf_function f = function_of(i);
    const leaves x = operands_of(i);
    r.add("make_jaxpr", jq::testing::check_reading(f, std::tuple{x}));
    if (!can_differentiate(i, x) || inexact_operands(x).size() != x.size()) return r;
    const leaf_function forward = [&](const leaves& z) { return jq::testing::tangents_of(f, z, z); };
    const leaf_function reverse = [&](const leaves& z) { return jq::testing::cotangents_of(f, z, f(z)); };
    r.add("jvp", jq::testing::check_reading(forward, std::tuple{x}));
    return r.add("vjp", jq::testing::check_reading(reverse, std::tuple{x}));
  });
}
TEST_CASE("programs of vmap are well typed and can be read back") {
  for_each_instance(some, [](const instance& i) {
    report r;
    for (const bool last : {false, true})
      for (const bool weakly : {false, true}) {
        std::vector<int> axes;
        for (const operand& o : i.at->operands) axes.push_back(last ? o.dims.rank() : 0);
        if (axes.empty() || (weakly && !i.of->facts.weak)) continue;
        leaves x = operands_of(i, axes, 2);
        if (weakly) x = weak(x);
        r.add(last ? "last" : "first", jq::testing::detail::check_mapped_passes(function_of(i), axes, x));
        if (has_text(i))
          r.add("reading", jq::testing::check_reading(jq::testing::mapped(function_of(i), axes), std::tuple{x}));
      }
    return r;
  });
}
TEST_CASE("programs of collectives are well typed where their axis is bound") {
  for_each_instance(some, [](const instance& i) {
    report r;
    if (!is_collective(*i.of)) return r;
    std::vector<int> axes;
    for (const operand& o : i.at->operands) axes.push_back(o.mapped ? 0 : jq::none);
    const jq::axis_binding bound{"i", members, nullptr};
    const auto check = [&](const leaves& x) {
      const leaf_function f = primitive_of(i);
      const jq::closed_jaxpr p = jq::make_jaxpr(f)(x);
      r.add("make_jaxpr", jq::testing::check_program(p, &bound));
      r.add("make_jaxpr", jq::testing::check_reading(p, x, &bound));
      const leaf_function derivative = [&](const leaves& z) { return jq::testing::tangents_of(f, z, z); };
      if (is_differentiable(*i.of) && inexact_operands(x).size() == x.size())
        r.add("jvp", jq::testing::check_program(jq::make_jaxpr(derivative)(x), &bound));
      return f(x);
    };
    jq::vmap(check, jq::in_axes_tree(axes), jq::axis_name<"i">, jq::axis_size(members))(operands_of(i));
    return r;
  });
}
