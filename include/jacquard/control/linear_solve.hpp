#pragma once
// linear_solve: the solution of a linear system whose matrix is a function, by whatever method the user gives. It is
// differentiated as a solution, never through the method. Also lax::custom_linear_solve.

#include "jacquard/control/branches.hpp"
#include "jacquard/control/loops.hpp"
#include "jacquard/control/masked_body.hpp"
#include "jacquard/core/list.hpp"
#include "jacquard/prims/neg.hpp"

namespace jacquard {

/// x with matvec(x) = b, as `solve` computes it. Operands: constants of all bodies, then b; each body maps the constants and a
/// vector to a vector. The last two bodies are those of the transposed system; they may be absent.
/// Rules   jvp and linearize: solve for db - (d matvec) x; transpose: solves the transposed system; batch: all bodies for each example; mask:
///         all bodies on padded arrays.
struct linear_solve_p {
  static constexpr std::string_view name = "custom_linear_solve";
  struct params {
    list<jaxpr_ref> bodies;  ///< matvec, solve, and of the transposed system vecmat and transpose_solve
    std::int64_t num_consts = 0;
    static constexpr std::string_view fields = "jaxprs num_consts";
    constexpr std::size_t consts() const { return std::size_t(num_consts); }
  };

  static constexpr void abstract_eval(inference& c, const params& p) {
    if ((p.bodies.size() != 2 && p.bodies.size() != 4) || p.num_consts < 0 || p.consts() > c.in.size())
      return void(c.fail(error_kind::type, ": got ", p.bodies.size(), " programs and ", p.num_consts, " constants of ", c.in.size(), " operands; wanted 2 programs or 4"));
    for (const jaxpr_ref& body : p.bodies) {
      if (body->invars.size() != c.in.size() || body->outvars.size() + p.consts() != c.in.size())
        return void(c.fail(error_kind::type, ": got ", c.in.size(), " operands, wanted ", body->invars.size()));
      for (std::size_t i = 0; i < c.in.size(); ++i)
        if (!same_type(c.in[i], body->avals[body->invars[i]]))
          return void(c.fail(error_kind::type, ": operand ", i, " is ", c.in[i], ", wanted ", body->avals[body->invars[i]]));
      for (std::size_t i = 0; i < body->outvars.size(); ++i)
        if (!same_type(body->type_of(body->outvars[i]), c.in[p.consts() + i]))
          return void(c.fail(error_kind::type, ": result ", i, " of a body is ", body->type_of(body->outvars[i]), ", wanted ", c.in[p.consts() + i]));
    }
    for (std::size_t i = p.consts(); i < c.in.size(); ++i) c.outputs.push_back(c.in[i]);
  }
  static constexpr void cost(auto& c, const params&) { c.cost = c.body(1); }
  static void evaluate(auto& c, const params& p) { detail::evaluate_body(c, p.bodies[1]); }
  static control_form control(const params&) { return {control_form::kind::call, 1}; }
  static void place(placed_call& c) { c.run(c.context, 1, c.in.begin(), c.out.begin()); }
  template <class Frame>
  static constexpr void run_static(const Frame& f) {
    Frame::template run<1>(f.operands, f.results);
  }

 private:  // before what uses them, which clang does not look for in constant evaluation
  /// What matvec captures, and the solution.
  static constexpr std::vector<array> at_solution(auto& c, const params& p) {
    std::vector<array> x(c.x.begin(), c.x.begin() + p.num_consts);
    x.insert(x.end(), c.y.begin(), c.y.end());
    return x;
  }
  /// The tangents of the solution, given those of matvec there.
  static constexpr void solve_for_tangents(auto& c, const params& p, const std::vector<array>& moved) {
    std::vector<array> operands(c.x.begin(), c.x.begin() + p.num_consts);
    bool any = false;
    for (std::size_t i = 0; i < c.y.size(); ++i) {
      array rhs = c.t[p.consts() + i];
      if (!moved[i].is_none()) rhs = detail::add_tangents(rhs, array(lax::neg(moved[i])));
      any = any || !rhs.is_none();
      operands.push_back(detail::instantiate(rhs, c.y[i].aval()));
    }
    if (!any) return;
    const array_list out = bind_list<linear_solve_p>(p, location{}, operands);
    for (std::size_t i = 0; i < c.ty.size(); ++i) c.ty[i] = out[i];
  }

