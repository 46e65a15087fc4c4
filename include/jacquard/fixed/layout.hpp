#pragma once
// Where the values of a frozen program live. Small arrays are single elements, each in a slot that is addressed by a
// constant, so that the compiler keeps them in registers; an operation that only moves elements dissolves into names for
// the same slots. Large arrays share memory by liveness. Deliberately decided once, in constant evaluation.

#include "jacquard/core/kernel.hpp"
#include "jacquard/fixed/frozen.hpp"

namespace jacquard {
namespace detail {

/// Arrays of at most this many elements are kept as single elements.
inline constexpr std::int64_t small_size = 32;
constexpr bool is_small(const aval& a) { return a.elements() <= small_size; }

/// Where the elements of an operation that only moves elements come from: element numbers, counted through its operands.
using movement = void (*)(const param_view&, std::span<const aval> in, const aval& out, std::uint32_t* sources);

template <class P>
constexpr bool only_moves() {
  return requires { P::moves_data; } && !requires { P::index_operands; } && !requires { P::index_results; };
}
template <class P>
constexpr void trace_movement(const param_view& view, std::span<const aval> in, const aval& out, std::uint32_t* sources) {
  std::vector<std::vector<std::uint32_t>> numbers;
  std::vector<const std::uint32_t*> operands;
  std::uint32_t next = 0;
  for (const aval& a : in) {
    numbers.emplace_back();
    for (std::int64_t i = 0; i < a.elements(); ++i) numbers.back().push_back(next++);
  }
  for (const auto& n : numbers) operands.push_back(n.data());
  const std::vector<const std::int64_t*> no_indices(in.size(), nullptr);
  std::uint32_t* results[] = {sources};
  std::int64_t* no_results[] = {nullptr};
  const kernel_args<std::uint32_t> a{operands, no_indices, results, no_results, in, std::span<const aval>(&out, 1)};
  if constexpr (std::is_empty_v<params_of<P>>) P::kernel(a);
  else P::kernel(a, decode<params_of<P>>(view));
}

template <const auto& Code, std::size_t I>
using primitive_at = primitive_of<Code.equations[I].op>;

template <const auto& Code, std::size_t... I>
constexpr auto movements_of(std::index_sequence<I...>) {
  std::array<movement, sizeof...(I)> r{};
  [[maybe_unused]] const auto one = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
    using P = primitive_at<Code, K>;
    if constexpr (only_moves<P>()) r[K] = &trace_movement<P>;
  };
  (one(std::integral_constant<std::size_t, I>{}), ...);
  return r;
}

/// Elements of all small variables.
template <const auto& Code>
constexpr std::size_t small_elements() {
  std::size_t n = 0;
  for (const aval& a : Code.avals)
    if (is_small(a)) n += std::size_t(a.elements());
  return n;
}

/// The layout of a program with V variables and E equations.
template <std::size_t V, std::size_t Elements, std::size_t E>
struct layout {
  std::array<std::uint32_t, V> first{};     ///< small: position in `elements`; large: offset in the memory of its dtype
  std::array<atom, Elements> elements{};    ///< of small variables: a slot of its dtype, or a literal
  std::array<bool, E> dissolved{};          ///< equations that cost nothing
  std::array<std::uint32_t, std::size_t(dtype_count)> slots{}, memory{};  ///< by dtype
};

/// Hands out memory for large variables, of each dtype separately; what is dead is used again.
class memory_plan {
 public:
  constexpr std::uint32_t take(dtype t, std::uint32_t size) {
    for (block& b : free_)
      if (b.type == t && b.size >= size) {
        const std::uint32_t at = b.first;
        b.first += size;
        b.size -= size;
        return at;
      }
    const std::uint32_t at = top_[std::size_t(t)];
    top_[std::size_t(t)] += size;
    return at;
  }
  constexpr void give_back(dtype t, std::uint32_t first, std::uint32_t size) {
    for (block& b : free_) {
      if (b.type != t || b.size == 0) continue;
      if (b.first + b.size == first) return void(b.size += size);
      if (first + size == b.first) return void((b.first = first, b.size += size));
    }
    free_.push_back({t, first, size});
  }
  constexpr std::uint32_t top(std::size_t t) const { return top_[t]; }

 private:
  struct block {
    dtype type;
    std::uint32_t first, size;
  };
  std::vector<block> free_;
  std::array<std::uint32_t, std::size_t(dtype_count)> top_{};
};

template <const auto& Code>
class layout_builder {
 public:
  using result = layout<Code.avals.size(), small_elements<Code>(), Code.equations.size()>;

