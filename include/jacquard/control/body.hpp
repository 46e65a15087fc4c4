#pragma once
// Bodies of control-flow primitives: closed jaxprs without constvars, built by tracing, whose captured values are leading
// operands. What the rules of loops and branches share lies here. Deliberately knows no primitive that holds a body.

#include "jacquard/control/embedded_arrays.hpp"
#include "jacquard/core/body_memo.hpp"
#include "jacquard/core/compiled_once.hpp"
#include "jacquard/transforms/batch.hpp"
#include "jacquard/transforms/differentiate.hpp"
#include "jacquard/transforms/simplify.hpp"

namespace jacquard {

namespace detail {

/// What makes the results of a body of its inputs.
using body_function = function_of<std::vector<array>, view<const array>>;
/// The program of a body, with the arrays that f brings as its constants.
template <class Array = array>
JACQUARD_ONCE constexpr closed_jaxpr program_of_body(view<const aval> types, const axis_binding* axes, const body_function& f) {
  trace_scope t(trace::purpose::staging, nullptr);
  t->name = "call";
  t->axes = axes;
  std::vector<array> inputs;
  for (const aval& a : types) inputs.push_back(t->input(a));
  t.enter();
  const std::vector<array> outs = f(view<const array>(inputs));
  return t->finish(outs);
}
/// The same of anything callable.
template <class F>
constexpr closed_jaxpr traced_body(view<const aval> types, const axis_binding* axes, F&& f) {
  return program_of_body(types, axes, function_seen<std::remove_reference_t<F>, std::vector<array>, view<const array>>(f).of_signature());
}
/// See build_body.
template <class Array = array>
JACQUARD_ONCE constexpr jaxpr_ref body_of(view<const aval> types, const axis_binding* axes, const body_function& f) {
  closed_jaxpr made = program_of_body(types, axes, f);
  if (__builtin_is_constant_evaluated() || made.constants.empty()) return std::move(made.program);
  std::vector<array> constants;
  for (const array& c : made.constants) constants.push_back(embedded(c));
  return traced_body(types, axes, [&](view<const array> in) { return eval_jaxpr(*made.program, constants, in); }).program;
}
/// Builds a body: a staging trace with inputs of the given types, closed over nothing. Arrays that a user's rule brings become a part of it.
template <class F>
constexpr jaxpr_ref build_body(view<const aval> types, const axis_binding* axes, F&& f) {
  return body_of(types, axes, function_seen<std::remove_reference_t<F>, std::vector<array>, view<const array>>(f).of_signature());
}
/// The same with equal equations merged and dead ones dropped. For bodies that rules make.
template <class F>
constexpr jaxpr_ref build_tidy_body(view<const aval> types, const axis_binding* axes, F&& f) {
  return jaxpr_ref(drop_dead_and_merge(*build_body(types, axes, f)));
}

template <class Array = array>
constexpr std::vector<aval> types_of(view<const lazy<Array>> x) {
  std::vector<aval> r;
  for (const array& a : x) r.push_back(a.aval());
  return r;
}
/// Mapped axes in scope where the operands live.
template <class Array = array>
constexpr const axis_binding* axes_of(view<const lazy<Array>> x) {
  const trace* t = trace_of(x);
  return t ? t->axes : nullptr;
}
constexpr std::vector<aval> invar_types(const jaxpr& p) {
  std::vector<aval> r;
  for (variable v : p.invars) r.push_back(p.avals[v]);
  return r;
}
/// The type of a stacked array of so many; element_type_of is the reverse.
constexpr aval stacked_type_of(const aval& element, std::int64_t length) {
  return element.with(shape(element.dims.with(0, length)));
}

/// The captured arrays of a traced body become its leading inputs.
JACQUARD_ONCE constexpr jaxpr_ref closed_body(const closed_jaxpr& p) {
  jaxpr body = *p.program;
  body.invars.insert(body.invars.begin(), body.constvars.begin(), body.constvars.end());
  body.constvars.clear();
  return jaxpr_ref(std::move(body));
}

/// Traces f on variables of the given types where the operands `about` live; `like` are trees of the arguments' structure.
template <class F, class... A>
constexpr auto trace_body(F& f, std::string_view name, view<const aval> types, view<const array> about, const A&... like) {
  return trace_function(f, trace::purpose::staging, name, types, about, nullptr, like...);
}

/// The structure of a tree, as messages of control flow show it: "(*, *)".
template <class T>
constexpr text structure_text(const T& tree) {
  text t;
  put_structure(t, tree);
  return t;
}
/// "float32[3]" and "ShapedArray(float32[3])", as messages name types.
constexpr text long_type_text(const aval& a) {
  text t;
  t << long_name(a.type) << '[';
  for (int d = 0; d < a.rank(); ++d) t << (d ? "," : "") << a.dims[d];
  return t << ']';
}
constexpr text shaped_text(const aval& a) { return cat("ShapedArray(", long_type_text(a), ')'); }
/// Whether types differ in nothing but what a conversion changes.
constexpr bool same_shapes(view<const aval> a, view<const aval> b) {
  bool same = a.size() == b.size();
  for (std::size_t i = 0; same && i < a.size(); ++i) same = a[i].dims == b[i].dims;
  return same;
}
/// The types that should agree, with those marked that do not.
constexpr text differences(view<const aval> got, view<const aval> want) {
  text t;
  if (got.size() != 1) t << '(';
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (i) t << ", ";
    if (same_type(got[i], want[i])) t << shaped_text(got[i]);
    else t << "DIFFERENT " << shaped_text(got[i]) << " vs. " << shaped_text(want[i]);
  }
  if (got.size() != 1) t << ')';
  return t;
}
constexpr bool all_same_types(view<const aval> a, view<const aval> b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same_type(a[i], b[i])) return false;
  return true;
}

