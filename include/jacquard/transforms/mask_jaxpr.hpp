#pragma once
// Masking: an interpreter of jaxprs whose arrays are padded and whose logical sizes are run-time values. It runs a program
// together with its twin, the same function traced on other sizes, which tells symbolic sizes from constants. Deliberately
// free of array operations of its own: each masking rule comes from its primitive.

#include "jacquard/core/list.hpp"
#include "jacquard/transforms/jvp.hpp"
#include "jacquard/transforms/size_decoder.hpp"

namespace jacquard {

namespace detail {

template <class Array>
class mask_interpreter;

/// Up to this size a dtype holds every whole number.
constexpr double exact_integers(dtype t) {
  switch (t) {
    case f16: return 0x1p11;
    case bf16: return 0x1p8;
    case f32:
    case c64: return 0x1p24;
    default: return 0x1p53;
  }
}

/// One literal of the two tracings: a constant, or a size used as a value.
template <class Array = array>
constexpr array masked_literal(mask_interpreter<Array>& scope, const literal& first, const literal& second, std::string_view user,
                               const location& where) {
  if (first == second) return array(first);
  const auto is_whole = [&](const literal& l) {
    const double v = l.get<double>(), size = v < 0 ? -v : v;
    return size <= exact_integers(l.type) && v == double(std::int64_t(v)) && !(is_complex(l.type) && l.high != 0);
  };
  dimension d;
  if (first.type == second.type && is_whole(first) && is_whole(second) &&
      scope.decoder().decode(first.get<std::int64_t>(), second.get<std::int64_t>(), d))
    return lax::convert_element_type(scope.size(d), first.type, first.weak);
  error_record r = make_error(error_kind::value, "mask: ", user, " got a number that was computed in C++ from a symbolic size (one of ",
                              scope.decoder().names(), "); use jq::dim_as_value(x, axis) for sizes as values");
  r.where = where;
  scope.fail(r);
  return array(first);
}

}  // namespace detail

/// Evaluates `p`, whose twin is the same function traced on other sizes, on padded arguments of logical dimensions `dims`.
template <class Array = array>
constexpr std::vector<masked> mask_jaxpr(const jaxpr& p, const jaxpr& twin, view<const lazy<Array>> constants,
                                         view<const lazy<Array>> arguments, view<const dimension_list> dims,
                                         detail::mask_interpreter<Array>& scope);

namespace detail {

/// What outlives a scope: its names without values, and the sizes that stand for them. Users' rules, which are traced when a
/// transform reaches them, are masked by it.
template <class Array>
struct mask_context final : function_state {
  std::vector<named_size<Array>> names;
  size_decoder decoder;
  list<dimension> loops;
  mask_context* whole = this;  // in constant evaluation g++ 12 cannot delete it through a pointer to a base
  constexpr mask_context(std::vector<named_size<Array>> n, size_decoder d, list<dimension> l)
      : names(std::move(n)), decoder(std::move(d)), loops(std::move(l)) {
    for (named_size<Array>& one : names) one.value = Array(), one.is_known = false;
    destroy = [](function_state* s) { delete static_cast<mask_context*>(s)->whole; };
  }
  constexpr std::vector<named_size<Array>> with(view<const array> values) const {
    std::vector<named_size<Array>> r = names;
    for (std::size_t i = 0; i < r.size(); ++i) r[i].value = values[i];
    return r;
  }
};

/// The services of masking together with the interpreter itself, for bodies.
template <class Array>
class mask_interpreter final : public padded_arrays<Array> {
  using base = padded_arrays<Array>;

 public:
  constexpr mask_interpreter(std::vector<named_size<Array>> names, size_decoder decoder, view<const array> about, list<dimension> loops = {})
      : base(std::move(names), std::move(loops)), decoder_(std::move(decoder)), about_(about.begin(), about.end()) {}

