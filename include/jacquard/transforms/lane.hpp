#pragma once
// The fork between the lanes. A call of a transformed function whose arguments are all static (numbers, fixed-size arrays,
// trees of them) belongs to the compile-time lane where that lane is included. Deliberately only the fork: the functions
// named here are found by argument-dependent lookup when a call is instantiated, so that transforms know nothing of fixed/.

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace jacquard {
namespace detail {

/// The argument types of a call.
template <class... A>
struct lane {};

// What the result of a transformed function looks like, for a lane in which results are not jq::arrays.
/// Types follow from the program.
struct own_result {};
/// The result has the type T of an argument.
template <class T>
struct mirrored_result {};
/// Types follow from the program, which is one that was compiled: effects of what is not used may be dropped.
struct compiled_result {};
/// A pair whose parts look like First and Second.
template <class First, class Second>
struct paired_result {};

constexpr std::size_t position_of(int p, std::size_t count) { return std::size_t(p < 0 ? p + int(count) : p); }
/// The type in which grad returns what mirrors the arguments at Positions: one type, or a tuple.
template <auto Positions, class... A, std::size_t... K>
constexpr auto mirrored_arguments(std::index_sequence<K...>) {
  using all = std::tuple<std::type_identity<A>...>;
  if constexpr (sizeof...(K) == 1) return std::tuple_element_t<position_of(Positions[0], sizeof...(A)), all>{};
  else
    return std::type_identity<
        std::tuple<typename std::tuple_element_t<position_of(Positions[K], sizeof...(A)), all>::type...>>{};
}
template <auto Positions, class... A>
using mirror_of = mirrored_result<
    typename decltype(mirrored_arguments<Positions, A...>(std::make_index_sequence<Positions.size()>{}))::type>;

/// Whether a call with arguments of these types is of the compile-time lane. The lane is included before such a call, or not
/// at all in a program.
template <class... A>
constexpr bool is_static_call() {
  if constexpr (requires { belongs_to_static_lane(lane<A...>{}); }) return belongs_to_static_lane(lane<A...>{});
  else return false;
}

/// Whether it maps over batches of static values whose length is known at run time.
template <class... A>
constexpr bool is_static_batch_call() {
  if constexpr (requires { belongs_to_static_batch(lane<A...>{}); }) return belongs_to_static_batch(lane<A...>{});
  else return false;
}

}  // namespace detail
}  // namespace jacquard