/// Reports an error at the user's line.
template <class Array = array>
constexpr void fail_at(view<const lazy<Array>> about, const location& where, error_record e) {
  e.where = where;
  report(about, e);
}

/// Reports an error of a rule, at the user's line on whose behalf it runs.
template <class Array = array>
constexpr void fail_in_rule(view<const lazy<Array>> about, const error_record& e) {
  location where;
  if (!__builtin_is_constant_evaluated() && rule_location) where = *rule_location;
  fail_at(about, where, e);
}

/// Whether a body does more than compute and show values. That must not happen where the program says that it does not.
constexpr bool acts(const jaxpr& p) {
  constexpr effect_set effects = ordered_effect | unordered_effect;
  if ((p.effects & effects) == 0) return false;
  for (const equation& e : p.equations) {
    if ((e.effects & effects) == 0 || e.op->watches) continue;
    const param_view held = p.params(e);
    bool any = held.sub_count == 0;
    for (std::uint32_t i = 0; i < held.sub_count; ++i) any = any || acts(*held.subs[i]);
    if (any) return true;
  }
  return false;
}

/// A weakly typed start of a loop takes the type that the body gives it. Returns whether any type changed.
constexpr bool promote_weak(std::vector<aval>& start, view<const aval> result) {
  bool changed = false;
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (!start[i].weak || !(start[i].dims == result[i].dims) || category_of(start[i].type) > category_of(result[i].type)) continue;
    if (start[i] == result[i]) continue;
    start[i] = result[i];
    changed = true;
  }
  return changed;
}

