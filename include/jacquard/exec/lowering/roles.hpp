#pragma once
// Roles: how each equation of a program takes part in kernels, and where in its operands the elements of its result come from.
// Deliberately one equation at a time: which of them share a kernel is found by exec/lowering/clusters.

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "jacquard/core/element_calls.hpp"
#include "jacquard/core/print.hpp"

namespace jacquard::lowering {

/// What can be computed within loops; a backend says so.
using supported_op = bool (*)(scalar_op op, dtype type);

/// How exactly kernels compute. strict: as the primitives' own kernels do. Numbers of 16 bits are rounded after each equation, and
/// reductions whose result depends on the order, those of floating-point numbers, stay equations by themselves. fast_math: complex
/// numbers are the plain formulas, and what backends may do besides is as under -ffast-math, see jq::precision.
enum class rounding : std::uint8_t { fast, strict, fast_math };

/// A program in which a kernel that rounds in this way is written down.
inline scalar_program empty_body(rounding r) {
  scalar_program body;
  body.rounds_freely = r != rounding::strict;
  body.in_plain_formulas = r == rounding::fast_math;
  return body;
}

/// What loops of a backend come near the equations' own kernels in.
struct loop_limits {
  std::int64_t side = 0;  ///< elements that contractions may sum over, and that their operands have beside these
  std::int64_t row = 4;   ///< elements that lie side by side and are looked up together
  bool puts = false;      ///< whether kernels put elements at places that are computed
  std::int64_t few = 0;   ///< elements of an array that lies in registers, where none are put: each asks for the update that meets it
  std::int64_t products = std::numeric_limits<std::int64_t>::max();  ///< of matrices with sides from 2 to 4 in a batch: as many fill no vectors
};

namespace detail {

/// How an equation takes part.
enum class role : std::uint8_t { opaque, map, view, parts, lookup, put, spot, alias, reduction, contraction };

/// An update that takes the place of the elements of a window which the program says: a part of the result, whose other elements are those of
/// operand 0. No parts where it is not so, or where the window is less than half of the result, which had better be written over operand 0.
inline void find_window(const jaxpr& p, const equation& e, parts_call& c) {
  lookup_call at{c.in, c.in[e.op->puts], c.params};
  e.op->put(at);
  if (e.op->puts_by != scalar_op::load || !at.clips || at.out.rank() != c.out.rank() || 2 * at.out.elements() < c.out.elements()) return;
  result_part part{e.op->puts, int_list::filled(c.out.rank(), 0), at.out.dims, {}};
  for (int d = 0; d < c.out.rank(); ++d)
    if (const index_source& s = at.from[std::size_t(d)]; s.loop != d || s.start != 0 || s.step != 1) return;
  for (const lookup_call::entry& each : at.entries) {
    const atom start = p.inputs(e)[each.operand];
    if (!start.is_literal()) return;
    const auto given = p.literals[start.index()].get<std::int64_t>();
    const std::int64_t begin = std::clamp<std::int64_t>(given < 0 ? given + each.wraps : given, 0, each.most);
    part.begin[each.dim] += begin, part.end[each.dim] += begin;
  }
  for (std::int64_t begin : part.begin) part.shift.push_back(-begin);
  c.parts.push_back(part);
  c.elsewhere = 0;
}
/// The operands that the result of an equation is made of.
inline parts_call parts_of(const jaxpr& p, const equation& e, std::vector<aval>& in) {
  for (atom a : p.inputs(e)) in.push_back(p.type_of(a));
  parts_call c{view<const aval>(in), p.avals[p.outputs(e)[0]], p.params(e)};
  if (e.op->parts) e.op->parts(c);
  else find_window(p, e, c);
  return c;
}
/// Whether the elements that are in no part are one number.
inline bool is_one_value(const parts_call& c) { return c.in[std::size_t(c.elsewhere)].rank() == 0; }

/// The index that a step (i64) of a kernel computes.
constexpr index_source computed_index(std::int32_t step) { return {scalar_program::first_computed + step, 0, 1}; }
constexpr bool is_computed_index(const index_source& s) { return s.loop >= scalar_program::first_computed; }
/// Indices `from` by dimension of a value that is itself read at `at`.
inline index_map composed(const index_map& from, const index_map& at) {
  index_map inner;
  for (const index_source& s : from) {
    if (s.loop < 0) inner.push_back(s);
    else {
      const index_source& o = at[std::size_t(s.loop)];
      inner.push_back({o.loop, s.start + s.step * o.start, s.step * o.step});
    }
  }
  return inner;
}
/// Where a view that is read at `at` reads its operand.
inline index_map viewed_map(const jaxpr& p, const equation& e, const index_map& at) {
  const aval in = p.type_of(p.inputs(e)[0]);
  view_call c{in, p.avals[p.outputs(e)[0]], p.params(e)};
  e.op->view_of(c);
  return composed(c.from, at);
}
/// Where the elements of a result are looked up.
inline lookup_call lookup_of(const jaxpr& p, const equation& e, std::vector<aval>& in) {
  for (atom a : p.inputs(e)) in.push_back(p.type_of(a));
  lookup_call c{view<const aval>(in), p.avals[p.outputs(e)[0]], p.params(e)};
  e.op->lookup(c);
  return c;
}
/// Where the elements of an update are put.
inline lookup_call put_of(const jaxpr& p, const equation& e, std::vector<aval>& in) {
  for (atom a : p.inputs(e)) in.push_back(p.type_of(a));
  lookup_call c{view<const aval>(in), in[e.op->puts], p.params(e)};
  e.op->put(c);
  return c;
}
/// Where the update lies that alone may be put at an element read at `at`; nothing where several may be put there, or at places that no entry
/// tells from others.
inline std::optional<index_map> only_update(const lookup_call& c, const index_map& at) {
  index_map update(std::size_t(c.out.rank()), index_source{-1, 0, 0});
  int_list known;
  for (int d = 0; d < c.in[0].rank(); ++d) {
    const index_source& s = c.from[std::size_t(d)];
    const bool has_entry = std::any_of(c.entries.begin(), c.entries.end(), [&](const lookup_call::entry& e) { return e.dim == d; });
    if (s.loop >= 0 && c.out.dims[s.loop] != 1) {
      if (has_entry || s.start != 0 || s.step != 1 || c.out.dims[s.loop] != c.in[0].dims[d] || known.contains(s.loop)) return {};
      update[std::size_t(s.loop)] = at[std::size_t(d)];
      known.push_back(s.loop);
    } else if (!has_entry && c.in[0].dims[d] != 1) return {};
  }
  for (int d = 0; d < c.out.rank(); ++d)
    if (c.out.dims[d] != 1 && !known.contains(d)) return {};
  return update;
}
/// The indices of each dimension itself.
inline index_map identity_map(const shape& dims) {
  index_map r;
  for (int d = 0; d < dims.rank(); ++d) r.push_back({d, 0, 1});
  return r;
}
/// Where the operand of a part lies that is read at `at`.
inline index_map shifted(index_map at, const result_part& part) {
  for (std::size_t d = 0; d < at.size(); ++d) at[d].start += part.shift[int(d)];
  return at;
}
/// The same for an operand of an elementwise equation: one of fewer dimensions has the first ones.
inline index_map leading(const index_map& at, int rank) { return index_map(at.begin(), at.begin() + rank); }

/// What one element of an elementwise equation is, by itself; empty where that cannot be written as a scalar program.
inline scalar_program recorded_alone(const jaxpr& p, const equation& e, rounding r) { return jacquard::recorded_alone(p, e, empty_body(r)); }

/// The other dimensions of an operand of a contraction.
inline int_list dimensions_besides(int rank, const int_list& contracting, const int_list& batch) {
  int_list r;
  for (int d = 0; d < rank; ++d)
    if (!contracting.contains(d) && !batch.contains(d)) r.push_back(d);
  return r;
}

/// Decides the roles of the equations of a program.
class role_finder {
 public:
  role_finder(const jaxpr& p, supported_op supported, rounding r, const loop_limits& limits)
      : p_(p), supported_(supported), rounding_(r), limits_(limits), is_number_(p.avals.size(), false) {
    for (const equation& e : p.equations)
      if (e.op->view_of && e.in.count == 1) is_number_[p.outputs(e)[0]] = is_one_number(p.inputs(e)[0]);
  }
  role of(const equation& e) const {
    if (e.effects != 0 || e.out.count == 0 || (e.out.count != 1 && !e.op->record)) return role::opaque;
    const aval& out = p_.avals[p_.outputs(e)[0]];
    if (!takes_part(out)) return role::opaque;
    for (atom a : p_.inputs(e))
      if (!takes_part(p_.type_of(a))) return role::opaque;
    if (e.op->view_of) {
      const aval in = p_.type_of(p_.inputs(e)[0]);
      view_call c{in, out, p_.params(e)};
      e.op->view_of(c);
      return c.same_order ? role::alias : role::view;
    }
    if (e.op->parts) return has_parts(e) ? role::parts : role::opaque;
    if (e.op->lookup) return can_look_up(e) ? role::lookup : role::opaque;
    if (e.op->put) return is_spot(e) ? role::spot : has_parts(e) ? role::parts : can_put(e) ? role::put : role::opaque;
    if (e.op->reduce) {
      if (rounding_ == rounding::strict && is_inexact(out.type)) return role::opaque;
      const reduction r = e.op->reduce(out.type, p_.params(e));
      if (r.axes.empty()) return role::alias;  // combines nothing: a kernel that loops over what others combine would do that with it, too
      if (is_complex(out.type) && r.combine != scalar_op::add) return role::opaque;  // not part by part
      return supported_(r.combine, real_dtype(out.type)) ? role::reduction : role::opaque;
    }
    if (e.op->contract) return is_small_contraction(e) ? role::contraction : role::opaque;
    return e.op->record && can_record(e) ? role::map : role::opaque;
  }