 public:
  static constexpr void jvp(auto& c, const params& p) {
    std::vector<array> t(c.t.begin(), c.t.begin() + p.num_consts);
    const std::vector<array> x = at_solution(c, p);
    t.resize(x.size());
    solve_for_tangents(c, p, jvp_jaxpr(*p.bodies[0], {}, x, t).tangents);
  }
  /// The tangents of matvec must be linear in those of what it captures, whatever loops it runs.
  static constexpr void linearize(auto& c, const params& p) {
    const array_list y = bind_list<linear_solve_p>(p, location{}, c.x);
    for (std::size_t i = 0; i < y.size(); ++i) c.y[i] = y[i];
    const std::vector<array> x = at_solution(c, p);
    std::vector<char> differentiate = detail::tangent_flags(c.x.first(p.consts()), c.t.first(p.consts()));
    differentiate.resize(x.size(), false);
    const linearized lin = linearize_jaxpr(*p.bodies[0], {}, x, differentiate);
    std::vector<array> t, moved(y.size());
    for (std::size_t i = 0; i < p.consts(); ++i)
      if (differentiate[i]) t.push_back(c.t[i]);
    const std::vector<array> outs = eval_jaxpr(*lin.program, lin.program.constants, t);
    for (std::size_t i = 0; i < moved.size(); ++i)
      if (lin.tangent_of[i] >= 0) moved[i] = outs[std::size_t(lin.tangent_of[i])];
    solve_for_tangents(c, p, moved);
  }

  static constexpr void transpose(auto& c, const params& p) {
    if (p.bodies.size() != 4)
      return detail::fail_in_rule(c.all(), make_error(error_kind::type, "transpose_solve required for backwards mode automatic differentiation of "
                                                   "custom_linear_solve; pass one, or say that the system is symmetric"));
    std::vector<array> operands(c.x.begin(), c.x.begin() + p.num_consts);
    for (std::size_t i = 0; i < c.ct.size(); ++i) operands.push_back(detail::instantiate(c.ct[i], c.in[p.consts() + i]));
    const params q{{p.bodies[2], p.bodies[3], p.bodies[0], p.bodies[1]}, p.num_consts};
    const array_list out = bind_list<linear_solve_p>(q, location{}, operands);
    for (std::size_t i = 0; i < out.size(); ++i) c.ct_in[p.consts() + i] = out[i];
  }

  static constexpr void batch(auto& c, const params& p) {
    std::vector<array> operands(c.x.begin(), c.x.end());
    std::vector<int> dims(c.dims.begin(), c.dims.end());
    for (std::size_t i = p.consts(); i < operands.size(); ++i) {
      operands[i] = detail::batch_materialise(c.x[i], c.dims[i], c.size);
      dims[i] = 0;
    }
    params q = p;
    batch_call inner{operands, view<const int>(dims), c.size, c.axis, c.params, {}};
    for (jaxpr_ref& body : q.bodies) body = detail::mapped_body(inner, *body);
    for (const array& y : bind_list<linear_solve_p>(q, location{}, operands)) c.outputs.push_back({y, 0});
  }