  constexpr dimension decode(std::int64_t first, std::int64_t second) override {
    dimension d;
    if (!decoder_.decode(first, second, d))
      fail(make_error(error_kind::value, "mask: a size that was computed from ", decoder_.names(), " is not a polynomial of them: it was ",
                      first, " in one tracing and ", second, " in another; use sums, differences and products of sizes"));
    return d;
  }
  constexpr void fail(const error_record& e) override {
    failed_ = true;
    if (trace* t = trace_of(about_)) t->fail(e);
    else if (!__builtin_is_constant_evaluated()) throw_error(e);
  }
  constexpr std::vector<masked> evaluate(const jaxpr& body, const jaxpr& twin, view<const array> values, view<const array> arguments,
                                         view<const dimension_list> dims, const dimension& trips) override {
    std::vector<named_size<Array>> names = this->names_;
    for (std::size_t i = 0; i < names.size(); ++i) names[i].value = values[i];
    list<dimension> loops = this->loops_;
    bool known = this->range(trips).low > 0;
    for (const dimension& around : loops) known = known || around == trips;
    if (!known) loops.push_back(trips);
    mask_interpreter inner(std::move(names), decoder_, values, std::move(loops));
    std::vector<masked> r = mask_jaxpr<Array>(body, twin, {}, arguments, dims, inner);
    decoder_ = std::move(inner.decoder_);  // it has seen more sizes
    failed_ = failed_ || inner.failed_;
    return r;
  }
  constexpr function_ref context() const override { return function_ref(nullptr, new mask_context<Array>(this->names_, decoder_, this->loops_)); }

  // In constant evaluation nvcc 13 runs what a class above overrides on the wrong memory; see also prims/padded_arrays.
  constexpr array size(const dimension& d) override { return base::size(d); }
  constexpr array shape_of(const dimension_list& dims) override { return base::shape_of(dims); }
  constexpr dimension_bounds range(const dimension& d) const override { return base::range(d); }
  constexpr array filled(const array& x, const dimension_list& dims, const int_list& axes, const array& fill) override { return base::filled(x, dims, axes, fill); }
  constexpr array guarded(const array& x, const dimension_list& dims, const int_list& axes) override { return base::guarded(x, dims, axes); }
  constexpr array spread(const array& x, const dimension_list& dims) override { return base::spread(x, dims); }
  constexpr array window(const array& x, int d, std::int64_t start, std::int64_t count) override { return base::window(x, d, start, count); }
  constexpr array window(const array& x, int d, const array& start, std::int64_t last, std::int64_t count) override { return base::window(x, d, start, last, count); }
  constexpr array placed(const array& x, const array& update, int d, const array& start) override { return base::placed(x, update, d, start); }
  constexpr array reindexed(const array& x, const dimension_list& from, const dimension_list& to) override { return base::reindexed(x, from, to); }
  constexpr void require_at_least(const dimension& a, const dimension& b) override { base::require_at_least(a, b); }
  constexpr std::vector<array> name_values() const override { return base::name_values(); }
  constexpr array loops_run() override { return base::loops_run(); }

  constexpr size_decoder& decoder() { return decoder_; }
  constexpr bool failed() const { return failed_; }
  constexpr bool within_loops() const { return this->loops_.size() != 0; }

