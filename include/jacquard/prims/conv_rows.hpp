#pragma once
// Convolutions of single features, each with a filter of its own: rows of the operand times a tap are added up, in pieces that stay
// in the nearest cache. A matrix product would have matrices of one row there. Not a primitive itself.

#include <cstring>

#include "jacquard/prims/conv_loops.hpp"

namespace jacquard::detail {

/// A piece of a row of results, added up term by term; long sums are sums of partial sums, as those of matrix products are.
template <class T>
class row_sum {
 public:
  static constexpr std::int64_t most = 1024;
  row_sum() {
    const product_library* const library = libraries_here && libraries_here->products ? libraries_here->products() : nullptr;
    if constexpr (std::is_same_v<T, float>) add_taps_ = library ? library->taps_f32 : nullptr;
    if constexpr (std::is_same_v<T, double>) add_taps_ = library ? library->taps_f64 : nullptr;
  }
  void start(std::int64_t count) {
    count_ = count;
    terms_ = 0;
    std::fill_n(part_, count, T{});
  }
  /// Adds x[i * x_step] * k[i * k_step] to elements begin + i, i < count.
  void add(std::int64_t begin, std::int64_t count, const T* x, std::int64_t x_step, const T* k, std::int64_t k_step) {
    add_whole_rows();
    T* const to = part_ + begin;
    std::int64_t i = 0;
    if (x_step == 1 && k_step <= 1)
      for (; i + width <= count; i += width) add_piece(to + i, x + i, k + i * k_step, k_step != 0);
    for (; i < count; ++i) to[i] = multiply_add(to[i], x[i * x_step], k[i * k_step]);
    if (++terms_ % product_depth == 0) flush();
  }
  /// Adds x[i] * k to all elements, at once with others where there is a function for that.
  void add_whole(const T* x, const T& k) {
    if (!add_taps_) return add(0, count_, x, 1, &k, 0);
    whole_.x[whole_.terms] = x, whole_.taps[whole_.terms++] = k;
    const bool ends = ++terms_ % product_depth == 0;
    if (ends || whole_.terms == whole_.most_terms) add_whole_rows();
    if (ends) flush();
  }
  void put(T* out, std::int64_t step) {
    add_whole_rows();
    if (terms_ > product_depth && terms_ % product_depth != 0) flush();
    if (terms_ >= product_depth)
      for (std::int64_t i = 0; i < count_; ++i) out[i * step] = T(total_[i]);
    else if (step == 1) std::copy(part_, part_ + count_, out);
    else
      for (std::int64_t i = 0; i < count_; ++i) out[i * step] = part_[i];
  }

 private:
  using accumulator = std::conditional_t<std::is_same_v<T, float>, double, T>;
  /// Compilers make vectors of a piece of known size in memory of its own, at every level of optimisation that has them.
  static constexpr std::int64_t width = 16;
  static void add_piece(T* to, const T* x, const T* k, bool each) {
    T sums[width], terms[width], taps[width];
    std::memcpy(sums, to, sizeof(sums));
    std::memcpy(terms, x, sizeof(terms));
    if (each) std::memcpy(taps, k, sizeof(taps));
    else
      for (int i = 0; i < width; ++i) taps[i] = *k;
    for (int i = 0; i < width; ++i) sums[i] = multiply_add(sums[i], terms[i], taps[i]);
    std::memcpy(to, sums, sizeof(sums));
  }
  void add_whole_rows() {
    if (whole_.terms == 0) return;
    whole_.out = part_, whole_.count = count_;
    add_taps_(whole_);
    whole_.terms = 0;
  }
  void flush() {
    const bool is_first = terms_ <= product_depth;
    for (std::int64_t i = 0; i < count_; ++i) total_[i] = is_first ? accumulator(part_[i]) : add_partial(total_[i], accumulator(part_[i]));
    std::fill_n(part_, count_, T{});
  }
  std::int64_t count_ = 0, terms_ = 0;
  T part_[most];
  accumulator total_[most];
  void (*add_taps_)(const tap_sum<T>&) = nullptr;
  tap_sum<T> whole_;
};

/// One phase of a convolution in rows: along its groups, which lie side by side, or along its last spatial dimension.
template <class T>
class row_convolution {
 public:
  row_convolution(const conv_plan& p, const conv_phases& phases) : plan_(p), phases_(phases) {
    across_groups_ = p.groups.x == 1 && p.groups.out == 1 && p.groups.count > 1 && p.ins.count == 1 && p.outs.count == 1;
    for (int d = 0; d < p.spatial; ++d) places_.push_back(phases[std::size_t(d)].outs);
    if (!across_groups_) length_ = places_[p.spatial - 1], places_[p.spatial - 1] = 1;
    else length_ = p.groups.count;
  }
  void run(const T* x, const T* k, T* out) {
    const std::int64_t groups = across_groups_ ? 1 : plan_.groups.count;
    for (std::int64_t g = 0; g < groups; ++g)
      for (std::int64_t n = 0; n < plan_.batch.count; ++n)
        for (std::int64_t o = 0; o < plan_.outs.count; ++o)
          rows(x + g * plan_.groups.x + n * plan_.batch.x, k + g * plan_.groups.k + o * plan_.outs.k,
               out + g * plan_.groups.out + n * plan_.batch.out + o * plan_.outs.out);
  }

