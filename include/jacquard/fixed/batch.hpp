#pragma once
// A frozen program across a batch whose length is known at run time: blocks of inputs, one per vector lane, the rest at the end in the
// same code with repeated inputs, parts of the batch on threads. A program with taps runs item by item, in order, and so does one with
// complex numbers or 16-bit floats, which have no lanes. Deliberately without a choice of where inputs lie: fixed/rows and fixed/planes have that.

#include "jacquard/fixed/lane.hpp"
#include "jacquard/fixed/planes.hpp"

namespace jacquard {
namespace detail {

/// The same value for every item.
template <class T>
class repeated_rows {
 public:
  using value = T;
  using row = row_of<value>;
  explicit repeated_rows(const T& x) : x_(x) {}

  template <int W, class Columns>
  JACQUARD_INLINE void load(std::size_t, Columns& to) const {
    fill(leaf_pointers(x_), to, std::make_index_sequence<row::leaves>{});
  }
  template <std::size_t W>
  struct block {
    const repeated_rows& of;
    const repeated_rows& rows() const { return of; }
  };
  template <std::size_t W>
  block<W> padded(std::size_t, std::size_t) const {
    return {*this};
  }
  const value& item(std::size_t) const { return x_; }

 private:
  template <class Pointers, class Columns, std::size_t... K>
  JACQUARD_INLINE static void fill(const Pointers& p, Columns& to, std::index_sequence<K...>) {
    ([&] {
      auto& c = detail::get<K>(to.columns);
      for (std::size_t j = 0; j < c.size(); ++j) c[j] = std::remove_cvref_t<decltype(c[j])>(std::get<K>(p)[j]);
    }(), ...);
  }
  const T& x_;
};

/// Who computes a batch: the calling thread; jq::threads is another.
struct one_thread {
  static constexpr std::size_t most() { return 1; }
  template <class F>
  static void run(std::size_t, const F& f) {
    f(0);
  }
};

/// F on items of Rows..., written to Out, by vectors of so many lanes.
template <int Lanes, class F, class Out, class... Rows>
class batch_run {
 public:
  using source = static_program<true, F, typename Rows::value...>;

  template <class Team>
  static void run(std::size_t n, const Team& team, const Out& out, const Rows&... in) {
    if constexpr (has_effects()) run_items(0, n, out, in...);
    else if constexpr (!has_lanes()) {
      const std::size_t parts = parts_for(n, team.most());
      team.run(parts, [&](std::size_t k) { run_items(n * k / parts, n * (k + 1) / parts, out, in...); });
    } else {
      const std::size_t blocks = n / W, whole = blocks * W;
      const std::size_t parts = parts_for(n, team.most());
      team.run(parts, [&](std::size_t k) { run_blocks(blocks * k / parts * W, blocks * (k + 1) / parts * W, out, in...); });
      if (whole < n) run_rest(whole, n - whole, out, in.template padded<W>(whole, n - whole)...);
    }
  }

 private:
  /// Items of a block.
  static constexpr std::size_t W = std::size_t(lanes_of<frozen_of<source>>);
  static constexpr bool has_effects() {
    for (const frozen_equation& e : frozen_of<source>.equations)
      if (e.effects != 0) return true;
    return false;
  }
  /// Whether compilers have vectors of everything that is computed with.
  static constexpr bool has_lanes() {
    for (const aval& t : frozen_of<source>.types)
      if (is_inexact(t.type) && t.type != f32 && t.type != f64) return false;
    return true;
  }
  /// A thread is worth its start from about this many operations on.
  static constexpr std::size_t operations_per_thread = std::size_t(1) << 18;
  static std::size_t parts_for(std::size_t n, std::size_t most) {
    const std::size_t worth = n * (frozen_of<source>.equations.size() + 1) / operations_per_thread;
    return worth < 1 ? 1 : (worth < most ? worth : most);
  }
  static void run_items(std::size_t first, std::size_t last, const Out& out, const Rows&... in) {
    for (std::size_t i = first; i < last; ++i) {
      typename Out::value y{};
      static_run<frozen_of<source>>::run(std::tuple_cat(leaf_pointers(as_const(in.item(i)))...),
                                         output_pointers<frozen_of<source>, typename Out::value>(leaf_pointers(y)));
      out.set(i, y);
    }
  }
  template <class T>
  static constexpr const T& as_const(const T& x) {
    return x;
  }
  template <class To, class... From>
  JACQUARD_INLINE static void run_block(std::size_t i, const To& out, const From&... in) {
    constexpr int w = int(W);
    pack<block_columns<typename Rows::row, w>...> x;
    block_columns<typename Out::row, w> y;
    [&]<std::size_t... K>(std::index_sequence<K...>) __attribute__((always_inline)) {
      (in.template load<w>(i, detail::get<K>(x)), ...);
      static_run<frozen_in_lanes<source>, lane_values<w>>::run(std::tuple_cat(detail::get<K>(x).constant_pointers()...),
                                                          output_pointers<frozen_of<source>, typename Out::value>(y.pointers()));
    }(std::index_sequence_for<Rows...>{});
    out.template store<w>(i, y);
  }
  static void run_blocks(std::size_t first, std::size_t last, const Out& out, const Rows&... in) {
    for (std::size_t i = first; i < last; i += W) run_block(i, out, in...);
    if constexpr (requires { out.finish(); }) out.finish();
  }
  template <class... Blocks>
  static void run_rest(std::size_t at, std::size_t count, const Out& out, const Blocks&... in) {
    typename Out::template block<W> results;
    run_block(0, results.rows(), in.rows()...);
    for (std::size_t i = 0; i < count; ++i) out.put(at + i, results, i);
  }
};

}  // namespace detail
}  // namespace jacquard
