#pragma once
// Which elements of a small result are stored at once. Compilers store zeros one by one between other numbers, and put unrelated numbers
// together into the widest vectors there are, which takes longer than to store them: zeros that follow each other go as rows, four of which
// two or more are zeros as one vector, which takes few moves to fill, what is computed on lanes as it is, other neighbours that different
// operations compute in pairs. Deliberately not all of a result at once, which would keep it from being built in registers, and not what one
// operation computes for several neighbours, number by number: that the compiler turns into vectors itself.

#include "jacquard/fixed/value_stores.hpp"

namespace jacquard {
namespace detail {

inline constexpr std::uint8_t zero_row = preferred_lanes < 4 ? preferred_lanes : 4;
/// So many neighbours that one operation computes are left to the compiler.
inline constexpr std::uint32_t least_stretch = 4;

/// What an element is, as far as storing it is concerned.
struct stored_element {
  bool zero;             ///< the constant
  std::uint32_t kind;    ///< equal for what one operation computes
  std::uint8_t row = 0;  ///< how many from here on are lanes already
};
/// By element: how many are stored with it, 0 if it is stored with one before. `in_pairs`: unrelated neighbours can be. Complexity: linear.
template <std::size_t N>
constexpr std::array<std::uint8_t, N> stores_of(const std::array<stored_element, N>& x, bool in_pairs) {
  constexpr std::uint8_t free = 255;
  std::array<std::uint8_t, N> r{};
  const auto length_of_run = [&x](std::size_t i) {
    std::uint32_t same = 1;
    while (i + same < N && x[i + same].row == 0 && x[i + same].zero == x[i].zero && x[i + same].kind == x[i].kind) ++same;
    return same;
  };
  for (std::size_t i = 0; i < N;) {
    if (x[i].row != 0) {
      for (std::uint8_t k = 0; k < x[i].row; ++k) r[i + k] = k == 0 ? x[i].row : 0;
      i += x[i].row;
      continue;
    }
    std::uint32_t same = length_of_run(i);
    const std::uint8_t each = !x[i].zero && same >= least_stretch ? 1 : free;
    for (; same > 0; --same) r[i++] = each;
  }
  const auto store_row = [&r](std::size_t i) {
    for (std::uint32_t k = 0; k < zero_row; ++k) r[i + k] = k == 0 ? zero_row : 0;
  };
  for (std::size_t i = 0; in_pairs && zero_row == 4 && i + 4 <= N; i += 4) {
    std::uint32_t zeros = 0, others = 0;
    for (std::size_t k = i; k < i + 4; ++k) zeros += x[k].zero ? 1 : 0, others += x[k].zero || r[k] != free ? 0 : 1;
    if (zeros >= 2 && zeros + others == 4) store_row(i);
  }
  for (std::size_t i = 0; i < N;) {
    std::uint32_t zeros = 0;
    while (zeros < zero_row && i + zeros < N && x[i + zeros].zero && r[i + zeros] == free) ++zeros;
    if (zeros == zero_row) store_row(i);
    i += zeros == 0 ? 1 : zeros;
  }
  for (std::size_t i = 0; i < N; ++i) {
    if (r[i] != free) continue;
    r[i] = 1;
    if (in_pairs && i + 1 < N && r[i + 1] == free) r[i] = 2, r[i + 1] = 0;
  }
  return r;
}

/// By slot of a number: the kind of the step that computes it, + 1; 0 where none does.
template <const auto& Code>
inline constexpr std::array<std::uint32_t, layout_of<Code>.slots[std::size_t(number_type_of<Code>)] + 1> kinds_of_slots = [] {
  std::array<std::uint32_t, layout_of<Code>.slots[std::size_t(number_type_of<Code>)] + 1> r{};
  const auto add = [&r](const run_step& s) {
    if ((s.kind & run_step::plain_arithmetic) != 0 || Code.type_of(Code.atoms[Code.equations[s.kind].out.first]).type == number_type_of<Code>) r[s.out] = s.kind + 1;
  };
  for (std::uint32_t i = 0; i < layout_of<Code>.used.steps; ++i)
    if (const run_step& s = layout_of<Code>.steps[i]; (s.kind & (run_step::whole | run_step::group)) == 0) add(s);
  for (std::uint32_t i = 0; i < layout_of<Code>.used.grouped; ++i) add(layout_of<Code>.grouped[i]);
  return r;
}();

/// By slot of a number: the group of arithmetic whose first result it is, + 1; 0: it is none's.
template <const auto& Code>
inline constexpr std::array<std::uint32_t, layout_of<Code>.slots[std::size_t(number_type_of<Code>)] + 1> rows_of_slots = [] {
  std::array<std::uint32_t, layout_of<Code>.slots[std::size_t(number_type_of<Code>)] + 1> r{};
  for (std::uint32_t i = 0; i < layout_of<Code>.used.groups; ++i)
    if (const step_group& g = layout_of<Code>.groups[i]; (g.kind & run_step::plain_arithmetic) != 0) r[layout_of<Code>.grouped[g.first].out] = i + 1;
  return r;
}();
/// How many lanes that arithmetic on rows gives lie in a result as they are, from the element on of which so many are left; 0: none.
template <const auto& Code>
constexpr std::uint8_t row_at(const std::uint32_t* codes, std::size_t left) {
  const std::uint32_t number = rows_of_slots<Code>[codes[0]];
  if (number == 0) return 0;
  const step_group g = layout_of<Code>.groups[number - 1];
  for (std::uint32_t k = 0; k < g.count; ++k)
    if (g.count > left || layout_of<Code>.grouped[g.first + k].out != codes[k]) return 0;
  return std::uint8_t(g.count);
}

/// stores_of the N elements from number First on, which are of type From and stored as T.
template <const auto& Code, std::size_t First, std::size_t N, dtype From, class T>
inline constexpr std::array<std::uint8_t, N> stored_together = [] {
  std::array<stored_element, N> x{};
  for (std::size_t i = 0; i < N; ++i) {
    const std::uint32_t code = layout_of<Code>.elements[First + i];
    if ((code & atom::literal_bit) != 0) {
      const constant_bits& c = layout_of<Code>.constants[code & ~atom::literal_bit];
      x[i] = {c.low == 0 && c.high == 0, ~0u};
    } else if (From == number_type_of<Code>) {
      x[i].kind = kinds_of_slots<Code>[code];
      if (std::is_same_v<T, number_of<Code>>) x[i].row = row_at<Code>(layout_of<Code>.elements + First + i, N - i);
    }
  }
  return stores_of(x, From == number_type_of<Code> && std::is_same_v<T, number_of<Code>>);
}();

}  // namespace detail
}  // namespace jacquard
