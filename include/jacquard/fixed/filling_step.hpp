#pragma once
// A movement with operands that lie in its result already, such as pad and concatenate of large arrays: only the other elements are
// copied, one by one. Deliberately asks of each element where it comes from, and of no primitive what it is.

#include "jacquard/fixed/equation_shape.hpp"

namespace jacquard {
namespace detail {

/// An element of a result, and the element of an operand that it equals.
struct moved_element {
  std::uint32_t to, operand, from;
};

template <const auto& Code, class Values, std::size_t I>
class filling_step : equation_shape<Code, I> {
  using shape = equation_shape<Code, I>;
  using shape::input, shape::output, shape::in_types, shape::out_types, shape::inputs;
  using stores = value_stores<Code, Values>;

 public:
  JACQUARD_INLINE static constexpr void run(stores& s) {
    [&]<std::size_t... N>(std::index_sequence<N...>) __attribute__((always_inline)) { (copy<found.all[N]>(s), ...); }(std::make_index_sequence<found.count>{});
  }

 private:
  /// Whether operand k lies where the result does.
  static constexpr bool shares_memory(std::size_t k) {
    const atom a = input(k);
    if (is_small<Code>(a) || in_types[k].type != out_types[0].type) return false;
    const auto& at = layout_of<Code>;
    return at.where[a.index()] == at.where[output(0)] && at.first[a.index()] == at.first[output(0)];
  }
  struct moved_elements {
    moved_element all[most_filled_in]{};
    std::size_t count = 0;
  };
  static constexpr moved_elements found = [] {
    const std::uint32_t n = std::uint32_t(out_types[0].elements());
    list<std::uint32_t> numbers(n);
    program_view_of<Code>.facts(I).moves(shape::parameter_view(), in_types, out_types[0], numbers.data());
    std::uint32_t sizes[inputs]{}, offsets[inputs]{};
    bool is_part[inputs]{};
    for (std::size_t k = 0; k < inputs; ++k) {
      sizes[k] = std::uint32_t(in_types[k].elements());
      if (is_part[k] = shares_memory(k); is_part[k]) offsets[k] = layout_of<Code>.offset[input(k).index()] - layout_of<Code>.offset[output(0)];
    }
    moved_elements r;
    const std::uint32_t* const sources = numbers.data();  // without calls, which cost the compiler most
    for (std::uint32_t i = 0; i < n; ++i) {
      std::uint32_t k = 0, j = sources[i];
      while (j >= sizes[k]) j -= sizes[k++];
      if (!is_part[k] || j + offsets[k] != i) r.all[r.count++] = {i, k, j};
    }
    return r;
  }();
  template <moved_element M>
  JACQUARD_INLINE static constexpr void copy(stores& s) {
    constexpr atom a = input(M.operand);
    auto& to = large_elements<Code, Values, output(0)>(s)[M.to];
    if constexpr (is_small<Code>(a)) to = small_element<Code, Values, a, M.from>(s);
    else if constexpr (is_uniform<Code>(a)) to = uniform_element<Code, Values, a>(s);
    else to = large_elements<Code, Values, a.index()>(s)[M.from];
  }
};

}  // namespace detail
}  // namespace jacquard
