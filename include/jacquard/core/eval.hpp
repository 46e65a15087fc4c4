#pragma once
// Evaluating jaxprs over arrays, and values on demand. Evaluation re-binds every equation, so it computes on concrete
// arrays and stages into the enclosing trace on tracers; that is how transformed programs are inlined. Deliberately the
// simplest interpreter of all: read this one first.

#include "jacquard/core/bind.hpp"
#include "jacquard/core/compiled_once.hpp"
#include "jacquard/core/table.hpp"

namespace jacquard {

/// Variables of a jaxpr and the arrays they stand for during an interpretation.
class environment {
 public:
  /// Fewer arguments than invars leave the rest none.
  constexpr environment(const jaxpr& p, view<const array> constants, view<const array> arguments)
      : program_(p), values_(p.avals.size()) {
    for (std::size_t i = 0; i < p.constvars.size(); ++i) values_[p.constvars[i]] = constants[i];
    for (std::size_t i = 0; i < arguments.size(); ++i) values_[p.invars[i]] = arguments[i];
  }
  constexpr array read(atom a) const {
    // Not ?:, whose mixed form g++ 12 destroys twice in constant evaluation.
    if (a.is_literal()) return array(program_.literals[a.index()]);
    return values_[a.index()];
  }
  /// Like read, with none for a literal: tangents of literals are zero.
  constexpr array read_variable(atom a) const {
    if (a.is_literal()) return {};
    return values_[a.index()];
  }
  constexpr void write(variable v, const array& x) { values_[v] = x; }
  /// The same as read, for the few operands of an equation.
  constexpr array_list read_operands(view<const atom> atoms) const {
    array_list r;
    for (atom a : atoms) r.push_back(read(a));
    return r;
  }
  constexpr std::vector<array> read(view<const atom> atoms) const {
    std::vector<array> r;
    r.reserve(atoms.size());
    for (atom a : atoms) r.push_back(read(a));
    return r;
  }

 private:
  const jaxpr& program_;
  table<array> values_;
};

/// Evaluates `p` on `arguments`. Returns one array per outvar. Complexity: one bind per equation.
JACQUARD_ONCE constexpr std::vector<array> eval_jaxpr(const jaxpr& p, view<const array> constants, view<const array> arguments) {
  environment env(p, constants, arguments);
  for (const equation& e : p.equations) {
    const array_list in = env.read_operands(p.inputs(e));
    const rule_location_scope here(e.where);
    const array_list out = jacquard::bind(*e.op, view<const array>(in.data(), in.size()), p.params(e), e.where);
    const view<const variable> names = p.outputs(e);
    for (std::size_t i = 0; i < names.size(); ++i) env.write(names[i], out[i]);
  }
  return env.read(p.outvars);
}
constexpr std::vector<array> eval_jaxpr(const closed_jaxpr& p, view<const array> arguments) {
  return eval_jaxpr(*p, p.constants, arguments);
}

namespace detail {

/// True while values are computed on demand: taps must not fire then.
inline constinit thread_local bool probing = false;

JACQUARD_ONCE array value_on_demand(const array& x, error_record& why);

/// What variable v of a trace is computed from, as far as that is not memoised: variables, and equations from the last to the first.
struct dependencies {
  std::vector<char> needed;
  std::vector<std::size_t> order;