  /// The padding of b belongs to no equation of the system, nor that of the solution to an unknown: no body looks at either.
  static constexpr void mask(auto& c, const params& p) {
    c.reads_sizes = true;
    const params twin = decode<params>(c.twin);
    const std::vector<array> operands = detail::with_names(c.scope, c.x, 0);
    const view<const dimension_list> dims = c.dims.subspan(p.consts());
    params q;
    q.num_consts = p.num_consts + std::int64_t(operands.size() - c.x.size());
    for (std::size_t b = 0; b < p.bodies.size(); ++b) {
      const detail::masked_body m = detail::mask_body(c.scope, *p.bodies[b], *twin.bodies[b], 0, c.dims, detail::axes_of(c.x));
      if (!m.complete(*p.bodies[b])) return;
      const char* const from = b % 2 == 0 ? "where the matrix of a linear solve is applied" : "where the method of a linear solve gives it";
      if (const error_record e = detail::dims_problem("result", m.dims, dims, from, "in b")) return c.scope.fail(e);
      q.bodies.push_back(m.body);
    }
    const array_list x = bind_list<linear_solve_p>(q, location{}, operands);
    for (std::size_t i = 0; i < x.size(); ++i) c.outputs.push_back({x[i], dims[i]});
  }
};

#if defined(__clang__)
// As call_p.
static_assert((static_cast<void>(&linear_solve_p::jvp<jvp_call>), static_cast<void>(&linear_solve_p::linearize<joint_call>), static_cast<void>(&linear_solve_p::transpose<transpose_call>),
               static_cast<void>(&linear_solve_p::batch<batch_call>), static_cast<void>(&linear_solve_p::mask<mask_call>), true));
#endif

namespace detail {

/// matvec transposed: on the same constants, from cotangents to cotangents.
template <class Array = array>
constexpr closed_jaxpr transposed_matvec(const closed_jaxpr& matvec, const axis_binding* axes) {
  const jaxpr_ref body = closed_body(matvec);
  const std::size_t consts = matvec.constants.size();
  std::vector<char> linear(body->invars.size(), false);
  for (std::size_t i = consts; i < linear.size(); ++i) linear[i] = true;
  const jaxpr_ref back = build_tidy_body(invar_types(*body), axes, [&](view<const array> in) {
    std::vector<array> x(in.begin(), in.begin() + std::ptrdiff_t(consts));
    x.resize(in.size());
    std::vector<array> ct = transpose_jaxpr<Array>(*body, {}, x, linear, in.subspan(consts)), outs;
    for (std::size_t i = consts; i < ct.size(); ++i) outs.push_back(instantiate(ct[i], body->avals[body->invars[i]]));
    return outs;
  });
  jaxpr r = *back;
  r.constvars.assign(r.invars.begin(), r.invars.begin() + std::ptrdiff_t(consts));
  r.invars.erase(r.invars.begin(), r.invars.begin() + std::ptrdiff_t(consts));
  return {jaxpr_ref(std::move(r)), matvec.constants, {}};
}

struct no_solver {};

template <class Matvec, class B, class Solve, class TransposeSolve>
constexpr rebind_t<B> run_linear_solve(Matvec& matvec, const B& b, Solve& solve, TransposeSolve& transpose_solve, bool symmetric, const location& where) {
  using tree = rebind_t<B>;
  const leaf_list rhs = flatten_all(b);
  const std::vector<aval> types = types_of(rhs);
  traced_branches t;
  const auto trace = [&](auto& f) {
    auto r = trace_body(f, "custom_linear_solve", types, rhs, b);
    const error_record e = carry_problem("matvec or solver output and b", b, types, r.result, r.program.out_avals());
    if (e) fail_at(rhs, where, e);
    t.programs.push_back(r.program);
  };
  trace(matvec);
  auto solver = [&](const tree& y) { return solve(matvec, y); };
  trace(solver);
  if (symmetric) t.programs.push_back(t.programs[0]), t.programs.push_back(t.programs[1]);
  else if constexpr (!std::is_same_v<TransposeSolve, no_solver>) {
    const closed_jaxpr back = transposed_matvec(t.programs[0], axes_of(rhs));
    t.programs.push_back(back);
    auto vecmat = [&](const tree& v) { return rebuild<tree>(b, eval_jaxpr(back, flatten_all(v))); };
    auto transposed = [&](const tree& y) { return transpose_solve(vecmat, y); };
    trace(transposed);
  }
  list<jaxpr_ref> bodies = t.bodies(rhs, types);
  std::vector<array> operands = t.captured;
  operands.insert(operands.end(), rhs.begin(), rhs.end());
  const array_list y = bind_list<linear_solve_p>({std::move(bodies), std::int64_t(t.captured.size())}, where, operands);
  return rebuild<tree>(b, view<const array>(y.data(), y.size()));
}

}  // namespace detail

namespace lax {

/// x with matvec(x) = b, as solve(matvec, b) computes it. Its derivatives solve the same system, or with
/// transpose_solve(vecmat, b) the transposed one; they do not look into solve. All are trees like b.
/// Errors  type_error: results unlike b; reverse mode without transpose_solve.
template <class Matvec, class B, class Solve, class TransposeSolve = detail::no_solver>
constexpr auto custom_linear_solve(Matvec matvec, const B& b, Solve solve, TransposeSolve transpose_solve = {}, location where = location::current()) {
  return detail::run_linear_solve(matvec, b, solve, transpose_solve, false, where);
}
/// The same where matvec is symmetric: its own transpose, solved by solve.
template <class Matvec, class B, class Solve>
constexpr auto custom_symmetric_solve(Matvec matvec, const B& b, Solve solve, location where = location::current()) {
  detail::no_solver none;
  return detail::run_linear_solve(matvec, b, solve, none, true, where);
}

}  // namespace lax

}  // namespace jacquard
