// Laws of vmap: it is a stacked loop, nests, and commutes with jvp and vjp.
#include "row.hpp"

#include <jacquard/testing/batching.hpp>
#include <jacquard/testing/gradients.hpp>

using namespace laws;
using jq::testing::all_close;
using jq::testing::report;

namespace {

constexpr dtype_set some = only(jq::bool_, jq::i32, jq::u32, jq::f32, jq::c128), wide = only(jq::f64, jq::c128);
constexpr std::int64_t count = 2;

/// Mapped axes for the operands of a subset: all first, all last, or by turns.
std::vector<int> axes_for(const instance& i, unsigned subset, int placement) {
  std::vector<int> r;
  for (std::size_t k = 0; k < i.at->operands.size(); ++k) {
    const operand& o = i.at->operands[k];
    const int rank = o.dims.rank() + (is_collective(*i.of) && o.mapped ? 1 : 0);
    const bool last = placement == 1 || (placement == 2 && k % 2 == 0);
    r.push_back(((subset >> k) & 1u) == 0 ? jq::none : last ? rank : 0);
  }
  return r;
}
std::string list(const std::vector<int>& axes) {
  std::string r = "in_axes";
  for (int a : axes) r += a == jq::none ? " none" : " " + std::to_string(a);
  return r;
}
/// Calls f with axes for every subset of the operands.
template <class F>
report for_each_mapping(const instance& i, F&& f) {
  report r;
  const unsigned all = 1u << i.at->operands.size();
  for (unsigned subset = 1; subset < all; ++subset)
    for (int placement = 0; placement < (subset & (subset - 1) ? 3 : 2); ++placement) {
      const std::vector<int> axes = axes_for(i, subset, placement);
      r.add(list(axes), f(axes));
    }
  return r;
}
double unit_of(const leaves& x) { return 64 * jq::testing::precision(jq::testing::coarsest(x)); }
report close(const leaves& got, const leaves& want, const leaves& x) { return all_close(got, want, unit_of(x), unit_of(x)); }

}  // namespace