 private:
  void rows(const T* x, const T* k, T* out) {
    const int_list strides = places_.strides();
    for (std::int64_t place = 0; place < places_.elements(); ++place) {
      std::int64_t x_at = 0, k_at = 0, out_at = 0;
      sizes_ = shape{plan_.ins.count};
      in_x_ = {plan_.ins.x};
      in_k_ = {plan_.ins.k};
      for (int d = 0; d < plan_.spatial; ++d) {
        const window_phase& w = phases_[std::size_t(d)];
        const conv_extent& s = plan_.strides[std::size_t(d)];
        const std::int64_t t = place / strides[d] % places_[d];
        window_phase::range taps = w.taps_of(t);
        if (!across_groups_ && d == plan_.spatial - 1) taps = {0, w.taps};  // which outputs a tap meets is asked tap by tap
        sizes_.push_back(taps.count());
        in_x_.push_back(w.x_tap_step * s.x);
        in_k_.push_back(w.tap_step * s.k);
        x_at += (w.x + t * w.x_step + taps.begin * w.x_tap_step) * s.x;
        k_at += (w.first_tap + taps.begin * w.tap_step) * s.k;
        out_at += (w.first_out + t * w.out_step) * s.out;
      }
      if (across_groups_) across(x, x_at, k, k_at, out + out_at);
      else along(x, x_at, k, k_at, out + out_at);
    }
  }
  void across(const T* x, std::int64_t x_at, const T* k, std::int64_t k_at, T* out) {
    for (std::int64_t first = 0; first < length_; first += sum_.most) {
      const std::int64_t count = std::min(sum_.most, length_ - first);
      sum_.start(count);
      for_each_pair(sizes_, in_x_, x_at + first, in_k_, k_at + first * plan_.groups.k, [&](std::int64_t i, std::int64_t j) {
        sum_.add(0, count, x + i, 1, k + j, plan_.groups.k);
      });
      sum_.put(out + first, 1);
    }
  }
  void along(const T* x, std::int64_t x_at, const T* k, std::int64_t k_at, T* out) {
    const window_phase& w = phases_[std::size_t(plan_.spatial - 1)];
    const conv_extent& s = plan_.strides[std::size_t(plan_.spatial - 1)];
    const shape outer(sizes_.without(plan_.spatial));
    const int_list outer_x = in_x_.without(plan_.spatial), outer_k = in_k_.without(plan_.spatial);
    const std::int64_t x_step = w.x_step * s.x;
    for (std::int64_t first = 0; first < length_; first += sum_.most) {
      const std::int64_t count = std::min(sum_.most, length_ - first);
      sum_.start(count);
      for_each_pair(outer, outer_x, x_at, outer_k, k_at, [&](std::int64_t i, std::int64_t j) {
        for (std::int64_t tap = 0; tap < w.taps; ++tap) {
          const window_phase::range r = w.outs_of(tap);
          const std::int64_t begin = std::max(r.begin, first), end = std::min(r.end, first + count);
          if (begin >= end) continue;
          const T *from = x + i + tap * in_x_.back() + begin * x_step, *by = k + j + tap * in_k_.back();
          if (end - begin == count && x_step == 1) sum_.add_whole(from, *by);
          else sum_.add(begin - first, end - begin, from, x_step, by, 0);
        }
      });
      sum_.put(out + first * w.out_step * s.out, w.out_step * s.out);
    }
  }

  const conv_plan& plan_;
  const conv_phases& phases_;
  bool across_groups_ = false;
  shape places_;
  std::int64_t length_ = 0;
  shape sizes_;
  int_list in_x_, in_k_;
  row_sum<T> sum_;
};

}  // namespace jacquard::detail
