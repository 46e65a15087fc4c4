#pragma once
// The trace: builds a jaxpr while a user's function runs. Tracers of enclosing traces and concrete arrays are captured as
// constvars (closure conversion), so no levels and no dual numbers are needed. A trace belongs to the thread that opened
// it. Deliberately contains no transformation: transforms are interpreters of finished jaxprs.

#include <cerrno>

#include "jacquard/core/check.hpp"
#include "jacquard/core/compiled_once.hpp"
#include "jacquard/core/constant.hpp"
#include "jacquard/core/list.hpp"

namespace jacquard {

namespace detail {
/// What tells threads apart, in whichever library of a program it is asked.
inline const void* this_thread() {
  return &errno;  // which each thread has one of; a variable of our own would be there once for each library
}
/// How deep programs may lie within each other. What looks through them calls itself for each, on a stack that ends.
inline constexpr int most_nested = 500;
}  // namespace detail

/// Which argument of the user's function an input of a trace belongs to, and which of its leaves it is.
struct argument_place { std::size_t argument, leaf = 0, leaves = 1; };

class trace final : public array_node {
 public:
  enum class purpose : std::uint8_t {
    staging,   ///< jit, loop and branch bodies: inputs have no values
    values,    ///< jvp, vjp, grad, linearize: inputs inherit the values of their arguments
    mapping,   ///< vmap, mask: inputs have no values
    linear     ///< the tangent program of linearize
  };

  constexpr trace(purpose why, trace* parent)
      : array_node(this, [](array_node& n) { delete n.as_trace; }), why_(why), parent_(parent) {
    depth_ = parent ? parent->depth_ + 1 : 1;
    if (parent) parent->retain();
    axes = parent ? parent->axes : detail::outermost_axes();
    // In constant evaluation room costs as much as what fills it, and most traces are small.
    if (__builtin_is_constant_evaluated()) program.reserve(64), constants.reserve(32);
    else thread_ = detail::this_thread();
  }
  constexpr ~trace() {
    if (parent_) parent_->release();
  }
  constexpr aval type_of(std::uint32_t number) override {
    if (number < program.avals.size()) return program.avals[number];
    fail(make_error(error_kind::tracer, "Encountered an unexpected tracer: a value of a finished ", name,
                    " trace was used after it ended; return it from the function instead"));
    return {};
  }

  jaxpr program;
  std::vector<array> constants;     ///< the captured array of each constvar
  std::vector<array> values;        ///< by variable: arguments of `values` traces, memoised results of evaluation on demand
  error_record problem;             ///< constant evaluation only: the first error
  const axis_binding* axes = nullptr;
  std::string_view name;            ///< the transform, for messages
  std::vector<argument_place> places;  ///< by input; empty: each is an argument
  list<aval> spare_types;           ///< storage that bind lists operand types in

  constexpr purpose why() const { return why_; }
  constexpr trace* parent() const { return parent_; }
  constexpr bool is_open() const { return open_; }
  constexpr bool on_this_thread() const {
    return __builtin_is_constant_evaluated() || thread_ == detail::this_thread();
  }

  /// A new input variable; `value` is what it stands for, where the purpose allows values.
  JACQUARD_ONCE constexpr array input(const aval& a, const array& value = {}) {
    const variable v = program.new_variable(a);
    program.invars.push_back(v);
    if (why_ == purpose::values && !value.is_none()) remember(v, value);
    return array(this, v);
  }
  constexpr void remember(variable v, const array& value) {
    if (values.size() <= v) values.resize(v + 1);
    values[v] = value;
  }
  /// Tells what an input is to the user, as long as nothing is computed from any. What is told last holds.
  void note_place(variable input, const argument_place& p) {
    if (!program.equations.empty() || input >= program.invars.size()) return;
    for (std::size_t i = places.size(); i < program.invars.size(); ++i) places.push_back({i});
    places[input] = p;
  }
  /// Records the first error in constant evaluation; throws at run time.
  constexpr void fail(const error_record& e) {
    if (!__builtin_is_constant_evaluated()) throw_error(e);
    if (!problem) problem = e;
  }

