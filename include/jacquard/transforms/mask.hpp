#pragma once
// mask: a function of arrays of symbolic sizes, run on padded arrays whose logical sizes are run-time values. And shapecheck,
// which runs the sizes alone. Results hold zeros beyond their logical sizes, and so do gradients with respect to arguments.

#include "jacquard/core/list.hpp"
#include "jacquard/transforms/differentiate.hpp"
#include "jacquard/transforms/function.hpp"
#include "jacquard/transforms/lane.hpp"
#include "jacquard/transforms/mask_arguments.hpp"
#include "jacquard/transforms/mask_jaxpr.hpp"
#include "jacquard/transforms/shape_spec.hpp"

namespace jacquard {

namespace detail {
/// Shape specifications, checked where they are written.
template <fixed_string... S>
struct shape_specs {
  using option_of_a_transform = void;
  static constexpr std::size_t count = sizeof...(S);
  static constexpr list<shape_spec> specs() {
    static_assert((check_spec<S>() && ...));
    list<shape_spec> r;
    (r.push_back(read_spec(S.view())), ...);
    return r;
  }
};
}  // namespace detail

template <fixed_string... S>
struct in_shapes_t : detail::shape_specs<S...> {
  using of_arguments = void;
};
/// The shape specification of each argument, or of each leaf of the arguments.
template <fixed_string... S>
inline constexpr in_shapes_t<S...> in_shapes{};

template <fixed_string... S>
struct out_shape_t : detail::shape_specs<S...> {
  using of_results = void;
};
/// The shape specification of the result, or of each of its leaves.
template <fixed_string... S>
inline constexpr out_shape_t<S...> out_shape{};

namespace detail {

// By a name within, since nvcc 13 does not deduce strings of several lengths.
template <class T>
concept argument_shapes = requires { typename T::of_arguments; };
template <class T>
concept result_shapes = requires { typename T::of_results; };
template <class In, class... Out>
constexpr void check_shapes() {
  static_assert(argument_shapes<In> && (result_shapes<Out> && ...) && sizeof...(Out) <= 1,
                "jq::mask/shapecheck: the options are jq::in_shapes<\"...\"> and then jq::out_shape<\"...\">, which mask may do without, and no others");
}

struct logical_shapes_returned {};

/// One specification per leaf of the arguments, given one per argument or one per leaf.
template <class... A>
constexpr error_record spread_specs(list<shape_spec>& specs, const std::tuple<A...>& args) {
  std::size_t leaves = leaf_count(args);
  if (specs.size() == leaves) return {};
  text got;
  for (const shape_spec& s : specs) got << (got.empty() ? "" : ", ") << s;
  if (specs.size() != sizeof...(A))
    return make_error(error_kind::type, "Tree mismatch: Input ", tree::structure(args), " and shape spec [", got,
                      "]. Give one specification per argument, or one per leaf");
  list<shape_spec> all;
  std::size_t k = 0;
  const auto one = [&](const auto& a) {
    for (std::size_t i = leaf_count(a); i > 0; --i) all.push_back(specs[k]);
    ++k;
  };
  std::apply([&](const auto&... a) { (one(a), ...); }, args);
  specs = std::move(all);
  return {};
}

/// What is wrong with the value of a size, as far as it is known.
template <class Array = array>
constexpr error_record size_problem(const bound_name& n, const lazy<Array>& value) {
  if (value.is_none())
    return make_error(error_kind::value, "mask: got no size for ", n.name.view(), "; pass it in jq::dims{{\"", n.name.view(), "\", size}}");
  const aval t = value.aval();
  if (!is_integer(t.type)) return make_error(error_kind::type, "mask: the size ", n.name.view(), " is ", t, ", wanted a scalar integer");
  if (t.rank() != 0)
    return make_error(error_kind::shape, "mask: the size ", n.name.view(), " is ", t, ", wanted a scalar integer; vmap maps over many sizes");
  if (value.kind() != array_kind::literal && value.kind() != array_kind::buffer) return {};
  const std::int64_t known = value.template item<std::int64_t>();
  if (known >= 0 && known <= n.padded) return {};
  return make_error(error_kind::value, "mask: the size ", n.name.view(), " is ", known, ", wanted one between 0 and its padded size ", n.padded);
}
/// The run-time values of the names, checked where they are known.
template <class Array = array>
constexpr error_record named_sizes(const list<bound_name>& names, const dims& sizes, std::vector<named_size<lazy<Array>>>& out) {
  for (const bound_name& n : names) {
    named_size<Array> s{n.name, n.padded, sizes.find(n.name)};
    if (const error_record e = size_problem<Array>(n, s.value)) return e;
    s.is_known = s.value.kind() == array_kind::literal || s.value.kind() == array_kind::buffer;
    if (s.is_known) s.known = s.value.template item<std::int64_t>();
    s.value = lax::convert_element_type(s.value, i64);
    out.push_back(std::move(s));
  }
  return {};
}

/// `d` with every max(a, 0) read as a: sizes of results that may be empty are specified as polynomials.
constexpr dimension as_specified(const dimension& d) {
  dimension sum;
  for (const dimension::term& t : d.terms()) {
    dimension product(t.coefficient);
    for (const dimension::factor& f : t.factors) {
      dimension base = dimension::named(f.base.name.view());
      if (!f.base.is_name()) base = as_specified(f.base.argument[0]);
      if (f.base.divisor != 0) base = dimension::floor_div(base, f.base.divisor);
      for (int i = 0; i < f.power; ++i) product = product * base;
    }
    sum = sum + product;
  }
  return sum;
}

/// Checks propagated shapes against the specification of the result.
constexpr error_record check_out_specs(list<shape_spec> specs, const std::vector<masked>& outs) {
  if (specs.size() == 1) specs = list<shape_spec>(outs.size(), shape_spec(specs[0]));
  bool same = specs.size() == outs.size();
  for (std::size_t k = 0; same && k < outs.size(); ++k) {
    same = specs[k].dims.size() == outs[k].dims.size();
    for (std::size_t d = 0; same && d < outs[k].dims.size(); ++d)
      same = specs[k].any[d] ? outs[k].dims[d].is_constant() : specs[k].dims[d] == as_specified(outs[k].dims[d]);
  }
  if (same) return {};
  text wanted, got;
  for (const shape_spec& s : specs) wanted << (wanted.empty() ? "" : ", ") << s;
  for (const masked& m : outs) got << (got.empty() ? "" : ", ") << m.dims;
  const bool one = outs.size() == 1 && specs.size() == 1;
  return make_error(error_kind::shape, "Output shapes should be ", one ? "" : "[", wanted, one ? "" : "]", " but are ", one ? "" : "(", got,
                    one ? "" : ")", ".");
}

/// The types of the leaves on the sizes that stand for names.
constexpr std::vector<aval> probed_types(const std::vector<aval>& types, const list<shape_spec>& specs, const size_decoder& names,
                                         bool second) {
  std::vector<aval> r = types;
  for (std::size_t i = 0; i < r.size(); ++i)
    for (int d = 0; d < r[i].rank(); ++d) r[i].dims[d] = names.probe(specs[i].dims[std::size_t(d)], second);
  return r;
}

template <class F, class In, class Out>
struct mask_function {
  [[no_unique_address]] F f;
  [[no_unique_address]] In in;  ///< in.specs(), out.specs(): as read
  [[no_unique_address]] Out out;

