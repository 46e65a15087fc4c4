#pragma once
// The elements of small arrays and what they are: a value that some operation on single elements computes, another element's value,
// or a constant. Movements dissolve here, small sums and products are taken apart, constants are computed, x * 1 and x + 0 are x,
// equal elements are computed once, and what is linear in a structural zero (one in an array, such as those of an identity
// matrix) is zero. The last rule is the only liberty with infinities; it is what makes a Jacobian cost what its non-zero elements
// cost. Factors that are powers of two are drawn together, which is exact where no intermediate value
// overflows. Deliberately C arrays and few calls: every call costs the compiler microseconds.

#include "jacquard/core/list.hpp"
#include "jacquard/fixed/equation_facts.hpp"

namespace jacquard {
namespace detail {

/// One thing that a run does. The kind of an operation on single elements is the number of an equation that does the same;
/// that of a whole equation is marked.
struct run_step {
  static constexpr std::uint32_t whole = 0x80000000u, plain_arithmetic = 0x40000000u;
  std::uint32_t kind, out, in[3];
};

template <std::size_t Capacity, std::size_t Constants>
class element_graph {
 public:
  std::uint32_t elements[Capacity + 1]{};  ///< of small variables, one after the other: the code of an atom, a value or a constant
  std::uint32_t count = 0;
  literal constants[Constants + 1]{};
  std::uint32_t constant_count = 0;
  run_step steps[Capacity + 1]{};
  std::uint32_t step_count = 0;
  std::uint8_t types[Capacity + 1]{};  ///< dtype by value
  std::uint32_t value_count = 0;

  /// An element with a value of its own, which no step of this graph computes.
  constexpr void add_new(dtype t) { elements[count++] = new_value(t); }
  /// A constant of the program, at the number that its literals have.
  constexpr void add_literal(const literal& l) { constants[constant_count++] = l; }

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
  /// The code of a number.
  constexpr std::uint32_t number(double v) { return constant(literal(v)); }
  /// A step that runs a whole equation.
  constexpr void add_whole(std::uint32_t equation) { steps[step_count++] = {run_step::whole | equation, 0, {}}; }

 private:
  constexpr std::uint32_t new_value(dtype t) {
    types[value_count] = std::uint8_t(t);
    return value_count++;
  }
  constexpr std::uint32_t constant(const literal& l) {
    for (std::uint32_t i = 0; i < constant_count; ++i)
      if (constants[i].low == l.low && constants[i].type == l.type && constants[i].high == l.high) return atom::literal_bit | i;
    constants[constant_count] = l;
    return atom::literal_bit | constant_count++;
  }
  static constexpr bool is_constant(std::uint32_t code) { return (code & atom::literal_bit) != 0; }
  constexpr const literal& constant_of(std::uint32_t code) const { return constants[code & ~atom::literal_bit]; }
  constexpr bool is_number(std::uint32_t code, double v) const {
    if (!is_constant(code)) return false;
    const literal& l = constant_of(code);
    return l.get<double>() == v && (!is_complex(l.type) || std::bit_cast<double>(l.high) == 0);
  }