  constexpr atom lift(const array& a, const location& where);
  constexpr small_vector<array, 2> emit(const primitive& op, view<const array> in, const param_view& p,
                                        view<const aval> out, const location& where);
  /// Ends the trace: later use of its tracers is an error. Returns the program with the given outputs.
  JACQUARD_ONCE constexpr closed_jaxpr finish(view<const array> outputs, const location& where = {}) {
    for (const array& o : outputs) program.outvars.push_back(lift(o, where));
    if (problem && parent_) parent_->fail(problem);
    closed_jaxpr made{jaxpr_ref(std::move(program)), std::move(constants), problem};
    detail::check_made(made, name, axes);
    close();
    return made;
  }
  /// Tracers may outlive their trace; what only an open trace needs goes.
  constexpr void close() {
    open_ = false;
    axes = nullptr;
    values.clear();
    index_.clear();
    views_.clear();
  }

  /// Whether `other` is this trace or encloses it.
  constexpr bool is_inside(const trace* other) const {
    for (const trace* t = this; t; t = t->parent_)
      if (t == other) return true;
    return false;
  }
  /// The inner one of two traces.
  static constexpr trace* innermost(trace* a, trace* b) {
    if (!a || a == b) return b;
    if (!b) return a;
    if (!__builtin_is_constant_evaluated()) return a->depth_ >= b->depth_ ? a : b;
    if (a->is_inside(b)) return a;
    if (b->is_inside(a)) return b;
    // In constant evaluation a trace whose arguments were all constants does not know its parent until a tracer of an
    // enclosing trace meets one of its own, or of a trace within it.
    const bool other_first = a->parent_ || a->root;
    trace *inner = other_first ? b : a, *outer = other_first ? a : b;
    trace* moved = inner->placeable_in(outer);
    if (!moved) {
      std::swap(inner, outer);
      moved = inner->placeable_in(outer);
    }
    if (!moved) {
      inner->fail(make_error(error_kind::tracer, "two nested traces with constant arguments only meet here; pass one ",
                             "of them an argument that depends on the outer variable"));
      return a;
    }
    moved->adopt(outer);
    return inner;
  }
  bool root = false;  ///< the outermost trace of the compile-time lane

 private:
  /// This trace or the one around it that lies in `outer` for all that is known: it met no tracer from outside yet, or only
  /// those of a trace around `outer`. Null if there is none.
  constexpr trace* placeable_in(const trace* outer) {
    for (trace* t = this; t && !t->root; t = t->parent_)
      if ((!t->parent_ || (t->adopted_ && outer->is_inside(t->parent_))) && !outer->is_inside(t)) return t;
    return nullptr;
  }
  constexpr void adopt(trace* outer) {
    outer->retain();
    if (parent_) parent_->release();
    parent_ = outer;
    adopted_ = true;
    depth_ = outer->depth_ + 1;
    if (!axes) axes = outer->axes;
  }
  JACQUARD_ONCE constexpr atom capture(const array& a, const location& where);
  atom capture_view(const array& a, const location& where);
  constexpr atom place(const array& a, const location& where);
  constexpr void check_axes(const constant_node& n, const location& where);

  // Captured arrays by (trace, variable) or buffer: open addressing, entries are constvar positions + 1.
  constexpr std::size_t hash(const array& a) const {
    std::uint64_t h = a.variable() * 0x9E3779B97F4A7C15ull;
    if (!__builtin_is_constant_evaluated() && a.as_buffer())
      h = (reinterpret_cast<std::uintptr_t>(a.as_buffer()) >> 4) * 0x9E3779B97F4A7C15ull;
    return std::size_t(h >> 20);
  }
  constexpr void grow_index() {
    index_.assign(index_.empty() ? 16 : index_.size() * 2, 0);
    for (std::size_t i = 0; i < constants.size(); ++i) {
      std::size_t slot = hash(constants[i]) & (index_.size() - 1);
      while (index_[slot]) slot = (slot + 1) & (index_.size() - 1);
      index_[slot] = std::uint32_t(i + 1);
    }
  }

