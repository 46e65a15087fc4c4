#pragma once
// Simplification: inlining of calls, common subexpressions, operations with a unit, dead code, of loops and branches what nobody reads. Run
// before lowering and before freezing. Effectful equations keep their order and are never merged; only taps may be dropped, and only on
// request. Deliberately local: no reassociation, nothing that changes NaN or infinity.

#include <bit>

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/core/eval.hpp"
#include "jacquard/core/word_hash.hpp"
#include "jacquard/transforms/liveness.hpp"

namespace jacquard {

namespace detail {

/// Evaluates a program of whose equations f may give the results: f(equation, operands, results) says whether it did.
template <class F>
constexpr std::vector<array> eval_replacing(const jaxpr& p, view<const array> constants, view<const array> arguments, const F& f) {
  environment env(p, constants, arguments);
  for (const equation& e : p.equations) {
    const std::vector<array> in = env.read(p.inputs(e));
    const rule_location_scope here(e.where);
    array_list out;
    if (!f(e, view<const array>(in), out)) out = jacquard::bind(*e.op, in, p.params(e), e.where);
    for (std::size_t i = 0; i < out.size(); ++i) env.write(p.outputs(e)[i], out[i]);
  }
  return env.read(p.outvars);
}
/// The program traced again, with results that f gives; its inputs stay as they are.
template <class F>
constexpr jaxpr_ref retraced(const jaxpr& p, std::string_view name, const F& f) {
  trace_scope t(trace::purpose::staging, nullptr);
  t->name = name;
  std::vector<array> constants, arguments;
  for (variable v : p.constvars) constants.push_back(t->input(p.avals[v]));
  for (variable v : p.invars) arguments.push_back(t->input(p.avals[v]));
  t.enter();
  const std::vector<array> outs = eval_replacing(p, constants, arguments, f);
  jaxpr body = *t->finish(outs).program;
  body.constvars.assign(body.invars.begin(), body.invars.begin() + std::ptrdiff_t(constants.size()));
  body.invars.erase(body.invars.begin(), body.invars.begin() + std::ptrdiff_t(constants.size()));
  return jaxpr_ref(std::move(body));
}

/// Gives the results of calls: those of their bodies.
struct call_inliner {
  const jaxpr& p;
  bool keeps_rules = false;
  constexpr bool operator()(const equation& e, view<const array> in, array_list& out) const {
    if (!is_inlined(p, e, keeps_rules)) return false;
    const jaxpr& body = *p.params(e).subs[0];
    for (const array& x : eval_replacing(body, {}, in, call_inliner{body, keeps_rules})) out.push_back(x);
    return true;
  }
  static constexpr bool is_inlined(const jaxpr& p, const equation& e, bool keeps_rules) { return e.op->inlinable && !(keeps_rules && p.params(e).function_count != 0); }
  static constexpr bool has_any(const jaxpr& p, bool keeps_rules) {
    for (const equation& e : p.equations)
      if (is_inlined(p, e, keeps_rules)) return true;
    return false;
  }
};

/// Copies equations of one jaxpr into another while variables are renamed and, if wanted, merged.
class rewriter {
 public:
  /// What is done while copying.
  enum class effort : std::uint8_t { copy, merge, strip_identities };
  /// `exact`: results keep all their bits, also the sign of a zero.
  constexpr explicit rewriter(const jaxpr& from, effort what, bool exact = false)
      : from_(from), effort_(what), exact_(exact), map_(from.avals.size()), same_(from.avals.size() + 1), alike_(std::bit_ceil(from.equations.size() + 1)), next_(from.equations.size() + 1) {
    to.reserve(from.equations.size() + from.invars.size() + from.constvars.size());
  }
  /// Declares the inputs; of the captured ones those that are used, whose positions it returns.
  constexpr std::vector<std::size_t> declare_inputs(const table<bool>* used = nullptr) {
    std::vector<std::size_t> captured;
    for (std::size_t i = 0; i < from_.constvars.size(); ++i) {
      if (used && !(*used)[from_.constvars[i]]) continue;
      to.constvars.push_back(declare(from_.constvars[i]));
      captured.push_back(i);
    }
    for (variable v : from_.invars) to.invars.push_back(declare(v));
    return captured;
  }
  /// Those equations that are live.
  constexpr void copy_equations(const liveness& live) {
    std::size_t left = live.trimmed.size();
    for (std::size_t n = 0; n < from_.equations.size(); ++n) {
      if (!live.keep[n]) continue;
      const equation& e = from_.equations[n];
      const std::uint32_t first = std::uint32_t(to.operands.size());
      const trim_call* const part = left > 0 && live.trimmed[left - 1].number == n ? &live.trimmed[--left].stays : nullptr;
      for (std::uint32_t k = 0; k < e.in.count; ++k)
        if (!part || part->operands[k]) to.operands.push_back(translate(from_.operands[e.in.first + k]));
      if (part) {
        copy(e, first, part->trimmed, &part->results);
        continue;
      }
      const bool identity = effort_ == effort::strip_identities && skip_identity(e, first);
      if (identity || (effort_ != effort::copy && (skip_unit(e, first) || merge(e, first)))) to.operands.resize(first);
      else copy(e, first, from_.params(e));
    }
    for (atom a : from_.outvars) to.outvars.push_back(translate(a));
  }
  jaxpr to;
  bool left_same = false;  ///< an operation with a unit is gone, but what made that of a literal is there yet

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
    if (!a.is_literal() && same_[a.index()] == 0) return false;
    const literal& l = to.literals[a.is_literal() ? a.index() : same_[a.index()] - 1];
    const double v = l.get<double>(), i = is_complex(l.type) ? std::bit_cast<double>(l.high) : v;
    if (v != e.op->unit || (is_complex(l.type) && i != 0)) return false;
    // A product with 1 + 0i adds products with 0, which are NaN where the other part is infinite.
    if (v != 0 && is_complex(l.type)) return false;
    // -0 + 0 is 0, -0 - -0 too: where signs of zeros count, only -0 can be added and 0 taken away.
    const bool takes_negative = e.op->commutative;
    return !exact_ || v != 0 || !is_inexact(l.type) || (ieee::signbit(v) == takes_negative && ieee::signbit(i) == takes_negative);
  }
  /// x + 0, x * 1: the result is the operand.
  constexpr bool skip_unit(const equation& e, std::uint32_t in) {
    if (!e.op->has_unit || e.in.count != 2) return false;
    const variable out = from_.results[e.out.first];
    for (std::uint32_t k = 0; k < (e.op->commutative ? 2u : 1u); ++k)
      if (is_unit(e, to.operands[in + 1 - k]) && to.type_of(to.operands[in + k]) == from_.avals[out]) {
        map_[out] = to.operands[in + k];
        left_same = left_same || !to.operands[in + 1 - k].is_literal();
        return true;
      }
    return false;
  }
  /// Identities matter to transforms alone, unless they have effects.
  constexpr bool skip_identity(const equation& e, std::uint32_t in) {
    if (!e.op->identity || e.effects != 0) return false;
    for (std::uint32_t i = 0; i < e.out.count; ++i)
      if (!(to.type_of(to.operands[in + i]) == from_.avals[from_.results[e.out.first + i]])) return false;
    for (std::uint32_t i = 0; i < e.out.count; ++i) map_[from_.results[e.out.first + i]] = to.operands[in + i];
    return true;
  }
  constexpr bool same(const equation& a, const equation& b, std::uint32_t in) const {
    if (a.op != b.op || a.in.count != b.in.count) return false;
    for (std::uint32_t i = 0; i < a.in.count; ++i) {
      const atom x = to.operands[a.in.first + i], y = to.operands[in + i];
      if (x.is_literal() != y.is_literal()) return false;
      if (x.is_literal() ? !(to.literals[x.index()] == to.literals[y.index()]) : !(x == y)) return false;
    }
    return (a.words.count + b.words.count + a.subs.count + b.subs.count + a.functions.count + b.functions.count == 0) ||
           to.params(a) == from_.params(b);
  }
  /// Where equations are listed that may be equal to this one. Literals count by what they are: equal ones may have several numbers.
  constexpr std::size_t list_of(const equation& e, std::uint32_t in) const {
    std::uint64_t h = e.op->name.size();
    const auto add = [&](std::uint64_t word) { h = hash_with(h, word); };
    for (std::uint32_t k = 0; k < e.in.count; ++k)
      if (const atom a = to.operands[in + k]; a.is_literal()) add(to.literals[a.index()].low ^ to.literals[a.index()].high);
      else add(a.index());
    for (std::uint32_t k = 0; k < e.words.count; ++k) add(from_.words[e.words.first + k]);
    return std::size_t(h) & (alike_.size() - 1);
  }
  /// Reuses an equal earlier equation without effects.
  constexpr bool merge(const equation& e, std::uint32_t in) {
    if (e.effects != 0 || !e.op->foldable) return false;
    std::uint32_t& last = alike_[list_of(e, in)];
    for (std::uint32_t n = last; n != 0; n = next_[n]) {
      const equation& known = to.equations[n - 1];
      if (!same(known, e, in)) continue;
      for (std::uint32_t i = 0; i < e.out.count; ++i)
        map_[from_.results[e.out.first + i]] = atom::of_variable(to.results[known.out.first + i]);
      return true;
    }
    const std::uint32_t number = std::uint32_t(to.equations.size() + 1);
    next_[number] = last;
    last = number;
    return false;
  }
  /// Appends the equation, whose operands are there already, with those results that stay.
  constexpr void copy(const equation& e, std::uint32_t in, const param_view& p, const std::vector<char>* stays = nullptr) {
    equation r = e;
    r.effects = effects_of(*e.op, p);
    r.in = {in, std::uint32_t(to.operands.size()) - in};
    r.words = {std::uint32_t(to.words.size()), p.count};
    for (std::uint32_t i = 0; i < p.count; ++i) to.words.push_back(p.words[i]);
    r.subs = {std::uint32_t(to.subs.size()), p.sub_count};
    for (std::uint32_t i = 0; i < p.sub_count; ++i) to.add_program(p.subs[i]);
    r.functions = {std::uint32_t(to.functions.size()), p.function_count};
    for (std::uint32_t i = 0; i < p.function_count; ++i) to.functions.push_back(p.functions[i]);
    r.out.first = std::uint32_t(to.results.size());
    for (std::uint32_t i = 0; i < e.out.count; ++i)
      if (!stays || (*stays)[i]) to.results.push_back(declare(from_.results[e.out.first + i]));
    r.out.count = std::uint32_t(to.results.size()) - r.out.first;
    if (e.op->view_of && e.in.count == 1 && e.effects == 0) {
      const atom a = to.operands[in];
      same_[to.results[r.out.first]] = a.is_literal() ? a.index() + 1 : same_[a.index()];
    }
    to.effects |= r.effects;
    to.equations.push_back(r);
  }

