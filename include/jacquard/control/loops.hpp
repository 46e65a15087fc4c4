#pragma once
// The loops users write: lax::scan, map, while_loop and fori_loop. Trees in, trees out; bodies are traced once. Deliberately no
// loop is laid out trip by trip: a loop stays one equation with one body.

#include "jacquard/control/scan.hpp"
#include "jacquard/control/while.hpp"
#include "jacquard/transforms/grad.hpp"

namespace jacquard {

/// How lax::scan runs.
struct scan_options {
  std::int64_t length = -1;  ///< number of trips; taken from the stacked arguments if negative
  bool reverse = false;      ///< from the last element to the first; what is stacked keeps the order of the elements
  std::int64_t unroll = 1;   ///< a hint: trips that a backend may lay out one after the other
};

namespace detail {

/// The number of trips that stacked leaves give; -1 with a record of what is wrong.
template <class Array = array>
constexpr std::int64_t trip_count(view<const lazy<Array>> xs, std::int64_t length, error_record& e) {
  std::vector<std::int64_t> sizes;
  for (const array& x : xs) {
    if (x.ndim() == 0) {
      e = make_error(error_kind::value, "scan got value with no leading axis to scan over: ", shaped_text(x.aval()),
                     "; give it one, or let the body use it without passing it");
      return -1;
    }
    bool known = false;
    for (std::int64_t s : sizes) known = known || s == x.shape()[0];
    if (!known) sizes.push_back(x.shape()[0]);
  }
  text list;
  for (std::size_t i = 0; i < sizes.size(); ++i) list << (i ? ", " : "") << sizes[i];
  if (length >= 0 && (sizes.size() > 1 || (sizes.size() == 1 && sizes[0] != length)))
    e = make_error(error_kind::value, "scan got `length` argument of ", length, " which disagrees with leading axis sizes [", list,
                   "]; leave it out, or pass the leading size");
  else if (sizes.size() > 1)
    e = make_error(error_kind::value, "scan got values with different leading axis sizes: ", list, ". Cut them to one size");
  else if (sizes.empty() && length < 0)
    e = make_error(error_kind::value, "scan got no values to scan over and `length` not provided. Set scan_options::length");
  if (e) return -1;
  return sizes.empty() ? length : sizes[0];
}

/// A loop's body traced until a weakly typed start has the type that the body gives it. `trace` maps types to a traced body,
/// whose first `carries` outputs are compared.
template <class Trace, class Array = array>
constexpr auto trace_loop_body(std::vector<aval>& types, std::size_t carries, Trace&& trace) {
  auto t = trace(types);
  std::vector<aval> carry(types.begin(), types.begin() + std::ptrdiff_t(carries));
  const std::vector<aval> outs = t.program.out_avals();
  if (outs.size() < carries || !promote_weak(carry, outs)) return t;
  for (std::size_t i = 0; i < carries; ++i) types[i] = carry[i];
  return trace(types);
}

/// How messages speak of a loop: by the name of the function that the user called, and of what it compares.
struct loop_words {
  std::string_view name, compared;
};
inline constexpr loop_words scan_words{"scan", "scan carry output and input"}, map_words{"map", "map carry output and input"},
    while_words{"while_loop", "body_fun output and input"}, fori_words{"fori_loop", "fori_loop carry output and input"};

/// What is wrong with a loop whose carry changes its structure or its types; `what` are the two compared.
template <class In, class Out>
constexpr error_record carry_problem(std::string_view what, const In& in, view<const aval> in_types, const Out& out,
                                     view<const aval> out_types) {
  const text want = structure_text(in), got = structure_text(out);
  if (!(want == got))
    return make_error(error_kind::type, what, " must have same type structure, got ", got, " and ", want,
                      ". Return a carry of the structure it came in");
  if (!all_same_types(in_types, out_types))
    return make_error(error_kind::type, what, " must have identical types, got\n", differences(out_types, in_types),
                      same_shapes(out_types, in_types) ? ".\nConvert the start or the result with astype"
                                                       : ".\nGive the start the shapes that the result has, e.g. with broadcast_to");
  return {};
}

/// The leaves converted to the types that a loop wants of its start, weakness included: it is the result of no trips.
template <class Array = array>
constexpr std::vector<array> converted_start(view<const lazy<Array>> x, view<const aval> types) {
  std::vector<array> r;
  for (std::size_t i = 0; i < x.size(); ++i) r.push_back(lax::convert_element_type(x[i], types[i].type, types[i].weak));
  return r;
}

/// What a scan runs over, before its body is traced.
struct scan_arguments {
  leaf_list start, stacked;
  std::vector<array> leaves;  ///< both
  std::vector<aval> types;    ///< of what the body gets
  std::int64_t length = 0;
  error_record problem;

