#pragma once
// Large convolutions: what the windows read is copied into blocks of a patch matrix, which matrix products multiply by the filter,
// so that they run as fast as products do. An operand that is such a matrix already is not copied. Deliberately for run time only;
// small ones run by the plain loops.
// Source: Chellapilla, Puri, Simard, "High performance convolutional neural networks for document processing", 2006.

#include "jacquard/core/kernel_entry.hpp"
#include "jacquard/prims/conv_copies.hpp"
#include "jacquard/prims/conv_rows.hpp"
#include "jacquard/prims/convolution_library.hpp"

namespace jacquard::detail {

/// Elements of a block of patches, and of the result, which lie in a cache of one core together; the longest sum, and the most places, of
/// one product.
inline constexpr std::int64_t patch_elements = 1 << 16, block_elements = 1 << 15, patch_depth = 1024, patch_places = 1024;

/// Memory of blocks, kept between the groups and phases of a convolution. It is that of arrays, which is used again.
template <class T>
struct patch_memory {
  array patches, filter, block;
  static T* of(array& a, std::int64_t n) {
    if (a.is_none() || a.size() < n) a = array(make_buffer({dtype_of<T>(), {n}}));
    return static_cast<T*>(a.as_buffer()->data);
  }
};

/// One phase of a convolution as matrix products.
template <class T>
class patch_product {
 public:
  patch_product(const conv_plan& p, const conv_phases& phases, patch_memory<T>& memory) : plan_(p), phases_(phases), memory_(memory) {
    const bool batch_inside = p.batch.x == 1 && p.batch.count > 1;
    const bool ins_inside = p.ins.x == 1 && p.ins.count > 1;
    features_last_ = p.outs.out == 1 && p.outs.count >= product_columns / 2;
    if (!batch_inside) places_.add(-1, p.batch.count, p.batch.x, p.batch.out);
    if (!ins_inside) depth_.add(-1, p.ins.count, p.ins.x, p.ins.k);
    is_inside_ = true;
    std::int64_t image = 1;
    for (int d = 0; d < p.spatial; ++d) {
      const window_phase& w = phases[std::size_t(d)];
      const conv_extent& s = p.strides[std::size_t(d)];
      places_.add(d, w.outs, w.x_step * s.x, w.out_step * s.out);
      depth_.add(d, w.taps, w.x_tap_step * s.x, w.tap_step * s.k);
      x_at_ += w.x * s.x;
      k_at_ += w.first_tap * s.k;
      out_at_ += w.first_out * s.out;
      is_inside_ = is_inside_ && w.is_inside();
      image *= w.outs;
    }
    if (batch_inside) places_.add(-1, p.batch.count, p.batch.x, p.batch.out);
    if (ins_inside) depth_.add(-1, p.ins.count, p.ins.x, p.ins.k);
    by_place_ = run_of(depth_) > run_of(places_);
    choose_blocks(image);
  }
  /// The result of one group. Blocks of places are shared between threads, each with blocks of its own.
  void run(const T* x, const T* k, T* out) const {
    std::vector<patch_box> blocks;
    for_each_box(places_.sizes, most_places_, [&](const patch_box& place) { blocks.push_back(place); });
    if (blocks.empty()) return;
    if (blocks.size() == 1) return run_block(blocks[0], x, k, out, memory_);
    const double each = double(places_.elements()) / double(blocks.size()) * double(depth_.elements()) * double(plan_.outs.count);
    share_between_threads(std::int64_t(blocks.size()), each, [&](std::int64_t begin, std::int64_t end) {
      patch_memory<T> own;
      for (std::int64_t i = begin; i < end; ++i) run_block(blocks[std::size_t(i)], x, k, out, own);
    });
  }