 private:
  /// Whether no more than `side` elements are summed over, and each operand has no more beside those and the batch; twice as many of each where
  /// a row of the result is made of rows of the second operand as they lie, and these fill vectors. Of a matrix and a vector the matrix may be
  /// four times as large, vectors of any length; where nothing is summed, loops do what there is to do. Many products of the smallest matrices are
  /// left to a kernel that has each in registers. Where few elements lie in registers one operand may have any number of rows, which are examples, if
  /// the other one has few elements.
  bool is_small_contraction(const equation& e) const {
    const aval x = p_.type_of(p_.inputs(e)[0]), y = p_.type_of(p_.inputs(e)[1]);
    if (is_boolean(x.type) || (rounding_ == rounding::strict && is_inexact(x.type))) return false;
    if (!supported_(scalar_op::multiply, real_dtype(x.type)) || !supported_(scalar_op::add, real_dtype(x.type))) return false;
    const contraction c = e.op->contract(p_.params(e));
    const auto elements = [](const aval& t, const int_list& dims) {
      std::int64_t n = 1;
      for (std::int64_t d : dims) n *= t.dims[int(d)];
      return n;
    };
    const std::int64_t sums = elements(x, c.lhs_contracting), rows = elements(x, dimensions_besides(x.rank(), c.lhs_contracting, c.lhs_batch)),
                       columns = elements(y, dimensions_besides(y.rank(), c.rhs_contracting, c.rhs_batch));
    const std::int64_t side = is_complex(x.type) ? limits_.side / 2 : limits_.side;  // four products each, and parts lie apart
    const auto is_few = [](std::int64_t n) { return n >= 2 && n <= 4; };
    if (is_few(sums) && is_few(rows) && is_few(columns) && size_of(x.type) >= 4 && is_floating(x.type) && elements(x, c.lhs_batch) >= limits_.products) return false;
    if (c.lhs_contracting.size() == 0 || (rows == 1 && columns == 1)) return side > 0;
    if (limits_.few != 0 && sums * std::min(rows, columns) <= side) return true;
    if (rows == 1 || columns == 1) return sums * rows * columns <= 4 * side * side;
    const std::int64_t largest = std::max({sums, rows, columns});
    if (largest <= side || is_complex(x.type)) return largest <= side;
    const int last = y.rank() - 1;
    const bool fill_vectors = columns >= 16 || (columns & (columns - 1)) == 0;
    return fill_vectors && largest <= 2 * limits_.side && !c.rhs_contracting.contains(last) && !c.rhs_batch.contains(last);
  }
  bool has_parts(const equation& e) const {
    std::vector<aval> in;
    return !parts_of(p_, e, in).parts.empty();
  }
  /// Whether elements are looked up one by one, or in rows no longer than loops may take instead of one copy each.
  bool can_look_up(const equation& e) const {
    std::vector<aval> in;
    const lookup_call c = lookup_of(p_, e, in);
    std::int64_t row = 1;
    for (int d = c.out.rank() - 1; d >= 0; --d) {
      bool is_row = true;
      for (const lookup_call::entry& each : c.entries)
        for (const index_source& s : each.from) is_row = is_row && s.loop != d;
      if (!is_row) break;
      row *= c.out.dims[d];
    }
    const dtype t = real_dtype(c.out.type);
    const std::int64_t longest = is_complex(c.out.type) ? std::min(limits_.row, loop_limits{}.row) : limits_.row;  // their own kernel copies rows, no parts
    return row <= longest && can_find_places(c) && supported_(scalar_op::lookup, t) && supported_(scalar_op::select, t);
  }
  /// Numbers of 16 bits are not combined one by one, which would round them as often.
  bool can_put(const equation& e) const {
    if (!limits_.puts) return false;
    std::vector<aval> in;
    const lookup_call c = put_of(p_, e, in);
    const dtype t = c.out.type;
    const bool combines = e.op->puts_by != scalar_op::load;
    return !is_complex(t) && can_find_places(c) && goes_in_order(c) && !(combines && (is_boolean(t) || (is_inexact(t) && size_of(t) == 2))) && supported_(e.op->puts_by, t);
  }
  /// Whether at most one update meets each element of what is one number all over, or lies in registers: then elements ask for it, and nothing
  /// is put into memory.
  bool is_spot(const equation& e) const {
    if (!is_one_number(p_.inputs(e)[0]) && p_.type_of(p_.inputs(e)[0]).elements() > limits_.few) return false;
    std::vector<aval> in;
    const lookup_call c = put_of(p_, e, in);
    const dtype t = real_dtype(in[0].type);
    if (is_complex(in[0].type) && e.op->puts_by != scalar_op::load && e.op->puts_by != scalar_op::add) return false;
    const bool can_ask = supported_(scalar_op::equal, i32) && supported_(scalar_op::convert, i64) && supported_(scalar_op::select, t);
    const bool can_combine = e.op->puts_by == scalar_op::load || (!is_boolean(t) && !(is_inexact(t) && size_of(t) == 2) && supported_(e.op->puts_by, t));
    return can_ask && can_combine && can_find_places(c) && only_update(c, identity_map(in[0].dims));
  }
  /// Complex numbers are computed in the dtype of their parts, where their own kernels round once what they have computed in c128.
  bool takes_part(const aval& t) const { return t.elements() != 0 && !(is_complex(t.type) && rounding_ == rounding::strict); }
  bool is_one_number(atom a) const { return a.is_literal() || is_number_[a.index()]; }
  /// Whether windows that overlap come one after the other, as in the equation's own kernel: not the first elements of all of them first.
  static bool goes_in_order(const lookup_call& c) {
    for (const lookup_call::entry& each : c.entries)
      for (const index_source& s : each.from) {
        const int window = c.from[std::size_t(each.dim)].loop;
        if (window >= 0 && window < s.loop && c.out.dims[window] > 1) return false;
      }
    return true;
  }
  bool can_find_places(const lookup_call& c) const {
    if (c.entries.empty()) return false;
    for (const lookup_call::entry& each : c.entries)
      if (!supported_(scalar_op::convert, c.in[each.operand].type)) return false;
    for (const scalar_op op : {scalar_op::max, scalar_op::min, scalar_op::equal, scalar_op::less, scalar_op::multiply, scalar_op::add, scalar_op::select})
      if (!supported_(op, i64)) return false;
    return supported_(scalar_op::bit_and, bool_);
  }
  bool can_record(const equation& e) const {
    const scalar_program body = recorded_alone(p_, e, rounding_);
    if (body.steps.empty()) return false;
    for (const scalar_step& s : body.steps) {
      if (is_complex(s.type)) return false;
      if (s.op == scalar_op::convert && !supported_(s.op, body.steps[std::size_t(s.in[0])].type)) return false;
      const bool compares = is_comparison(s.op) || s.op == scalar_op::is_finite;
      if (!supported_(s.op, compares ? body.steps[std::size_t(s.in[0])].type : s.type)) return false;
    }
    return true;
  }
  const jaxpr& p_;
  supported_op supported_;
  rounding rounding_;
  loop_limits limits_;
  std::vector<char> is_number_;  ///< by variable: it is one literal all over
};

/// Everything that pulling needs to know of a program.
struct program_facts {
  const jaxpr& p;
  std::vector<role> roles;            ///< by equation
  std::vector<std::int32_t> maker;    ///< by variable: its equation, or -1
  std::vector<std::int32_t> reader;   ///< by variable: the only equation that reads it; -1: there is none, or several, or it is a result
  std::vector<char> in_memory;        ///< by variable
  std::vector<char> apart;            ///< by variable: in memory, and what is made of it lies in other kernels
  rounding rounds = rounding::fast;