TEST_CASE("vmap is a stacked loop") {
  for_each_instance(some, [](const instance& i) {
    return for_each_mapping(i, [&](const std::vector<int>& axes) {
      const leaves x = operands_of(i, axes, count);
      return jq::testing::detail::check_batch(function_of(i), axes, x, unit_of(x), unit_of(x));
    });
  });
}
TEST_CASE("vmap of an axis of size 0 and 1") {
  for_each_instance(only(jq::i32, jq::u32, jq::f64), [](const instance& i) {
    if (i.at->operands.empty()) return report{};
    const std::vector<int> axes = axes_for(i, ~0u, 0);
    report r;
    const leaves one = operands_of(i, axes, 1), none = operands_of(i, axes, 0);
    r.add("one", jq::testing::detail::check_batch(function_of(i), axes, one, unit_of(one), unit_of(one)));
    const leaves y = jq::testing::mapped(function_of(i), axes)(none), single = function_of(i)(operands_of(i));
    for (std::size_t k = 0; k < y.size(); ++k)
      if (!(y[k].shape() == shape(single[k].shape().with(0, 0)))) r.fail("none: result ", k, " has shape ", y[k].shape());
    return r;
  });
}
TEST_CASE("vmap of vmap is a loop of vmaps") {
  for_each_instance(some, [](const instance& i) {
    report r;
    const std::size_t n = i.at->operands.size();
    if (n == 0) return r;
    const auto check = [&](unsigned inner_subset, int inner_placement, unsigned outer_subset, bool outer_last) {
      const std::vector<int> inner = axes_for(i, inner_subset, inner_placement);
      leaves x = operands_of(i, inner, count);
      std::vector<int> outer;
      for (std::size_t k = 0; k < n; ++k) {
        const bool mapped = (outer_subset >> k) & 1u;
        outer.push_back(mapped ? (outer_last ? x[k].ndim() : 0) : jq::none);
        if (!mapped) continue;
        instance again = i;  // three examples of x[k] along the outer axis
        leaves rows;
        for (std::uint64_t s = 0; s < 3; ++s) {
          const array one = operands_of(again, inner, count, 5 + s)[k];
          int_list positions;
          for (int d = 0; d <= one.ndim(); ++d)
            if (d != outer[k]) positions.push_back(d);
          rows.push_back(lax::broadcast_in_dim(one, shape(one.shape().with(outer[k], 1)), positions));
        }
        x[k] = lax::concatenate(rows, outer[k]);
      }
      const leaf_function f = jq::testing::mapped(function_of(i), inner);
      r.add("inner " + list(inner) + ", outer " + list(outer), jq::testing::detail::check_batch(f, outer, x, unit_of(x), unit_of(x)));
    };
    check(~0u, 0, ~0u, false);
    check(~0u, 1, ~0u, true);
    check(1u, 0, n > 1 ? ~1u : 1u, true);
    check(n > 1 ? ~1u : 1u, 1, 1u, false);
    return r;
  });
}
TEST_CASE("jvp of vmap is vmap of jvp") {
  for_each_instance(wide, [](const instance& i) {
    if (!is_differentiable(*i.of)) return report{};
    return for_each_mapping(i, [&](const std::vector<int>& axes) {
      const leaf_function f = function_of(i);
      const leaves x = operands_of(i, axes, count), t = jq::testing::directions(x, 2);
      const auto derivative = [&](const leaves& at, const leaves& along) { return jq::testing::tangents_of(f, at, along); };
      const leaves inside = jq::vmap(derivative, jq::in_axes_tree(axes, axes))(x, t);
      return close(jq::testing::tangents_of(jq::testing::mapped(f, axes), x, t), inside, x);
    });
  });
}
TEST_CASE("vjp of vmap is vmap of vjp, summed where an operand is shared") {
  for_each_instance(wide, [](const instance& i) {
    if (!is_differentiable(*i.of)) return report{};
    return for_each_mapping(i, [&](const std::vector<int>& axes) {
      const leaf_function f = function_of(i), g = jq::testing::mapped(f, axes);
      const leaves x = operands_of(i, axes, count);
      leaves ct;
      for (const array& y : g(x)) ct.push_back(jq::testing::direction(y, 4));
      const auto pull = [&](const leaves& at, const leaves& c) { return jq::testing::cotangents_of(f, at, c); };
      leaves want = jq::vmap(pull, jq::in_axes_tree(axes, std::vector<int>(ct.size(), 0)))(x, ct);
      for (std::size_t k = 0; k < want.size(); ++k) {
        if (axes[k] != jq::none) want[k] = jq::detail::move_axis(want[k], 0, axes[k]);
        else if (jq::is_inexact(want[k].dtype())) want[k] = lax::reduce_sum(want[k], {0});
        else want[k] = jq::testing::example(want[k], 0, 0);
      }
      return close(jq::testing::cotangents_of(g, x, ct), want, x);
    });
  });
}
TEST_CASE("tangents and cotangents are mapped alone: columns and rows of one Jacobian") {
  for_each_instance(wide, [](const instance& i) {
    report r;
    const leaf_function f = function_of(i);
    const leaves x = operands_of(i), y = f(x);
    if (!is_differentiable(*i.of) || inexact_operands(x).empty()) return r;
    const auto several = [](const leaves& like, std::uint64_t seed) {
      leaves all;
      for (const array& a : like)
        all.push_back(jq::testing::direction(lax::broadcast_in_dim(a, shape(a.shape().with(0, count)), [&] {
          int_list positions;
          for (int d = 1; d <= a.ndim(); ++d) positions.push_back(d);
          return positions;
        }()), seed++));
      return all;
    };
    const leaf_function push = [&](const leaves& t) { return jq::testing::tangents_of(f, x, t); };
    const leaf_function pull = [&](const leaves& ct) { return jq::testing::cotangents_of(f, x, ct); };
    const std::vector<int> in(x.size(), 0), out(y.size(), 0);
    const leaves t = several(x, 1), ct = several(y, 7);
    r.add("jvp", jq::testing::detail::check_batch(push, in, t, unit_of(t), unit_of(t)));
    r.add("vjp", jq::testing::detail::check_batch(pull, out, ct, unit_of(ct), unit_of(ct)));
    const auto [primal, linear] = jq::linearize(f, x);
    const leaf_function apply = [&](const leaves& z) { return linear(z); };
    return r.add("linearize", jq::testing::detail::check_batch(apply, in, t, unit_of(t), unit_of(t)));
  });
}

