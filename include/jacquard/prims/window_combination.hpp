#pragma once
// The loops of reductions over windows: the elements of each window combined, all at once where windows are small, and sums that spread
// from the elements of an operand with holes. Not a primitive itself; the operation is P::choose of a primitive, and what is selected
// within windows is in select_and_gather_add.

#include "jacquard/prims/reduction_windows.hpp"
#include "jacquard/prims/window_lines.hpp"

namespace jacquard::detail {

/// to[j] = choose(to[j], from[j]) for n elements, in blocks of a length that the compiler knows: it makes vectors of those at -O2 too.
template <class P, class T>
constexpr void combine_row(T* __restrict to, const T* __restrict from, std::int64_t n) {
  constexpr std::int64_t block = 16;
  std::int64_t j = 0;
  for (; j + block <= n; j += block)
    for (std::int64_t k = 0; k < block; ++k) to[j + k] = P::choose(to[j + k], from[j + k]);
  for (; j < n; ++j) to[j] = P::choose(to[j], from[j]);
}
/// Combines along one dimension: rows of `inner` elements lie beside each other.
template <class P, class T>
constexpr void reduce_windows_along(const window_dim& w, std::int64_t outer, std::int64_t inner, const T* in, T* out, T initial) {
  for (std::int64_t o = 0; o < outer; ++o, in += w.size * inner, out += w.out * inner) {
    for (std::int64_t i = 0; i < w.out * inner; ++i) out[i] = initial;
    for (std::int64_t tap = 0; tap < w.taps && w.out * inner > 0; ++tap) {
      const std::int64_t shift = tap * w.tap_dilation - w.low;
      std::int64_t first = shift >= 0 ? 0 : (w.stride - 1 - shift) / w.stride;
      const std::int64_t last = w.dilated() - 1 - shift;  // of the dilated operand
      const std::int64_t end = last < 0 ? 0 : last / w.stride + 1 < w.out ? last / w.stride + 1 : w.out;
      if (w.dilation == 1 && inner == 1) {
        for (; first < end; ++first) out[first] = P::choose(out[first], in[first * w.stride + shift]);
        continue;
      }
      for (; first < end; ++first) {
        const std::int64_t at = first * w.stride + shift;
        if (at % w.dilation != 0) continue;
        combine_row<P>(out + first * inner, in + at / w.dilation * inner, inner);
      }
    }
  }
}
/// Whether windows are so small that their elements had better be combined all at once.
constexpr bool are_small(const std::vector<window_dim>& windows) {
  std::int64_t product = 1, sum = 0;
  for (const window_dim& w : windows) {
    if (w.taps > 64 || (product *= w.taps) > 64) return false;
    if (w.taps > 1) sum += w.taps;
  }
  return product <= 2 * sum;
}
/// Combines the elements of each window at once, by P::choose.
template <class P, class T>
struct window_combination {
  const std::vector<window_dim>& windows;
  const shape& from;
  const T* in;
  T* out;
  T initial;

  template <int Bytes>
  constexpr void run() const {
    if constexpr (Bytes == 0) return combine_lines([](const window_line<T>&) { return false; });
    else {
      if constexpr (requires { P::finds_smallest; })  // are guessed first: NaNs are rare
        if (combine_vectors<guessed_vector<T, Bytes>>()) return;
      combine_vectors<line_vector<T, Bytes>>();
    }
  }