  const jaxpr& from_;
  effort effort_;
  bool exact_;
  table<atom> map_;
  table<std::uint32_t> same_;   ///< by variable of `to`: the literal that is each of its elements, + 1
  table<std::uint32_t> alike_;  ///< by what list_of says: the last equation listed there, + 1
  table<std::uint32_t> next_;   ///< by equation + 1: the one listed before
};

}  // namespace detail

/// Replaces calls by their bodies, at every depth. `keeps_rules`: not of functions with rules of their own, for programs that are differentiated.
JACQUARD_ONCE constexpr closed_jaxpr inline_calls(const closed_jaxpr& p, bool keeps_rules = false) {
  if (!detail::call_inliner::has_any(*p, keeps_rules)) return p;
  return {detail::retraced(*p, "inline", detail::call_inliner{*p, keeps_rules}), p.constants, p.problem};
}

/// Drops equations whose results are not used. `droppable` lists effects that do not keep a dead equation alive.
constexpr jaxpr drop_dead(const jaxpr& p, effect_set droppable = no_effect) {
  const detail::liveness live(p, droppable);
  detail::rewriter r(p, detail::rewriter::effort::copy);
  r.declare_inputs();
  r.copy_equations(live);
  return std::move(r.to);
}

/// The same, and merges equal equations without effects. Inputs and outputs stay as they are. `exact`: see simplify.
JACQUARD_ONCE constexpr jaxpr drop_dead_and_merge(const jaxpr& p, bool exact = false) {
  const detail::liveness live(p, no_effect);
  detail::rewriter r(p, detail::rewriter::effort::merge, exact);
  r.declare_inputs();
  r.copy_equations(live);
  if (r.left_same) return drop_dead(r.to);
  return std::move(r.to);
}

