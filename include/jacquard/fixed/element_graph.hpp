#pragma once
// The elements of small arrays and what they are: a value that some operation on single elements computes, another element's value,
// or a constant. Movements dissolve here, small sums and products are taken apart, and what is linear in a structural zero (one in an
// array, such as those of an identity matrix) is zero. The last rule is the only liberty with infinities; it is what makes a
// Jacobian cost what its non-zero elements cost.

#include "jacquard/core/table.hpp"
#include "jacquard/fixed/arithmetic_graph.hpp"

namespace jacquard {
namespace detail {

/// Of an equation that is taken apart.
inline constexpr std::uint32_t most_operands = 16;

class element_graph : public arithmetic_graph {
 public:
  std::uint32_t* elements;  ///< of small variables, one after the other: the code of an atom, a value or a constant
  std::uint32_t count = 0;

  /// For so many elements; the rest as in arithmetic_graph.
  constexpr element_graph(dtype type_of_numbers, std::size_t most_elements, std::size_t most_values, std::size_t most_constants)
      : arithmetic_graph(type_of_numbers, most_values, most_constants), room_(most_elements) {
    elements = &room_[0];
  }

  /// An element with a value of its own, which no step of this graph computes.
  constexpr void add_new(dtype t) { elements[count++] = new_value(t); }

  /// Adds the elements of the output of an equation of this kind. False: nothing was added.
  constexpr bool add_equation(std::uint32_t kind, const equation_facts& f, const param_view& p, view<const aval> types_in,
                              const std::uint32_t* const* x, const aval& out) {
    if (f.moves) move(f, p, types_in, x, out);
    else if (f.elementwise) {
      const std::uint32_t n = std::uint32_t(out.elements()), arity = std::uint32_t(types_in.size());
      std::uint32_t stride[3]{}, operands[3]{};
      for (std::uint32_t k = 0; k < arity; ++k) stride[k] = types_in[k].rank() == 0 ? 0 : 1;
      std::uint32_t arrays = 0;  // operands whose zeros are structural
      for (std::uint32_t k = 0; k < arity; ++k)
        if (stride[k] != 0 && n > 1) arrays |= 1u << k;
      for (std::uint32_t j = 0; j < n; ++j) {
        for (std::uint32_t k = 0; k < arity; ++k) operands[k] = x[k][j * stride[k]];
        elements[count++] = element(kind, f, p, operands, arity, arrays, out.type);
      }
    } else if (!fold_all(f, p, types_in, x, out) && !take_apart(f, p, types_in, x, out)) return false;
    return true;
  }

 private:
  constexpr void move(const equation_facts& f, const param_view& p, view<const aval> in, const std::uint32_t* const* x, const aval& out) {
    const std::uint32_t n = std::uint32_t(out.elements());
    if (in.size() == 1 && in[0].elements() == 1) {
      for (std::uint32_t i = 0; i < n; ++i) elements[count++] = x[0][0];
      return;
    }
    list<std::uint32_t> all(n);
    std::uint32_t* const sources = all.data();  // without calls, which cost the compiler most
    std::uint32_t sizes[most_operands]{};
    const std::uint32_t operands = std::uint32_t(in.size());
    for (std::uint32_t k = 0; k < operands; ++k) sizes[k] = std::uint32_t(in[k].elements());
    f.moves(p, in, out, sources);
    for (std::uint32_t i = 0; i < n; ++i) {
      std::uint32_t k = 0, j = sources[i];
      while (j >= sizes[k]) j -= sizes[k++];
      elements[count++] = x[k][j];
    }
  }
  /// A computing equation on constants only.
  constexpr bool fold_all(const equation_facts& f, const param_view& p, view<const aval> in, const std::uint32_t* const* x,
                          const aval& out) {
    if (!f.fold_all || !has_room_for_constants(std::size_t(out.elements()))) return false;
    for (std::size_t k = 0; k < in.size(); ++k)
      for (std::int64_t i = 0; i < in[k].elements(); ++i)
        if (!is_constant(x[k][i])) return false;
    list<literal> values, results(std::size_t(out.elements()), literal());
    for (std::size_t k = 0; k < in.size(); ++k)
      for (std::int64_t i = 0; i < in[k].elements(); ++i) values.push_back(constant_of(x[k][i]));
    f.fold_all(p, in, out, values, results.data());
    for (const literal& l : results) elements[count++] = constant(l);
    return true;
  }
  /// A kernel that only does arithmetic, as the operations it is made of.
  constexpr bool take_apart(const equation_facts& f, const param_view& p, view<const aval> in, const std::uint32_t* const* x,
                            const aval& out) {
    if (!f.record || out.type != number_type) return false;
    std::vector<std::uint32_t> numbers;
    for (std::size_t k = 0; k < in.size(); ++k) {
      if (in[k].type != number_type || in[k].elements() == 0) return false;
      for (std::int64_t i = 0; i < in[k].elements(); ++i) numbers.push_back(x[k][i]);
    }
    const std::uint32_t structural = std::uint32_t(numbers.size());
    const recording r = f.record(p, in, out);
    if (r.steps.size() > straight_line_steps && steps_left(r, numbers) > straight_line_steps) return false;
    for (const arithmetic_step& s : r.steps) {
      const std::uint32_t a = s.a == zero_number ? number(0) : numbers[std::size_t(s.a)];
      const std::uint32_t b = s.b == zero_number ? number(0) : numbers[std::size_t(s.b)];
      numbers.push_back(arithmetic_element(s.what, a, b, std::uint32_t(s.a) < structural, std::uint32_t(s.b) < structural));
    }
    for (std::int32_t i : r.results) elements[count++] = i == zero_number ? number(0) : numbers[std::size_t(i)];
    return true;
  }