  constexpr result build() {
    find_last_uses();
    const frozen_program& p = Code.programs[0];
    for (std::uint32_t i = 0; i < p.inputs.count; ++i) place(Code.atoms[p.inputs.first + i].index());
    for (std::uint32_t i = 0; i < p.equations.count; ++i) {
      const std::uint32_t n = p.equations.first + i;
      const frozen_equation& e = Code.equations[n];
      if (dissolve(n)) continue;
      for (std::uint32_t k = 0; k < e.out.count; ++k) place(Code.atoms[e.out.first + k].index());
      for (std::uint32_t k = 0; k < e.in.count; ++k) release(Code.atoms[e.in.first + k], n);
      for (std::uint32_t k = 0; k < e.out.count; ++k) release(Code.atoms[e.out.first + k], n);
    }
    for (std::size_t t = 0; t < std::size_t(dtype_count); ++t) to_.memory[t] = memory_.top(t);
    return to_;
  }

 private:
  constexpr void find_last_uses() {
    last_use_.assign(Code.avals.size(), 0);
    const frozen_program& p = Code.programs[0];
    for (std::uint32_t i = 0; i < p.equations.count; ++i) {
      const std::uint32_t n = p.equations.first + i;
      const frozen_equation& e = Code.equations[n];
      for (std::uint32_t k = 0; k < e.out.count; ++k) last_use_[Code.atoms[e.out.first + k].index()] = n;
      for (std::uint32_t k = 0; k < e.in.count; ++k)
        if (const atom a = Code.atoms[e.in.first + k]; !a.is_literal()) last_use_[a.index()] = n;
    }
    for (std::uint32_t k = 0; k < p.outputs.count; ++k)
      if (const atom a = Code.atoms[p.outputs.first + k]; !a.is_literal()) last_use_[a.index()] = ~0u;
  }
  constexpr void place(variable v) {
    const aval& a = Code.avals[v];
    if (!is_small(a)) {
      to_.first[v] = memory_.take(a.type, std::uint32_t(a.elements()));
      return;
    }
    to_.first[v] = next_;
    for (std::int64_t i = 0; i < a.elements(); ++i) to_.elements[next_++] = atom::of_variable(to_.slots[std::size_t(a.type)]++);
  }
  constexpr void release(atom a, std::uint32_t at) {
    if (a.is_literal() || is_small(Code.avals[a.index()]) || last_use_[a.index()] != at) return;
    last_use_[a.index()] = ~0u;  // once
    const aval& t = Code.avals[a.index()];
    memory_.give_back(t.type, to_.first[a.index()], std::uint32_t(t.elements()));
  }
  /// Names the elements of a movement between small arrays. Returns whether that was possible.
  constexpr bool dissolve(std::uint32_t n) {
    const frozen_equation& e = Code.equations[n];
    if (!moves_[n] || e.out.count != 1) return false;
    const variable out = Code.atoms[e.out.first].index();
    if (!is_small(Code.avals[out])) return false;
    std::vector<aval> types;
    std::vector<atom> from;  // by element number
    for (std::uint32_t k = 0; k < e.in.count; ++k) {
      const atom a = Code.atoms[e.in.first + k];
      types.push_back(Code.type_of(a));
      if (!is_small(types.back())) return false;
      for (std::int64_t i = 0; i < types.back().elements(); ++i)
        if (a.is_literal()) from.push_back(a);
        else from.push_back(to_.elements[to_.first[a.index()] + std::uint32_t(i)]);
    }
    param_view view;
    view.words = Code.words.data() + e.words.first;
    view.count = e.words.count;
    std::vector<std::uint32_t> sources(std::size_t(Code.avals[out].elements()), 0);
    moves_[n](view, types, Code.avals[out], sources.data());
    to_.first[out] = next_;
    for (std::uint32_t s : sources) to_.elements[next_++] = from[s];
    to_.dissolved[n] = true;
    return true;
  }

  static constexpr auto moves_ = movements_of<Code>(std::make_index_sequence<Code.equations.size()>{});
  result to_{};
  std::uint32_t next_ = 0;
  memory_plan memory_;
  std::vector<std::uint32_t> last_use_;
};

template <const auto& Code>
inline constexpr auto layout_of = layout_builder<Code>().build();

}  // namespace detail
}  // namespace jacquard
