#pragma once
// The branches users write: lax::cond and lax::switch_. All branches are traced, one is run. Deliberately separate from
// jq::where, which computes both sides.

#include "jacquard/control/cond.hpp"
#include "jacquard/core/list.hpp"
#include "jacquard/prims/max_min.hpp"

namespace jacquard {

namespace detail {

/// Traced branches, made alike: what any of them captures is an input of all.
struct traced_branches {
  std::vector<closed_jaxpr> programs;
  std::vector<array> captured;

  constexpr std::size_t place_of(const array& x) {
    std::size_t at = 0;
    while (at < captured.size() && !captured[at].same_as(x)) ++at;
    if (at == captured.size()) captured.push_back(x);
    return at;
  }
  /// The types of result i of each branch; a plain number is no wider than what another branch computes.
  constexpr std::vector<aval> types_of_result(std::size_t i) const {
    const auto is_number = [i](const closed_jaxpr& p) { return p.program->outvars[i].is_literal(); };
    const closed_jaxpr* computed = nullptr;
    for (const closed_jaxpr& p : programs)
      if (!computed && !is_number(p)) computed = &p;
    std::vector<aval> r;
    for (const closed_jaxpr& p : programs) {
      r.push_back(p.program->type_of(p.program->outvars[i]));
      if (computed && is_number(p)) r.back().type = beside(r.back().element(), computed->program->avals[computed->program->outvars[i].index()].type).type;
    }
    return r;
  }
  /// The types of the results: weakly typed ones give way, and meet among themselves. A record of what is wrong where branches differ.
  constexpr std::vector<aval> result_types(std::string_view what, error_record& e) const {
    std::vector<aval> r = programs[0].out_avals();
    for (std::size_t i = 0; i < r.size(); ++i) {
      const std::vector<aval> all = types_of_result(i);
      r[i] = all[0];
      for (const aval& a : all) {
        if (!r[i].weak || !(r[i].dims == a.dims)) continue;
        if (a.weak) r[i].type = promote(r[i].element(), a.element()).type;
        else if (category_of(r[i].type) <= category_of(a.type)) r[i] = a;
      }
    }
    for (std::size_t b = 0; b < programs.size() && !e; ++b) {
      std::vector<aval> own = programs[b].out_avals();
      promote_weak(own, r);
      if (all_same_types(own, r)) continue;
      e = make_error(error_kind::type, what, " must have identical types, got\n",
                     differences(programs[0].out_avals(), programs[b].out_avals()),
                     same_shapes(own, r) ? ".\nConvert the result of one of them" : ".\nGive the results the same shapes, e.g. with broadcast_to");
    }
    return r;
  }
  /// Bodies on the captured arrays and the operands.
  template <class Array = array>
  constexpr list<jaxpr_ref> bodies(view<const lazy<Array>> operands, view<const aval> results) {
    std::vector<std::vector<std::size_t>> places;
    for (const closed_jaxpr& p : programs) {
      places.emplace_back();
      for (const array& x : p.constants) places.back().push_back(place_of(x));
    }
    std::vector<aval> types = types_of<Array>(captured);
    for (const array& x : operands) types.push_back(x.aval());
    list<jaxpr_ref> r;
    for (std::size_t b = 0; b < programs.size(); ++b)
      r.push_back(build_body(types, axes_of<Array>(operands), [&](view<const array> in) {
        std::vector<array> own;
        for (std::size_t at : places[b]) own.push_back(in[at]);
        std::vector<array> outs = eval_jaxpr(*programs[b].program, own, in.subspan(captured.size()));
        for (std::size_t i = 0; i < outs.size(); ++i)
          outs[i] = lax::convert_element_type(outs[i], results[i].type, results[i].weak);
        return outs;
      }));
    return r;
  }
};

/// Runs branch number `index` of the traced ones, the first two swapped if `backwards`; `like` is what one of them returned.
template <class Result, class Array = array>
constexpr auto run_branches(const lazy<Array>& index, traced_branches& t, const Result& like, view<const lazy<Array>> operands,
                            std::string_view what, bool backwards, error_record e, const location& where) {
  using tree = rebind_t<Result>;
  std::vector<array> about(operands.begin(), operands.end()), results;
  about.push_back(index);
  std::vector<aval> types;
  if (!e) types = t.result_types(what, e);
  if (e) {
    fail_at(about, where, e);
    results.assign(leaf_count(like), array(0.0f));
    return rebuild<tree>(like, results);
  }
  cond_p::params p{t.bodies(operands, types)};
  if (backwards) std::swap(p.branches[0], p.branches[1]);
  std::vector<array> all{index};
  all.insert(all.end(), t.captured.begin(), t.captured.end());
  all.insert(all.end(), operands.begin(), operands.end());
  const array_list y = bind_list<cond_p>(p, where, all);
  return rebuild<tree>(like, view<const array>(y.data(), y.size()));
}

/// A scalar, and whether it is zero; records what is wrong with it.
template <class Array = array>
constexpr array predicate_index(const lazy<Array>& pred, error_record& e) {
  if (pred.is_none() || pred.ndim() != 0) {
    e = make_error(error_kind::type, "Pred must be a scalar, got an array of shape ", pred.shape(),
                   "; reduce it with jq::all or jq::any, or use jq::where for one choice per element");
    return array(0);
  }
  if (is_complex(pred.dtype())) {
    e = make_error(error_kind::type, "Pred type must be either boolean or number, got ", long_name(pred.dtype()), "; compare it with something");
    return array(0);
  }
  array truth = pred;
  if (!is_boolean(pred.dtype())) truth = lax::ne(pred, array(literal(0.0, pred.dtype(), false)));
  return lax::convert_element_type(truth, i32, false);
}
template <class Array = array>
constexpr array branch_index(const lazy<Array>& index, std::size_t branches, error_record& e) {
  if (index.is_none() || !is_integer(index.dtype()))
    e = make_error(error_kind::type, "Index type must be an integer, got ", long_name(index.dtype()), "; convert it with astype(jq::i32)");
  else if (index.ndim() != 0)
    e = make_error(error_kind::type, "Branch index must be scalar, got an array of shape ", index.shape(), ". Use vmap to choose per element");
  if (e || branches == 1) return array(0);
  const std::int64_t last = std::int64_t(branches) - 1;
  array clamped = lax::max(index, array(literal(0.0, index.dtype(), false)));
  if (last <= 127 || size_of(index.dtype()) > 1) clamped = lax::min(clamped, array(literal(double(last), index.dtype(), false)));
  return lax::convert_element_type(clamped, i32, false);
}

/// Traces branches on operands of types A..., one after the other, and runs one of them. Knows the functions by their signature.
template <class... A>
class branch_tracer {
 public:
  constexpr branch_tracer(std::string_view name, std::string_view what, const A&... operands)
      : name_(name), what_(what), operands_(operands...), leaves_(flatten_all(operands...)), types_(types_of(leaves_)) {}
  branch_tracer(const branch_tracer&) = delete;