 private:
  /// Those of lines for which `combined(line)` is false are combined one by one.
  constexpr void combine_lines(const auto& combined) const {
    window_places rows(windows, from);
    std::int64_t count = 1;
    for (const window_dim& w : windows) count *= w.out;
    for_each_line(rows, in, count, [&](const window_line<T>& line) {
      if (combined(line)) return;
      for (std::int64_t i = 0; i < line.length; ++i) {
        T all = initial;
        for (std::size_t t = 0; t < line.offsets.size(); ++t) all = P::choose(all, line.tap(i, t));
        out[line.first + i] = all;
      }
    });
  }
  /// Returns whether all is certain.
  template <class Vector>
  bool combine_vectors() const {
    Vector all(initial);
    combine_lines([&](const window_line<T>& line) {
      if (!in_vectors<Vector>(line)) return false;
      with_constant_step(line.step, [&](auto step) { combine_line<step>(line, out + line.first, all); });
      return true;
    });
    return all.is_certain();
  }
  template <int Step, class Vector>
  void combine_line(const window_line<T>& line, T* to, Vector& all) const {
    constexpr std::int64_t width = Vector::width;
    std::int64_t i = 0;
    for (; i + 4 * width <= line.length; i += 4 * width) {  // what is combined waits for what was before
      Vector a(initial), b = a, c = a, d = a;
      for_each_tap<Step>(line, i, [&](const T* x, const auto& take) { take(a, x), take(b, x + width * Step), take(c, x + 2 * width * Step), take(d, x + 3 * width * Step); });
      a.store(to + i), b.store(to + i + width), c.store(to + i + 2 * width), d.store(to + i + 3 * width);
      all = P::choose(all, P::choose(P::choose(a, b), P::choose(c, d)));
    }
    for (; i + width < line.length; i += 2 * width) {
      const std::int64_t next = i + 2 * width > line.length ? line.length - width : i + width;  // some are computed twice
      Vector a(initial), b = a;
      for_each_tap<Step>(line, i, [&](const T* x, const auto& take) { take(a, x), take(b, x + (next - i) * Step); });
      a.store(to + i), b.store(to + next);
      all = P::choose(all, P::choose(a, b));
    }
    if (i < line.length) {
      i = line.length - width;
      Vector a(initial);
      for_each_tap<Step>(line, i, [&](const T* x, const auto& take) { take(a, x); });
      a.store(to + i);
      all = P::choose(all, a);
    }
  }
  /// Calls f(x, take) for the taps x of window i, where take(v, x) combines v with what is there for it and the windows after it. Two taps
  /// beside each other have the same elements in turn, where windows are two elements apart.
  template <int Step>
  static void for_each_tap(const window_line<T>& line, std::int64_t i, const auto& f) {
    const std::size_t n = line.offsets.size();
    for (std::size_t t = 0; t < n; ++t) {
      const T* const x = line.x + i * Step + line.offsets[t];
      if (Step == 2 && t + 1 < n && line.offsets[t + 1] == line.offsets[t] + 1) {
        ++t;
        f(x, []<class Vector>(Vector& v, const T* p) {
          Vector even, odd;
          Vector::load_two(p, even, odd);
          v = P::choose(P::choose(v, even), odd);
        });
      } else {
        f(x, []<class Vector>(Vector& v, const T* p) { v = P::choose(v, Vector::template load<Step>(p)); });
      }
    }
  }
};
/// To the elements of `out` in each window the element of `source` is added: sums over windows of an operand with holes.
template <class T>
struct window_spreading {
  const std::vector<window_dim>& windows;
  const shape& dims;  ///< of out
  const T* source;
  T* out;

