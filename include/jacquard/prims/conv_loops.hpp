#pragma once
// A convolution as index spaces with strides, and the plain loops over them: one sum for each element of the result, by the
// loops of matrix products. They run anywhere, the compiler included; large convolutions run by conv_patches. Not a primitive
// itself.

#include "jacquard/prims/conv_window.hpp"
#include "jacquard/prims/matrix_product.hpp"

namespace jacquard::detail {

/// A size with its strides in the operand, the filter and the result, those of which have it.
struct conv_extent {
  std::int64_t count = 1, x = 0, k = 0, out = 0;
  constexpr bool operator==(const conv_extent&) const = default;
};

/// A convolution: for each group, result (n, o, places) is the sum over (i, taps). What a group is lies `groups` apart.
struct conv_plan {
  conv_extent groups, batch, ins, outs;
  int spatial = 0;
  std::array<window_dim, max_rank> windows{};
  std::array<conv_extent, max_rank> strides{};  ///< of the spatial dimensions; their counts are those of the windows

  constexpr bool operator==(const conv_plan&) const = default;
  constexpr std::int64_t places() const {
    std::int64_t n = 1;
    for (int d = 0; d < spatial; ++d) n *= windows[std::size_t(d)].out;
    return n;
  }
  constexpr std::int64_t taps() const {
    std::int64_t n = 1;
    for (int d = 0; d < spatial; ++d) n *= windows[std::size_t(d)].taps;
    return n;
  }
  /// Multiplications, those with padding included; not counted beyond the largest integer.
  constexpr std::int64_t work() const {
    std::int64_t n = 1;
    for (std::int64_t m : {groups.count, batch.count, outs.count, ins.count, places(), taps()}) n = counted_product(n, m);
    return n;
  }
};

constexpr conv_plan plan_convolution(const conv_params& p, const shape& x, const shape& k, const shape& out) {
  const int_list xs = x.strides(), ks = k.strides(), os = out.strides();
  const int n = int(p.lhs_spec[0]), c = int(p.lhs_spec[1]), o = int(p.rhs_spec[0]), i = int(p.rhs_spec[1]), out_n = int(p.out_spec[0]),
            out_c = int(p.out_spec[1]);
  conv_plan r;
  r.groups.count = p.feature_group_count * p.batch_group_count;
  r.batch = {out[out_n], xs[n], 0, os[out_n]};
  r.ins = {k[i], xs[c], ks[i], 0};
  r.outs = {r.groups.count == 0 ? 0 : k[o] / r.groups.count, 0, ks[o], os[out_c]};
  r.groups.x = p.batch_group_count > 1 ? r.batch.count * xs[n] : k[i] * xs[c];
  r.groups.k = r.outs.count * ks[o];
  r.groups.out = r.outs.count * os[out_c];
  r.spatial = p.spatial();
  for (int d = 0; d < r.spatial; ++d) {
    r.windows[std::size_t(d)] = window_of(p, x, k, d);
    r.strides[std::size_t(d)] = {0, xs[int(p.lhs_spec[d + 2])], ks[int(p.rhs_spec[d + 2])], os[int(p.out_spec[d + 2])]};
  }
  return r;
}

/// The phases of all dimensions that have the numbers in `index`.
using conv_phases = std::array<window_phase, max_rank>;

/// Calls f(phases) for all combinations of phases.
template <class F>
constexpr void for_each_phase(const conv_plan& p, F&& f) {
  shape counts;
  for (int d = 0; d < p.spatial; ++d) counts.push_back(phase_count(p.windows[std::size_t(d)]));
  const int_list strides = counts.strides(), zero = int_list::filled(p.spatial, 0);
  for_each_pair(counts, strides, 0, zero, 0, [&](std::int64_t which, std::int64_t) {
    conv_phases phases{};
    for (int d = 0; d < p.spatial; ++d) phases[std::size_t(d)] = phase_of(p.windows[std::size_t(d)], which / strides[d] % counts[d]);
    f(phases);
  });
}

/// The sum for one element of the result, whose group, batch entry and feature lie at x, k and out, at place t of the phases.
template <class T>
constexpr void convolve_element(const conv_plan& p, const conv_phases& phases, const int_list& t, const T* x, const T* k, T* out) {
  shape sizes{p.ins.count};
  int_list in_x{p.ins.x}, in_k{p.ins.k};
  std::int64_t x_at = 0, k_at = 0, out_at = 0;  // pointers must not leave their arrays, where no tap meets an element
  for (int d = 0; d < p.spatial; ++d) {
    const window_phase& w = phases[std::size_t(d)];
    const conv_extent& s = p.strides[std::size_t(d)];
    const window_phase::range taps = w.taps_of(t[d]);
    sizes.push_back(taps.count());
    in_x.push_back(w.x_tap_step * s.x);
    in_k.push_back(w.tap_step * s.k);
    x_at += (w.x + t[d] * w.x_step + taps.begin * w.x_tap_step) * s.x;
    k_at += (w.first_tap + taps.begin * w.tap_step) * s.k;
    out_at += (w.first_out + t[d] * w.out_step) * s.out;
  }
  if (sizes.elements() == 0) out[out_at] = T{};
  else small_product<T>({}, {}, {sizes, in_x, in_k}, x + x_at, k + k_at, out + out_at);
}

/// The convolution, one element after the other.
template <class T>
constexpr void convolve_elements(const conv_plan& p, const T* x, const T* k, T* out) {
  for_each_phase(p, [&](const conv_phases& phases) {
    shape counts;
    for (int d = 0; d < p.spatial; ++d) counts.push_back(phases[std::size_t(d)].outs);
    const int_list strides = counts.strides();
    for (std::int64_t place = 0; place < counts.elements(); ++place) {
      int_list t;
      for (int d = 0; d < p.spatial; ++d) t.push_back(place / strides[d] % counts[d]);
      for (std::int64_t g = 0; g < p.groups.count; ++g)
        for (std::int64_t n = 0; n < p.batch.count; ++n)
          for (std::int64_t o = 0; o < p.outs.count; ++o)
            convolve_element(p, phases, t, x + g * p.groups.x + n * p.batch.x, k + g * p.groups.k + o * p.outs.k,
                             out + g * p.groups.out + n * p.batch.out + o * p.outs.out);
    }
  });
}

}  // namespace jacquard::detail
