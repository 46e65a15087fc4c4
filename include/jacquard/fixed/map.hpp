#pragma once
// jq::map and vmap over batches whose length is known at run time: a function frozen at compile time, applied with one input per vector
// lane, from arrays of structs or from structs of arrays. Deliberately one thread unless jq::threads is passed.

#include <vector>

#include "jacquard/fixed/batch.hpp"
#include "jacquard/transforms/options.hpp"

namespace jacquard {

namespace detail {

template <class F, class From, class To, class Team>
void map_rows(const From& from, const To& to, const Team& team) {
  using run = batch_run<preferred_lanes, F, To, From>;
  using source = typename run::source;
  if constexpr (frozen_of<source>.problem != error_kind::none) (void)jacquard_error<message_of<source>()>{};
  else {
    static_assert(fits_outputs<frozen_of<source>, typename To::value>(),
                  "jq::map: the elements of the output do not have the shapes of what the function returns for an input; give numbers for "
                  "numbers, tensors (or std::array) of the same dimensions, and tuples or class templates of these");
    static_assert(holds_outputs<frozen_of<source>, typename To::value>(),
                  "jq::map: the function returns fractions and the output has integers, or complex numbers and the output real ones; convert "
                  "them in the function, e.g. with jq::astype, or give another output");
    if (to.size() < from.size())
      raise(error_kind::shape, "jq::map: got ", from.size(), " inputs and room for ", to.size(), " outputs; pass a longer output");
    run::run(from.size(), team, to, from);
  }
}

}  // namespace detail

/// out[i] = f(in[i]) for all i. `in` and `out` are contiguous ranges of static trees, or jq::columns of them.
/// f captures nothing; it is traced at compile time, as by a call with an element of `in`. A range may be `out` and `in` at once.
/// jq::threads(n) as last argument lets up to n threads share a large batch, jq::threads() as many as may compute at once
/// (fixed/threads.hpp); without it one does all.
/// Taps in f are called for one item after the other, in order. Items take their own branches of a lax::cond and their own number of
/// trips of a lax::while_loop: a block of them costs all branches that any of them takes, and the trips of the longest.
/// Functions of complex numbers, float16 or bfloat16 run for one item after the other, too: compilers have no vectors of them.
/// Errors: shape_error if `out` is shorter than `in`; elements of another shape than the results' do not compile. Complexity: size / lanes evaluations.
template <class F, class In, class Out, class Team = detail::one_thread>
void map(F, const In& in, Out&& out, const Team& team = {}) {
  static_assert(!std::is_same_v<std::remove_cvref_t<Out>, std::vector<bool>> && !std::is_same_v<In, std::vector<bool>>,
                "jq::map: a std::vector<bool> has no elements in memory; give a std::vector<char>, or a span of bool");
  if constexpr (detail::check_static_callable<F>()) detail::map_rows<F>(detail::rows_from(in), detail::rows_from(out), team);
}

namespace detail {

/// A batch as an argument of vmap: a span of static trees, or jq::columns of them.
template <class T>
inline constexpr bool is_batch = false;
template <class T>
inline constexpr bool is_batch<std::span<T>> = is_static_tree<std::remove_const_t<T>>();
template <class T>
inline constexpr bool is_batch<columns<T>> = true;

template <class... A>
constexpr bool belongs_to_static_batch(lane<A...>) {
  return (is_batch<A> || ...) && ((is_batch<A> || is_static_tree<A>()) && ...);
}
template <class T>
auto batch_rows(const T& x) {
  if constexpr (is_batch<T>) return rows_from(x);
  else return repeated_rows<T>(x);
}
template <class T>
constexpr bool fits_axis(int axis) {
  return is_batch<T> ? axis == 0 : axis == none;
}

template <class F, std::size_t N, class... A>
auto batch_in_static_lane(lane<A...>, const F&, const std::array<int, N>& axes, const A&... x) {
  static_assert(N == 1 || N == sizeof...(A), "jq::vmap: in_axes needs one entry, or one per argument");
  if constexpr (check_static_callable<F>()) {
    bool fits = true;
    std::size_t k = 0;
    ((fits = fits && fits_axis<A>(axes[N == 1 ? 0 : k++])), ...);
    if (!fits)
      raise(error_kind::value, "vmap over spans: got in_axes that differ from 0 for a span or jq::columns, or from jq::none for another "
                               "argument; give jq::in_axes<0, jq::none> and the like");
    std::size_t n = 0;
    bool first = true, same = true;
    const auto count = [&]<class T>(const T& batch) {
      if constexpr (is_batch<T>) {
        const std::size_t size = batch_rows(batch).size();
        same = same && (first || size == n);
        n = size, first = false;
      }
    };
    (count(x), ...);
    if (!same) raise(error_kind::value, "vmap over spans: got batches of different lengths; pass spans of one length");
    return collect_batch<F>(n, batch_rows(x)...);
  } else return nothing_useful{};
}
template <class F, class... Rows>
auto collect_batch(std::size_t n, const Rows&... in) {
  using source = static_program<true, F, typename Rows::value...>;
  if constexpr (frozen_of<source>.problem != error_kind::none) return jacquard_error<message_of<source>()>{};
  else {
    using result = typename looking_like<frozen_of<source>, own_result, typename source::result>::type;
    static_assert(!std::is_same_v<result, bool>, "jq::vmap over spans: a function that returns a bool would fill a std::vector<bool>; return "
                                                 "a number, or use jq::map with a span of bool");
    std::vector<result> out(n);
    batch_run<preferred_lanes, F, struct_rows<result>, Rows...>::run(n, one_thread(), struct_rows<result>(std::span<result>(out)), in...);
    return out;
  }
}

}  // namespace detail
}  // namespace jacquard