 private:
  /// How well rows along the innermost dimension are copied: their length, if they lie side by side; less, if they lie near.
  static std::int64_t run_of(const patch_space& s) {
    const int last = s.sizes.size() - 1;
    if (last < 0) return 1;
    const std::int64_t n = s.sizes[last], step = s.x[last];
    if (step == 1) return last > 0 && s.x[last - 1] == n ? n * s.sizes[last - 1] : n;
    return step <= 4 ? n / 2 : n / 16;
  }
  void choose_blocks(std::int64_t image) {
    const std::int64_t depth = std::max<std::int64_t>(depth_.elements(), 1);
    most_depth_ = std::min(depth, patch_depth);
    most_places_ = std::min(std::min(patch_elements / most_depth_, patch_places), block_elements / std::max<std::int64_t>(plan_.outs.count, 1));
    most_places_ = std::max<std::int64_t>(most_places_, 64);
    // Whole images, where that makes a block of the result, or of the operand, dense.
    if (is_inside_ && depth_.elements() == plan_.ins.count && image >= 32 && even_stride(places_.sizes, places_.x) < 0) most_places_ = std::min(most_places_, image);
    if (!features_last_ && image >= 256) most_places_ = std::min(most_places_, image);
  }
  void run_block(const patch_box& place, const T* x, const T* k, T* out, patch_memory<T>& memory) const {
    T* const to = out + out_at_ + place.offset(places_.other);
    bool first = true;
    for_each_box(depth_.sizes, most_depth_, [&](const patch_box& depth) {
      multiply(place, depth, x, k + k_at_ + depth.offset(depth_.other), to, first, memory);
      first = false;
    });
    if (first) clear(place, to);
  }
  void multiply(const patch_box& place, const patch_box& depth, const T* x, const T* k, T* out, bool first, patch_memory<T>& memory) const {
    const std::int64_t m = place.elements(), n = plan_.outs.count, sum = depth.elements();
    product_dims places{{m}, {even_stride(place.sizes, places_.x)}}, features{{n}, {plan_.outs.k}},
        summed{{sum}, {even_stride(depth.sizes, depth_.x)}, {even_stride(depth.sizes, depth_.other)}};
    const T* patches = is_inside_ ? x + x_at_ + place.offset(places_.x) + depth.offset(depth_.x) : x;
    if (!is_inside_ || factor_of(patches, m, places.strides[0], sum, summed.strides[0]).leading == 0) {
      T* const copy = memory.of(memory.patches, m * sum);
      if (by_place_) patch_copy<T>(phases_, places_, place, depth_, depth, true).run(x + x_at_, copy);
      else patch_copy<T>(phases_, depth_, depth, places_, place, false).run(x + x_at_, copy);
      patches = copy;
      places.strides[0] = by_place_ ? sum : 1;
      summed.strides[0] = by_place_ ? 1 : m;
    }
    if (summed.other_strides[0] < 0) {
      T* const copy = memory.of(memory.filter, n * sum);
      strided_copy(shape(depth.sizes.with(0, n)), depth_.other.with(0, plan_.outs.k), 0, k, copy);
      k = copy;
      features.strides[0] = sum;
      summed.other_strides[0] = 1;
    }
    // A product has dense rows: of features where they lie side by side in the result, else of places.
    const std::int64_t even = even_stride(place.sizes, places_.other);
    const bool direct = first && sum == depth_.elements() &&
                        (features_last_ ? even == n || m == 1 : (even == 1 || m == 1) && (plan_.outs.out == m || n == 1));
    T* const to = direct ? out : memory.of(memory.block, m * n);
    if (features_last_) matrix_product(places, features, summed, patches, k, to);
    else matrix_product(features, places, {summed.sizes, summed.other_strides, summed.strides}, k, patches, to);
    if (!direct) store(place, to, out, first);
  }
  /// Puts a block into the result, or adds it.
  void store(const patch_box& place, const T* block, T* out, bool first) const {
    const std::int64_t m = place.elements(), n = plan_.outs.count;
    shape sizes(place.sizes.with(0, n));
    int_list to = places_.other.with(0, plan_.outs.out), from = shape(place.sizes).strides().with(0, m);
    if (features_last_) {
      sizes = shape(place.sizes.with(place.sizes.size(), n));
      to = places_.other.with(place.sizes.size(), 1);
      from = sizes.strides();
    }
    if (first) for_each_pair(sizes, to, 0, from, 0, [&](std::int64_t o, std::int64_t i) { out[o] = block[i]; });
    else for_each_pair(sizes, to, 0, from, 0, [&](std::int64_t o, std::int64_t i) { out[o] = add_partial(out[o], block[i]); });
  }
  void clear(const patch_box& place, T* out) const {
    const shape sizes(place.sizes.with(0, plan_.outs.count));
    for_each_pair(sizes, places_.other.with(0, plan_.outs.out), 0, int_list::filled(sizes.rank(), 0), 0,
                  [&](std::int64_t o, std::int64_t) { out[o] = T{}; });
  }

  const conv_plan& plan_;
  const conv_phases& phases_;
  patch_memory<T>& memory_;
  patch_space places_, depth_;
  std::int64_t x_at_ = 0, k_at_ = 0, out_at_ = 0, most_places_ = 0, most_depth_ = 0;
  bool is_inside_ = false, by_place_ = false, features_last_ = false;
};

/// The kernel of convolutions at run time.
struct patch_convolution {
  using params = conv_params;
  static constexpr type_set domain = numbers;

  template <class T>
  static void kernel(const kernel_args<T>& a, const params& p) {
    const conv_plan plan = plan_convolution(p, a.in_types[0].dims, a.in_types[1].dims, a.out_types[0].dims);
    if (a.out_types[0].elements() == 0) return;
    if (plan.work() <= 2048) return convolve_elements(plan, a.in[0], a.in[1], a.out[0]);
    const bool in_rows = plan.spatial > 0 && plan.ins.count * plan.outs.count <= 2;
    if constexpr (std::is_same_v<T, float>)
      if (!(in_rows && has_own_rows(plan)) && by_library(plan, a.in[0], a.in[1], a.out[0])) return;
    patch_memory<T> memory;
    for_each_phase(plan, [&](const conv_phases& phases) {
      if (in_rows) return row_convolution<T>(plan, phases).run(a.in[0], a.in[1], a.out[0]);
      patch_product<T> product(plan, phases, memory);
      for (std::int64_t g = 0; g < plan.groups.count; ++g)
        product.run(a.in[0] + g * plan.groups.x, a.in[1] + g * plan.groups.k, a.out[0] + g * plan.groups.out);
    });
  }

 private:
  /// Whether the rows of a single feature lie side by side and are met by each tap as they lie: the library takes several times as long for these.
  static bool has_own_rows(const conv_plan& plan) {
    const std::size_t last = std::size_t(plan.spatial - 1);
    const window_dim& w = plan.windows[last];
    return plan.groups.count == 1 && plan.strides[last].x == 1 && w.stride == 1 && w.dilation == 1;
  }
  static bool by_library(const conv_plan& plan, const float* x, const float* k, float* out) {
    const convolution_library* const library = libraries_here && libraries_here->convolutions ? libraries_here->convolutions() : nullptr;
    return library && library->f32 && library->f32(plan, x, k, out);
  }
};

}  // namespace jacquard::detail