  dependencies(const trace& t, variable v) : needed(t.program.avals.size(), false) {
    const jaxpr& p = t.program;
    needed[v] = true;
    for (std::size_t i = p.equations.size(); i-- > 0;) {
      bool wanted = false;
      for (variable o : p.outputs(p.equations[i])) wanted = wanted || (needed[o] && !known(t, o));
      if (!wanted) continue;
      order.push_back(i);
      for (atom a : p.inputs(p.equations[i]))
        if (!a.is_literal()) needed[a.index()] = true;
    }
  }
  static bool known(const trace& t, variable v) { return v < t.values.size() && !t.values[v].is_none(); }
};

/// The error of a value that needs arguments of an open trace: names all of them.
inline error_record arguments_without_value(const trace& t, const dependencies& d) {
  const jaxpr& p = t.program;
  std::string names;
  int count = 0;
  for (std::size_t i = p.invars.size(); i-- > 0;) {
    const variable v = p.invars[i];
    if (!d.needed[v] || dependencies::known(t, v)) continue;
    const argument_place at = i < t.places.size() ? t.places[i] : argument_place{i};
    text name = cat(at.argument, " (");
    if (at.leaves > 1) name << "leaf " << at.leaf << ", ";
    name << p.avals[v] << ')';
    names = std::string(name.view()) + (count == 0 ? "" : count == 1 ? " and " : ", ") + names;
    ++count;
  }
  return make_error(error_kind::concretization, "Abstract tracer value encountered where concrete value is expected: the value depends on argument",
                    count == 1 ? " " : "s ", names, " of the function traced by ", t.name, ", which ", count == 1 ? "has" : "have",
                    " no value while tracing; use jq::lax::cond or jq::where instead of a C++ condition, or make the argument",
                    count == 1 ? "" : "s", " static");
}

/// The value of variable v of an open trace, which something with the dependencies d needs, or none with the reason in `why`.
inline array value_of_variable(trace& t, variable v, const dependencies& d, error_record& why) {
  if (dependencies::known(t, v)) {
    const array known = t.values[v];
    return value_on_demand(known, why);
  }
  for (std::size_t i = 0; i < t.program.constvars.size(); ++i)
    if (t.program.constvars[i] == v) return value_on_demand(t.constants[i], why);
  for (variable argument : t.program.invars)
    if (argument == v) why = arguments_without_value(t, d);
  return {};
}

/// Computes the equations of d and memoises their outputs.
inline bool compute(trace& t, const dependencies& d, error_record& why) {
  for (std::size_t n = d.order.size(); n-- > 0;) {
    const equation e = t.program.equations[d.order[n]];
    std::vector<array> in;
    for (std::size_t k = 0; k < e.in.count; ++k) {
      const atom a = t.program.inputs(e)[k];
      in.push_back(a.is_literal() ? array(t.program.literals[a.index()]) : value_of_variable(t, a.index(), d, why));
      if (why) return false;
    }
    if (e.effects & (ordered_effect | unordered_effect | collective_effect)) {
      why = make_error(error_kind::concretization, "the value depends on the result of ", e.op->name,
                       e.effects & collective_effect ? ", which runs once all members of its axis do" : ", which must not run while tracing",
                       "; use jq::lax::cond or jq::where instead");
      why.where = e.where;
      return false;
    }
    const detail::own_location_scope lines;  // those of the equations, not of who asks for the value
    const array_list out = eager([&] { return jacquard::bind(*e.op, in, t.program.params(e), e.where); });
    for (std::size_t k = 0; k < e.out.count; ++k) t.remember(t.program.outputs(e)[k], out[k]);
  }
  return true;
}

/// The concrete value of `x`, computed through every enclosing trace; none with the reason in `why` if there is none.
JACQUARD_ONCE array value_on_demand(const array& x, error_record& why) {
  trace* t = x.as_tracer();
  if (!t) return x;
  const variable v = x.variable();
  if (!t->is_open()) {
    why = make_error(error_kind::tracer, "Encountered an unexpected tracer: a value traced by ", t->name,
                     " was used after its trace had ended; return it from the traced function instead of storing it");
    return {};
  }
  if (!t->on_this_thread()) {
    why = make_error(error_kind::tracer, "Encountered an unexpected tracer: a value traced by ", t->name,
                     " was read on another thread; pass the other thread a concrete array");
    return {};
  }
  const bool outer = std::exchange(probing, true);
  struct restore {
    bool saved;
    ~restore() { probing = saved; }
  } guard{outer};
  const dependencies needs(*t, v);
  if (!compute(*t, needs, why)) return {};
  return value_of_variable(*t, v, needs, why);
}

/// The user's line that computed `x`, if an equation did.
constexpr location origin(const array& x) {
  if (const trace* t = x.as_tracer(); t && t->is_open())
    for (std::size_t i = t->program.equations.size(); i-- > 0;)
      for (variable o : t->program.outputs(t->program.equations[i]))
        if (o == x.variable()) return t->program.equations[i].where;
  return {};
}

}  // namespace detail

/// Whether `x` has a value now: it is concrete, or a tracer whose inputs all have values.
inline bool has_value(const array& x) {
  error_record why;
  return !detail::value_on_demand(x, why).is_none();
}

/// The concrete array behind `x`. Errors: concretization_error naming the argument without a value.
JACQUARD_ONCE array concrete(const array& x) {
  error_record why;
  if (const constant_node* n = x.as_constant()) {
    why = n->problem;
    if (!why) why = make_error(error_kind::concretization, "a symbolic constant has no value at run time");
    throw_error(why);
  }
  if (!x.is_tracer()) return x;
  array value = detail::value_on_demand(x, why);
  if (!value.is_none()) return value;
  if (!why) why = make_error(error_kind::concretization, "Abstract tracer value encountered where concrete value is expected");
  if (!why.where.known()) why.where = detail::origin(x);
  throw_error(why);
}

inline array array::materialised() const {
  if (kind_ == array_kind::none) raise(error_kind::type, "an empty jq::array was read; assign it a value first");
  array x = concrete(*this);
  if (x.kind() != array_kind::literal) return x;
  const literal l = x.as_literal();
  buffer* b = make_buffer(l.aval());
  l.store_to(b->data);
  return array(b);
}

namespace detail {
/// Not constexpr, so that what asks for a computed value is no constant: `const int n = f(2).item<int>();` is evaluated when the program runs, and
/// a function traced at compile time that asks for one does not compile.
template <class T>
T numbers_computed_of_constants_are_not_known_while_tracing_at_compile_time() {
  return T{};
}
/// The number as T, the imaginary part of a complex one too.
template <scalar T>
constexpr T checked_number(const literal& x) {
  if constexpr (!jacquard::complex_like<T> && !std::is_same_v<T, bool>)
    if (is_complex(x.type) && std::bit_cast<double>(x.high) != 0)
      raise(error_kind::type, "item: got a ", long_name(x.type), " number with an imaginary part, wanted a real one; take jq::real of it");
  return x.get<T>();
}
}  // namespace detail

template <scalar T>
constexpr T array::item(location where) const {
  if (kind_ == array_kind::literal) return detail::checked_number<T>(as_literal());
  if (__builtin_is_constant_evaluated()) {
    if (kind_ != array_kind::tracer) return detail::numbers_computed_of_constants_are_not_known_while_tracing_at_compile_time<T>();
    error_record e = make_error(error_kind::concretization, "Abstract tracer value encountered where concrete value is expected: "
                                "values are not known while tracing at compile time; use jq::lax::cond or jq::where");
    e.where = detail::origin(*this);
    if (!e.where.known()) e.where = where;
    as_tracer()->fail(e);
    return T{};
  }
  const rule_location_scope here(where);
  const array x = materialised();
  if (x.size() != 1)
    raise(error_kind::value, "item: got an array of shape ", x.shape(), ", wanted exactly one element; index it first",
          std::is_same_v<T, bool> ? " (a C++ condition, and && or || beside a C++ bool, ask for one bool: jq::all or jq::any of the elements; jq::where chooses for each, & and | combine them)" : "");
  x.buffer_->check_alive();
  return visit_dtype(x.dtype(), [&]<class S>(std::type_identity<S>) {
    return detail::checked_number<T>(literal(*static_cast<const S*>(x.buffer_->data)));
  });
}

template <scalar T>
std::span<const T> array::data(location where) const {
  const rule_location_scope here(where);
  if (kind_ == array_kind::tracer) {
    const array value = materialised();
    as_tracer()->remember(variable_, value);  // the elements stay as long as the trace is open
    return value.data<T>();
  }
  if (kind_ != array_kind::buffer && kind_ != array_kind::literal) return materialised().data<T>(where);  // throws: there is no value
  if (kind_ == array_kind::buffer) buffer_->check_alive();
  if (dtype_of<T>() != dtype())
    raise(error_kind::type, "data: got an array of dtype ", long_name(dtype()), ", wanted ",
          long_name(dtype_of<T>()), "; ask for the array's own type or convert it with astype");
  if (kind_ == array_kind::literal) {
    const bool beside = type_ == f16 || type_ == bf16 || type_ == f32 || type_ == c64;
    const void* const element = beside ? &high_ : &low_;
    asm volatile("" : : "r"(element) : "memory");  // what was written as a word is read as another type
    return {static_cast<const T*>(element), 1};
  }
  return {static_cast<const T*>(buffer_->data), std::size_t(buffer_->type.elements())};
}

inline const array& array::block_until_ready() const {
  if (kind_ == array_kind::buffer) buffer_->check_alive();
  return *this;
}

}  // namespace jacquard
