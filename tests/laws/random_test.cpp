// Laws on random programs: chains of primitives, drawn from the samples of the rows, whose variables are used any number of
// times. What holds for single primitives must hold for what transforms make of many.
#include "row.hpp"

#include <jacquard/testing/testing.hpp>

using namespace laws;
using jq::testing::all_close;
using jq::testing::identical;
using jq::testing::report;
using jq::testing::sampler;

namespace {

constexpr int programs = 120, length = 12;

/// Any variable as an array of the given shape: reshaped where that is possible, else its mean, repeated and shifted.
array fitted(const array& v, const shape& dims) {
  if (v.size() == dims.elements()) return lax::reshape(v, dims);
  const double share = v.size() == 0 ? 0 : 1 / double(v.size());
  const array mean = lax::mul(share, lax::reduce_sum(v, int_list::iota(v.ndim())));
  const array shift = lax::mul(0.1, lax::reshape(lax::iota(jq::f64, dims.elements()), dims));
  return lax::add(lax::broadcast_in_dim(mean, dims, {}), shift);
}
/// The variable as an operand: of its dtype and in its range, smoothly where it has tangents.
array as_operand(const operand& o, const array& v) {
  const array x = fitted(v, o.dims);
  const dtype t = o.type.value_or(jq::f64);
  if (t == jq::bool_) return lax::gt(x, 0.0);
  if (jq::is_unsigned_integer(t)) return lax::convert_element_type(lax::abs(lax::mul(3.0, lax::tanh(x))), t);
  if (jq::is_integer(t)) return lax::convert_element_type(lax::floor(lax::mul(3.0, lax::tanh(x))), t);
  const array bounded = o.from == operand::distinct ? lax::mul(3.0, lax::tanh(x))
                                                    : lax::add(lax::mul(o.high - o.low, lax::logistic(x)), o.low);
  return lax::convert_element_type(bounded, t);
}
array as_variable(const array& y) {
  if (jq::is_complex(y.dtype())) return lax::convert_element_type(lax::add(lax::real(y), lax::imag(y)), jq::f64);
  return lax::convert_element_type(y, jq::f64);
}

/// Whether all operands and results with tangents have the precision of f64: others round more than the laws here allow.
bool is_precise(const instance& i) {
  const leaves x = operands_of(i);
  for (const leaves& all : {x, primitive_of(i)(x)})
    for (const array& a : all)
      if (jq::is_inexact(a.dtype()) && a.dtype() != jq::f64 && a.dtype() != jq::c128) return false;
  return true;
}
/// Instances that a chain may use: of f64, with derivatives, without collectives.
std::vector<instance> usable() {
  std::vector<instance> r;
  for (const row& of_op : all_rows())
    for (std::size_t n = 0; n < of_op.samples.size(); ++n) {
      const sample& s = of_op.samples[n];
      // mask_cotangent is its own transpose only where all is kept, which arbitrary operands do not say.
      if (of_op.op == &jq::table_of<jq::mask_cotangent_p>()) continue;
      // Says where a value lies, and is otherwise the value itself.
      if (of_op.op == &jq::table_of<jq::sharding_constraint_p>()) continue;
      // The bits of a number say how it was rounded.
      if (of_op.op == &jq::table_of<jq::bitcast_convert_type_p>()) continue;
      if (has(of_op.types & s.types, jq::f64) && !is_collective(of_op) && is_differentiable(of_op))
        if (const instance i{&of_op, &s, jq::f64, n}; is_precise(i)) r.push_back(i);
    }
  return r;
}
/// The chain of a seed. Choices depend on nothing but the seed, so that it can be traced.
leaf_function chain(std::uint64_t seed) {
  return [seed](const leaves& x) {
    static const std::vector<instance> choices = usable();
    sampler s(seed);
    leaves variables = x;
    for (int step = 0; step < length; ++step) {
      const instance& i = choices[std::size_t(s.below(std::int64_t(choices.size())))];
      leaves in;
      for (const operand& o : i.at->operands)
        in.push_back(as_operand(o, variables[std::size_t(s.below(std::int64_t(variables.size())))]));
      for (const array& y : primitive_of(i)(in)) variables.push_back(as_variable(y));
    }
    return leaves(variables.end() - 5, variables.end());
  };
}
leaves arguments(std::uint64_t seed, std::int64_t batch = 0) {
  leaves r;
  for (const shape& s : {shape{2, 3}, shape{}, shape{4}})
    r.push_back(jq::testing::sample({jq::f64, batch ? shape(s.with(0, batch)) : s}, 1000 * seed + r.size()));
  return r;
}

void for_each_program(const std::function<report(const leaf_function&, std::uint64_t)>& law) {
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    report r;
    try {
      r = law(chain(seed), seed);
    } catch (const std::exception& e) {
      r.fail("threw: ", std::string_view(e.what()));
    }
    INFO("program " << seed << "\n" << r.text << "\n" << (r.ok ? "" : jq::to_string(jq::make_jaxpr(chain(seed))(arguments(seed)))));
    CHECK(r.ok);
  }
}
constexpr double tight = 1e-9;
report close(const leaves& got, const leaves& want) { return all_close(got, want, tight, tight); }

}  // namespace