  /// How many steps of a recording on these numbers are left without products with structural zeros and sums with what these are.
  constexpr std::size_t steps_left(const recording& r, const std::vector<std::uint32_t>& numbers) const {
    list<std::uint8_t> zeros;
    for (std::uint32_t x : numbers) zeros.push_back(is_number(x, 0) ? 1 : 0);
    const auto is_zero = [&](std::int32_t i) { return i == zero_number || zeros[std::size_t(i)] != 0; };
    std::size_t left = 0;
    for (const arithmetic_step& s : r.steps) {
      const bool a = is_zero(s.a), b = is_zero(s.b);
      const bool zero = s.what == arithmetic::multiply ? a || b : a && b;
      const bool moves = (s.what == arithmetic::add && (a || b)) || (s.what == arithmetic::subtract && b);
      zeros.push_back(zero ? 1 : 0);
      if (!zero && !moves) ++left;
    }
    return left;
  }

  constexpr std::uint32_t element(std::uint32_t kind, const equation_facts& f, const param_view& p, std::uint32_t (&x)[3], std::uint32_t arity,
                                  std::uint32_t arrays, dtype out) {
    if (f.as_arithmetic >= 0 && out == number_type)
      return arithmetic_element(arithmetic(f.as_arithmetic), x[0], arity > 1 ? x[1] : x[0], bit(arrays, 0), bit(arrays, 1));
    bool any = false, all = true;
    for (std::uint32_t k = 0; k < arity; ++k)
      if (is_constant(x[k])) any = true;
      else all = false;
    if (any) {
      if (all && f.fold && has_room_for_constants()) {
        literal values[3];
        for (std::uint32_t k = 0; k < arity; ++k) values[k] = constant_of(x[k]);
        return constant(f.fold(p, view<const literal>(values, arity), out));
      }
      if (f.picks && arity == 3 && is_constant(x[0]) && is_boolean(constant_of(x[0]).type)) return x[constant_of(x[0]).low ? 2 : 1];
      if (f.has_unit && arity == 2) {
        if (is_number(x[1], f.unit)) return x[0];
        if (f.commutative && is_number(x[0], f.unit)) return x[1];
      }
      for (std::uint32_t k = 0; k < arity; ++k)
        if (bit(f.vanishing, k) && bit(arrays, k) && has_room_for_constants() && is_number(x[k], 0)) return constant(literal(0.0, out, false));
    }
    for (std::uint32_t k = 0; k < arity; ++k) x[k] = settled(x[k]);
    if (f.commutative && arity == 2 && x[1] < x[0]) {
      const std::uint32_t first = x[1];
      x[1] = x[0], x[0] = first;
    }
    return shared(kind, x, arity, out);
  }

  table<std::uint32_t> room_;
};

}  // namespace detail
}  // namespace jacquard
