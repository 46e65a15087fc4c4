#pragma once
// The values of a run: slots and memory by dtype, pointers to arguments and results, and access to the elements of atoms with every
// address a constant. Deliberately uninitialised: a program writes before it reads.

#include "jacquard/core/pack.hpp"
#include "jacquard/fixed/layout.hpp"
#include "jacquard/fixed/static_result.hpp"

namespace jacquard {
namespace detail {

/// A C array: what reads one element of a std::array is a call, of which a program has thousands. Where there are none, T may be no type of an
/// element.
template <class T, std::size_t N>
struct slot_row {
  using type = T[N];
};
template <class T>
struct slot_row<T, 0> {
  using type = std::array<T, 0>;
};
/// The values of one dtype during a run.
template <class T, std::size_t Slots, std::size_t Memory>
struct value_store {
  typename slot_row<T, Slots>::type slots;
  std::array<T, Memory> memory;
};

template <const auto& Code, class Values, bool Inputs, std::size_t... K>
constexpr auto make_leaf_pack(std::index_sequence<K...>) {
  constexpr pool_range r = Inputs ? Code.programs[0].inputs : Code.programs[0].outputs;
  if constexpr (Inputs) return pack<const typename Values::template of<Code.type_of(Code.atoms[r.first + K]).type>*...>();
  else return pack<typename Values::template of<Code.type_of(Code.atoms[r.first + K]).type>*...>();
}
/// Pointers to the elements of all inputs or outputs.
template <const auto& Code, class Values, bool Inputs>
using leaf_pack = decltype(make_leaf_pack<Code, Values, Inputs>(
    std::make_index_sequence<(Inputs ? Code.programs[0].inputs : Code.programs[0].outputs).count>{}));

/// All values of a run, by dtype. `Values` maps a dtype to the C++ type of an element.
template <const auto& Code, class Values, class = std::make_index_sequence<std::size_t(dtype_count)>>
struct value_stores;
template <const auto& Code, class Values, std::size_t... T>
struct value_stores<Code, Values, std::index_sequence<T...>>
    : value_store<typename Values::template of<dtype(T)>, layout_of<Code>.slots[T], layout_of<Code>.memory[T]>... {
  leaf_pack<Code, Values, true> arguments;
  leaf_pack<Code, Values, false> results;
};

/// Elements as plain numbers.
struct plain_values {
  template <dtype T>
  using of = stored_type<T>;
};

template <const auto& Code, class Values, dtype T>
JACQUARD_INLINE constexpr auto& store_of(value_stores<Code, Values>& s) {
  constexpr auto t = std::size_t(T);
  return static_cast<value_store<typename Values::template of<T>, layout_of<Code>.slots[t], layout_of<Code>.memory[t]>&>(s);
}

/// The constants of a program as numbers of one dtype.
template <const auto& Code, dtype T>
struct constant_table {
  stored_type<T> at[layout_of<Code>.used.constants + 1]{};
  constexpr constant_table() {
    for (std::uint32_t i = 0; i < layout_of<Code>.used.constants; ++i)
      if (dtype(layout_of<Code>.constants[i].type) == T) at[i] = layout_of<Code>.constants[i].template get<stored_type<T>>();
  }
};
template <const auto& Code, dtype T>
inline constexpr constant_table<Code, T> constants_as{};
template <const auto& Code, class Values, dtype T>
JACQUARD_INLINE constexpr auto constant_element(std::uint32_t code) {
#if defined(__CUDA_ARCH__)
  constexpr auto values = constants_as<Code, T>;  // device code cannot refer to the host's object
  return typename Values::template of<T>(values.at[code & ~atom::literal_bit]);
#else
  return typename Values::template of<T>(constants_as<Code, T>.at[code & ~atom::literal_bit]);
#endif
}
/// The slot or constant with a code that is known once all is inlined.
template <const auto& Code, class Values, dtype T>
JACQUARD_INLINE constexpr auto coded_element(const value_stores<Code, Values>& s, std::uint32_t code) {
  if ((code & atom::literal_bit) != 0) return constant_element<Code, Values, T>(code);
  return store_of<Code, Values, T>(const_cast<value_stores<Code, Values>&>(s)).slots[code];
}

/// Element J of a small atom.
template <const auto& Code, class Values, atom A, std::size_t J>
JACQUARD_INLINE constexpr decltype(auto) small_element(value_stores<Code, Values>& s) {
  constexpr dtype t = Code.type_of(A).type;
  if constexpr (A.is_literal()) {
    constexpr auto value = Code.literals[A.index()].template get<stored_type<t>>();
    return typename Values::template of<t>(value);
  } else {
    constexpr atom at{layout_of<Code>.elements[layout_of<Code>.first[A.index()] + J]};
    if constexpr (at.is_literal()) {
      constexpr auto value = layout_of<Code>.constants[at.index()].template get<stored_type<t>>();
      return typename Values::template of<t>(value);
    } else return (store_of<Code, Values, t>(s).slots[at.index()]);
  }
}
/// The elements of a large variable that is not uniform.
template <const auto& Code, class Values, variable V>
JACQUARD_INLINE constexpr auto* large_elements(value_stores<Code, Values>& s) {
  constexpr home where = layout_of<Code>.where[V];
  constexpr std::size_t first = layout_of<Code>.first[V], offset = layout_of<Code>.offset[V];
  if constexpr (where == home::argument) return get<first>(s.arguments) + offset;
  else if constexpr (where == home::result) return get<first>(s.results) + offset;
  else return store_of<Code, Values, Code.type_of_variable(V).type>(s).memory.data() + first + offset;
}
template <const auto& Code>
constexpr bool is_uniform(atom a) {
  return !a.is_literal() && !is_small<Code>(a) && layout_of<Code>.where[a.index()] == home::uniform;
}
/// The only value of a uniform variable.
template <const auto& Code, class Values, atom A>
JACQUARD_INLINE constexpr auto uniform_element(value_stores<Code, Values>& s) {
  return small_element<Code, Values, atom{layout_of<Code>.first[A.index()]}, 0>(s);
}

/// The type in which values of a type are computed with.
template <class T>
struct compute_type {
  using type = stored_type<storage_of(compute_of(dtype_of<T>()))>;
};
template <math::lane_value T>
struct compute_type<T> {
  using type = T;
};

template <class To, class From>
JACQUARD_INLINE constexpr To as_value(const From& x) {
  if constexpr (std::is_same_v<To, From>) return x;
  else if constexpr (math::lane_value<To>) return To::from(x);
  else if constexpr (jacquard::complex_like<To> && jacquard::complex_like<From>) return To(x.real(), x.imag());
  else if constexpr (std::is_same_v<From, bool> && std::is_floating_point_v<To>) return x ? To(1) : To(0);  // a mask, not a conversion
  else return convert_element<From, To>(x);
}

}  // namespace detail
}  // namespace jacquard
