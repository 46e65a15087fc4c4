#pragma once
// sharded_jit: a compiled function whose arrays are cut into pieces, of which each device computes its own. Here are what a user calls, its options and its
// cache; parallel/partitioner makes the program of one device. Inside other transforms it is jit, which computes the same on one device.

#include "jacquard/parallel/member_function.hpp"
#include "jacquard/parallel/partition_spec.hpp"
#include "jacquard/parallel/partitioner.hpp"

namespace jacquard {

namespace detail {
struct sharded_option {
  using option_of_a_transform = void;
  using option_of_sharded_jit = void;
};
template <class O>
concept for_sharded_jit = requires { typename O::option_of_sharded_jit; } || for_members<O>;
template <class O>
constexpr bool check_sharded_option() {
  static_assert(for_sharded_jit<O>, "jq::sharded_jit: this option is not one of jq::in_parts(...), jq::out_parts(...), jq::num_partitions(n), "
                                    "jq::static_argnums<i...>, jq::devices(...), jq::backend(name), a jq::precision, jq::denormals, a jq::compile_at");
  return for_sharded_jit<O>;
}
}  // namespace detail

template <class... T>
struct in_parts_t : detail::sharded_option {
  std::tuple<T...> parts;
};
/// How the arguments of sharded_jit are cut: one partition_spec, jq::none or tree prefix of them for each, or one for all.
template <class... T>
constexpr in_parts_t<T...> in_parts(T... parts) {
  return {{}, {parts...}};
}
template <class... T>
struct out_parts_t : detail::sharded_option {
  std::tuple<T...> parts;
};
/// How the results are cut: one for the whole result, or one for each part of a tuple. It reaches back through elementwise operations and products whose
/// operands are not cut.
template <class... T>
constexpr out_parts_t<T...> out_parts(T... parts) {
  return {{}, {parts...}};
}
/// The number of partitions, where no specification says it.
struct num_partitions : detail::sharded_option {
  std::int64_t value;
  constexpr explicit num_partitions(std::int64_t n) : value(n) {}
};

namespace detail {

template <class O>
inline constexpr bool is_in_parts = false;
template <class... T>
inline constexpr bool is_in_parts<in_parts_t<T...>> = true;
template <class O>
inline constexpr bool is_out_parts = false;
template <class... T>
inline constexpr bool is_out_parts<out_parts_t<T...>> = true;

/// Calls use(spec) for each partition_spec in a tree of them.
template <class T, class Use>
constexpr void for_each_spec(const T& tree, const Use& use) {
  if constexpr (std::is_same_v<T, partition_spec>) use(tree);
  else if constexpr (std::is_convertible_v<T, int>) return;
  else if constexpr (is_map<T>) {
    for (const auto& [key, part] : tree) for_each_spec(part, use);
  } else if constexpr (is_vector<T> || is_std_array<T>) {
    for (const auto& part : tree) for_each_spec(part, use);
  } else if constexpr (is_tuple<T>) std::apply([&](const auto&... part) { (for_each_spec(part, use), ...); }, tree);
  else std::apply([&](const auto&... part) { (for_each_spec(part, use), ...); }, parts(tree));
}

/// Over how many partitions constraints in a program cut; 0 where there are none. Errors: value_error if that is not `expected`, if it is not 0.
template <class Array = array>
std::int64_t constrained_partitions(const jaxpr& p, std::int64_t expected) {
  for (const equation& e : p.equations)
    if (e.op == &table_of<sharding_constraint_p>()) {
      const int_list pieces = decode<sharding_constraint_p::params>(p.params(e)).pieces;
      const std::int64_t n = shape(pieces).elements();
      if (pieces.empty()) continue;
      if (expected != 0 && n != expected) {
        error_record r = make_error(error_kind::value, "with_sharding_constraint with partitions=PartitionSpec", pieces, " (total partitions: ", n,
                                    ") doesn't match expected number of partitions: ", expected,
                                    ". If these partitions look right, check outer sharded_jit and/or other with_sharding_constraint calls.");
        r.where = e.where;
        throw_error(r);
      }
      expected = n;
    }
  for (const jaxpr_ref& body : p.subs) expected = std::max(expected, constrained_partitions(*body, expected));
  return expected;
}

/// How an array lies that is cut as the user says. Errors: shape_error where it cannot be.
inline tiling tiling_of(const wanted_parts& w, const aval& type) {
  const tiling t = w.is_whole ? tiling::whole(type.rank()) : tiling::row_major(w.pieces);
  check_tiling(t, type);
  return t;
}
/// `p` with its first inputs as constants of these values, after those that it has.
inline closed_jaxpr with_constants(const closed_jaxpr& p, const std::vector<array>& values) {
  jaxpr r = *p.program;
  const auto end = r.invars.begin() + std::ptrdiff_t(values.size());
  r.constvars.insert(r.constvars.end(), r.invars.begin(), end);
  r.invars.erase(r.invars.begin(), end);
  std::vector<array> constants = p.constants;
  constants.insert(constants.end(), values.begin(), values.end());
  return {jaxpr_ref(std::move(r)), std::move(constants), {}};
}
/// The program of one of `members`, and how its arguments and results lie; where it runs is not said yet.
template <class Array = array>
member_plan partitioned(const closed_jaxpr& given, const std::vector<wanted_parts>& in, const std::vector<wanted_parts>& out, std::int64_t members) {
  const closed_jaxpr program = inline_calls(given);
  member_plan r{{}, {name_text("partition"), members, nullptr}, {}, {}, std::vector<char>(in.size(), false), {}};
  const axis_scope scope(&r.axis);
  const std::vector<aval> in_types = program.in_avals(), out_types = program.out_avals();
  std::vector<member_part> parts;  // constants, then arguments
  for (const array& c : program.constants) parts.push_back({{}, tiling::whole(c.ndim()), c.aval()});
  for (std::size_t i = 0; i < in.size(); ++i) {
    parts.push_back({{}, tiling_of(in[i], in_types[i]), in_types[i]});
    r.in.push_back(placement::tiled(parts.back().tiles));
  }
  std::vector<aval> types;
  for (const member_part& x : parts) types.push_back(x.type.with(x.tiles.tile_of(x.type.dims)));
  std::vector<std::optional<tiling>> wanted;
  for (std::size_t o = 0; o < out.size(); ++o) {
    const tiling t = tiling_of(out[o], out_types[o]);
    wanted.push_back(out[o].is_whole ? std::nullopt : std::optional(t));
  }
  const closed_jaxpr body = traced_body(types, &r.axis, [&](view<const array> x) {
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].value = x[i];
    partitioner<Array> walk(*program, r.axis.name, members, lax::axis_index(r.axis.name));
    std::vector<array> results;
    for (const member_part& y : walk.run(parts, wanted)) {
      r.out.push_back(placement::tiled(y.tiles));
      results.push_back(y.value);
    }
    return results;
  });
  // All members run this one program: what is dead is so for each of them, and none waits for another that does not come.
  r.program = simplify(with_constants(body, program.constants), tap_effect | collective_effect);
  return r;
}

#ifdef JACQUARD_COMPILED
// In the library: a file that uses sharded_jit need not compile what partitions with the many primitives that it binds.
extern template std::int64_t constrained_partitions<array>(const jaxpr&, std::int64_t);
extern template member_plan partitioned<array>(const closed_jaxpr&, const std::vector<wanted_parts>&, const std::vector<wanted_parts>&, std::int64_t);
#endif

/// Calls with arrays, of functions by their signature.
template <class... O>
class sharded_calls : public member_calls<O...> {
  using base = member_calls<O...>;

