#pragma once
// The typed program. Variables are numbers with an aval; equations refer to operands, parameters, sub-jaxprs and functions
// by ranges of pools, so that a frozen copy is trivially copyable. Deliberately a passive value: building is the trace's
// work, meaning is given by interpreters.

#include "jacquard/core/list.hpp"
#include "jacquard/core/primitive.hpp"

namespace jacquard {

using variable = std::uint32_t;

/// An operand: a variable or a literal of the jaxpr's pool.
struct atom {
  static constexpr std::uint32_t literal_bit = 0x80000000u;
  std::uint32_t code = 0;

  static constexpr atom of_variable(variable v) { return {v}; }
  static constexpr atom of_literal(std::uint32_t i) { return {i | literal_bit}; }
  constexpr bool is_literal() const { return (code & literal_bit) != 0; }
  constexpr std::uint32_t index() const { return code & ~literal_bit; }
  constexpr bool operator==(const atom&) const = default;
};

/// A half-open range of a pool.
struct pool_range {
  std::uint32_t first = 0, count = 0;
};

/// outputs = primitive[params] inputs
struct equation {
  const primitive* op = nullptr;
  pool_range in, out, words, subs, functions;
  effect_set effects = 0;
  location where;
};

/// { lambda constvars ; invars. let equations in outvars }
struct jaxpr {
  list<aval> avals;  ///< by variable
  std::vector<variable> constvars, invars;
  list<atom> outvars;
  list<equation> equations;
  list<atom> operands;    ///< pool of equation inputs
  list<variable> results; ///< pool of equation outputs
  list<literal> literals;
  std::vector<std::uint64_t> words;
  list<jaxpr_ref> subs;
  list<function_ref> functions;
  effect_set effects = 0;
  int depth = 0;  ///< how many programs lie within each other in it

  constexpr variable new_variable(const aval& a) {
    avals.push_back(a);
    return variable(avals.size() - 1);
  }
  constexpr view<const atom> inputs(const equation& e) const {
    return view<const atom>(operands).subspan(e.in.first, e.in.count);
  }
  constexpr view<const variable> outputs(const equation& e) const {
    return view<const variable>(results).subspan(e.out.first, e.out.count);
  }
  constexpr param_view params(const equation& e) const {
    param_view v;
    v.words = words.data() + e.words.first;
    v.count = e.words.count;
    v.subs = subs.data() + e.subs.first;
    v.sub_count = e.subs.count;
    v.functions = functions.data() + e.functions.first;
    v.function_count = e.functions.count;
    return v;
  }
  constexpr aval type_of(atom a) const { return a.is_literal() ? literals[a.index()].aval() : avals[a.index()]; }

  /// Appends an equation; the outputs get new variables of the given types. Returns the first of them.
  constexpr variable append(const primitive& op, view<const atom> in, const param_view& p,
                            view<const aval> out, effect_set eff, const location& where) {
    equation& e = *equations.extend(1);  // written where it stays: processors stall where a whole is copied right after its parts were written
    e.op = &op;
    e.where = where;
    e.effects = eff;
    e.in = {std::uint32_t(operands.size()), std::uint32_t(in.size())};
    for (atom a : in) operands.push_back(a);
    e.words = {std::uint32_t(words.size()), p.count};
    for (std::uint32_t i = 0; i < p.count; ++i) words.push_back(p.words[i]);
    e.subs = {std::uint32_t(subs.size()), p.sub_count};
    for (std::uint32_t i = 0; i < p.sub_count; ++i) add_program(p.subs[i]);
    e.functions = {std::uint32_t(functions.size()), p.function_count};
    for (std::uint32_t i = 0; i < p.function_count; ++i) functions.push_back(p.functions[i]);
    e.out = {std::uint32_t(results.size()), std::uint32_t(out.size())};
    const variable first = variable(avals.size());
    for (const aval& a : out) results.push_back(new_variable(a));
    effects |= eff;
    return first;
  }
  /// Appends to the pool of programs.
  constexpr void add_program(const jaxpr_ref& p) {
    if (depth <= p->depth) depth = p->depth + 1;
    subs.push_back(p);
  }
  /// Room for about that many equations, which spares growing in constant evaluation, where every copy is slow.
  constexpr void reserve(std::size_t count) {
    avals.reserve(count);
    equations.reserve(count);
    operands.reserve(2 * count);
    results.reserve(count);
    literals.reserve(count);
    words.reserve(count);
  }
  constexpr atom add_literal(const literal& l) {
    literals.push_back(l);
    return atom::of_literal(std::uint32_t(literals.size() - 1));
  }
};

struct jaxpr_ref::holder final : jaxpr_ref::shared {
  jaxpr body;
  constexpr explicit holder(jaxpr b) : body(std::move(b)) {}
  constexpr ~holder() override {}
};
constexpr jaxpr_ref::jaxpr_ref(jaxpr body) : node_(new holder(std::move(body))) {}
constexpr const jaxpr& jaxpr_ref::operator*() const { return static_cast<const holder*>(node_)->body; }
constexpr const jaxpr* jaxpr_ref::operator->() const { return &static_cast<const holder*>(node_)->body; }

/// The effects of an equation: its primitive's, and those of the programs it holds.
constexpr effect_set effects_of(const primitive& op, const param_view& p) {
  effect_set r = op.effects;
  for (std::uint32_t i = 0; i < p.sub_count; ++i) r |= p.subs[i]->effects;
  return r;
}

/// A jaxpr together with the values of its constvars.
struct closed_jaxpr {
  jaxpr_ref program;
  std::vector<array> constants;
  error_record problem{};  ///< constant evaluation: the first error found while tracing

