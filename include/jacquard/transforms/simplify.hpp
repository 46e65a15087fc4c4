#pragma once
// Simplification: inlining of calls, common subexpressions, operations with a unit, dead code. Run before lowering and
// before freezing. Effectful equations keep their order and are never merged; only taps may be dropped, and only on
// request. Deliberately local: no reassociation, nothing that changes NaN or infinity.

#include "jacquard/core/eval.hpp"

namespace jacquard {

namespace detail {

/// Evaluates a program with inlinable equations replaced by their bodies.
template <class Array = array>
constexpr std::vector<array> eval_inlined(const jaxpr& p, view<const lazy<Array>> constants, view<const lazy<Array>> arguments) {
  environment env(p, constants, arguments);
  for (const equation& e : p.equations) {
    const std::vector<array> in = env.read(p.inputs(e));
    const rule_location_scope here(e.where);
    if (e.op->inlinable) {
      const std::vector<array> out = eval_inlined(*p.params(e).subs[0], {}, in);
      for (std::size_t i = 0; i < out.size(); ++i) env.write(p.outputs(e)[i], out[i]);
      continue;
    }
    const array_list out = jacquard::bind(*e.op, in, p.params(e), e.where);
    for (std::size_t i = 0; i < out.size(); ++i) env.write(p.outputs(e)[i], out[i]);
  }
  return env.read(p.outvars);
}

constexpr bool has_inlinable(const jaxpr& p) {
  for (const equation& e : p.equations)
    if (e.op->inlinable) return true;
  return false;
}

/// Copies equations of one jaxpr into another while variables are renamed and merged.
class rewriter {
 public:
  constexpr explicit rewriter(const jaxpr& from) : from_(from), map_(from.avals.size(), atom{}) {
    for (variable v : from.constvars) to.constvars.push_back(declare(v));
    for (variable v : from.invars) to.invars.push_back(declare(v));
  }
  constexpr void merge_and_copy() {
    for (const equation& e : from_.equations) {
      small_vector<atom, 4> in;
      for (atom a : from_.inputs(e)) in.push_back(translate(a));
      const view<const atom> operands(in.data(), in.size());
      if (skip_identity(e, operands) || skip_unit(e, operands) || merge(e, operands)) continue;
      copy(e, operands);
    }
    for (atom a : from_.outvars) to.outvars.push_back(translate(a));
  }
  jaxpr to;

 private:
  constexpr variable declare(variable v) {
    const variable n = to.new_variable(from_.avals[v]);
    map_[v] = atom::of_variable(n);
    return n;
  }
  constexpr atom translate(atom a) {
    if (!a.is_literal()) return map_[a.index()];
    const literal& l = from_.literals[a.index()];
    for (std::size_t i = 0; i < to.literals.size() && i < 8; ++i)  // the usual few: 0, 1, 2, 0.5
      if (to.literals[i] == l) return atom::of_literal(std::uint32_t(i));
    return to.add_literal(l);
  }
  constexpr bool is_unit(const equation& e, atom a) const {
    if (!a.is_literal()) return false;
    const literal& l = to.literals[a.index()];
    const double v = l.get<double>();
    return v == e.op->unit && (is_complex(l.type) ? std::bit_cast<double>(l.high) == 0 : true);
  }
  /// x + 0, x * 1: the result is the operand.
  constexpr bool skip_unit(const equation& e, view<const atom> in) {
    if (!e.op->has_unit || in.size() != 2) return false;
    const variable out = from_.outputs(e)[0];
    for (int k = 0; k < (e.op->commutative ? 2 : 1); ++k) {
      if (is_unit(e, in[std::size_t(1 - k)]) && to.type_of(in[std::size_t(k)]) == from_.avals[out]) {
        map_[out] = in[std::size_t(k)];
        return true;
      }
    }
    return false;
  }
  /// Identities matter to transforms alone, unless they have effects.
  constexpr bool skip_identity(const equation& e, view<const atom> in) {
    if (!e.op->identity || e.effects != 0) return false;
    const view<const variable> out = from_.outputs(e);
    for (std::size_t i = 0; i < out.size(); ++i)
      if (!(to.type_of(in[i]) == from_.avals[out[i]])) return false;
    for (std::size_t i = 0; i < out.size(); ++i) map_[out[i]] = in[i];
    return true;
  }
  constexpr std::uint64_t hash(const equation& e, view<const atom> in) const {
    std::uint64_t h = e.op->name.size() * 31 + std::uint64_t(static_cast<unsigned char>(e.op->name[0]));
    const auto mix = [&](std::uint64_t v) { h = (h ^ v) * 0x9E3779B97F4A7C15ull, h ^= h >> 29; };
    for (atom a : in) {
      if (a.is_literal()) mix(to.literals[a.index()].low);
      else mix(a.index() + 1);
    }
    const param_view p = from_.params(e);
    for (std::uint32_t i = 0; i < p.count; ++i) mix(p.words[i]);
    return h;
  }
  constexpr bool same(const equation& a, const equation& b, view<const atom> in) const {
    if (a.op != b.op || a.in.count != in.size() || !(to.params(a) == from_.params(b))) return false;
    for (std::size_t i = 0; i < in.size(); ++i) {
      const atom x = to.inputs(a)[i];
      if (x.is_literal() != in[i].is_literal()) return false;
      if (x.is_literal() ? !(to.literals[x.index()] == to.literals[in[i].index()]) : !(x == in[i])) return false;
    }
    return true;
  }
  /// Reuses an equal earlier equation without effects.
  constexpr bool merge(const equation& e, view<const atom> in) {
    if (e.effects != 0 || !e.op->foldable) return false;
    if (table_.size() < 2 * (count_ + 1)) grow();
    std::size_t slot = hash(e, in) & (table_.size() - 1);
    for (; table_[slot]; slot = (slot + 1) & (table_.size() - 1)) {
      const equation& known = to.equations[table_[slot] - 1];
      if (!same(known, e, in)) continue;
      for (std::uint32_t i = 0; i < e.out.count; ++i) map_[from_.outputs(e)[i]] = atom::of_variable(to.outputs(known)[i]);
      return true;
    }
    table_[slot] = std::uint32_t(to.equations.size() + 1);
    hashes_.resize(to.equations.size() + 1, 0);
    hashes_[to.equations.size()] = hash(e, in);
    ++count_;
    return false;
  }
  constexpr void grow() {
    table_.assign(table_.empty() ? 32 : table_.size() * 2, 0u);
    for (std::size_t i = 0; i < hashes_.size(); ++i) {
      if (!hashes_[i]) continue;
      std::size_t slot = hashes_[i] & (table_.size() - 1);
      while (table_[slot]) slot = (slot + 1) & (table_.size() - 1);
      table_[slot] = std::uint32_t(i + 1);
    }
  }
  constexpr void copy(const equation& e, view<const atom> in) {
    small_vector<aval, 2> types;
    for (variable v : from_.outputs(e)) types.push_back(from_.avals[v]);
    const variable first =
        to.append(*e.op, in, from_.params(e), view<const aval>(types.data(), types.size()), e.effects, e.where);
    for (std::uint32_t i = 0; i < e.out.count; ++i) map_[from_.outputs(e)[i]] = atom::of_variable(first + i);
  }