namespace detail {

/// In bodies, at every depth: drops equations with no effects but droppable ones whose results the body does not use.
constexpr jaxpr_ref drop_dead_in_bodies(const jaxpr_ref& p, effect_set droppable) {
  if ((p->effects & droppable) == 0) return p;
  jaxpr r = *p;
  r.effects = no_effect;
  for (equation& e : r.equations) {
    for (std::uint32_t i = 0; i < e.subs.count; ++i) {
      jaxpr_ref& body = r.subs[e.subs.first + i];
      if (body->effects & droppable) body = jaxpr_ref(drop_dead(*drop_dead_in_bodies(body, droppable), droppable));
    }
    e.effects = effects_of(*e.op, r.params(e));
    r.effects |= e.effects;
  }
  return jaxpr_ref(std::move(r));
}

}  // namespace detail

/// Inlines calls, drops what is not used, in bodies too, merges equal equations without effects, drops operations with a unit and identities, which
/// only transforms look at, and removes constvars that are not used with their constants. `exact`: not where that changes the sign of a zero.
JACQUARD_ONCE constexpr closed_jaxpr simplify(const closed_jaxpr& p, effect_set droppable = no_effect, bool exact = false) {
  closed_jaxpr flat = inline_calls(p);
  flat.program = detail::drop_dead_in_bodies(flat.program, droppable);
  const detail::liveness live(*flat, droppable);
  detail::rewriter r(*flat, detail::rewriter::effort::strip_identities, exact);
  closed_jaxpr out;
  out.problem = p.problem;
  for (std::size_t i : r.declare_inputs(&live.used)) out.constants.push_back(flat.constants[i]);
  r.copy_equations(live);
  if (r.left_same) r.to = drop_dead(r.to, droppable);
  out.program = jaxpr_ref(std::move(r.to));
  detail::check_made(out, "simplify", detail::outermost_axes());
  return out;
}

}  // namespace jacquard