  const equation* made_by(variable v) const { return maker[v] < 0 ? nullptr : &p.equations[std::size_t(maker[v])]; }
  /// Whether an equation runs by itself.
  bool is_single(std::size_t n) const { return roles[n] == role::opaque || roles[n] == role::alias; }
  /// What `v` shows in another order.
  variable rearranged(variable v) const {
    while (maker[v] >= 0 && (roles[std::size_t(maker[v])] == role::view || roles[std::size_t(maker[v])] == role::alias)) {
      const atom of = p.inputs(*made_by(v))[0];
      if (of.is_literal()) break;
      v = of.index();
    }
    return v;
  }
  /// Whether `v`, looked up in a table, is read only for what is put into the table: as what x.at(i).set(f(x(i))) reads.
  bool is_replaced(variable v, atom table) const {
    for (int left = 8; left > 0; --left) {
      const std::int32_t n = reader[v];
      if (n < 0) return false;
      const equation& e = p.equations[std::size_t(n)];
      const role r = roles[std::size_t(n)];
      if (r == role::put) return p.inputs(e)[0] == table && p.inputs(e)[e.op->puts] == atom::of_variable(v);
      if (r != role::map && r != role::view) return false;
      v = p.outputs(e)[0];
    }
    return false;
  }
  void find_readers() {
    constexpr std::int32_t several = -2;
    reader.assign(p.avals.size(), -1);
    for (std::size_t n = 0; n < p.equations.size(); ++n)
      for (atom a : p.inputs(p.equations[n]))
        if (!a.is_literal() && reader[a.index()] != std::int32_t(n)) reader[a.index()] = reader[a.index()] == -1 ? std::int32_t(n) : several;
    for (atom a : p.outvars)
      if (!a.is_literal()) reader[a.index()] = several;
    for (std::int32_t& n : reader) n = std::max(n, -1);
  }
};

/// What the elements are computed from that a lookup asks for, where these are so few of its table, each at an index for itself along the
/// dimensions that have computed ones, that it had better not be put into memory for them. Else nothing.
inline std::vector<variable> computed_from(const program_facts& f, const equation& e) {
  static constexpr std::size_t most = 32;
  const auto is_computed_there = [&](variable v) {
    const role r = f.maker[v] < 0 ? role::opaque : f.roles[std::size_t(f.maker[v])];
    return !f.in_memory[v] && (r == role::map || r == role::view);
  };
  const atom table = f.p.inputs(e)[0];
  std::vector<aval> in;
  const lookup_call c = lookup_of(f.p, e, in);
  if (table.is_literal() || !is_computed_there(table.index()) || c.out.elements() > in[0].elements() / 2) return {};
  for (const lookup_call::entry& each : c.entries)
    if (const index_source& s = c.from[std::size_t(each.dim)]; s.loop >= 0 && c.out.dims[s.loop] != 1) return {};
  std::vector<variable> seen{table.index()}, sources;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (!is_computed_there(seen[i])) {
      sources.push_back(seen[i]);
      continue;
    }
    for (atom a : f.p.inputs(*f.made_by(seen[i])))
      if (!a.is_literal() && std::find(seen.begin(), seen.end(), a.index()) == seen.end()) seen.push_back(a.index());
    if (seen.size() > most) return {};
  }
  return sources;
}

}  // namespace detail
}  // namespace jacquard::lowering