  template <int Bytes>
  constexpr void run() const {
    window_places rows(windows, dims);
    window_sums<T> sums(windows, out);
    std::int64_t count = 1;
    for (const window_dim& w : windows) count *= w.out;
    for_each_line(rows, static_cast<const T*>(out), count, [&](const window_line<T>& line) {
      if (!sums.covered) sums.fill(line.reach);
      if constexpr (Bytes > 0) {
        using vector = line_vector<T, Bytes>;
        if (in_vectors<vector>(line) && (line.step == 1 || writes_inside(line)))
          return with_constant_step(line.step, [&](auto step) { add_vectors<step, vector>(line, sums.overlap || (step == 2 && !are_pairs(line.offsets))); });
      }
      for (std::size_t t = line.offsets.size(); t-- > 0;)  // the last tap belongs to the first window, whose element comes first
        for (std::int64_t i = 0; i < line.length; ++i) add(line, i, t, sums.overlap);
    });
    if (!sums.covered) sums.fill(dims.elements());
  }
  constexpr void add(const window_line<T>& line, std::int64_t i, std::size_t tap, bool overlap) const {
    T& sum = out[line.place + i * line.step + line.offsets[tap]];
    sum = math::add(overlap ? sum : T(0), source[line.first + i]);
  }
  /// Whether each tap has another one beside it.
  static bool are_pairs(view<const std::int64_t> offsets) {
    bool pairs = offsets.size() % 2 == 0;
    for (std::size_t t = 0; pairs && t < offsets.size(); t += 2) pairs = offsets[t + 1] == offsets[t] + 1;
    return pairs;
  }
  /// Whether the element after that of the last tap of all, or that tap itself where it is one of two, is in the result.
  bool writes_inside(const window_line<T>& line) const {
    return are_pairs(line.offsets) || line.place + 2 * (line.length - 1) + line.offsets.back() + 1 < dims.elements();
  }
  /// `adds`: to what is there, otherwise nothing is. Windows of the last vector that have been in the one before add nothing.
  template <int Step, class Vector>
  void add_vectors(const window_line<T>& line, bool adds) const {
    const auto put = [&](T* to, const Vector& x) {
      if (adds) Vector::add(Vector::template load<1>(to), x).store(to);
      else x.store(to);
    };
    for (std::int64_t i = 0; i < line.length; i += Vector::width) {
      const std::int64_t start = i + Vector::width > line.length ? line.length - Vector::width : i;
      Vector added = Vector::add(Vector{}, Vector::template load<1>(source + line.first + start));
      if (adds && start < i) added.drop(i - start);
      Vector low, high, first, second;
      if (Step == 2) added.apart(low, high), added.twice(first, second);
      for (std::size_t t = line.offsets.size(); t-- > 0;) {  // the last tap belongs to the first window, whose element comes first
        T* const to = out + line.place + start * Step + line.offsets[t];
        if (Step == 1) {
          put(to, added);
        } else if (t > 0 && line.offsets[t - 1] + 1 == line.offsets[t]) {
          put(to - 1, first), put(to - 1 + Vector::width, second);
          --t;
        } else {
          put(to, low), put(to + Vector::width, high);
        }
      }
    }
  }
};
/// Whether windows by one step over an operand with holes are what makes sums spread from its elements, as gradients of such sums do: to the
/// elements in `spread`, windows of the result.
constexpr bool is_spreading(const reduce_window_params& p, const shape& operand, std::vector<window_dim>& spread) {
  bool holes = false;
  for (const window_dim& w : windows_of(p, operand)) {
    if (w.stride != 1 || w.size == 0) return false;
    holes = holes || w.dilation > 1;
    spread.push_back(w.transposed());
  }
  return holes;
}
/// Combines the elements of each window, one dimension after the other, the last one first. Cost: the sum, not the product, of the
/// sizes of the window, per element; of small windows the product, in one pass.
template <class P, class T>
constexpr void reduce_windows(const reduce_window_params& p, const shape& from, const T* in, T* out, T initial) {
  int first = 0;  // the dimension that writes the result
  const std::vector<window_dim> windows = windows_of(p, from);
  const auto moves = [&](int d) { return !windows[std::size_t(d)].is_trivial(); };
  while (first < from.rank() && !moves(first)) ++first;
  if (first == from.rank()) {
    for (std::int64_t i = 0, n = from.elements(); i < n; ++i) out[i] = P::choose(initial, in[i]);
    return;
  }
  if (are_small(windows)) return run_by_vectors<T>(window_combination<P, T>{windows, from, in, out, initial});
  shape dims = from;
  std::vector<T> held, next;
  const T* source = in;
  for (int d = from.rank() - 1; d >= first; --d) {
    if (!moves(d)) continue;
    const window_dim& w = windows[std::size_t(d)];
    const shape given = dims;
    dims[d] = w.out;
    if (d != first) next.assign(std::size_t(dims.elements()), initial);
    T* const to = d == first ? out : next.data();
    std::vector<window_dim> alone;
    std::int64_t outer = 1, inner = 1;
    for (int e = 0; e < from.rank(); ++e) {
      alone.push_back(e == d ? w : window_dim{.size = given[e], .out = given[e]});
      if (e != d) (e < d ? outer : inner) *= given[e];
    }
    if (are_small(alone)) run_by_vectors<T>(window_combination<P, T>{alone, given, source, to, initial});
    else reduce_windows_along<P>(w, outer, inner, source, to, initial);
    std::swap(held, next);
    source = held.data();
  }
}

}  // namespace jacquard::detail