  constexpr const jaxpr& operator*() const { return *program; }
  constexpr const jaxpr* operator->() const { return &*program; }
  constexpr std::vector<aval> in_avals() const {
    std::vector<aval> r;
    for (variable v : program->invars) r.push_back(program->avals[v]);
    return r;
  }
  constexpr std::vector<aval> out_avals() const {
    std::vector<aval> r;
    for (atom a : program->outvars) r.push_back(program->type_of(a));
    return r;
  }
};

/// By variable: whether an equation or the results of the program read it.
constexpr std::vector<char> read_variables(const jaxpr& p) {
  std::vector<char> r(p.avals.size(), false);
  const auto read = [&r](atom a) {
    if (!a.is_literal()) r[a.index()] = true;
  };
  for (const equation& e : p.equations)
    for (atom a : p.inputs(e)) read(a);
  for (atom a : p.outvars) read(a);
  return r;
}

/// By variable: whether an equation with effects, other than those left out of account, had a part in it.
constexpr std::vector<char> come_from_effects(const jaxpr& p, effect_set but = 0) {
  std::vector<char> r(p.avals.size(), false);
  for (const equation& e : p.equations) {
    bool any = (e.effects & ~but) != 0;
    for (atom a : p.inputs(e)) any = any || (!a.is_literal() && r[a.index()]);
    for (variable v : p.outputs(e)) r[v] = any;
  }
  return r;
}

/// What one element of an elementwise equation is, by itself, written into `body`, which has no steps yet; empty where that cannot be written as
/// a scalar program. The equation's primitive has a rule `record`.
constexpr scalar_program recorded_alone(const jaxpr& p, const equation& e, scalar_program body = {}) {
  std::vector<std::int32_t> in, imaginary;
  for (atom a : p.inputs(e)) {
    const dtype t = p.type_of(a).type, real = real_dtype(t);
    const std::int32_t number = std::int32_t(2 * in.size());
    if (a.is_literal()) in.push_back(body.constant(p.literals[a.index()].real_part()));
    else in.push_back(body.load(number, real));
    if (!is_complex(t)) imaginary.push_back(-1);
    else if (a.is_literal()) imaginary.push_back(body.constant(p.literals[a.index()].imaginary_part()));
    else imaginary.push_back(body.load(number + 1, real));
  }
  const aval& out = p.avals[p.outputs(e)[0]];
  const index_map at(std::size_t(out.rank()), index_source{0, 0, 1});
  record_call c{body, view<const std::int32_t>(in), out, at, p.params(e), -1, 0, view<const std::int32_t>(imaginary)};
  e.op->record(c);
  if (c.result < 0) return scalar_program();  // g++ 12 destroys a ?: of class type twice in constant evaluation
  return body;
}

}  // namespace jacquard