  template <class Init, class Xs>
  constexpr scan_arguments(const Init& init, const Xs& xs, std::int64_t wanted, const location& where)
      : start(flatten_all(init)), stacked(flatten_all(xs)), leaves(start), types(types_of(start)) {
    leaves.insert(leaves.end(), stacked.begin(), stacked.end());
    length = trip_count(stacked, wanted, problem);
    if (problem) fail_at(leaves, where, problem), length = 0;
    for (const array& x : stacked) types.push_back(x.ndim() == 0 ? x.aval() : element_type_of(x.aval()));
  }
};

/// The scan with a traced body.
template <class Init, class Result>
constexpr auto stage_scan(scan_arguments& x, const Init& init, const traced<Result>& t, const scan_options& o, const location& where,
                          const loop_words& words) {
  const auto& [carry, y] = t.result;
  using carry_tree = rebind_t<Init>;
  using ys_tree = rebind_t<std::remove_cvref_t<decltype(y)>>;
  const std::size_t count = x.start.size(), carries = leaf_count(carry);
  const std::vector<aval> outs = t.program.out_avals();
  if (!x.problem)
    x.problem = carry_problem(words.compared, init, view<const aval>(x.types).first(count), carry, view<const aval>(outs).first(carries));
  std::vector<array> results;
  if (x.problem) {
    fail_at(x.leaves, where, x.problem);
    results = x.leaves;
    results.resize(count + outs.size() - carries, array(0.0f));
  } else {
    std::vector<array> operands = t.program.constants;
    for (const array& a : converted_start(x.start, x.types)) operands.push_back(a);
    operands.insert(operands.end(), x.stacked.begin(), x.stacked.end());
    const scan_p::params p{closed_body(t.program), x.length, std::int64_t(t.program.constants.size()), std::int64_t(carries), o.reverse, o.unroll};
    const array_list out = bind_list<scan_p>(p, where, operands);
    results.assign(out.begin(), out.end());
  }
  const view<const array> all(results);
  return std::pair<carry_tree, ys_tree>(rebuild<carry_tree>(init, all.first(count)), rebuild<ys_tree>(y, all.subspan(count)));
}

template <class F, class Init, class Xs>
constexpr auto run_scan(F& f, const Init& init, const Xs& xs, const scan_options& o, const location& where, const loop_words& words = scan_words) {
  scan_arguments x(init, xs, o.length, where);
  auto t = trace_loop_body(x.types, x.start.size(), [&](const std::vector<aval>& in) { return trace_body(f, words.name, in, x.leaves, init, xs); });
  using result = decltype(t.result);
  static_assert(is_pair<result>, "scan body output must be a pair: return std::pair{carry, y}; y may be std::tuple<>{}");
  if constexpr (is_pair<result>) return stage_scan(x, init, t, o, where, words);
  else return std::pair(rebuild<rebind_t<Init>>(init, x.start), std::tuple<>{});  // one error is enough
}

/// What is wrong with the traced condition of a while_loop.
template <class Result>
constexpr error_record condition_problem(const traced<Result>& condition) {
  const std::vector<aval> types = condition.program.out_avals();
  if constexpr (!leaf<Result>)
    return make_error(error_kind::type, "cond_fun must return a boolean scalar, but got pytree ", structure_text(condition.result),
                      "; return one comparison");
  else if (!same_type(types[0], aval(bool_, {})))
    return make_error(error_kind::type, "cond_fun must return a boolean scalar, but got output type(s) [", shaped_text(types[0]),
                      "]. Compare it, and reduce the comparison with jq::all or jq::any");
  return {};
}

/// What is wrong with the traced body of a while_loop, or of a fori_loop: that one's state is `Indexed`, a tuple of an index and a carry, of which
/// users know the carry alone.
template <bool Indexed, class Init, class Result>
constexpr error_record body_problem(const loop_words& words, const Init& init, view<const aval> types, const traced<Result>& body) {
  const std::vector<aval> outs = body.program.out_avals();
  if constexpr (Indexed)
    return carry_problem(words.compared, std::get<1>(init), types.subspan(1), std::get<1>(body.result), view<const aval>(outs).subspan(1));
  else return carry_problem(words.compared, init, types, body.result, outs);
}

template <bool Indexed = false, class Condition, class Body, class Init>
constexpr auto run_while(Condition& condition, Body& body, const Init& init, const location& where, const loop_words& words = while_words) {
  const leaf_list start = flatten_all(init);
  std::vector<aval> types = types_of(start);
  auto b = trace_loop_body(types, start.size(), [&](const std::vector<aval>& in) { return trace_body(body, words.name, in, start, init); });
  auto c = trace_body(condition, words.name, types, start, init);
  error_record e = condition_problem(c);
  if (!e) e = body_problem<Indexed>(words, init, types, b);
  std::vector<array> results = start;
  if (e) fail_at(start, where, e);
  else {
    std::vector<array> operands = c.program.constants;
    operands.insert(operands.end(), b.program.constants.begin(), b.program.constants.end());
    for (const array& x : converted_start(start, types)) operands.push_back(x);
    const array_list y = bind_list<while_p>({closed_body(c.program), closed_body(b.program), std::int64_t(c.program.constants.size()),
                                             std::int64_t(b.program.constants.size())}, where, operands);
    results.assign(y.begin(), y.end());
  }
  return rebuild<rebind_t<Init>>(init, results);
}

/// The bounds of a fori_loop, of one integer dtype: a plain number takes that of the other.
struct loop_bounds {
  array lower, upper;
  location where;
  constexpr bool known() const { return lower.is_concrete() && upper.is_concrete(); }