  /// Traces one more branch, whose results shall have the structure of the first one's; what it returned.
  template <class Result>
  constexpr Result trace(const function_of<Result, rebind_t<A>...>& f) {
    auto r = std::apply([&](const A&... x) { return trace_body(f, name_, types_, leaves_, x...); }, operands_);
    const text own = structure_text(r.result);
    if (branches_.programs.empty()) structure_ = own;
    else if (!(own == structure_) && !problem_)
      problem_ = make_error(error_kind::type, what_, " must have same type structure, got ", structure_, " and ", own,
                            ". Return trees of one structure");
    branches_.programs.push_back(std::move(r.program));
    return std::move(r.result);
  }
  /// Runs branch number `index`, unless something was wrong before or with them.
  template <class Result>
  constexpr auto run(const array& index, const Result& like, const error_record& before, bool backwards, const location& where) {
    return run_branches(index, branches_, like, leaves_, what_, backwards, before ? before : problem_, where);
  }

 private:
  std::string_view name_, what_;
  std::tuple<const A&...> operands_;
  leaf_list leaves_;
  std::vector<aval> types_;
  traced_branches branches_;
  text structure_;
  error_record problem_;
};

template <class... A, class First, class... Rest>
constexpr auto choose(const array& index, branch_tracer<A...>&& t, const error_record& e, bool backwards, const location& where, const First& first,
                      const Rest&... rest) {
  const auto like = t.trace(first);
  (static_cast<void>(t.trace(rest)), ...);
  return t.run(index, like, e, backwards, where);
}

/// switch_ of a list of functions of one type, whose number is known when it is called.
template <class List, class... A>
constexpr auto choose_of_list(const array& index, List branches, const location& where, const A&... operands) {
  using tree = rebind_t<std::remove_cvref_t<decltype(branches[0](operands...))>>;
  error_record e;
  if (branches.size() == 0) {
    e = make_error(error_kind::value, "Empty branch sequence; pass at least one branch");
    fail_at(view<const array>(&index, 1), where, e);
    return tree();
  }
  const array number = branch_index(index, branches.size(), e);
  if (branches.size() > 1) {
    branch_tracer<A...> t("switch_", "branch outputs", operands...);
    const auto like = t.trace(seen_by_signature<A...>(branches[0]).of_signature());
    for (std::size_t i = 1; i < branches.size(); ++i) t.trace(seen_by_signature<A...>(branches[i]).of_signature());
    return tree(t.run(number, like, e, false, where));
  }
  if (e) fail_at(view<const array>(&index, 1), where, e);
  const auto result = branches[0](operands...);
  const leaf_list leaves = flatten_all(result);
  return rebuild<tree>(result, leaves);
}

/// Whether the arguments of cond are data and a function for each branch.
template <class T>
concept argument = leaf<T> || tree_node<T>;
template <class OfTrue, class True, class OfFalse, class False>
concept operand_for_each = argument<OfTrue> && !argument<True> && argument<OfFalse> && !argument<False>;

/// A branch index and the line it was written in.
struct located {
  array value;
  location where;
  template <class T>
    requires std::is_convertible_v<const T&, array>
  constexpr located(const T& x, location line = location::current()) : value(x), where(line) {}
};

}  // namespace detail

namespace lax {

/// on_true(operands...) if the scalar `pred` is true (or not zero), else on_false(operands...). Both are traced, one is run.
/// Errors  type_error: a predicate that is no scalar, branches whose results differ in structure or types.
template <class True, class False, class... A>
constexpr auto cond(const detail::located& pred, True on_true, False on_false, const A&... operands) {
  error_record e;
  const array index = detail::predicate_index(pred.value, e);
  return detail::choose(index, detail::branch_tracer<A...>("cond", "true_fun and false_fun output", operands...), e, true, pred.where,
                        detail::seen_by_signature<A...>(on_true).of_signature(), detail::seen_by_signature<A...>(on_false).of_signature());
}

/// The same with an operand for each branch: on_true(of_true) or on_false(of_false).
template <class OfTrue, class True, class OfFalse, class False>
  requires detail::operand_for_each<OfTrue, True, OfFalse, False>
constexpr auto cond(const detail::located& pred, const OfTrue& of_true, True on_true, const OfFalse& of_false, False on_false) {
  return cond(pred, [&](const auto& x, const auto&) { return detail::call_function(on_true, x); },
              [&](const auto&, const auto& x) { return detail::call_function(on_false, x); }, of_true, of_false);
}

/// Branch number `index` of a tuple of functions, applied to the operands; an index out of range takes the nearest branch.
/// All are traced, one is run; a single branch is called directly.
/// Errors  type_error: an index that is no integer scalar, branches whose results differ in structure or types.
template <class First, class... Rest, class... A>
constexpr auto switch_(const detail::located& index, std::tuple<First, Rest...> branches, const A&... operands) {
  error_record e;
  const array number = detail::branch_index(index.value, 1 + sizeof...(Rest), e);
  if constexpr (sizeof...(Rest) == 0) {
    if (e) detail::fail_at(view<const array>(&index.value, 1), index.where, e);
    return std::get<0>(branches)(operands...);
  } else
    return std::apply([&](auto&... f) {
      return detail::choose(number, detail::branch_tracer<A...>("switch_", "branch outputs", operands...), e, false, index.where,
                            detail::seen_by_signature<A...>(f).of_signature()...);
    }, branches);
}
/// The same of functions of one type, as many as there are when it is called. Errors  value_error: none.
template <class F, class... A>
constexpr auto switch_(const detail::located& index, std::vector<F> branches, const A&... operands) {
  return detail::choose_of_list(index.value, std::move(branches), index.where, operands...);
}
template <class F, std::size_t N, class... A>
constexpr auto switch_(const detail::located& index, std::array<F, N> branches, const A&... operands) {
  return detail::choose_of_list(index.value, std::move(branches), index.where, operands...);
}
template <class... A>
constexpr void switch_(const detail::located&, std::tuple<>, const A&...) {
  static_assert(sizeof...(A) == std::size_t(-1), "jq::lax::switch_: Empty branch sequence; pass at least one branch");
}

}  // namespace lax

}  // namespace jacquard
