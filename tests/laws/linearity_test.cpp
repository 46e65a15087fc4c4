// Laws of linear primitives: they are linear in what their table declares, and their transpose is the transpose.
#include "row.hpp"

#include <jacquard/testing/transposition.hpp>

using namespace laws;
using jq::testing::report;

namespace {

/// The operands that the table declares linear, in groups that are linear together.
std::vector<std::vector<std::size_t>> linear_groups(const instance& i, const leaves& x) {
  std::vector<std::size_t> together;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (jq::detail::bit(i.of->op->linear, k)) together.push_back(k);
  if (together.empty()) return {};
  if (i.of->facts.jointly_linear) return {together};
  std::vector<std::vector<std::size_t>> r;
  for (std::size_t k : together) r.push_back({k});
  return r;
}
/// Conversions are linear between inexact dtypes, and between integers, which wrap.
bool keeps_addition(const leaves& x, const leaves& y) {
  for (const array& b : y) {
    if (jq::is_boolean(b.dtype())) return false;
    for (const array& a : x)
      if (jq::is_inexact(a.dtype()) && !jq::is_inexact(b.dtype())) return false;
  }
  return true;
}
/// a x + b y in the dtypes of x.
leaves sum(int a, const leaves& x, int b, const leaves& y) {
  leaves r;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const auto scaled = [](int c, const array& v) { return lax::mul(array(jq::literal(c, v.dtype(), true)), v); };
    r.push_back(lax::add(scaled(a, x[k]), scaled(b, y[k])));
  }
  return r;
}
leaves directions_or_samples(const leaves& x) {
  leaves r;
  for (std::size_t k = 0; k < x.size(); ++k) r.push_back(jq::testing::sample(x[k].aval(), 90 + k, -2, 2));
  return r;
}
double unit_of(const leaves& x, const leaves& y) {
  leaves all = x;
  all.insert(all.end(), y.begin(), y.end());
  for (const array& a : all)
    if (jq::is_inexact(a.dtype())) return 64 * jq::testing::precision(jq::testing::coarsest(all));
  return 0;
}

}  // namespace

TEST_CASE("primitives are linear in the operands that they declare") {
  for_each_instance(only(jq::f64, jq::c128, jq::i32, jq::u8, jq::bf16), [](const instance& i) {
    report r;
    const leaves x = operands_of(i);
    if (i.of->facts.rounds && !jq::is_inexact(i.type)) return r;
    for (const std::vector<std::size_t>& group : linear_groups(i, x)) {
      const leaf_function f = restricted(function_of(i), x, group);
      const leaves a = chosen(x, group), b = directions_or_samples(a), fa = f(a), fb = f(b);
      if (!keeps_addition(a, fa)) continue;
      const double unit = unit_of(a, fa);
      leaves want = sum(2, fa, 3, fb);
      if (i.of->facts.affine) want = sum(1, want, -4, f(sum(0, a, 0, b)));
      r.add(jq::cat("operand ", group[0]).view(), jq::testing::all_close(f(sum(2, a, 3, b)), want, unit, unit));
    }
    return r;
  });
}
TEST_CASE("linear_transpose is the transpose") {
  for_each_instance(only(jq::f64, jq::c128, jq::f32), [](const instance& i) {
    report r;
    const leaves x = operands_of(i);
    if (i.of->facts.affine) return r;
    for (const std::vector<std::size_t>& group : linear_groups(i, x)) {
      std::vector<std::size_t> inexact;  // a carried integer operand has no cotangent
      for (std::size_t k : group)
        if (jq::is_inexact(x[k].dtype())) inexact.push_back(k);
      const leaf_function f = restricted(function_of(i), x, inexact);
      const leaves a = chosen(x, inexact);
      if (inexact.size() != group.size() || !keeps_addition(a, f(a))) continue;
      const double unit = unit_of(a, f(a));
      r.add(jq::cat("operand ", group[0]).view(), jq::testing::check_transpose(f, std::tuple{a}, unit, unit));
    }
    return r;
  });
}