  purpose why_;
  bool open_ = true;
  bool adopted_ = false;
  int depth_ = 1;
  trace* parent_ = nullptr;
  const void* thread_ = nullptr;
  std::vector<std::uint32_t> index_;
  list<std::pair<array, atom>> views_;  ///< captured views of foreign memory, and the variables of their copies
};

namespace detail {
/// The trace of the user function that is running on this thread. Constant evaluation never reads it.
inline constinit thread_local trace* current_trace = nullptr;
}  // namespace detail

constexpr array::array(trace* t, std::uint32_t var) : kind_(array_kind::tracer), variable_(var), node_(t) {
  retain();
}

// --- building --------------------------------------------------------------------------------------------------------

/// Foreign memory may be gone, or hold other values, when the program runs: a copy is captured.
inline atom trace::capture_view(const array& a, const location& where) {
  for (const auto& [view, copy] : views_)
    if (view.same_as(a)) return copy;
  const atom r = capture(array(copy_buffer(*a.as_buffer())), where);
  views_.emplace_back(a, r);
  return r;
}

JACQUARD_ONCE constexpr atom trace::capture(const array& a, const location& where) {
  if (index_.size() < 2 * (constants.size() + 1)) grow_index();
  std::size_t slot = hash(a) & (index_.size() - 1);
  for (; index_[slot]; slot = (slot + 1) & (index_.size() - 1))
    if (constants[index_[slot] - 1].same_as(a)) return atom::of_variable(program.constvars[index_[slot] - 1]);
  if (const trace* owner = a.as_tracer())
    if (!owner->is_open() || !is_inside(owner) || !owner->on_this_thread()) {
      error_record e = make_error(error_kind::tracer, "Encountered an unexpected tracer: a value traced by ", owner->name,
                                  " was used outside its trace; return it from the traced function instead of storing it");
      e.where = where;
      fail(e);
    }
  const variable v = program.new_variable(a.aval());
  program.constvars.push_back(v);
  constants.push_back(a);
  index_[slot] = std::uint32_t(constants.size());
  return atom::of_variable(v);
}

/// Infers a constant again, now that its axes are known.
constexpr void trace::check_axes(const constant_node& n, const location& where) {
  small_vector<aval, 4> types;
  for (const array& a : n.inputs) types.push_back(a.aval());
  inference c{n.op->name, view<const aval>(types.data(), types.size()), n.params};
  c.axes = axes;
  n.op->abstract_eval(c);
  if (!c.problem && !(c.outputs == n.outputs))
    c.fail(error_kind::value, " of a constant, with a shape that depends on the size of the axis, while the axis was not known yet; "
                              "add an argument to the constant, or multiply it by one");
  if (!c.problem) return;
  c.problem.where = n.where.known() ? n.where : where;
  fail(c.problem);
}

constexpr atom trace::place(const array& a, const location& where) {
  constant_node* n = a.as_constant();
  if (n->placed != this) {
    if (n->problem) fail(n->problem);
    if (n->op->effects & collective_effect) check_axes(*n, where);
    // Copy the inputs: lifting them may place further nodes.
    small_vector<array, 2> out = emit(*n->op, view<const array>(n->inputs.data(), n->inputs.size()), n->params,
                                      view<const aval>(n->outputs.data(), n->outputs.size()),
                                      n->where.known() ? n->where : where);
    if (n->placed) n->placed->release();
    n->placed = this;
    retain();
    n->first = out[0].variable();
  }
  return atom::of_variable(n->first + a.variable());
}

constexpr atom trace::lift(const array& a, const location& where) {
  switch (a.kind()) {
    case array_kind::literal: return program.add_literal(a.as_literal());
    case array_kind::constant: return place(a, where);
    case array_kind::tracer:
      if (a.as_tracer() == this) return atom::of_variable(a.variable());
      return capture(a, where);
    case array_kind::buffer:
      a.as_buffer()->check_alive();
      // The linear program of a call may use the call's arguments; who keeps it longer owns them (core/leaf_list).
      if (a.as_buffer()->borrowed && why_ != purpose::linear) return capture_view(a, where);
      return capture(a, where);
    default:
      error_record e = make_error(error_kind::type, "an empty jq::array was used as an operand; assign it a value first");
      e.where = where;
      fail(e);
      return program.add_literal(literal(0.0f));
  }
}

constexpr small_vector<array, 2> trace::emit(const primitive& op, view<const array> in, const param_view& p, view<const aval> out, const location& where) {
  small_vector<atom, 4> atoms;
  for (const array& a : in) atoms.push_back(lift(a, where));
  const variable first = program.append(op, view<const atom>(atoms.data(), atoms.size()), p, out, effects_of(op, p), where);
  if (program.depth > detail::most_nested) {
    error_record e = make_error(error_kind::value, op.name, ": got programs that lie within each other ", program.depth, " deep, wanted at most ",
                                detail::most_nested, "; repeat a function with jq::lax::fori_loop or scan instead of wrapping it again and again");
    e.where = where;
    fail(e);
  }
  small_vector<array, 2> r;
  for (std::size_t i = 0; i < out.size(); ++i) r.push_back(array(this, variable(first + i)));
  return r;
}

}  // namespace jacquard
