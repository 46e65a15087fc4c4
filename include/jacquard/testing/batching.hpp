#pragma once
// check_vmap: vmap against a loop of single calls.

#include "jacquard/backends/interpreter/eager.hpp"
#include "jacquard/prims/reshape.hpp"
#include "jacquard/prims/slice.hpp"
#include "jacquard/testing/comparison.hpp"
#include "jacquard/transforms/vmap.hpp"

namespace jacquard::testing {

/// Entry `i` of `x` along `axis`, which is dropped and may be negative.
inline array example(const array& x, int axis, std::int64_t i) {
  const int d = resolve_axis(axis, x.ndim());
  int_list low = int_list::filled(x.ndim(), 0), high = x.shape();
  low[d] = i;
  high[d] = i + 1;
  return lax::reshape(lax::slice(x, low, high), shape(x.shape().without(d)));
}
/// The leaves of one example; leaves whose axis is jq::none are the same for all.
inline leaves example(const leaves& x, const std::vector<int>& axes, std::int64_t i) {
  leaves r = x;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (axes[k] != none) r[k] = example(x[k], axes[k], i);
  return r;
}
/// The size of the mapped axis; -1 if there is none.
inline std::int64_t mapped_size(const leaves& x, const std::vector<int>& axes) {
  for (std::size_t k = 0; k < x.size(); ++k)
    if (axes[k] != none) return x[k].shape()[resolve_axis(axes[k], x[k].ndim())];
  return -1;
}
/// f mapped over one axis per leaf; the mapped axis of the results comes first.
inline leaf_function mapped(const leaf_function& f, const std::vector<int>& axes) {
  return [=](const leaves& x) { return vmap(f, in_axes_tree(axes))(x); };
}

namespace detail {

inline report check_batch(const leaf_function& f, const std::vector<int>& axes, const leaves& x, double rtol, double atol) {
  report r;
  const leaves y = mapped(f, axes)(x), last = vmap(f, in_axes_tree(axes), out_axes<-1>)(x);
  const std::int64_t n = mapped_size(x, axes);
  for (std::int64_t i = 0; i < n; ++i) {
    const leaves want = f(example(x, axes, i));
    if (want.size() != y.size()) return r.fail("got ", y.size(), " results, wanted ", want.size());
    for (std::size_t o = 0; o < want.size(); ++o) {
      r.add(cat("example ", i, " of result ", o).view(), all_close(example(y[o], 0, i), want[o], rtol, atol));
      r.add(cat("example ", i, " of result ", o, ", mapped axis last").view(),
            all_close(example(last[o], -1, i), want[o], rtol, atol));
    }
    if (!r) return r;
  }
  return r;
}

}  // namespace detail

/// Checks vmap of f against single calls, one per example. `in_axes` holds one axis per argument, which covers all its
/// leaves; jq::none = not mapped. Without tolerances, results must agree to a few digits of their own precision.
template <class F, class... A>
report check_vmap(F f, std::initializer_list<int> in_axes, const std::tuple<A...>& args, double rtol = -1, double atol = -1) {
  report r;
  if (in_axes.size() != sizeof...(A))
    return r.fail("check_vmap: got ", in_axes.size(), " axes for ", sizeof...(A), " arguments; wanted one each");
  std::vector<int> axes;
  std::apply([&](const auto&... a) {
    const int* axis = in_axes.begin();
    (axes.insert(axes.end(), leaf_count(a), *axis++), ...);
  }, args);
  const leaves x = leaves_of(args);
  // Traced, f meets leaves without their mapped axis: the trees count, not the shapes.
  const leaf_function on_one = on_leaves(f, args);
  double unit = 0x1p-52;
  for (const array& a : x) unit = std::max(unit, precision(a.dtype()));
  return detail::check_batch(on_one, axes, x, rtol < 0 ? 16 * unit : rtol, atol < 0 ? 16 * unit : atol);
}

}  // namespace jacquard::testing
