#pragma once
// pmap: maps a function over an axis of its arguments as vmap does, each member of the axis on a device of its own. Here are the function that a
// user calls, its options and its cache. Inside other transforms, and with static arguments, it is vmap, which computes the same: host devices
// share one memory and one set of processors. Deliberately without threads, which are those of parallel/member_program.

#include "jacquard/exec/jit.hpp"
#include "jacquard/parallel/member_program.hpp"
#include "jacquard/transforms/vmap.hpp"

namespace jacquard {

/// Arguments of pmap that are the same for all members and passed to the function as they are; a new value of theirs means a new trace.
template <int... I>
inline constexpr static_argnums_t<I...> static_broadcasted_argnums{};

namespace detail {

template <class O>
inline constexpr bool is_device_list = std::is_same_v<O, std::vector<device>>;
template <class O>
concept for_pmap = for_vmap<O> || is_device_list<O> || (for_jit<O> && !std::is_same_v<O, device> && !std::is_same_v<O, inline_t>);
template <class O>
constexpr bool check_pmap_option() {
  static_assert(for_pmap<O>, "jq::pmap: this option is not one of jq::axis_name<\"name\">, jq::in_axes<i...>, jq::out_axes<i...>, jq::in_axes_tree(...), "
                             "jq::out_axes_tree(...), jq::axis_size(n), jq::static_broadcasted_argnums<i...>, jq::donate_argnums<i...>, jq::devices(...), "
                             "jq::backend(name), a jq::precision, jq::denormals, a jq::compile_at");
  return for_pmap<O>;
}

/// A signature of a pmapped function.
template <class Statics, class Result>
struct pmap_entry : jit_entry_header {
  template <class Given>
  explicit pmap_entry(const Given& s) : statics(s) {}

  Statics statics;
  ref<jit_result<Result>> result;
  std::optional<member_program> members;

