#pragma once
// jq::map: a function frozen at compile time, applied to many inputs with one input per vector lane, from arrays of structs or
// from structs of arrays. What is left over at the end runs in the same code with repeated inputs. Deliberately one thread: the
// caller splits its spans.

#include "jacquard/fixed/lane.hpp"
#include "jacquard/fixed/rows.hpp"

namespace jacquard {

namespace detail {

/// Inputs 0 ... count - 1 in blocks of W.
template <class F, int W, class In, class Out>
JACQUARD_INLINE inline void map_blocks(const In& in, const Out& out, std::size_t count) {
  using source = static_program<true, F, typename In::value>;
  for (std::size_t i = 0; i < count; i += std::size_t(W)) {
    block_columns<typename In::row, W> x;
    block_columns<typename Out::row, W> y;
    in.template load<W>(i, x);
    static_run<frozen_of<source>, lane_values<W>>::run(x.constant_pointers(), y.pointers());
    out.template store<W>(i, y);
  }
}

}  // namespace detail

/// out[i] = f(in[i]) for all i. `in` and `out` are contiguous ranges of static trees, or jq::columns of them.
/// f captures nothing; it is traced at compile time, as by a call with an element of `in`.
/// Errors: shape_error if `out` is shorter than `in`. Complexity: size / lanes evaluations.
template <class F, class In, class Out>
void map(F, const In& in, Out&& out) {
  static_assert(detail::check_static_callable<F>());
  const auto from = detail::rows_from(in);
  const auto to = detail::rows_from(out);
  using from_rows = std::remove_const_t<decltype(from)>;
  using to_rows = std::remove_const_t<decltype(to)>;
  using source = detail::static_program<true, F, typename from_rows::value>;
  constexpr int W = preferred_lanes;
  if constexpr (detail::frozen_of<source>.problem != error_kind::none) (void)jacquard_error<detail::message_of<source>()>{};
  else {
    if (to.size() < from.size())
      raise(error_kind::shape, "jq::map: got ", from.size(), " inputs and room for ", to.size(), " outputs; pass a longer output");
    const std::size_t n = from.size(), whole = n - n % std::size_t(W);
    detail::map_blocks<F, W>(from, to, whole);
    if (whole == n) return;
    const auto last = from.template padded<std::size_t(W)>(whole, n - whole);
    typename to_rows::template block<std::size_t(W)> results;
    detail::map_blocks<F, W>(last.rows(), results.rows(), std::size_t(W));
    for (std::size_t i = whole; i < n; ++i) to.put(i, results, i - whole);
  }
}

}  // namespace jacquard