  constexpr void move(const equation_facts& f, const param_view& p, view<const aval> in, const std::uint32_t* const* x, const aval& out) {
    const std::uint32_t n = std::uint32_t(out.elements());
    if (in.size() == 1 && in[0].elements() == 1) {
      for (std::uint32_t i = 0; i < n; ++i) elements[count++] = x[0][0];
      return;
    }
    std::vector<std::uint32_t> all, sources(std::size_t(n), 0);
    for (std::size_t k = 0; k < in.size(); ++k)
      for (std::int64_t i = 0; i < in[k].elements(); ++i) all.push_back(x[k][i]);
    f.moves(p, in, out, sources.data());
    for (std::uint32_t s : sources) elements[count++] = all[s];
  }
  /// A computing equation on constants only.
  constexpr bool fold_all(const equation_facts& f, const param_view& p, view<const aval> in, const std::uint32_t* const* x,
                          const aval& out) {
    if (!f.fold_all || constant_count + std::size_t(out.elements()) > Constants) return false;
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
  /// A kernel that only adds, multiplies and takes extremes, as the operations it is made of.
  constexpr bool take_apart(const equation_facts& f, const param_view& p, view<const aval> in, const std::uint32_t* const* x,
                            const aval& out) {
    if (!f.record || out.type != f64) return false;
    std::vector<std::uint32_t> numbers;
    for (std::size_t k = 0; k < in.size(); ++k) {
      if (in[k].type != f64 || in[k].elements() == 0) return false;
      for (std::int64_t i = 0; i < in[k].elements(); ++i) numbers.push_back(x[k][i]);
    }
    const std::uint32_t structural = std::uint32_t(numbers.size());
    const recording r = f.record(p, in, out);
    if (r.steps.size() > straight_line_steps) return false;
    for (const arithmetic_step& s : r.steps) {
      const std::uint32_t a = s.a == zero_number ? constant(literal(0.0)) : numbers[std::size_t(s.a)];
      const std::uint32_t b = s.b == zero_number ? constant(literal(0.0)) : numbers[std::size_t(s.b)];
      numbers.push_back(arithmetic_element(s.what, a, b, std::uint32_t(s.a) < structural, std::uint32_t(s.b) < structural));
    }
    for (std::int32_t i : r.results) elements[count++] = i == zero_number ? constant(literal(0.0)) : numbers[std::size_t(i)];
    return true;
  }
  constexpr std::uint32_t arithmetic_element(arithmetic what, std::uint32_t a, std::uint32_t b, bool structural_a, bool structural_b) {
    if (is_constant(a) && is_constant(b) && constant_count < Constants)
      return constant(literal(computed(what, constant_of(a).template get<double>(), constant_of(b).template get<double>())));
    if (what == arithmetic::add) {
      if (is_number(a, 0)) return b;
      if (is_number(b, 0)) return a;
    }
    if (what == arithmetic::multiply) {
      if (is_number(a, 1)) return b;
      if (is_number(b, 1)) return a;
      if (structural_a && is_number(a, 0)) return a;
      if (structural_b && is_number(b, 0)) return b;
    }
    if (const std::uint32_t simpler = scaled(what, a, b); simpler != none) return simpler;
    const std::uint32_t operands[] = {a < b ? a : b, a < b ? b : a};
    return shared(run_step::plain_arithmetic | std::uint32_t(what), operands, 2, f64);
  }

  static constexpr std::uint32_t none = ~0u;
  /// y * c + y * c is y * 2c, and y * c * d is y * cd where one of the constants is a power of two: exact, if nothing
  /// in between is too large or too small for a double.
  constexpr std::uint32_t scaled(arithmetic what, std::uint32_t a, std::uint32_t b) {
    if (what == arithmetic::multiply && is_constant(a)) return scaled(what, b, a);
    if (is_constant(a) || constant_count >= Constants) return none;
    if (what == arithmetic::add) return a == b ? with_factor(a, 2, 3) : none;
    return what == arithmetic::multiply && is_constant(b) ? with_factor(a, constant_of(b).template get<double>(), 3) : none;
  }
  /// A product or quotient times a factor as one of them, where the factor finds a constant in it.
  constexpr std::uint32_t with_factor(std::uint32_t value, double d, int depth) {
    const std::uint32_t maker = maker_[value];
    if (depth == 0 || maker == 0) return none;
    if (steps[maker - 1].kind == quotient_ && is_power_of_two(d)) {
      const std::uint32_t over = steps[maker - 1].in[0];
      const std::uint32_t scaled_over =
          is_constant(over) ? constant(literal(constant_of(over).template get<double>() * d)) : with_factor(over, d, depth - 1);
      const std::uint32_t operands[] = {scaled_over, steps[maker - 1].in[1]};
      return scaled_over == none ? none : shared(quotient_, operands, 2, f64);
    }
    if (steps[maker - 1].kind != (run_step::plain_arithmetic | std::uint32_t(arithmetic::multiply))) return none;
    const std::uint32_t x = steps[maker - 1].in[0], y = steps[maker - 1].in[1];  // constants have the larger codes
    if (is_constant(y)) {
      const double c = constant_of(y).template get<double>();
      if (is_constant(x) || !is_moderate(c * d) || (!is_power_of_two(c) && !is_power_of_two(d))) return none;
      return arithmetic_element(arithmetic::multiply, x, constant(literal(c * d)), false, false);
    }
    if (!is_power_of_two(d)) return none;
    if (const std::uint32_t r = with_factor(x, d, depth - 1); r != none) return arithmetic_element(arithmetic::multiply, r, y, false, false);
    if (const std::uint32_t r = with_factor(y, d, depth - 1); r != none) return arithmetic_element(arithmetic::multiply, x, r, false, false);
    return none;
  }
  static constexpr bool is_moderate(double v) { return v < 1e290 && v > -1e290 && (v > 1e-290 || v < -1e-290 || v == 0); }
  /// Of moderate size, so that products with it neither overflow nor lose bits where the factors do not.
  static constexpr bool is_power_of_two(double v) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(v), exponent = (bits >> 52) & 0x7ff;
    return (bits << 12) == 0 && exponent > 0x3ff - 64 && exponent < 0x3ff + 64;
  }

