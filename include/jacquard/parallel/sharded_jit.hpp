#pragma once
// sharded_jit: a compiled function whose arrays are cut into pieces, of which each device computes its own. Here are what a user calls, its options and its
// cache; parallel/partitioner makes the program of one device. Inside other transforms it is jit, which computes the same on one device.

#include "jacquard/parallel/partition_spec.hpp"
#include "jacquard/parallel/partitioner.hpp"
#include "jacquard/parallel/pmap.hpp"

namespace jacquard {

namespace detail {
struct sharded_option {
  using option_of_a_transform = void;
  using option_of_sharded_jit = void;
};
template <class O>
concept for_sharded_jit = requires { typename O::option_of_sharded_jit; } || is_int_option<static_argnums_t, O> || is_device_list<O> ||
                          (for_jit<O> && !std::is_same_v<O, device> && !std::is_same_v<O, inline_t> && !is_int_option<donate_argnums_t, O>);
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
/// How the results are cut: one for the whole result, or one for each part of a tuple.
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
inline std::int64_t constrained_partitions(const jaxpr& p, std::int64_t expected) {
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

/// The program of one member of `members`, and how its arguments and results lie.
inline member_plan partitioned(const closed_jaxpr& given, const std::vector<wanted_parts>& in_parts, const std::vector<wanted_parts>& out_parts, std::int64_t members) {
  const closed_jaxpr program = inline_calls(given);
  member_plan r{{}, {name_text("partition"), members, nullptr}, {}, {}, std::vector<char>(in_parts.size(), false), {}};
  const axis_scope scope(&r.axis);
  const auto tiling_of = [&](const wanted_parts& e, const aval& type) {
    const tiling t = e.is_whole ? tiling::whole(type.rank()) : tiling::row_major(e.pieces);
    if (!t.fits(type.dims)) throw_error(partitioner::misfit(t, type));
    return t;
  };
  std::vector<aval> locals;  // constants, then arguments
  std::vector<partitioner::part> parts;
  for (const array& c : program.constants) {
    parts.push_back({{}, tiling::whole(c.ndim()), c.aval()});
    locals.push_back(c.aval());
  }
  const std::vector<aval> in_types = program.in_avals(), out_types = program.out_avals();
  for (std::size_t i = 0; i < in_types.size(); ++i) {
    const tiling t = tiling_of(in_parts[i], in_types[i]);
    r.in.push_back(placement::tiled(t));
    parts.push_back({{}, t, in_types[i]});
    locals.push_back(in_types[i].with(t.tile_of(in_types[i].dims)));
  }
  std::vector<std::optional<tiling>> wanted;
  for (std::size_t o = 0; o < out_types.size(); ++o) {
    const tiling t = tiling_of(out_parts[o], out_types[o]);
    wanted.emplace_back();
    if (!out_parts[o].is_whole) wanted.back() = t;
  }
  closed_jaxpr body = traced_body(locals, &r.axis, [&](view<const array> in) {
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].value = in[i];
    partitioner walk(*program, r.axis.name, members, lax::axis_index(r.axis.name));
    std::vector<array> outs;
    for (const partitioner::part& y : walk.run(parts, wanted)) {
      r.out.push_back(placement::tiled(y.tiles));
      outs.push_back(y.value);
    }
    return outs;
  });
  // The constants are the leading inputs of the body, and become constants of the program again; those that the trace brought stand before them.
  jaxpr one = *body.program;
  const std::size_t count = program.constants.size();
  one.constvars.insert(one.constvars.end(), one.invars.begin(), one.invars.begin() + std::ptrdiff_t(count));
  one.invars.erase(one.invars.begin(), one.invars.begin() + std::ptrdiff_t(count));
  std::vector<array> constants = body.constants;
  constants.insert(constants.end(), program.constants.begin(), program.constants.end());
  // All members run this one program: what is dead is so for each of them, and none waits for another that does not come.
  r.program = simplify({jaxpr_ref(std::move(one)), std::move(constants), {}}, tap_effect | collective_effect);
  return r;
}

template <class F, class... O>
class sharded_function {
 public:
  sharded_function(F f, O... options) : f_(std::move(f)), options_(std::move(options)...), cache_(f_, options_) { partitions_ = agreed_partitions(); }