 public:
  explicit sharded_calls(const std::tuple<O...>& options) : base(options) {}

  /// What the specifications and num_partitions say; 0 where they say nothing. Errors: value_error where they do not agree.
  std::int64_t agreed_partitions() const {
    std::vector<std::int64_t> distinct;
    const auto count = [&](std::int64_t n) {
      if (n < 1) raise(error_kind::value, "sharded_jit: got ", n, " partitions, wanted at least 1");
      if (std::find(distinct.begin(), distinct.end(), n) == distinct.end()) distinct.push_back(n);
    };
    text all;
    base::for_each_option([&]<class Option>(const Option& o) {
      if constexpr (std::is_same_v<Option, num_partitions>) count(o.value);
      if constexpr (is_in_parts<Option> || is_out_parts<Option>) {
        all << (all.empty() ? "(" : ", ");
        put_axes(all, o.parts);
        for_each_spec(o.parts, [&](const partition_spec& s) { count(s.partitions()); });
      }
    });
    if (distinct.size() < 2) return distinct.empty() ? 0 : distinct[0];
    std::sort(distinct.begin(), distinct.end());
    text numbers("{");
    for (std::size_t i = 0; i < distinct.size(); ++i) numbers << (i ? ", " : "") << distinct[i];
    raise(error_kind::value, "All partition specs must use the same number of total partitions, got ", all, "), with distinct number of partitions ", numbers,
          "} (the total number of partitions is the product of a partition spec)");
  }
  /// The program of one of `partitions`, or of as many as the program says where that is 0, with a prototype of what a call returns.
  template <class Result, class... T, class... D>
  auto plan(const function_of<Result, T...>& f, std::int64_t partitions, view<const array> leaves, const D&... args) const {
    const std::vector<wanted_parts> in = in_wishes(args...);
    std::vector<aval> types;
    for (const array& x : leaves) types.push_back(x.aval());
    const auto t = trace_function(f, trace::purpose::staging, "sharded_jit", types, {}, nullptr, args...);
    auto result = prototype_of(t);
    const std::int64_t members = std::max<std::int64_t>(1, constrained_partitions(*t.program.program, partitions));
    planned_call<decltype(result)> made{partitioned(t.program, in, out_wishes(t.result), members), std::move(result)};
    made.plan.devices = base::member_targets(members, [&](std::size_t there) {
      raise(error_kind::value, "sharded_jit computation requires ", members, " devices, but only ", there, " devices are available. Call jq::set_host_device_count(",
            members, ") before");
    });
    return made;
  }
  /// Runs the partitions.
  template <class Result, class... T, class Statics, class... D>
  rebind_t<Result> run(const function_of<Result, T...>& f, jit_cache& cache, std::int64_t partitions, const Statics& given, view<const array> leaves,
                       const D&... args) const {
    return base::run_members(cache, signature::of(leaves, args...), given, leaves, [&] { return plan(f, partitions, leaves, args...); });
  }