  constexpr std::uint32_t element(std::uint32_t kind, const equation_facts& f, const param_view& p, std::uint32_t (&x)[3], std::uint32_t arity,
                                  std::uint32_t arrays, dtype out) {
    if (f.as_arithmetic >= 0 && out == f64) return arithmetic_element(arithmetic(f.as_arithmetic), x[0], x[1], bit(arrays, 0), bit(arrays, 1));
    if (f.quotient && out == f64) quotient_ = kind;
    bool any = false, all = true;
    for (std::uint32_t k = 0; k < arity; ++k)
      if (is_constant(x[k])) any = true;
      else all = false;
    if (any) {
      if (all && f.fold && constant_count < Constants) {
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
        if (bit(f.vanishing, k) && bit(arrays, k) && constant_count < Constants && is_number(x[k], 0)) return constant(literal(0.0, out, false));
    }
    if (f.commutative && arity == 2 && x[1] < x[0]) {
      const std::uint32_t first = x[1];
      x[1] = x[0], x[0] = first;
    }
    return shared(kind, x, arity, out);
  }

  /// An element that was computed before, or a new one. Operations are listed by their latest operand.
  constexpr std::uint32_t shared(std::uint32_t kind, const std::uint32_t* x, std::uint32_t arity, dtype out) {
    std::uint32_t latest = Capacity;
    for (std::uint32_t k = 0; k < arity; ++k)
      if (!is_constant(x[k]) && (latest == Capacity || x[k] > latest)) latest = x[k];
    for (std::uint32_t n = users_[latest]; n != 0; n = next_[n]) {
      const run_step& s = steps[n - 1];
      if (s.kind != kind || s.in[0] != x[0]) continue;
      if ((arity < 2 || s.in[1] == x[1]) && (arity < 3 || s.in[2] == x[2])) return s.out;
    }
    const std::uint32_t value = new_value(out);
    run_step& s = steps[step_count++];
    s.kind = kind, s.out = value;
    for (std::uint32_t k = 0; k < arity; ++k) s.in[k] = x[k];
    maker_[value] = step_count;
    next_[step_count] = users_[latest];
    users_[latest] = step_count;
    return value;
  }
  std::uint32_t quotient_ = none;  ///< the kind that divides doubles
  std::uint32_t maker_[Capacity + 1]{};  ///< by value: the step that computes it, + 1
  std::uint32_t users_[Capacity + 1]{};  ///< by value: the last step whose latest operand it is, + 1
  std::uint32_t next_[Capacity + 2]{};   ///< by step + 1: the one before
};

}  // namespace detail
}  // namespace jacquard