  template <class... A>
  auto operator()(const A&... args) const {
    static_assert(positions_fit(statics, sizeof...(A)), "jq::sharded_jit: static_argnums names an argument that was not passed; all static broadcasted "
                                                        "arguments must be passed positionally");
    F f = f_;
    const bound_function<statics, F, A...> g{f, std::tuple<const A&...>(args...)};
    return call_with_picked<statics, false>([&](const auto&... dynamic) { return call(g, pick_arguments<statics, true>(args...), dynamic...); }, args...);
  }
  /// Number of signatures compiled so far.
  std::size_t cache_size() const {
    jit_cache& c = cache();
    const scoped_lock lock(c.traced);
    return c.entries.size();
  }

 private:
  static constexpr auto statics = int_option<static_argnums_t, O...>();

  /// What the specifications and num_partitions say; 0 where they say nothing. Errors: value_error where they do not agree.
  std::int64_t agreed_partitions() const {
    std::int64_t n = 0;
    std::vector<std::int64_t> distinct;
    text all;
    const auto count = [&](std::int64_t partitions) {
      if (std::find(distinct.begin(), distinct.end(), partitions) == distinct.end()) distinct.push_back(partitions);
    };
    const auto use = [&](const auto& o) {
      using Option = std::remove_cvref_t<decltype(o)>;
      if constexpr (std::is_same_v<Option, num_partitions>) n = o.value;
      if constexpr (is_in_parts<Option> || is_out_parts<Option>) {
        all << (all.empty() ? "(" : ", ");
        put_axes(all, o.parts);
        for_each_spec(o.parts, [&](const partition_spec& s) { count(s.partitions()); });
      }
    };
    std::apply([&](const auto&... o) { (use(o), ...); }, options_);
    if (has_option<num_partitions, O...> && n < 1) raise(error_kind::value, "sharded_jit: got num_partitions ", n, ", wanted at least 1");
    if (n != 0) count(n);
    if (distinct.size() > 1) {
      std::sort(distinct.begin(), distinct.end());
      text numbers("{");
      for (std::size_t i = 0; i < distinct.size(); ++i) numbers << (i ? ", " : "") << distinct[i];
      raise(error_kind::value, "All partition specs must use the same number of total partitions, got ", all, "), with distinct number of partitions ", numbers,
            "} (the total number of partitions is the product of a partition spec)");
    }
    return distinct.empty() ? 0 : distinct[0];
  }
  template <class G, class Statics, class... D>
  auto call(const G& g, const Statics& given, const D&... args) const {
    const leaf_list leaves = flatten_all(args...);
    if (trace_of(leaves)) return jit_function<G>(g)(args...);
    std::vector<aval> types;
    for (const array& x : leaves) types.push_back(x.aval());
    const auto traced_whole = [&] {
      G f = g;
      return trace_function(f, trace::purpose::staging, "sharded_jit", types, {}, nullptr, args...);
    };
    using result = std::remove_cvref_t<decltype(traced_whole().result)>;
    using prototype = rebind_t<result>;
    using entry = pmap_entry<typename decayed<Statics>::type, prototype>;
    static constexpr jit_kind kind = entry::template kind<Statics>();
    const auto trace = [&](jit_entry_header& header) -> traced_call {
      entry& e = static_cast<entry&>(header);
      const std::vector<wanted_parts> in = in_entries(args...);
      auto t = traced_whole();
      const std::vector<wanted_parts> out = out_entries(t.result);
      const std::int64_t found = constrained_partitions(*t.program.program, partitions_), members = found == 0 ? 1 : found;
      member_plan plan = partitioned(t.program, in, out, members);
      plan.devices = devices_for(members);
      e.result = make_ref<jit_result<prototype>>(rebuild<prototype>(t.result, untraced_leaves(t.result, t.program->outvars.size())));
      const traced_call made{plan.program, plan.devices[0], true};
      e.members.emplace(std::move(plan));
      return made;
    };
    using tracing = decltype(trace);
    const jit_tracer tracer{[](const void* call, jit_entry_header& e) { return (*static_cast<const tracing*>(call))(e); }, &trace};
    entry& e = static_cast<entry&>(cache().entry_of(signature::of(leaves, args...), kind, &given, tracer));
    std::vector<array> values;
    for (const array& x : leaves) values.push_back(concrete(x).materialised());
    const std::vector<array> out = e.members->run(values, e.where);
    return rebuild<prototype>(e.result->value, view<const array>(out));
  }
  template <class... D>
  std::vector<wanted_parts> in_entries(const D&... args) const {
    std::vector<wanted_parts> r;
    bool given = false;
    const auto use = [&](const auto& o) {
      if constexpr (is_in_parts<std::remove_cvref_t<decltype(o)>>) {
        given = true;
        constexpr std::size_t count = std::tuple_size_v<std::remove_cvref_t<decltype(o.parts)>>;
        if constexpr (count == 1 && sizeof...(D) != 1) (axes_from_prefix(std::get<0>(o.parts), args, r), ...);
        else axes_from_prefix(o.parts, std::tuple<const D&...>(args...), r);
        check_prefix("sharded_jit in_parts", o.parts, r, flatten_all(args...).size(), tree::structure(std::tuple<const D&...>(args...)));
      }
    };
    std::apply([&](const auto&... o) { (use(o), ...); }, options_);
    if (!given) r.assign(flatten_all(args...).size(), wanted_parts(none));
    return r;
  }
  template <class R>
  std::vector<wanted_parts> out_entries(const R& result) const {
    std::vector<wanted_parts> r;
    bool given = false;
    const auto use = [&](const auto& o) {
      if constexpr (is_out_parts<std::remove_cvref_t<decltype(o)>>) {
        given = true;
        if constexpr (std::tuple_size_v<std::remove_cvref_t<decltype(o.parts)>> == 1) axes_from_prefix(std::get<0>(o.parts), result, r);
        else axes_from_prefix(o.parts, result, r);
        check_prefix("sharded_jit out_parts", o.parts, r, leaf_count(result), tree::structure(result));
      }
    };
    std::apply([&](const auto&... o) { (use(o), ...); }, options_);
    if (!given) r.assign(leaf_count(result), wanted_parts(none));
    return r;
  }
  template <class Parts>
  static void check_prefix(std::string_view name, const Parts& given, const std::vector<wanted_parts>& entries, std::size_t leaves, const text& structure) {
    const bool fits = entries.size() == leaves && std::all_of(entries.begin(), entries.end(), [](const wanted_parts& e) { return e.fits; });
    if (fits) return;
    text specification;
    put_axes(specification, given);
    throw_error(prefix_error(name, specification, structure));
  }
  std::vector<target> devices_for(std::int64_t members) const {
    const target like = target_of(options_);
    std::vector<device> all;
    bool given = false;
    const auto look = [&](const auto& o) {
      if constexpr (is_device_list<std::remove_cvref_t<decltype(o)>>) all = o, given = true;
    };
    std::apply([&](const auto&... o) { (look(o), ...); }, options_);
    if (!given) all = devices(like.platform);
    if (std::int64_t(all.size()) < members)
      raise(error_kind::value, "sharded_jit computation requires ", members, " devices, but only ", all.size(),
            " devices are available. Call jq::set_host_device_count(", members, ") before");
    std::vector<target> r(std::size_t(members), like);
    for (std::size_t m = 0; m < r.size(); ++m) r[m].platform = all[m].platform, r[m].ordinal = all[m].ordinal;
    return r;
  }
  jit_cache& cache() const {
    if constexpr (requires { cache_.own; }) {
      if (!cache_.own) raise(error_kind::value, "sharded_jit: got a function that was moved from; call the one it was moved to");
      return static_cast<jit_cache&>(*cache_.own);
    } else return shared_cache<F, O...>.value;
  }