 private:
  /// What in_parts says of each leaf of the arguments, and out_parts of each one of the result.
  template <class... D>
  std::vector<wanted_parts> in_wishes(const D&... args) const {
    std::vector<wanted_parts> r(flatten_all(args...).size(), none);
    base::for_each_option([&]<class Option>(const Option& o) {
      if constexpr (is_in_parts<Option>) r = wishes<sizeof...(D)>("sharded_jit in_parts", o.parts, std::tuple<const D&...>(args...), (std::size_t{0} + ... + leaf_count(args)));
    });
    return r;
  }
  template <class R>
  std::vector<wanted_parts> out_wishes(const R& result) const {
    std::vector<wanted_parts> r(leaf_count(result), none);
    base::for_each_option([&]<class Option>(const Option& o) {
      if constexpr (is_out_parts<Option>) r = wishes<0>("sharded_jit out_parts", o.parts, result, leaf_count(result));
    });
    return r;
  }
  /// `Count` arguments are a tuple; one specification alone is for all of them, as for a whole result.
  template <std::size_t Count, class... Parts, class T>
  static std::vector<wanted_parts> wishes(std::string_view name, const std::tuple<Parts...>& parts, const T& value, std::size_t leaves) {
    std::vector<wanted_parts> r;
    if constexpr (sizeof...(Parts) == 1 && Count != 1) axes_from_prefix(std::get<0>(parts), value, r);
    else axes_from_prefix(parts, value, r);
    if (r.size() == leaves && std::all_of(r.begin(), r.end(), [](const wanted_parts& e) { return e.fits; })) return r;
    text specification;
    put_axes(specification, parts);
    throw_error(prefix_error(name, specification, tree::structure(value)));
  }
};

template <class F, class... O>
class sharded_function : public member_function<F, O...> {
  using base = member_function<F, O...>;
  using base::f_, base::options_, base::statics;

 public:
  sharded_function(F f, O... options) : base(std::move(f), std::move(options)...) { partitions_ = sharded_calls<O...>(options_).agreed_partitions(); }

  template <class... A>
  auto operator()(const A&... args) const {
    static_assert(positions_fit(statics, sizeof...(A)), "jq::sharded_jit: static_argnums names an argument that was not passed; all static broadcasted "
                                                        "arguments must be passed positionally");
    if constexpr (statics.size() == 0 && is_static_call<A...>()) return jit_function<F>(f_)(args...);
    else
      return call_with_signature<statics>(f_, [&](const auto& f, const auto& given, const auto&... dynamic) {
        const leaf_list leaves = flatten_all(dynamic...);
        if (disabled_jits != 0 || trace_of(leaves)) return jit_calls<>(nullptr, std::tuple<>{}).call_uncompiled(f, leaves, dynamic...);
        return sharded_calls<O...>(options_).run(f, base::cache(), partitions_, given, leaves, dynamic...);
      }, args...);
  }
  /// Traces and partitions for the given arguments without running: `.as_text()` is the program of one partition.
  template <class... A>
  lowered_members lower(const A&... args) const {
    return call_with_signature<statics>(f_, [&](const auto& f, const auto&, const auto&... dynamic) {
      return lowered_members(sharded_calls<O...>(options_).plan(f, partitions_, flatten_all(dynamic...), dynamic...).plan);
    }, args...);
  }

 private:
  std::int64_t partitions_ = 0;
};

}  // namespace detail

/// f, traced and compiled once per signature, with its arrays cut into pieces: partition k of as many as the specifications have pieces runs on device k, on
/// tile k of each array in row-major order. How other values are cut follows from the arguments, the results and jq::with_sharding_constraint; operations
/// that know nothing of cuts run whole on each device. The values are those of f, but for the order of sums,
/// which precision::strict does not settle here.
/// Options: in_parts(...), out_parts(...), num_partitions(n), static_argnums, a list of devices such as jq::devices("cpu"), backend(name), a precision, denormals,
/// a compile_at.
/// Functions of the host, such as taps, are called once, by the first partition. Inside other transforms, and in the compile-time lane, it is jit.
/// Errors: value_error for specifications that do not agree, at once, and for too few devices; shape_error for dimensions that pieces do not divide.
template <class F, class... O>
auto sharded_jit(F f, O... options) {
  (void)(detail::check_function<F>() && ... && detail::check_sharded_option<O>());
  return detail::sharded_function<F, O...>(std::move(f), std::move(options)...);
}

}  // namespace jacquard