/// Which inputs of a loop's body have tangents in some iteration: those given, and the carries that the body gives one.
template <class Array = array>
constexpr std::vector<char> found_tangents(const jaxpr& body, const axis_binding* axes, std::vector<char> nonzero, std::size_t first_carry,
                                           std::size_t carries) {
  const auto complete = [&] {
    for (std::size_t i = first_carry; i < first_carry + carries; ++i)
      if (!nonzero[i] && is_inexact(body.avals[body.invars[i]].type)) return false;
    return true;
  };
  for (bool changed = true; changed && !complete();) {
    changed = false;
    build_body(invar_types(body), axes, [&](view<const array> in) {
      const linearized l = linearize_jaxpr<Array>(body, {}, in, nonzero);
      for (std::size_t i = 0; i < carries; ++i)
        if (l.tangent_of[i] >= 0 && !nonzero[first_carry + i]) nonzero[first_carry + i] = changed = true;
      return std::vector<array>();
    });
  }
  return nonzero;
}
template <class Array = array>
constexpr std::vector<char> tangent_fixpoint(const jaxpr_ref& body, const axis_binding* axes, const std::vector<char>& nonzero, std::size_t first_carry,
                                             std::size_t carries) {
  return remembered("tangent_fixpoint", [&] { return found_tangents<Array>(*body, axes, nonzero, first_carry, carries); }, body, axes, nonzero, first_carry,
                    carries);
}
/// Whether a program calls rules that users gave, or the host.
constexpr bool calls_functions(const jaxpr& p) {
  bool any = !p.functions.empty();
  for (const jaxpr_ref& body : p.subs) any = any || calls_functions(*body);
  return any;
}
/// What an equation makes of tangents of some of its operands.
struct tangents_of_results {
  std::vector<char> nonzero;  ///< by result: whether it has a tangent
  bool vary = false;          ///< with the values of these operands; not told where the equation calls functions, which keep what they like
};
/// `differentiate` are the operands that have tangents.
template <class Array = array>
constexpr tangents_of_results tangents_through(const jaxpr& p, const equation& e, const std::vector<char>& differentiate, const axis_binding* axes) {
  std::vector<aval> types;
  for (atom a : p.inputs(e)) types.push_back(p.type_of(a));
  const jaxpr_ref alone = build_body(types, axes, [&](view<const array> in) {
    const array_list y = jacquard::bind(*e.op, in, p.params(e), e.where);
    return std::vector<array>(y.begin(), y.end());
  });
  tangents_of_results r;
  const jaxpr_ref residuals = build_body(types, axes, [&](view<const array> in) {
    const linearized l = linearize_jaxpr<Array>(*alone, {}, in, differentiate);
    for (const int place : l.tangent_of) r.nonzero.push_back(place >= 0);
    const liveness live(*l.program, no_effect, l.program->outvars);
    std::vector<array> read;
    for (std::size_t i = 0; i < l.program.constants.size(); ++i)
      if (live.used[l.program->constvars[i]]) read.push_back(l.program.constants[i]);
    return read;
  });
  if (calls_functions(*alone)) return r;
  build_body(types, axes, [&](view<const array> in) {
    for (const int place : linearize_jaxpr<Array>(*residuals, {}, in, differentiate).tangent_of) r.vary = r.vary || place >= 0;
    return std::vector<array>();
  });
  return r;
}
/// The given tangents that count.
template <class Array = array>
constexpr std::vector<char> tangent_flags(view<const lazy<Array>> x, view<const lazy<Array>> t) {
  std::vector<char> r;
  for (std::size_t i = 0; i < t.size(); ++i) r.push_back(!t[i].is_none() && is_inexact(x[i].dtype()));
  return r;
}

/// A body linearized: a program that returns its residuals after its outputs, and the linear program that takes them as
/// constvars.
struct linearized_body {
  jaxpr_ref known;
  jaxpr linear;
  std::vector<int> tangent_of;  ///< by output: its position among those of `linear`, or -1 for zero

  /// The tangents of the outputs; none where they are zero.
  template <class Array = array>
  constexpr std::vector<array> tangents(view<const lazy<Array>> residuals, view<const lazy<Array>> t) const {
    const std::vector<array> outs = eval_jaxpr(linear, residuals, t);
    std::vector<array> r(tangent_of.size());
    for (std::size_t i = 0; i < r.size(); ++i)
      if (tangent_of[i] >= 0) r[i] = outs[std::size_t(tangent_of[i])];
    return r;
  }
};
template <class Array = array>
constexpr linearized_body linearize_body(const jaxpr_ref& body, const axis_binding* axes, const std::vector<char>& differentiate) {
  return remembered("linearize_body", [&] {
    linearized_body r;
    r.known = build_tidy_body(invar_types(*body), axes, [&](view<const array> in) {
      const linearized lin = linearize_jaxpr<Array>(*body, {}, in, differentiate);
      std::vector<array> outs = lin.primals;
      outs.insert(outs.end(), lin.program.constants.begin(), lin.program.constants.end());
      r.linear = *lin.program.program;
      r.tangent_of = lin.tangent_of;
      return outs;
    });
    return r;
  }, body, axes, differentiate);
}

// What equations share that stand for one body applied to all operands.

