// Laws of jit: it computes the same bits, and commutes with the other transforms.
#include "row.hpp"

#include <jacquard/backends/cpu/cpu.hpp>

#include <jacquard/testing/batching.hpp>
#include <jacquard/testing/compilation.hpp>
#include <jacquard/testing/gradients.hpp>

#include <algorithm>

using namespace laws;
using jq::testing::identical;
using jq::testing::report;

namespace {
leaf_function jitted(const leaf_function& f) {
  return [g = jq::jit(f, jq::backend("interpreter"))](const leaves& x) { return g(x); };
}
constexpr dtype_set some = only(jq::bool_, jq::i32, jq::u32, jq::bf16, jq::f32, jq::f64, jq::c64, jq::c128);
constexpr dtype_set wide = only(jq::f64, jq::c128);
}  // namespace

TEST_CASE("jit computes what eager evaluation computes, bit by bit") {
  for_each_instance(some, [](const instance& i) {
    return jq::testing::check_jit(function_of(i), std::tuple{operands_of(i)});
  });
}
TEST_CASE("jit on the default backend computes what eager evaluation computes, up to rounding") {
  for_each_instance(some, [](const instance& i) {
    const leaves x = operands_of(i);
    double unit = 0;
    for (const array& a : x) unit = std::max(unit, 16 * jq::testing::precision(a.dtype()));
    for (const array& a : function_of(i)(x)) unit = std::max(unit, 16 * jq::testing::precision(a.dtype()));
    return jq::testing::check_jit(function_of(i), std::tuple{x}, "cpu", unit, unit);
  });
}
TEST_CASE("jvp and vjp of jit are jit of jvp and vjp") {
  for_each_instance(wide, [](const instance& i) {
    report r;
    if (!is_differentiable(*i.of)) return r;
    const leaf_function f = function_of(i), j = jitted(f);
    const leaves x = operands_of(i), t = jq::testing::directions(x, 1);
    leaves ct;
    for (const array& y : f(x)) ct.push_back(jq::testing::direction(y, 2));
    const leaf_function forward = jitted([&](const leaves& z) { return jq::testing::tangents_of(f, z, t); });
    const leaf_function reverse = jitted([&](const leaves& z) { return jq::testing::cotangents_of(f, z, ct); });
    const leaves dy = jq::testing::tangents_of(f, x, t), back = jq::testing::cotangents_of(f, x, ct);
    r.add("jvp of jit", identical(jq::testing::tangents_of(j, x, t), dy));
    r.add("jit of jvp", identical(forward(x), dy));
    r.add("vjp of jit", identical(jq::testing::cotangents_of(j, x, ct), back));
    return r.add("jit of vjp", identical(reverse(x), back));
  });
}
TEST_CASE("vmap of jit is jit of vmap") {
  for_each_instance(some, [](const instance& i) {
    report r;
    std::vector<int> axes;
    for (const operand& o : i.at->operands) axes.push_back(o.dims.rank());
    if (axes.empty()) return r;
    const leaf_function f = function_of(i);
    const leaves x = operands_of(i, axes, 2), y = jq::testing::mapped(f, axes)(x);
    r.add("vmap of jit", identical(jq::testing::mapped(jitted(f), axes)(x), y));
    return r.add("jit of vmap", identical(jitted(jq::testing::mapped(f, axes))(x), y));
  });
}
TEST_CASE("a compiled program may write results over operands that are no longer needed") {
  // The operands are made inside the program, so that nothing else holds their memory.
  for_each_instance(some, [](const instance& i) {
    const leaf_function f = function_of(i);
    const auto copied = [](const array& x) {
      const shape longer(x.shape().with(0, 1));
      return lax::reshape(lax::reshape(x, longer), x.shape());
    };
    const leaf_function g = [&](const leaves& x) {
      leaves own;
      for (const array& a : x) own.push_back(copied(a));
      return f(own);
    };
    const leaf_function twice = [&](const leaves& x) {  // an operand that is needed again
      leaves own;
      for (const array& a : x) own.push_back(copied(a));
      leaves all = f(own);
      all.insert(all.end(), own.begin(), own.end());
      return all;
    };
    report r;
    r.add("once", jq::testing::check_jit(g, std::tuple{operands_of(i)}));
    return r.add("needed again", jq::testing::check_jit(twice, std::tuple{operands_of(i)}));
  });
}