 private:
  size_decoder decoder_;
  std::vector<Array> about_;  ///< arrays of the trace that errors are reported to
  bool failed_ = false;
};

/// Whether two tracings have the same equations. They have not where C++ code looped over a size, or asked what it is.
constexpr bool is_twin(const jaxpr& p, const jaxpr& twin, std::size_t i) {
  if (i >= twin.equations.size()) return false;
  const equation &e = p.equations[i], &f = twin.equations[i];
  if (e.op != f.op || e.in.count != f.in.count || e.out.count != f.out.count || e.words.count != f.words.count) return false;
  for (std::size_t k = 0; k < e.in.count; ++k) {
    const atom a = p.inputs(e)[k], b = twin.inputs(f)[k];
    if (a.is_literal() != b.is_literal() || (!a.is_literal() && !(a == b))) return false;
  }
  return true;
}

/// Whether two tracings captured the same constants: the same arrays, or equal values.
inline bool equal_bytes(const array& a, const array& b) {
  const buffer *x = a.as_buffer(), *y = b.as_buffer();
  return x && y && x->type == y->type && (x->type.bytes() == 0 || std::memcmp(x->data, y->data, std::size_t(x->type.bytes())) == 0);
}
constexpr error_record compare_constants(const std::vector<array>& a, const std::vector<array>& b) {
  bool same = a.size() == b.size();
  for (std::size_t i = 0; same && i < a.size(); ++i)
    same = a[i].same_as(b[i]) || (!__builtin_is_constant_evaluated() && equal_bytes(a[i], b[i]));
  if (same) return {};
  return make_error(error_kind::value, "mask: the function captures arrays that depend on a symbolic size; make them from tracers, e.g. with "
                    "jq::arange or jq::dim_as_value");
}

/// Whether their results are the same variables.
constexpr bool have_twin_results(const jaxpr& p, const jaxpr& twin) {
  if (p.equations.size() != twin.equations.size() || p.outvars.size() != twin.outvars.size()) return false;
  for (std::size_t i = 0; i < p.outvars.size(); ++i) {
    const atom a = p.outvars[i], b = twin.outvars[i];
    if (a.is_literal() != b.is_literal() || (!a.is_literal() && !(a == b))) return false;
  }
  return true;
}
constexpr error_record differing_programs(std::string_view from) {
  return make_error(error_kind::value, "mask: the function makes different programs for different sizes, from ", from,
                    " on; it must neither loop over a symbolic size nor ask for its value in C++");
}

/// Applies the masking rule of one equation.
template <class Array>
constexpr void mask_equation(const jaxpr& p, const jaxpr& twin, std::size_t i, mask_call& c, mask_interpreter<Array>& scope) {
  const equation& e = p.equations[i];
  bool any = false;
  for (const dimension_list& d : c.dims) any = any || has_symbolic(d);
  any = any || (c.params.sub_count != 0 && scope.within_loops());  // it may hold a loop that has to ask whether those run
  if (!any && is_same(p, twin, e, twin.equations[i])) {
    for (const array& y : jacquard::bind(*e.op, c.x, c.params, e.where)) c.outputs.push_back({y, constant_dims(y.shape())});
    return;
  }
  if (!e.op->mask) {
    error_record r = make_error(error_kind::not_implemented, "Masking rule for '", e.op->name,
                                "' not implemented; give the primitive a mask rule");
    r.where = e.where;
    return scope.fail(r);
  }
  e.op->mask(c);
  if (!c.reads_sizes && !same_words(c.params, c.twin)) {
    error_record r = make_error(error_kind::value, "mask: a parameter of '", e.op->name, "' depends on a symbolic size, which its masking "
                                "rule does not allow; make it a constant");
    r.where = e.where;
    scope.fail(r);
  }
}

}  // namespace detail

template <class Array>
constexpr std::vector<masked> mask_jaxpr(const jaxpr& p, const jaxpr& twin, view<const lazy<Array>> constants,
                                         view<const lazy<Array>> arguments, view<const dimension_list> dims,
                                         detail::mask_interpreter<Array>& scope) {
  environment env(p, constants, arguments);
  list<dimension_list> logical(p.avals.size());
  for (std::size_t i = 0; i < constants.size(); ++i) logical[p.constvars[i]] = detail::constant_dims(constants[i].shape());
  for (std::size_t i = 0; i < arguments.size(); ++i) logical[p.invars[i]] = dims[i];
  for (const dimension_list& d : dims)
    for (const dimension& one : d) scope.decoder().add_known(one);
  const auto read = [&](atom a, atom b, std::string_view user, const location& where) {
    if (!a.is_literal()) return env.read(a);
    return detail::masked_literal<Array>(scope, p.literals[a.index()], twin.literals[b.index()], user, where);
  };
  for (std::size_t i = 0; i < p.equations.size() && !scope.failed(); ++i) {
    const equation& e = p.equations[i];
    const rule_location_scope here(e.where);
    if (!detail::is_twin(p, twin, i)) {
      scope.fail(detail::differing_programs(cat("'", e.op->name, "'").view()));
      break;
    }
    std::vector<array> x;
    list<dimension_list> d;
    for (std::size_t k = 0; k < e.in.count; ++k) {
      const atom a = p.inputs(e)[k];
      x.push_back(read(a, twin.inputs(twin.equations[i])[k], e.op->name, e.where));
      d.emplace_back();
      if (!a.is_literal()) d.back() = logical[a.index()];
    }
    mask_call c{x, d, p.params(e), twin.params(twin.equations[i]), scope};
    if (!scope.failed()) detail::mask_equation<Array>(p, twin, i, c, scope);
    for (std::size_t k = 0; k < e.out.count && !scope.failed(); ++k) {
      const masked& y = c.outputs[k];
      for (const dimension& one : y.dims) scope.decoder().add_known(one);
      env.write(p.outputs(e)[k], scope.fitted(y.value, y.dims));
      logical[p.outputs(e)[k]] = y.dims;
    }
  }
  if (!scope.failed() && !detail::have_twin_results(p, twin)) scope.fail(detail::differing_programs("its results"));
  std::vector<masked> r;
  for (std::size_t i = 0; i < p.outvars.size() && !scope.failed(); ++i) {
    const atom a = p.outvars[i];
    r.push_back({read(a, twin.outvars[i], "the result", {}), {}});
    if (!a.is_literal()) r.back().dims = logical[a.index()];
  }
  return r;
}

}  // namespace jacquard