  const jaxpr& from_;
  std::vector<atom> map_;
  std::vector<std::uint32_t> table_;     ///< open addressing: equation number + 1
  std::vector<std::uint64_t> hashes_;    ///< by equation of `to`; 0 = not in the table
  std::size_t count_ = 0;
};

/// Which equations must stay, given which effects may be dropped with dead results.
constexpr std::vector<char> live_equations(const jaxpr& p, effect_set droppable, std::vector<char>& used) {
  std::vector<char> keep(p.equations.size(), false);
  used.assign(p.avals.size(), false);
  for (atom a : p.outvars)
    if (!a.is_literal()) used[a.index()] = true;
  for (std::size_t n = p.equations.size(); n-- > 0;) {
    const equation& e = p.equations[n];
    bool live = (e.effects & ~droppable) != 0;
    for (variable v : p.outputs(e)) live = live || used[v];
    keep[n] = live;
    if (!live) continue;
    for (atom a : p.inputs(e))
      if (!a.is_literal()) used[a.index()] = true;
  }
  return keep;
}

}  // namespace detail

/// Replaces calls by their bodies, at every depth.
constexpr closed_jaxpr inline_calls(const closed_jaxpr& p) {
  if (!detail::has_inlinable(*p)) return p;
  trace_scope t(trace::purpose::staging, nullptr);
  t->name = "inline";
  std::vector<array> constants, arguments;
  for (variable v : p->constvars) constants.push_back(t->input(p->avals[v]));
  for (variable v : p->invars) arguments.push_back(t->input(p->avals[v]));
  t.enter();
  const std::vector<array> outs = detail::eval_inlined(*p, constants, arguments);
  closed_jaxpr r = t->finish(outs);
  jaxpr body = *r.program;
  body.constvars.assign(body.invars.begin(), body.invars.begin() + std::ptrdiff_t(constants.size()));
  body.invars.erase(body.invars.begin(), body.invars.begin() + std::ptrdiff_t(constants.size()));
  return {jaxpr_ref(std::move(body)), p.constants, p.problem};
}

/// Merges equal equations without effects and drops operations with a unit.
constexpr jaxpr merge_equations(const jaxpr& p) {
  detail::rewriter r(p);
  r.merge_and_copy();
  return std::move(r.to);
}

/// Drops equations whose results are not used. `droppable` lists effects that do not keep a dead equation alive.
constexpr jaxpr drop_dead(const jaxpr& p, effect_set droppable = no_effect) {
  std::vector<char> used;
  const std::vector<char> keep = detail::live_equations(p, droppable, used);
  jaxpr r = p;
  r.equations.clear();
  r.effects = 0;
  for (std::size_t n = 0; n < p.equations.size(); ++n)
    if (keep[n]) {
      r.equations.push_back(p.equations[n]);
      r.effects |= p.equations[n].effects;
    }
  return r;
}

/// All of the above, and constvars that are not used removed with their constants.
constexpr closed_jaxpr simplify(const closed_jaxpr& p, effect_set droppable = no_effect) {
  const closed_jaxpr flat = inline_calls(p);
  jaxpr r = drop_dead(merge_equations(*flat), droppable);
  std::vector<char> used;
  detail::live_equations(r, droppable, used);
  closed_jaxpr out;
  out.problem = p.problem;
  const std::vector<variable> all = std::move(r.constvars);
  r.constvars.clear();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (used[all[i]]) {
      r.constvars.push_back(all[i]);
      out.constants.push_back(flat.constants[i]);
    }
  out.program = jaxpr_ref(std::move(r));
  detail::check_made(out, "simplify", nullptr);
  return out;
}

}  // namespace jacquard
