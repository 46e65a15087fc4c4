#pragma once
// The interpreter backend: plain loops, equation by equation, every value dense in host memory. It is the oracle that other
// backends are compared with and is always there. Deliberately unoptimised but for freeing values after their last use and
// writing elementwise results into operands that nobody else holds.

#include "jacquard/backends/backend.hpp"
#include "jacquard/core/eval.hpp"
#include "jacquard/core/print.hpp"

namespace jacquard {

namespace detail {

/// The buffer of a concrete array, checked to be alive; scalar literals are materialised into `scratch`.
inline tensor_ref operand_ref(const array& x, complex128& scratch, aval& type) {
  if (buffer* b = x.as_buffer()) {
    b->check_alive();
    return {b->data, &b->type};
  }
  const literal l = x.as_literal();
  type = l.aval();
  visit_dtype(l.type, [&]<class T>(std::type_identity<T>) {
    const T v = l.get<T>();
    std::memcpy(static_cast<void*>(&scratch), &v, sizeof(T));
  });
  return {&scratch, &type};
}

/// Whether equation output `out` may be written into the buffer of `x`, which the caller owns alone.
inline bool reusable(const primitive& op, const array& x, const aval& out) {
  const buffer* b = x.as_buffer();
  return op.elementwise && b && !b->is_shared() && b->is_ours() && !b->is_deleted() && b->type.type == out.type &&
         b->type.dims == out.dims;
}

inline std::vector<array> run_program(const jaxpr& p, view<const array> constants, std::vector<array> arguments,
                                      const device_id& device);

inline std::vector<array> run_body(void* device, const jaxpr_ref& body, view<const array> arguments) {
  return run_program(*body, {}, {arguments.begin(), arguments.end()}, *static_cast<const device_id*>(device));
}

/// Runs one equation. Operands that `movable` marks are dead afterwards and may be overwritten.
inline void run_equation(const primitive& op, view<array> in, const param_view& params, view<const aval> types,
                         view<array> out, view<const char> movable, device_id device, const location& where) {
  if (op.evaluate) {
    evaluate_call c{in, out, params, &run_body, &device, device};
    return op.evaluate(c);
  }
  if (!op.kernel)
    throw_error([&] {
      error_record e = make_error(error_kind::not_implemented, "Evaluation rule for '", op.name, "' not implemented; give the "
                                  "primitive a kernel, or apply the transform it is meant for (collectives need jq::vmap or "
                                  "jq::pmap with their axis_name)");
      e.where = where;
      return e;
    }());
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::size_t donor = in.size();
    for (std::size_t k = 0; k < movable.size() && donor == in.size(); ++k)
      if (movable[k] && reusable(op, in[k], types[i])) donor = k;
    if (donor < in.size()) {
      out[i] = in[donor];
      out[i].as_buffer()->type.weak = types[i].weak;
    } else out[i] = array(make_buffer(types[i]));
  }
  small_vector<complex128, 4> scalars(in.size());
  small_vector<aval, 4> scalar_types(in.size());
  small_vector<tensor_ref, 4> operands;
  small_vector<tensor_ref, 2> results;
  for (std::size_t k = 0; k < in.size(); ++k) operands.push_back(operand_ref(in[k], scalars[k], scalar_types[k]));
  for (array& o : out) results.push_back({o.as_buffer()->data, &o.as_buffer()->type});
  op.kernel({view<const tensor_ref>(operands.data(), operands.size()),
             view<const tensor_ref>(results.data(), results.size()), params});
}

/// By equation: bit per operand that is not read afterwards.
inline std::vector<char> last_uses(const jaxpr& p) {
  std::vector<char> dead(p.operands.size(), false);
  std::vector<char> used(p.avals.size(), false);
  for (atom a : p.outvars)
    if (!a.is_literal()) used[a.index()] = true;
  for (std::size_t n = p.equations.size(); n-- > 0;) {
    const equation& e = p.equations[n];
    for (std::uint32_t k = e.in.count; k-- > 0;) {  // of equal operands, the last one is the last use
      const atom a = p.operands[e.in.first + k];
      if (a.is_literal() || used[a.index()]) continue;
      used[a.index()] = true;
      dead[e.in.first + k] = true;
    }
  }
  return dead;
}

inline std::vector<array> run_program(const jaxpr& p, view<const array> constants, std::vector<array> arguments,
                                      view<const char> dead, const device_id& device) {
  std::vector<array> env(p.avals.size());
  for (std::size_t i = 0; i < p.constvars.size(); ++i) env[p.constvars[i]] = constants[i];
  for (std::size_t i = 0; i < p.invars.size(); ++i) env[p.invars[i]] = std::move(arguments[i]);
  std::vector<array> in, out;
  std::vector<aval> types;
  for (const equation& e : p.equations) {
    in.clear();
    types.clear();
    const view<const char> movable = dead.subspan(e.in.first, e.in.count);
    for (std::uint32_t k = 0; k < e.in.count; ++k) {
      const atom a = p.operands[e.in.first + k];
      if (a.is_literal()) in.push_back(array(p.literals[a.index()]));
      else if (movable[k]) in.push_back(std::move(env[a.index()]));
      else in.push_back(env[a.index()]);
    }
    for (variable v : p.outputs(e)) types.push_back(p.avals[v]);
    out.assign(types.size(), array());
    run_equation(*e.op, in, p.params(e), types, out, movable, device, e.where);
    for (std::uint32_t i = 0; i < e.out.count; ++i) env[p.outputs(e)[i]] = std::move(out[i]);
  }
  std::vector<array> results;
  for (atom a : p.outvars) {
    if (a.is_literal()) results.push_back(array(p.literals[a.index()]));
    else results.push_back(env[a.index()]);
  }
  return results;
}
inline std::vector<array> run_program(const jaxpr& p, view<const array> constants, std::vector<array> arguments,
                                      const device_id& device) {
  return run_program(p, constants, std::move(arguments), last_uses(p), device);
}

class interpreted : public executable {
 public:
  interpreted(closed_jaxpr program, const compile_options& options)
      : program_(std::move(program)), donated_(options.donated), dead_(last_uses(*program_)), device_(options.device) {}

  std::vector<array> run(std::span<const array> arguments, const location& where) override {
    std::vector<array> own(arguments.begin(), arguments.end());
    for (std::size_t i = 0; i < own.size() && i < donated_.size(); ++i)
      if (donated_[i]) own[i] = take_over(own[i], where);
    return run_program(*program_, program_.constants, std::move(own), dead_, device_);
  }
  text as_text() const override { return to_text(program_); }

 private:
  /// Moves the memory of a donated array into a new buffer; the caller's handles become deleted.
  static array take_over(const array& x, const location& where) {
    buffer* b = x.as_buffer();
    if (!b || !b->is_ours()) return x;
    b->check_alive();
    return array(b->take(where));
  }

  closed_jaxpr program_;
  std::vector<char> donated_;
  std::vector<char> dead_;
  device_id device_;
};

class interpreter_backend : public backend_interface {
 public:
  std::string_view name() const override { return "interpreter"; }
  int device_count() const override { return 1; }
  ref<executable> compile(const closed_jaxpr& program, const compile_options& options) override {
    return make_ref<interpreted>(program, options);
  }
};

inline ref<backend_interface> make_interpreter() { return make_ref<interpreter_backend>(); }

}  // namespace detail
}  // namespace jacquard