  constexpr error_record make_alike() {
    const auto adapt = [](array& x, const array& to) {
      if (x.kind() != array_kind::literal || !x.as_literal().weak || !is_integer(to.dtype())) return;
      literal l = x.as_literal().as(to.dtype());
      l.weak = to.weak_type();
      x = array(l);
    };
    adapt(lower, upper);
    adapt(upper, lower);
    for (const array& x : {lower, upper})
      if (!is_integer(x.dtype()))
        return make_error(error_kind::type, "fori_loop: got a bound of dtype ", long_name(x.dtype()), ", wanted an integer; convert it with astype(jq::i32)");
    if (lower.dtype() != upper.dtype())
      return make_error(error_kind::type, "arguments to fori_loop must have equal types, got ", long_name(lower.dtype()), " and ",
                        long_name(upper.dtype()), "; both are integers of one dtype, or one of them a plain number");
    if (lower.ndim() != 0 || upper.ndim() != 0)
      return make_error(error_kind::shape, "arguments to fori_loop must be scalars, got shapes ", lower.shape(), " and ", upper.shape(),
                        "; index them first");
    return {};
  }
};

template <class Body, class Init>
constexpr rebind_t<Init> run_fori(Body& body, loop_bounds bounds, const Init& init) {
  using carry = rebind_t<Init>;
  if (const error_record e = bounds.make_alike()) {
    const leaf_list start = flatten_all(init);
    fail_at(start, bounds.where, e);
    return rebuild<carry>(init, start);
  }
  if (bounds.known()) {
    const std::int64_t first = bounds.lower.template item<std::int64_t>(), trips = bounds.upper.template item<std::int64_t>() - first;
    const array numbers = lax::iota(bounds.lower.dtype(), {trips > 0 ? trips : 0}, 0, bounds.where);
    array steps = numbers;
    if (first != 0) steps = lax::add(numbers, array(literal(first, bounds.lower.dtype(), false)), bounds.where);
    auto step = [&](const carry& x, const array& i) {
      note_arguments(i, x);
      return std::pair{call_function(body, i, x), std::tuple<>{}};
    };
    return run_scan(step, init, steps, scan_options{}, bounds.where, fori_words).first;
  }
  using state = std::tuple<array, carry>;
  const array upper = bounds.upper;
  auto goes_on = [&](const state& s) { return lax::lt(std::get<0>(s), upper); };
  auto step = [&](const state& s) {
    const auto& [i, x] = s;
    note_arguments(i, x);
    return std::tuple{lax::add(i, array(literal(1.0, i.dtype(), false))), call_function(body, i, x)};
  };
  const leaf_list start = flatten_all(init);
  return std::get<1>(run_while<true>(goes_on, step, state{bounds.lower, rebuild<carry>(init, start)}, bounds.where, fori_words));
}

}  // namespace detail

namespace lax {

/// Runs f(carry, x) -> {carry, y} for each element x of `xs` along its first axis, from `init` on. Returns the last carry and
/// the y stacked along a new first axis. `xs` may be a tree, or std::tuple<>{} with a length in the options.
/// Shapes  carry: trees like init in every trip; xs: trees of [n, ...]; ys: trees of [n, ...].
/// Errors  value_error: no length, or different ones. type_error: a carry that changes structure, dtype or shape.
/// Cost    n times f. Differentiation is linear in n in time and memory; see jq::checkpoint for less memory.
template <class F, class Init, class Xs>
constexpr auto scan(F f, const Init& init, const Xs& xs, scan_options o = {}, location where = location::current()) {
  return detail::run_scan(detail::seen_by_signature<Init, Xs>(f).of_signature(), init, xs, o, where);
}

/// f applied to each element of `xs` along its first axis, one after the other, the results stacked. As vmap(f)(xs), with the
/// memory of one element at a time.
template <class F, class Xs>
constexpr auto map(F f, const Xs& xs, location where = location::current()) {
  const auto body = [&](const std::tuple<>& none, const rebind_t<Xs>& x) { return std::pair{none, detail::call_function(f, x)}; };
  return detail::run_scan(detail::seen_by_signature<std::tuple<>, Xs>(body).of_signature(), std::tuple<>{}, xs, {}, where, detail::map_words).second;
}

/// carry = body(carry) while condition(carry), from `init` on; returns the last carry.
/// Errors  type_error: a condition that is no boolean scalar, a carry that changes structure, dtype or shape. value_error: reverse
///         mode, for which the number of trips must be known; use scan or fori_loop.
template <class Condition, class Body, class Init>
constexpr auto while_loop(Condition condition, Body body, const Init& init, location where = location::current()) {
  return detail::run_while(detail::seen_by_signature<Init>(condition).of_signature(), detail::seen_by_signature<Init>(body).of_signature(), init, where);
}

/// carry = body(i, carry) for i = lower ... upper - 1, from `init` on; returns the last carry, which is init if there is no trip.
/// Bounds that are known while tracing make a scan, which has a reverse mode; others make a while_loop.
/// Errors  type_error: bounds of different dtypes, a carry that changes structure, dtype or shape.
template <class Body, class Init>
constexpr auto fori_loop(const array& lower, const array& upper, Body body, const Init& init, location where = location::current()) {
  return detail::run_fori(detail::seen_when_called_with<const array&, const rebind_t<Init>&>(body).of_signature(), {lower, upper, where}, init);
}

}  // namespace lax

}  // namespace jacquard
