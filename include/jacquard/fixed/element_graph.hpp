#pragma once
// The elements of small arrays and what they are: a slot that some equation fills, the same slot under another name, or a
// constant. Movements dissolve here, constants are computed, x * 1 and x + 0 are x, equal elements are computed once, and what
// is linear in a structural zero (one in an array, such as those of an identity matrix) is zero. The last rule is the only
// liberty with infinities; it is what makes a Jacobian cost what its non-zero elements cost.

#include "jacquard/fixed/equation_facts.hpp"

namespace jacquard {
namespace detail {

class element_graph {
 public:
  enum class state { untouched, computed, dissolved };

  std::vector<atom> elements;  ///< a slot of its dtype, or a constant
  std::vector<char> computed;
  std::vector<literal> constants;
  std::array<std::uint32_t, std::size_t(dtype_count)> slots{};

  /// An element of its own.
  constexpr void add_new(dtype t) {
    elements.push_back(atom::of_variable(slots[std::size_t(t)]++));
    computed.push_back(true);
  }

  /// Adds the elements of the output of an equation. `untouched`: nothing was added.
  constexpr state add_equation(const primitive& op, const equation_facts& f, const param_view& p, view<const aval> types,
                               const std::vector<std::vector<atom>>& x, const aval& out, std::size_t capacity) {
    const std::size_t before = elements.size();
    if (f.moves) move(f, p, types, x, out);
    else if (f.elementwise) {
      for (std::size_t j = 0; j < std::size_t(out.elements()); ++j) {
        small_vector<atom, 3> operands;
        for (std::size_t k = 0; k < x.size(); ++k) operands.push_back(x[k][types[k].rank() == 0 ? 0 : j]);
        add_element(op, f, p, operands, x, types, out.type, capacity);
      }
    } else if (!fold_all(f, p, types, x, out, capacity)) return state::untouched;
    for (std::size_t i = before; i < elements.size(); ++i)
      if (computed[i]) return state::computed;
    return state::dissolved;
  }

 private:
  constexpr void add_name(atom a) {
    elements.push_back(a);
    computed.push_back(false);
  }
  constexpr atom add_constant(const literal& l) {
    for (std::size_t i = 0; i < constants.size(); ++i)
      if (constants[i].type == l.type && constants[i].low == l.low && constants[i].high == l.high)
        return atom::of_literal(std::uint32_t(i));
    constants.push_back(l);
    return atom::of_literal(std::uint32_t(constants.size() - 1));
  }
  constexpr void move(const equation_facts& f, const param_view& p, view<const aval> types,
                      const std::vector<std::vector<atom>>& x, const aval& out) {
    std::vector<atom> all;
    for (const auto& operand : x) all.insert(all.end(), operand.begin(), operand.end());
    std::vector<std::uint32_t> sources(std::size_t(out.elements()), 0);
    f.moves(p, types, out, sources.data());
    for (std::uint32_t s : sources) add_name(all[s]);
  }
  /// A computing equation on constants only.
  constexpr bool fold_all(const equation_facts& f, const param_view& p, view<const aval> types,
                          const std::vector<std::vector<atom>>& x, const aval& out, std::size_t capacity) {
    if (!f.fold_all || constants.size() + std::size_t(out.elements()) > capacity) return false;
    std::vector<literal> values, results(std::size_t(out.elements()), literal());
    for (const auto& operand : x)
      for (atom a : operand) {
        if (!a.is_literal()) return false;
        values.push_back(constants[a.index()]);
      }
    f.fold_all(p, types, out, values, results.data());
    for (const literal& l : results) add_name(add_constant(l));
    return true;
  }

  constexpr void add_element(const primitive& op, const equation_facts& f, const param_view& p, const small_vector<atom, 3>& x,
                             const std::vector<std::vector<atom>>& arrays, view<const aval> types, dtype out,
                             std::size_t capacity) {
    bool constant = f.fold != nullptr;
    for (atom a : x) constant = constant && a.is_literal();
    if (constant && constants.size() < capacity) {
      small_vector<literal, 3> values;
      for (atom a : x) values.push_back(constants[a.index()]);
      return add_name(add_constant(f.fold(p, view<const literal>(values.data(), values.size()), out)));
    }
    if (f.picks && x.size() == 3 && x[0].is_literal() && is_boolean(constants[x[0].index()].type))
      return add_name(constants[x[0].index()].low ? x[2] : x[1]);
    if (op.has_unit && x.size() == 2)
      for (std::size_t k = 0; k < (op.commutative ? 2u : 1u); ++k)
        if (is_number(x[1 - k], op.unit)) return add_name(x[k]);
    for (std::size_t k = 0; k < x.size(); ++k)
      if (bit(f.vanishing, k) && is_number(x[k], 0) && types[k].rank() != 0 && arrays[k].size() > 1 && constants.size() < capacity)
        return add_name(add_constant(literal(0.0, out, false)));
    add_or_share(op, p, x, types, out);
  }
  constexpr bool is_number(atom a, double v) const {
    if (!a.is_literal()) return false;
    const literal& l = constants[a.index()];
    return l.get<double>() == v && (!is_complex(l.type) || std::bit_cast<double>(l.high) == 0);
  }

  /// An element that was computed before, or a new one.
  constexpr void add_or_share(const primitive& op, const param_view& p, small_vector<atom, 3> x, view<const aval> types, dtype out) {
    for (std::size_t k = 0; k < x.size(); ++k)  // slots are numbered by dtype
      if (!x[k].is_literal()) x[k].code += std::uint32_t(types[k].type) << 26;
    if (op.commutative && x.size() == 2 && x[1].code < x[0].code) std::swap(x[0], x[1]);
    if (known_.size() * 2 >= table_.size()) grow();
    const std::uint64_t h = hash(op, p, x);
    std::size_t at = h & (table_.size() - 1);
    for (; table_[at]; at = (at + 1) & (table_.size() - 1)) {
      const entry& e = known_[table_[at] - 1];
      if (e.hash == h && e.op == &op && e.params == p && e.x == x) return add_name(e.result);
    }
    add_new(out);
    known_.push_back({&op, p, x, elements.back(), h});
    table_[at] = std::uint32_t(known_.size());
  }
  static constexpr std::uint64_t hash(const primitive& op, const param_view& p, const small_vector<atom, 3>& x) {
    std::uint64_t h = op.name.size();
    const auto mix = [&](std::uint64_t v) { h = (h ^ v) * 0x9E3779B97F4A7C15ull, h ^= h >> 29; };
    for (char c : op.name) mix(std::uint64_t(static_cast<unsigned char>(c)));
    for (std::uint32_t i = 0; i < p.count; ++i) mix(p.words[i]);
    for (atom a : x) mix(a.code + 1);
    return h;
  }
  constexpr void grow() {
    table_.assign(table_.empty() ? 64 : table_.size() * 4, 0u);
    for (std::size_t i = 0; i < known_.size(); ++i) {
      std::size_t at = known_[i].hash & (table_.size() - 1);
      while (table_[at]) at = (at + 1) & (table_.size() - 1);
      table_[at] = std::uint32_t(i + 1);
    }
  }
  struct entry {
    const primitive* op;
    param_view params;
    small_vector<atom, 3> x;
    atom result;
    std::uint64_t hash;
  };
  std::vector<entry> known_;
  std::vector<std::uint32_t> table_;
};

}  // namespace detail
}  // namespace jacquard