  template <class Given>
  static constexpr jit_kind kind() {
    return {[](const void* given) { return ref<jit_entry_header>(make_ref<pmap_entry>(*static_cast<const Given*>(given))); },
            [](const jit_entry_header& e, const void* given) { return static_cast<const pmap_entry&>(e).statics == *static_cast<const Given*>(given); }};
  }
};

/// The devices on which so many members run. Errors: value_error if there are too few, or the user names another number.
inline std::vector<target> member_targets(const target& like, const std::vector<device>* given, std::int64_t size) {
  std::vector<device> all;
  if (given) all = *given;
  else all = devices(like.platform);
  if (given && all.empty()) raise(error_kind::value, "pmap: 'devices' argument to pmap must be non-empty, or None. Leave it out, or pass jq::devices(\"", like.platform, "\")");
  if (given && std::int64_t(all.size()) != size)
    raise(error_kind::value, "pmap: Leading axis size of input to pmapped function must equal the number of local devices passed to pmap. Got axis_size=", size,
          ", num_local_devices=", all.size(), ".");
  if (std::int64_t(all.size()) < size)
    raise(error_kind::value, "pmap: compiling computation that requires ", size, " logical devices, but only ", all.size(), " XLA devices are available (num_replicas=",
          size, ", num_partitions=1); call jq::set_host_device_count(", size, ") before, or use jq::vmap");
  for (std::size_t i = 0; given && i < all.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (all[i] == all[k])
        raise(error_kind::value, "pmap: got the device ", std::string_view(to_string(all[i])), " twice, wanted one for each member; list others, or leave the devices out");
  std::vector<target> r;
  for (std::int64_t m = 0; m < size; ++m) {
    r.push_back(like);
    r.back().platform = all[std::size_t(m)].platform;
    r.back().ordinal = all[std::size_t(m)].ordinal;
  }
  return r;
}

template <class F, class... O>
class pmap_function {
 public:
  constexpr pmap_function() = default;
  constexpr pmap_function(F f, O... options) : f_(std::move(f)), options_(std::move(options)...), cache_(f_, options_) {}

  template <class... A>
  constexpr auto operator()(const A&... args) const {
    static_assert(positions_fit(statics, sizeof...(A)), "jq::pmap: static_broadcasted_argnums names an argument that was not passed; all static broadcasted "
                                                        "arguments must be passed positionally");
    static_assert(positions_fit(donations, sizeof...(A)), "jq::pmap: donate_argnums names an argument that was not passed");
    if constexpr (statics.size() == 0 && is_static_call<A...>()) return as_vmap(f_)(args...);
    else if constexpr (binds_types<statics, A...>())
      return call_with_picked<statics, false>([&](const auto&... mapped) { return as_vmap(function_of_types<statics, F, A...>{f_})(mapped...); }, args...);
    else {
      F f = f_;
      const bound_function<statics, F, A...> g{f, std::tuple<const A&...>(args...)};
      return call_with_picked<statics, false>([&](const auto&... mapped) { return map(g, pick_arguments<statics, true>(args...), donated<A...>(args...), mapped...); }, args...);
    }
  }
  /// Number of signatures compiled so far.
  std::size_t cache_size() const {
    jit_cache& c = cache();
    const scoped_lock lock(c.traced);
    return c.entries.size();
  }

 private:
  static constexpr auto statics = int_option<static_argnums_t, O...>();
  static constexpr auto donations = int_option<donate_argnums_t, O...>();

  /// vmap of `g` with those of the options that it has.
  template <class G>
  constexpr auto as_vmap(const G& g) const {
    const auto own = []<class Option>(const Option& o) {
      if constexpr (for_vmap<Option>) return std::tuple<Option>(o);
      else return std::tuple<>();
    };
    return std::apply([&](const auto&... o) {
      return std::apply([&](const auto&... kept) { return vmap_function<G, std::remove_cvref_t<decltype(kept)>...>{g, {kept...}}; }, std::tuple_cat(own(o)...));
    }, options_);
  }
  template <class G, class Statics, class... D>
  constexpr auto map(const G& g, const Statics& given, const std::vector<char>& donates, const D&... args) const {
    const leaf_list leaves = flatten_all(args...);
    if (__builtin_is_constant_evaluated() || disabled_jits != 0) return as_vmap(g)(args...);
    if (trace_of(leaves)) {
      if (outermost_axes() && find_devices())
        raise(error_kind::value, "pmap: Nested pmap with explicit devices argument. The members of the inner axis run where those of the outer one do; leave the devices out");
      return as_vmap(g)(args...);
    }
    return run(g, given, donates, leaves, args...);
  }
  template <class... A>
  static std::vector<char> donated(const A&... args) {
    if constexpr (donations.size() == 0) return {};
    else {
      std::vector<int> d, s;
      for (int i : donations) d.push_back(i < 0 ? i + int(sizeof...(A)) : i);
      for (int i : statics) s.push_back(i < 0 ? i + int(sizeof...(A)) : i);
      const std::vector<int> rebased = rebase_donate_argnums(d, s);
      return call_with_picked<statics, false>([&](const auto&... mapped) { return donation_vector(rebased, mapped...); }, args...);
    }
  }
  /// The mapped dimension of each leaf, and the size of the axis.
  template <class... D>
  std::pair<std::vector<int>, std::int64_t> mapping(view<const array> leaves, const D&... args) const {
    const std::vector<int> axes = input_axes<O...>(options_, args...);
    const text structure = tree::structure(std::tuple<const D&...>(args...));
    const std::int64_t requested = requested_size<O...>(options_);
    std::pair<std::vector<int>, std::int64_t> r;
    error_record e;
    if (has_mismatch(axes, leaves.size()))
      e = prefix_error("pmap in_axes", specification_text(options_, [](auto o) { return is_in_axes_tree<typename decltype(o)::type>; }), structure);
    else {
      const bool is_told = std::any_of(axes.begin(), axes.end(), [](int a) { return a != none; });  // the size, by an argument
      e = resolve_mapped("pmap", leaves, axes, is_told ? not_requested : requested, structure, (leaf<D> && ...), r.first, r.second);
      if (!e && is_told && requested != not_requested && requested != r.second)
        e = make_error(error_kind::value, "pmap: Specified axis_size ", requested, " doesn't match received axis_size ", r.second,
                       ". Drop jq::axis_size, or pass arguments of that size");
    }
    if (e) throw_error(e);
    return r;
  }
  template <class G, class Statics, class... D>
  auto run(const G& g, const Statics& given, const std::vector<char>& donates, view<const array> leaves, const D&... args) const {
    const auto [dims, size] = mapping(leaves, args...);
    const axis_binding axis{mapped_name<O...>(), size, nullptr};
    const axis_scope scope(&axis);
    const std::vector<target> devices = member_targets(target_of(options_), find_devices(), size);
    std::vector<aval> types;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      types.push_back(leaves[i].aval());
      if (dims[i] != not_mapped) types.back().dims = shape(types.back().dims.without(dims[i]));
    }
    const auto traced_member = [&] {
      G f = g;
      return trace_function(f, trace::purpose::staging, "pmap", types, {}, nullptr, args...);
    };
    using result = std::remove_cvref_t<decltype(traced_member().result)>;
    using prototype = rebind_t<result>;
    using entry = pmap_entry<typename decayed<Statics>::type, prototype>;
    static constexpr jit_kind kind = entry::template kind<Statics>();
    const auto trace = [&](jit_entry_header& header) -> traced_call {
      entry& e = static_cast<entry&>(header);
      auto t = traced_member();
      e.result = make_ref<jit_result<prototype>>(rebuild<prototype>(t.result, untraced_leaves(t.result, t.program->outvars.size())));
      std::vector<int> out_axes = output_axes<O...>(options_, t.result);
      if (has_mismatch(out_axes, t.program->outvars.size()))
        throw_error(prefix_error("pmap out_axes", specification_text(options_, [](auto o) { return is_out_axes_tree<typename decltype(o)::type>; }), tree::structure(t.result)));
      std::vector<placement> in, out = result_places(out_axes, t.program.out_avals());
      for (std::size_t i = 0; i < types.size(); ++i) in.push_back(dims[i] == not_mapped ? placement::whole(types[i].rank()) : placement::stacked(dims[i]));
      closed_jaxpr program = simplify(t.program, tap_effect, devices[0].strict);
      std::vector<char> flags = donates;
      flags.resize(leaves.size(), false);
      e.members.emplace(member_plan{program, axis, std::move(in), std::move(out), flags, devices});
      return {std::move(program), devices[0], true};
    };
    using tracing = decltype(trace);
    const jit_tracer tracer{[](const void* call, jit_entry_header& e) { return (*static_cast<const tracing*>(call))(e); }, &trace};
    entry& e = static_cast<entry&>(cache().entry_of(signature::of(leaves, args...), kind, &given, tracer));
    std::vector<array> values;
    for (const array& x : leaves) values.push_back(concrete(x));
    const std::vector<array> out = e.members->run(values, e.where);
    return rebuild<prototype>(e.result->value, view<const array>(out));
  }
  /// Where the parts of each result go. Errors: value_error for a dimension that is not there.
  static std::vector<placement> result_places(const std::vector<int>& out_axes, const std::vector<aval>& types) {
    std::vector<placement> r;
    for (std::size_t o = 0; o < types.size(); ++o) {
      const int rank = types[o].rank() + 1, at = out_axes[o] == none ? 0 : resolve_axis(out_axes[o], rank);
      if (at < 0) raise(error_kind::value, "pmap out_axes: axis ", out_axes[o], " is out of bounds for an output of rank ", rank, "; wanted an axis in [", -rank, ", ", rank, ")");
      r.push_back(out_axes[o] == none ? placement::whole(rank - 1) : placement::stacked(at));
    }
    return r;
  }
  const std::vector<device>* find_devices() const {
    const std::vector<device>* found = nullptr;
    [[maybe_unused]] const auto look = [&]<class Option>(const Option& o) {
      if constexpr (is_device_list<Option>) found = &o;
    };
    std::apply([&](const auto&... o) { (look(o), ...); }, options_);
    return found;
  }
  jit_cache& cache() const {
    if constexpr (requires { cache_.own; }) {
      if (!cache_.own) [[unlikely]] {
        if (!cache_.is_constant) raise(error_kind::value, "pmap: got a pmapped function that was moved from; call the one it was moved to");
        return cache_of_constant(f_, options_);
      }
      return static_cast<jit_cache&>(*cache_.own);
    } else return shared_cache<F, O...>.value;
  }

  [[no_unique_address]] F f_;
  [[no_unique_address]] std::tuple<O...> options_;
  [[no_unique_address]] jit_cache_holder<F, std::is_empty_v<F> && (std::is_empty_v<O> && ...), O...> cache_;
};

}  // namespace detail

/// Maps f over an axis of its arguments (axis 0 unless jq::in_axes says otherwise), as vmap does, with one member of the axis on each device: f is
/// traced and compiled once for each signature, the members run at the same time on their parts, and the results are stacked, where out_axes says
/// jq::none the first member's are taken. Collectives (psum, all_gather, ppermute, ...) that name the axis let members exchange values.
/// Options: axis_name, in_axes, out_axes, in_axes_tree, out_axes_tree, axis_size, static_broadcasted_argnums, donate_argnums, a list of as many devices as
/// there are members (else the first ones of jq::devices), backend(name), a precision, denormals, a compile_at.
/// An argument that is donated and mapped along axis 0 gives its memory to the first result of its type that is stacked there.
/// A member that throws ends the call for all; the call throws what the first one threw. Functions of the host, such as taps, are called for one member at a
/// time, in no order among members; what a tap throws is kept for barrier_wait(), as everywhere. The call returns when all members are done.
/// Inside other transforms, jit among them, and in the compile-time lane, it is vmap with the same axis.
/// Errors: value_error for sizes that differ, fewer devices than members (see set_host_device_count), and collectives to which not all members come.
template <class F, class... O>
constexpr auto pmap(F f, O... options) {
  (void)(detail::check_function<F>() && ... && detail::check_pmap_option<O>());
  return detail::pmap_function<F, O...>(std::move(f), std::move(options)...);
}

}  // namespace jacquard
