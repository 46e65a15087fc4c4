#pragma once
// The static types of results: what a frozen program's outputs are in C++, in the tree that the function returned. A part
// that mirrors an argument takes that argument's type. Where in them each output lies. Deliberately no values, which fixed/evaluate
// writes.

#include "jacquard/fixed/freeze.hpp"
#include "jacquard/transforms/lane.hpp"

namespace jacquard {
namespace detail {

/// Output K of a program: a number, or a tensor.
template <const auto& Code, std::size_t K>
struct static_output {
  static constexpr aval type_of = Code.type_of(Code.atoms[Code.programs[0].outputs.first + K]);
  template <std::size_t... D>
  static std::type_identity<tensor<stored_type<type_of.type>, type_of.dims[int(D)]...>> make(std::index_sequence<D...>);
  static std::type_identity<stored_type<type_of.type>> make(std::index_sequence<>);
  using type = typename decltype(make(std::make_index_sequence<std::size_t(type_of.rank())>{}))::type;
};

/// The static counterpart of Out, whose first leaf is output First. `leaves` is how many it has.
template <const auto& Code, class Out, std::size_t First>
struct static_result {
  static_assert(leaf<Out>, "jacquard: a function with static arguments returned a type whose structure is not part of the type (a "
                           "std::vector, std::map or std::optional), or a plain struct; return a std::tuple, a std::array, a tensor, or "
                           "a class template over its leaf type");
  using type = typename static_output<Code, First>::type;
  static constexpr std::size_t leaves = 1;
};

/// The parts Out... one after the other, as a list of their results.
template <const auto& Code, std::size_t First, class... Out>
struct static_results {
  static constexpr std::size_t leaves = 0;
  template <template <class...> class C, class... Done>
  using into = C<Done...>;
};
template <const auto& Code, std::size_t First, class Out, class... Rest>
struct static_results<Code, First, Out, Rest...> {
  using head = static_result<Code, Out, First>;
  using tail = static_results<Code, First + head::leaves, Rest...>;
  static constexpr std::size_t leaves = head::leaves + tail::leaves;
  template <template <class...> class C, class... Done>
  using into = typename tail::template into<C, Done..., typename head::type>;
};
template <const auto& Code, class... T, std::size_t First>
struct static_result<Code, std::tuple<T...>, First> {
  using parts = static_results<Code, First, T...>;
  using type = typename parts::template into<std::tuple>;
  static constexpr std::size_t leaves = parts::leaves;
};
template <const auto& Code, class A, class B, std::size_t First>
struct static_result<Code, std::pair<A, B>, First> {
  using first = static_result<Code, A, First>;
  using second = static_result<Code, B, First + first::leaves>;
  using type = std::pair<typename first::type, typename second::type>;
  static constexpr std::size_t leaves = first::leaves + second::leaves;
};
template <const auto& Code, class T, std::size_t N, std::size_t First>
  requires(!leaf<std::array<T, N>> && N > 0)
struct static_result<Code, std::array<T, N>, First> {
  using element = static_result<Code, T, First>;
  template <std::size_t... I>
  static constexpr bool agree(std::index_sequence<I...>) {
    return (std::is_same_v<typename element::type, typename static_result<Code, T, First + I * element::leaves>::type> && ...);
  }
  static_assert(agree(std::make_index_sequence<N>{}), "jacquard: the elements of a returned std::array differ in dtype or shape; return a "
                                                      "std::tuple");
  using type = std::array<typename element::type, N>;
  static constexpr std::size_t leaves = N * element::leaves;
};

/// How many arrays a type names, within class templates, too: a Jacobian has a tree for each leaf of another one.
template <class P>
inline constexpr std::size_t named_arrays = 0;
template <>
inline constexpr std::size_t named_arrays<array> = 1;
template <template <class...> class C, class... P>
inline constexpr std::size_t named_arrays<C<P...>> = (std::size_t(0) + ... + named_arrays<P>);
template <class P, std::size_t N>
inline constexpr std::size_t named_arrays<std::array<P, N>> = named_arrays<P>;

/// P with another type in the place of each array that it names: At::type<K> for the one of number K, counted from First.
template <class P, std::size_t First, class At>
struct with_leaves {
  using type = P;
};
template <std::size_t First, class At>
struct with_leaves<array, First, At> {
  using type = typename At::template type<First>;
};
template <class P, std::size_t N, std::size_t First, class At>
struct with_leaves<std::array<P, N>, First, At> {
  using type = std::array<typename with_leaves<P, First, At>::type, N>;
};
template <template <class...> class C, class... P, std::size_t First, class At>
struct with_leaves<C<P...>, First, At> {
  /// The number of the first array that parameter I names.
  static constexpr std::size_t first(std::size_t i) {
    constexpr std::size_t each[]{named_arrays<P>..., 0};
    std::size_t k = First;
    for (std::size_t j = 0; j < i; ++j) k += each[j];
    return k;
  }
  template <std::size_t... I>
  static std::type_identity<C<typename with_leaves<P, first(I), At>::type...>> make(std::index_sequence<I...>);
  using type = typename decltype(make(std::make_index_sequence<sizeof...(P)>{}))::type;
};
/// A tensor by which a leaf tells what number the array has that it came from.
struct numbered_tensors {
  template <std::size_t K>
  using type = tensor<float, std::int64_t(K + 1)>;
};

/// A class template over the types of its leaves: each parameter becomes the one type on which its leaves agree.
template <const auto& Code, template <class...> class C, class... T, std::size_t First>
  requires(!leaf<C<T...>> && !is_tuple<C<T...>> && !is_vector<C<T...>> && !is_optional<C<T...>> && !is_map<C<T...>> &&
           plain_aggregate<C<T...>>)
struct static_result<Code, C<T...>, First> {
  static constexpr std::size_t leaves = static_leaf_count<C<T...>>();
  /// For each leaf the number of the array among the parameters that is its type.
  static constexpr auto numbers = [] {
    std::array<std::size_t, leaves + 1> r{};
    if constexpr (named_arrays<C<T...>> > 1) {
      std::size_t k = 0;
      const typename with_leaves<C<T...>, 0, numbered_tensors>::type prototype{};
      for_each_leaf(prototype, [&]<class Leaf>(const Leaf&) { r[k++] = std::size_t(static_leaf_traits<Leaf>::dims()[0]) - 1; });
    }
    return r;
  }();
  /// The first leaf whose type is the array of this number; the first one of all where there is none.
  static constexpr std::size_t leaf_of(std::size_t number) {
    for (std::size_t i = 0; i < leaves; ++i)
      if (numbers[i] == number) return i;
    return 0;
  }
  struct outputs {
    template <std::size_t K>
    using type = typename static_output<Code, First + leaf_of(K)>::type;
  };
  template <std::size_t... I>
  static constexpr bool agree(std::index_sequence<I...>) {
    return (std::is_same_v<typename outputs::template type<numbers[I]>, typename static_output<Code, First + I>::type> && ...);
  }
  static_assert(agree(std::make_index_sequence<leaves>{}), "jacquard: the members of a returned class template that share a template parameter "
                                                           "differ in dtype or shape; give each kind a parameter of its own, or return a std::tuple");
  using type = typename with_leaves<C<T...>, 0, outputs>::type;
};

/// The static type of a result with the given looks.
template <const auto& Code, class Looks, class Out, std::size_t First = 0>
struct looking_like;
template <const auto& Code, class Out, std::size_t First>
struct looking_like<Code, own_result, Out, First> : static_result<Code, Out, First> {};
template <const auto& Code, class T, class Out, std::size_t First>
struct looking_like<Code, mirrored_result<T>, Out, First> {
  using type = T;
  static constexpr std::size_t leaves = static_leaf_count<T>();
};
template <const auto& Code, class L, class R, class A, class B, std::size_t First>
struct looking_like<Code, paired_result<L, R>, std::pair<A, B>, First> {
  using first = looking_like<Code, L, A, First>;
  using second = looking_like<Code, R, B, First + first::leaves>;
  using type = std::pair<typename first::type, typename second::type>;
  static constexpr std::size_t leaves = first::leaves + second::leaves;
};

/// Whether the outputs of a program have the shapes of the leaves of T, one after the other; numbers may be a std::array of them. Calls
/// visit(leaf, type of the output) for each, as long as they have.
template <const auto& Code, class T, class Visit>
constexpr bool visit_outputs(const Visit& visit) {
  constexpr frozen_program p = Code.programs[0];
  std::uint32_t k = 0;
  bool fits = true;
  const auto is = [&](const shape& dims) { return k < p.outputs.count && Code.type_of(Code.atoms[p.outputs.first + k]).dims == dims; };
  const T prototype{};
  for_each_leaf(prototype, [&]<class Leaf>(const Leaf& leaf) {
    const shape dims = static_leaf_traits<Leaf>::dims(), part = is_std_array<Leaf> && is({}) ? shape{} : dims;
    for (std::int64_t j = 0, parts = part == dims ? 1 : dims.elements(); j < parts; ++j, ++k) {
      fits = fits && is(part);
      if (fits) visit(leaf, Code.type_of(Code.atoms[p.outputs.first + k]).type);
    }
  });
  return fits && k == p.outputs.count;
}
template <const auto& Code, class T>
constexpr bool fits_outputs() {
  return visit_outputs<Code, T>([](const auto&, dtype) {});
}
/// Whether the numbers of T hold those of the outputs: no fractions in integers, no complex numbers in real ones. Only of T that fits.
template <const auto& Code, class T>
constexpr bool holds_outputs() {
  bool holds = true;
  visit_outputs<Code, T>([&]<class Leaf>(const Leaf&, dtype from) {
    const dtype to = dtype_of<typename static_leaf_traits<Leaf>::element>();
    holds = holds && (is_inexact(to) || !is_inexact(from)) && (is_complex(to) || !is_complex(from));
  });
  return holds;
}

/// A returned std::array of numbers is one leaf of its static counterpart, but an output for each number. Where in the leaves of T
/// each output lies.
template <const auto& Code, class T>
struct output_places {
  struct place {
    std::size_t leaf, element;
  };
  template <class Place>
  static constexpr std::size_t each(const Place& put) {
    std::size_t k = 0, leaf = 0;
    const T prototype{};
    for_each_leaf(prototype, [&]<class Leaf>(const Leaf&) {
      std::size_t parts = 1;
      if (is_std_array<Leaf> && Code.type_of(Code.atoms[Code.programs[0].outputs.first + k]).rank() == 0)
        parts = std::size_t(static_leaf_traits<Leaf>::dims().elements());
      for (std::size_t j = 0; j < parts; ++j) put(k++, place{leaf, j});
      ++leaf;
    });
    return k;
  }
  static constexpr std::size_t count = each([](std::size_t, place) {});
  static constexpr auto all = [] {
    std::array<place, count> r{};
    each([&](std::size_t k, place p) { r[k] = p; });
    return r;
  }();
};
/// Pointers to the elements of each output, of those to the elements of each leaf of T.
template <const auto& Code, class T, class... Pointer>
JACQUARD_INLINE constexpr auto output_pointers(const std::tuple<Pointer...>& leaves) {
  using places = output_places<Code, T>;
  if constexpr (sizeof...(Pointer) == places::count) return leaves;
  else
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return std::tuple{(std::get<places::all[K].leaf>(leaves) + places::all[K].element)...};
    }(std::make_index_sequence<places::count>{});
}

}  // namespace detail
}  // namespace jacquard