  template <class... A>
  constexpr auto operator()(const std::tuple<A...>& arguments, const dims& sizes, location where = location::current()) const {
    if constexpr (is_static_call<A...>()) return mask_in_static_lane<In>(lane<A...>{}, *this, arguments, sizes);
    else return std::apply([&](const auto&... a) { return run(arguments, sizes, where, a...); }, arguments);
  }

 private:
  template <class Arguments, class... A>
  constexpr auto run(const Arguments& arguments, const dims& sizes, const location& where, const A&... args) const {
    const leaf_list leaves = flatten_all(args...);
    const std::vector<aval> types = avals_of(leaves);
    list<shape_spec> specs = in.specs();
    list<bound_name> names;
    std::vector<named_size<array>> values;
    error_record e = spread_specs(specs, arguments);
    for (std::size_t i = 0; i < specs.size() && !e; ++i) e = bind_names(specs[i], types[i].dims, i, names);
    if (!e) e = named_sizes(names, sizes, values);
    e.where = where;
    if (e) {  // the structure of the result is still needed in constant evaluation
      report(leaves, e);
      values.clear();
      specs.clear();
      for (const aval& t : types) specs.push_back({constant_dims(t.dims), std::vector<char>(std::size_t(t.rank()), false)});
    }
    size_decoder decoder;
    for (const named_size<array>& n : values) decoder.add_name(n.name);
    auto first = trace_once(probed_types(types, specs, decoder, false), leaves, decoder, args...);
    auto second = trace_once(probed_types(types, specs, decoder, true), leaves, decoder, args...);
    std::vector<array> about = leaves;
    for (const named_size<array>& n : values) about.push_back(n.value);
    mask_interpreter<array> scope(std::move(values), std::move(decoder), about);
    if (!e && (e = compare_constants(first.program.constants, second.program.constants))) scope.fail(e);
    return finish(first.result, interpret(first.program, second.program, specs, leaves, scope), scope, where);
  }
  /// Traces f. Errors name shapes; what their numbers stand for is added.
  template <class... A>
  constexpr auto trace_once(const std::vector<aval>& types, view<const array> leaves, const size_decoder& names, const A&... args) const {
    F g = f;
    if (__builtin_is_constant_evaluated())
      return trace_function(g, trace::purpose::mapping, "mask", types, leaves, nullptr, args...);
    const detail::probing_scope here;
    try {
      return trace_function(g, trace::purpose::mapping, "mask", types, leaves, nullptr, args...);
    } catch (const shape_error& e) {
      throw shape_error(e.what() + std::string(names.legend().view()));
    } catch (const value_error& e) {
      throw value_error(e.what() + std::string(names.legend().view()));
    } catch (const type_error& e) {  // of loops and branches, which show types
      throw type_error(e.what() + std::string(names.legend().view()));
    }
  }
  static constexpr std::vector<masked> interpret(const closed_jaxpr& program, const closed_jaxpr& twin, const list<shape_spec>& specs,
                                                 view<const array> leaves, mask_interpreter<array>& scope) {
    std::vector<array> x;
    list<dimension_list> logical;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      logical.push_back(specs[i].dims);
      x.push_back(leaves[i]);
      if (is_inexact(leaves[i].dtype()) && !scope.failed()) x.back() = zeroed(leaves[i], logical.back(), scope);
    }
    return mask_jaxpr(*program, *twin, program.constants, x, logical, scope);
  }
  static constexpr array zeroed(const array& x, const dimension_list& dims, mask_interpreter<array>& scope) {
    return scope.filled(x, dims, int_list::iota(x.ndim()), zero_of(x.aval()));
  }
  template <class R>
  constexpr auto finish(const R& result, const std::vector<masked>& outs, mask_interpreter<array>& scope, const location& where) const {
    using tree = rebind_t<R>;
    std::vector<array> values, shapes;
    constexpr bool checks = !std::is_same_v<Out, logical_shapes_returned>;
    if constexpr (checks)
      if (!scope.failed())
        if (error_record e = check_out_specs(out.specs(), outs)) {
          e.where = where;
          scope.fail(e);
        }
    for (const masked& m : outs) {
      values.push_back(zeroed(m.value, m.dims, scope));
      if constexpr (!checks) shapes.push_back(scope.shape_of(m.dims));
    }
    const std::size_t count = leaf_count(result);
    values.resize(count);
    if constexpr (checks) return rebuild<tree>(result, values);
    else {
      shapes.resize(count);
      return std::pair<tree, tree>{rebuild<tree>(result, values), rebuild<tree>(result, shapes)};
    }
  }
};

}  // namespace detail