  [[no_unique_address]] F f_;
  [[no_unique_address]] std::tuple<O...> options_;
  [[no_unique_address]] jit_cache_holder<F, std::is_empty_v<F> && (std::is_empty_v<O> && ...), O...> cache_;
  std::int64_t partitions_ = 0;
};

}  // namespace detail

/// f, traced and compiled once per signature, with its arrays cut into pieces: partition k of as many as the specifications have pieces runs on device k, on
/// tile k of each array in row-major order. How other values are cut follows from the arguments, the results and jq::with_sharding_constraint; operations
/// that know nothing of cuts run whole on each device. The values are those of f, but for the order of sums.
/// Options: in_parts(...), out_parts(...), num_partitions(n), static_argnums, a list of devices such as jq::devices("cpu"), backend(name), a precision, denormals,
/// a compile_at.
/// Functions of the host, such as taps, are called once, by the first partition. Inside other transforms it is jit.
/// Errors: value_error for specifications that do not agree, at once, and for too few devices; shape_error for dimensions that pieces do not divide.
template <class F, class... O>
auto sharded_jit(F f, O... options) {
  (void)(detail::check_function<F>() && ... && detail::check_sharded_option<O>());
  return detail::sharded_function<F, O...>(std::move(f), std::move(options)...);
}

}  // namespace jacquard
