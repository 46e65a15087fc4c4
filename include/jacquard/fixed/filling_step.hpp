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
    [&]<std::size_t... N>(std::index_sequence<N...>) { (copy<missing[N]>(s), ...); }(std::make_index_sequence<missing.size()>{});
  }

 private:
  /// Whether element j of operand k lies where element i of the result does.
  static constexpr bool is_there(std::size_t k, std::uint32_t j, std::uint32_t i) {
    const auto& at = layout_of<Code>;
    const atom a = input(k);
    if (a.is_literal() || is_small(in_types[k]) || in_types[k].type != out_types[0].type) return false;
    const variable x = a.index(), y = output(0);
    return at.where[x] == at.where[y] && at.first[x] == at.first[y] && at.offset[x] + j == at.offset[y] + i;
  }
  static constexpr std::vector<moved_element> list() {
    std::vector<std::uint32_t> sources(std::size_t(out_types[0].elements()), 0);
    facts_of_primitives<Code>[primitives_of<Code>.number[I]].moves(shape::parameter_view(), in_types, out_types[0], sources.data());
    std::vector<moved_element> r;
    for (std::uint32_t i = 0; i < sources.size(); ++i) {
      std::uint32_t k = 0, j = sources[i];
      while (j >= std::uint32_t(in_types[k].elements())) j -= std::uint32_t(in_types[k++].elements());
      if (!is_there(k, j, i)) r.push_back({i, k, j});
    }
    return r;
  }
  static constexpr std::size_t count() {
    const std::vector<moved_element> all = list();
    return all.size();
  }
  static constexpr auto missing = [] {
    std::array<moved_element, count()> r{};
    const std::vector<moved_element> all = list();
    for (std::size_t n = 0; n < r.size(); ++n) r[n] = all[n];
    return r;
  }();
  template <moved_element M>
  JACQUARD_INLINE static constexpr void copy(stores& s) {
    constexpr atom a = input(M.operand);
    auto& to = large_elements<Code, Values, output(0)>(s)[M.to];
    if constexpr (is_small(in_types[M.operand])) to = small_element<Code, Values, a, M.from>(s);
    else if constexpr (is_uniform<Code>(a)) to = uniform_element<Code, Values, a>(s);
    else to = large_elements<Code, Values, a.index()>(s)[M.from];
  }
};

}  // namespace detail
}  // namespace jacquard