/// f on padded arguments: mask(f, in_shapes<"n", "(n, m)">, out_shape<"m">)(args(x, y), dims{{"n", 3}, {"m", 2}}). f is traced
/// twice, on sizes that stand for the names, and then runs on the padded arrays as if they had the logical sizes; padding may
/// hold anything and comes out as zeros. Sizes are run-time values; with vmap each example has its own. Static arguments make a
/// call of the compile-time lane, to which sizes are numbers.
/// Errors  shape_error: arguments or results that do not fit the specifications; value_error: sizes that are missing, negative or
///         larger than the padded ones, and C++ code that depends on a symbolic size; not_implemented: a primitive without rule.
/// Limits  what C++ code sees of a size is one of the numbers it is traced on, between 2050 and 4095. Code that does the same on both
///         is taken to do so on all: `if (x.shape()[0] > 3)` is met by both and decided for good, without an error. Decide by the value:
///         lax::cond or where on dim_as_value(x, 0).
/// Cost    the padded computation, and selections where elements are combined along a masked dimension.
template <class F, detail::transform_option In, class Out, class... O>
constexpr auto mask(F f, In in, Out out, O...) {
  detail::check_shapes<In, Out, O...>();
  return detail::mask_function<F, In, Out>{f, in, out};
}
/// The same without a specification of the result: returns the result and, in a tree like it, the logical shape of each leaf as
/// i64[rank].
template <class F, detail::transform_option In>
constexpr auto mask(F f, In in) {
  detail::check_shapes<In>();
  return detail::mask_function<F, In, detail::logical_shapes_returned>{f, in, {}};
}

/// Checks by tracing alone that f takes f32 arrays of the shapes `in` to arrays of the shapes `out`, whatever the sizes are.
/// Returns f. Errors: as mask.
template <class F, detail::transform_option In, class Out>
F shapecheck(F f, In in, Out out, location where = location::current()) {
  detail::check_shapes<In, Out>();
  trace_scope t(trace::purpose::staging, nullptr);
  t->name = "shapecheck";
  const std::int64_t padded = detail::some_size_of_names(in.specs());
  dims sizes;
  std::vector<array> inputs;
  for (shape_spec s : in.specs()) {
    shape own;
    for (std::size_t d = 0; d < s.dims.size(); ++d)
      own.push_back(s.any[d] ? padded : s.dims[d].evaluate([&](const name_text& n) {
        if (sizes.find(n).is_none()) sizes.emplace(n.view(), t->input({i64, {}}));
        return padded;
      }));
    inputs.push_back(t->input({f32, own}));
  }
  t.enter();
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (void)mask(f, in, out)(std::tuple{inputs[I]...}, sizes, where);
  }(std::make_index_sequence<In::count>{});
  return f;
}

}  // namespace jacquard
