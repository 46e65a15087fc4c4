// Laws of derivatives: jvp against differences and the complex step, vjp against jvp, symbolic zeros, narrow dtypes
// against wide ones.
#include "row.hpp"

#include <jacquard/testing/gradients.hpp>

using namespace laws;
using jq::testing::report;

namespace {

constexpr dtype_set wide = only(jq::f64, jq::c128);

/// All inexact operands together, and each alone: the others then have symbolic zeros as tangents.
std::vector<std::vector<std::size_t>> ways_to_differentiate(const leaves& x) {
  const std::vector<std::size_t> all = inexact_operands(x);
  std::vector<std::vector<std::size_t>> r{all};
  if (all.size() > 1)
    for (std::size_t k : all) r.push_back({k});
  return r;
}
std::string list(const std::vector<std::size_t>& positions) {
  std::string r = "in operands";
  for (std::size_t k : positions) r += " " + std::to_string(k);
  return r;
}
report all_zero(const leaves& t) {
  report r;
  for (std::size_t k = 0; k < t.size(); ++k)
    for (const jq::complex128& v : jq::testing::elements(t[k]))
      if (v.re != 0 || v.im != 0) return r.fail("tangent ", k, " is not zero");
  return r;
}

}  // namespace

TEST_CASE("jvp, linearize and vjp agree with differences, to the second order") {
  for_each_instance(wide, [](const instance& i) {
    report r;
    if (!is_differentiable(*i.of) || !i.of->facts.smooth) return r;
    const leaf_function f = function_of(i);
    const leaves x = operands_of(i);
    for (const std::vector<std::size_t>& to : ways_to_differentiate(x))
      r.add(list(to), jq::testing::check_grads(restricted(f, x, to), std::tuple{chosen(x, to)}));
    return r;
  });
}
TEST_CASE("jvp and vjp agree with differences in f32 and c64") {
  for_each_instance(only(jq::f32, jq::c64), [](const instance& i) {
    report r;
    if (!is_differentiable(*i.of) || !i.of->facts.smooth) return r;
    const leaves x = operands_of(i);
    const std::vector<std::size_t> all = inexact_operands(x);
    return r.add("f32", jq::testing::check_grads(restricted(function_of(i), x, all), std::tuple{chosen(x, all)}, {.order = 1}));
  });
}
TEST_CASE("derivatives in narrow dtypes are those in wide ones, rounded") {
  for_each_instance(only(jq::f32, jq::c64, jq::f16, jq::bf16), [](const instance& i) {
    report r;
    if (!is_differentiable(*i.of)) return r;
    instance wide_one = i;
    wide_one.type = jq::is_complex(i.type) ? jq::c128 : jq::f64;
    const leaf_function f = function_of(i), g = function_of(wide_one);
    const leaves x = operands_of(i), t = jq::testing::directions(x, 3);
    const leaves u = converted(i, x, wide_one.type);
    leaves tu;
    for (std::size_t k = 0; k < t.size(); ++k)
      tu.push_back(jq::is_inexact(x[k].dtype()) ? lax::convert_element_type(t[k], u[k].dtype()) : t[k]);
    const leaves dy = jq::testing::tangents_of(f, x, t), want = jq::testing::tangents_of(g, u, tu);
    const double unit = 32 * jq::testing::precision(i.type);
    for (std::size_t k = 0; k < dy.size(); ++k) {
      const dtype type = dy[k].dtype();
      r.add(jq::cat("result ", k).view(), jq::testing::all_close(lax::convert_element_type(dy[k], type),
                                                                 lax::convert_element_type(want[k], type), unit, unit));
    }
    return r;
  });
}
TEST_CASE("jvp agrees with the complex step") {
  for_each_instance(only(jq::f64), [](const instance& i) {
    report r;
    if (!is_differentiable(*i.of) || !i.of->facts.smooth || !i.of->facts.holomorphic || !has(i.of->types, jq::c128)) return r;
    instance complex_one = i;
    complex_one.type = jq::c128;
    const leaves x = operands_of(i);
    // Operands with a dtype of their own stay as they are.
    std::vector<std::size_t> free;
    for (std::size_t k = 0; k < x.size(); ++k)
      if (!i.at->operands[k].type) free.push_back(k);
    if (free.empty()) return r;
    const leaf_function f = restricted(function_of(i), x, free), z = restricted(function_of(complex_one), x, free);
    const leaves at = chosen(x, free), t = jq::testing::directions(at, 5);
    leaves dy;
    for (const array& d : jq::testing::tangents_of(f, at, t))
      if (d.dtype() != jq::f64) return r;
      else dy.push_back(d);
    return r.add("complex step", jq::testing::all_close(dy, jq::testing::complex_step(z, at, t), 1e-13, 1e-13));
  });
}
TEST_CASE("integers and bool have zero tangents and cotangents of dtype bool") {
  for_each_instance(of(jq::bits), [](const instance& i) {
    report r;
    const leaf_function f = function_of(i);
    const leaves x = operands_of(i);
    if (!inexact_operands(x).empty()) return r;
    const leaves y = f(x), dy = jq::testing::tangents_of(f, x, jq::testing::directions(x, 1));
    for (std::size_t k = 0; k < y.size(); ++k) {
      const dtype want = jq::is_inexact(y[k].dtype()) ? y[k].dtype() : jq::bool_;
      if (dy[k].dtype() != want || !(dy[k].shape() == y[k].shape()))
        r.fail("tangent ", k, " has type ", dy[k].aval(), " for a result of type ", y[k].aval());
    }
    r.add("jvp", all_zero(dy));
    const leaves back = jq::testing::cotangents_of(f, x, dy);
    r.add("vjp", jq::testing::detail::check_cotangent_types(back, x));
    return r.add("vjp", all_zero(back));
  });
}
TEST_CASE("what stops derivatives gives zeros") {
  for_each_instance(of(jq::inexact), [](const instance& i) {
    report r;
    if (i.of->facts.smooth) return r;
    const leaves x = operands_of(i), t = jq::testing::directions(x, 1);
    r.add("jvp", all_zero(jq::testing::tangents_of(function_of(i), x, t)));
    return r.add("vjp", all_zero(jq::testing::cotangents_of(function_of(i), x, function_of(i)(t))));
  });
}
TEST_CASE("an absent derivative gives one clear error") {
  for_each_instance(wide, [](const instance& i) {
    report r;
    const leaves x = operands_of(i);
    if (is_differentiable(*i.of) || inexact_operands(x).empty()) return r;
    try {
      jq::testing::tangents_of(primitive_of(i), x, jq::testing::directions(x, 1));
      if (!is_collective(*i.of)) r.fail("was differentiated without a rule");
    } catch (const jq::not_implemented& e) {
      if (std::string_view(e.what()).find(i.of->op->name) == std::string_view::npos) r.fail(std::string_view(e.what()));
    } catch (const jq::value_error&) {  // a collective outside its axis
    }
    return r;
  });
}
TEST_CASE("operands may be one and the same variable") {
  for_each_instance(wide, [](const instance& i) {
    report r;
    const leaves x = operands_of(i);
    std::vector<std::size_t> same;  // operands like the first inexact one
    for (std::size_t k : inexact_operands(x))
      if (same.empty() || x[k].aval() == x[same[0]].aval()) same.push_back(k);
    if (!is_differentiable(*i.of) || same.size() < 2) return r;
    const leaf_function f = restricted(function_of(i), x, same);
    const leaf_function repeated = [&](const leaves& one) { return f(leaves(same.size(), one[0])); };
    const leaves at{x[same[0]]}, t = jq::testing::directions(at, 1);
    const leaves separate = jq::testing::tangents_of(f, leaves(same.size(), at[0]), leaves(same.size(), t[0]));
    leaves ct;
    for (const array& y : repeated(at)) ct.push_back(jq::testing::direction(y, 2));
    const leaves parts = jq::testing::cotangents_of(f, leaves(same.size(), at[0]), ct);
    array sum = parts[0];
    for (std::size_t k = 1; k < parts.size(); ++k) sum = lax::add(sum, parts[k]);
    r.add("jvp", jq::testing::all_close(jq::testing::tangents_of(repeated, at, t), separate, 1e-13, 1e-13));
    return r.add("vjp", jq::testing::all_close(jq::testing::cotangents_of(repeated, at, ct), leaves{sum}, 1e-13, 1e-13));
  });
}
TEST_CASE("tangents and cotangents have the types of their primals, weakness included") {
  for_each_instance(of(jq::inexact), [](const instance& i) {
    report r;
    if (!is_differentiable(*i.of)) return r;
    for (const bool weak : {false, true}) {
      if (weak && !i.of->facts.weak) continue;
      const auto typed = [&](const leaves& a) {
        leaves all;
        for (const array& v : a) all.push_back(lax::convert_element_type(v, v.dtype(), weak));
        return all;
      };
      const leaf_function f = function_of(i);
      const leaves x = typed(operands_of(i)), y = f(x), dy = jq::testing::tangents_of(f, x, typed(jq::testing::directions(x, 1)));
      const auto check = [&](const char* what, const leaves& got, const leaves& primal) {
        for (std::size_t k = 0; k < got.size(); ++k)
          if (jq::is_inexact(primal[k].dtype()) && !(got[k].aval() == primal[k].aval()))
            r.fail(what, " ", k, " has type ", got[k].aval(), got[k].weak_type() ? " (weak)" : "", ", wanted ", primal[k].aval(),
                   primal[k].weak_type() ? " (weak)" : "");
      };
      check("tangent", dy, y);
      check("cotangent", jq::testing::cotangents_of(f, x, y), x);
    }
    return r;
  });
}