namespace {
/// f with its operands mapped over the axis "i".
template <class F, class... Axes>
auto over_members(F f, const Axes&... axes) {
  return jq::vmap(f, jq::in_axes_tree(axes...), jq::axis_name<"i">, jq::axis_size(members));
}
std::vector<int> member_axes(const instance& i) {
  std::vector<int> r;
  for (const operand& o : i.at->operands) r.push_back(o.mapped ? 0 : jq::none);
  return r;
}
void for_each_collective(dtype_set types, const law& f) {
  for_each_instance(types, [&](const instance& i) { return is_collective(*i.of) ? f(i) : report{}; });
}
}  // namespace

TEST_CASE("collectives: an unnamed vmap inside a named one is a loop") {
  for_each_collective(some, [](const instance& i) {
    report r;
    const std::vector<int> outer = member_axes(i);
    if (outer.empty()) return r;
    for (const bool last : {false, true}) {
      // One member sees the mapped axis first or last; the members' axis comes before all.
      std::vector<int> inner, whole;
      for (const operand& o : i.at->operands) {
        inner.push_back(last ? o.dims.rank() : 0);
        whole.push_back(inner.back() + (o.mapped ? 1 : 0));
      }
      const leaves x = operands_of(i, whole, count);
      const leaves y = over_members(jq::testing::mapped(primitive_of(i), inner), outer)(x);
      for (std::int64_t e = 0; e < count; ++e) {
        const leaves want = function_of(i)(jq::testing::example(x, whole, e));
        for (std::size_t k = 0; k < want.size(); ++k)
          r.add(last ? "last" : "first", close({jq::testing::example(y[k], 1, e)}, {want[k]}, x));
      }
    }
    return r;
  });
}
TEST_CASE("collectives: derivatives inside the named axis are those outside") {
  for_each_collective(wide, [](const instance& i) {
    report r;
    if (!is_differentiable(*i.of)) return r;
    const std::vector<int> axes = member_axes(i);
    const leaf_function f = primitive_of(i), whole = function_of(i);
    const leaves x = operands_of(i), t = jq::testing::directions(x, 6);
    const auto derivative = [&](const leaves& at, const leaves& along) { return jq::testing::tangents_of(f, at, along); };
    r.add("jvp", close(over_members(derivative, axes, axes)(x, t), jq::testing::tangents_of(whole, x, t), x));
    if (i.of->op == &jacquard::table_of<jacquard::pdot_p>()) return r;  // its cotangents are those of the member's own product, as in JAX: tests/prims/pdot_test.cpp
    leaves ct;
    for (const array& y : whole(x)) ct.push_back(jq::testing::direction(y, 8));
    const auto pull = [&](const leaves& at, const leaves& c) { return jq::testing::cotangents_of(f, at, c); };
    leaves back = over_members(pull, axes, std::vector<int>(ct.size(), 0))(x, ct);
    for (std::size_t k = 0; k < back.size(); ++k)
      if (axes[k] == jq::none) back[k] = lax::reduce_sum(back[k], {0});
    return r.add("vjp", close(back, jq::testing::cotangents_of(whole, x, ct), x));
  });
}