inline void evaluate_body(evaluate_call& c, const jaxpr_ref& body) {
  std::vector<array> out = c.run(c.context, body, {c.in.begin(), c.in.end()});
  for (std::size_t i = 0; i < out.size(); ++i) c.out[i] = std::move(out[i]);
}
/// Base of primitives whose params have the field `body`: its types and values.
struct body_values {
  static constexpr void abstract_eval(inference& c, const auto& p) {
    const jaxpr& body = *p.body;
    if (c.in.size() != body.invars.size()) {
      c.fail(error_kind::type, ": got ", c.in.size(), " operands, wanted ", body.invars.size());
      return;
    }
    for (std::size_t i = 0; i < c.in.size(); ++i)
      if (!same_type(c.in[i], body.avals[body.invars[i]])) {
        c.fail(error_kind::type, ": operand ", i, " is ", c.in[i], ", wanted ", body.avals[body.invars[i]]);
        return;
      }
    for (atom a : body.outvars) c.outputs.push_back(body.type_of(a));
  }
  static void evaluate(auto& c, const auto& p) { evaluate_body(c, p.body); }
  static control_form control(const auto&) { return {}; }
  static void place(placed_call& c) { c.run(c.context, 0, c.in.begin(), c.out.begin()); }
};

/// The body for all examples, all results mapped along their first dimension.
constexpr jaxpr_ref mapped_body(const auto& c, const jaxpr& body) {
  return build_tidy_body(types_of(c.x), axes_of(c.x), [&](view<const array> in) {
    std::vector<array> outs;
    for (const batched& y : batch_jaxpr(body, {}, in, c.dims, c.size, c.axis)) outs.push_back(batch_materialise(y.value, y.dim, c.size));
    return outs;
  });
}

/// Which variables depend on inputs with the given flags.
constexpr std::vector<char> dependents(const jaxpr& p, const std::vector<char>& inputs) {
  std::vector<char> r(p.avals.size(), false);
  for (std::size_t i = 0; i < p.invars.size(); ++i) r[p.invars[i]] = inputs[i];
  for (const equation& e : p.equations)
    for (atom a : p.inputs(e))
      if (!a.is_literal() && r[a.index()]) {
        for (variable v : p.outputs(e)) r[v] = true;
        break;
      }
  return r;
}

/// Whether equations that are evaluated again show their values again.
enum class tapping { as_written, silent };

/// Evaluates those equations of `p` that are marked, in an environment that has their operands.
template <class Array = array>
constexpr void eval_equations(const jaxpr& p, environment& env, const std::vector<char>& marked, tapping taps = tapping::as_written) {
  for (std::size_t n = 0; n < p.equations.size(); ++n) {
    if (!marked[n]) continue;
    const equation& e = p.equations[n];
    const std::vector<array> in = env.read(p.inputs(e));
    const bool left_out = taps == tapping::silent && e.op->identity && e.effects == tap_effect;
    const rule_location_scope here(e.where);
    array_list out;  // filled by an if: g++ 12 destroys temporaries in ?: twice in constant evaluation
    if (left_out) out = array_list(in.begin(), in.end());
    else out = jacquard::bind(*e.op, in, p.params(e), e.where);
    for (std::size_t i = 0; i < e.out.count; ++i) env.write(p.outputs(e)[i], out[i]);
  }
}

/// Copies between an array of the compile-time lane and elements elsewhere.
template <class T, std::size_t N>
constexpr void copy_to(const T* from, std::array<T, N>& to) {
  for (std::size_t i = 0; i < N; ++i) to[i] = from[i];
}
template <class T, std::size_t N>
constexpr void copy_from(const std::array<T, N>& from, T* to) {
  for (std::size_t i = 0; i < N; ++i) to[i] = from[i];
}

/// Writes the elements of a concrete array to memory of their size.
inline void write_elements(const array& x, void* to) {
  if (const buffer* b = x.as_buffer()) {
    b->check_alive();
    if (b->type.bytes() != 0) std::memcpy(to, b->data, std::size_t(b->type.bytes()));
    return;
  }
  x.as_literal().store_to(to);
}
/// Part `i` of a concrete stacked array: a view of its memory, or a copy.
inline array element_at(const array& stacked, std::int64_t i, bool copy) {
  const buffer& b = *stacked.as_buffer();
  const aval type = element_type_of(b.type);
  char* at = static_cast<char*>(b.data) + i * type.bytes();
  if (!copy) return array(borrow_buffer(type, at));
  buffer* own = make_buffer(type);
  if (type.bytes() != 0) std::memcpy(own->data, at, std::size_t(type.bytes()));
  return array(own);
}
/// What leaves a loop may not be a view of its operands.
inline array kept(array x) {
  const buffer* b = x.as_buffer();
  return b && b->borrowed ? array(copy_buffer(*b)) : x;
}

}  // namespace detail
}  // namespace jacquard