TEST_CASE("random programs: derivatives of all modes are one, to the second order") {
  for_each_program([](const leaf_function& f, std::uint64_t seed) {
    report r;
    const leaves x = arguments(seed), t = jq::testing::directions(x, seed), dy = jq::testing::tangents_of(f, x, t);
    leaves ct;
    for (const array& y : dy) ct.push_back(jq::testing::direction(y, seed));
    r.add("linearize", close(jq::linearize(f, x).second(t), dy));
    const leaves back = jq::testing::cotangents_of(f, x, ct);
    r.add("vjp", jq::testing::detail::check_inner_product(ct, dy, back, t, tight, tight));
    // The derivative of <ct, f> along t, and then in reverse, both ways.
    const leaf_function forward = [&](const leaves& z) { return jq::testing::tangents_of(f, z, t); };
    const leaf_function reverse = [&](const leaves& z) { return jq::testing::cotangents_of(f, z, ct); };
    return r.add("second", close(jq::testing::cotangents_of(forward, x, ct), jq::testing::tangents_of(reverse, x, t)));
  });
}
TEST_CASE("random programs: jit and simplify keep every bit, of derivatives too") {
  for_each_program([](const leaf_function& f, std::uint64_t seed) {
    report r;
    const leaves x = arguments(seed), t = jq::testing::directions(x, seed);
    r.add("f", jq::testing::check_jit(f, std::tuple{x}));
    r.add("passes", jq::testing::check_passes(f, std::tuple{x}));
    const leaf_function forward = [&](const leaves& z) { return jq::testing::tangents_of(f, z, t); };
    const leaf_function reverse = [&](const leaves& z) { return jq::testing::cotangents_of(f, z, f(z)); };
    r.add("jvp", jq::testing::check_jit(forward, std::tuple{x}));
    return r.add("vjp", jq::testing::check_jit(reverse, std::tuple{x}));
  });
}
TEST_CASE("random programs: vmap is a loop and commutes with derivatives and jit") {
  for_each_program([](const leaf_function& f, std::uint64_t seed) {
    report r;
    const leaves x = arguments(seed, 2);
    for (const std::vector<int>& axes : {std::vector<int>{0, 0, 0}, {0, jq::none, jq::none}, {jq::none, jq::none, 0}}) {
      leaves some = arguments(seed);
      for (std::size_t k = 0; k < x.size(); ++k)
        if (axes[k] == 0) some[k] = x[k];
      r.add("vmap", jq::testing::detail::check_batch(f, axes, some, tight, tight));
      const leaf_function pull = [&](const leaves& z) { return jq::testing::cotangents_of(f, z, f(z)); };
      r.add("vmap of vjp", jq::testing::detail::check_batch(pull, axes, some, tight, tight));
      const leaf_function compiled = [g = jq::jit(f, jq::backend("interpreter"))](const leaves& z) { return g(z); };
      r.add("vmap of jit", close(jq::testing::mapped(compiled, axes)(some), jq::testing::mapped(f, axes)(some)));
    }
    return r;
  });
}
