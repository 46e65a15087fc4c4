#pragma once
// pmap: maps a function over an axis of its arguments as vmap does, each member of the axis on a device of its own. Here are the function that a
// user calls, its options and its cache. Inside other transforms, and with static arguments, it is vmap, which computes the same: host devices
// share one memory and one set of processors. Deliberately without threads, which are those of parallel/member_program.

#include "jacquard/parallel/member_function.hpp"
#include "jacquard/transforms/vmap.hpp"

namespace jacquard {

/// Arguments of pmap that are the same for all members and passed to the function as they are; a new value of theirs means a new trace.
template <int... I>
inline constexpr static_argnums_t<I...> static_broadcasted_argnums{};

namespace detail {

template <class O>
constexpr bool check_pmap_option() {
  constexpr bool known = for_vmap<O> || for_members<O> || is_int_option<donate_argnums_t, O>;
  static_assert(known, "jq::pmap: this option is not one of jq::axis_name<\"name\">, jq::in_axes<i...>, jq::out_axes<i...>, jq::in_axes_tree(...), "
                       "jq::out_axes_tree(...), jq::axis_size(n), jq::static_broadcasted_argnums<i...>, jq::donate_argnums<i...>, jq::devices(...), "
                       "jq::backend(name), a jq::precision, jq::denormals, a jq::compile_at");
  return known;
}

/// Calls with arrays, of functions by their signature.
template <class... O>
class pmap_calls : public member_calls<O...> {
  using base = member_calls<O...>;
  using base::options_;
  static constexpr auto statics = int_option<static_argnums_t, O...>();

 public:
  static constexpr auto donations = int_option<donate_argnums_t, O...>();
  constexpr explicit pmap_calls(const std::tuple<O...>& options) : base(options) {}

  /// The options that vmap has.
  constexpr auto vmap_options() const {
    const auto own = []<class Option>(const Option& o) {
      if constexpr (for_vmap<Option>) return std::tuple<Option>(o);
      else return std::tuple<>();
    };
    return std::apply([&](const auto&... o) { return std::tuple_cat(own(o)...); }, options_);
  }
  /// As vmap does.
  template <class Result, class... T, class... D>
  constexpr rebind_t<Result> map(const function_of<Result, T...>& f, const D&... args) const {
    return map_function(f, vmap_options(), args...);
  }
  /// Whether a call with these belongs to the program of an outer trace, where it is vmap.
  constexpr bool is_part_of_trace(view<const array> leaves) const {
    if (__builtin_is_constant_evaluated() || disabled_jits != 0) return true;
    if (!trace_of(leaves)) return false;
    if (outermost_axes() && base::listed_devices())
      raise(error_kind::value, "pmap: Nested pmap with explicit devices argument. The members of the inner axis run where those of the outer one do; leave the devices out");
    return true;
  }
  /// Runs the members.
  template <class Result, class... T, class Statics, class... D>
  rebind_t<Result> run(const function_of<Result, T...>& f, jit_cache& cache, const Statics& given, view<const array> leaves, const D&... args) const {
    const auto [dims, size] = mapping(leaves, args...);
    check_devices(size);
    const axis_binding axis{mapped_name<O...>(), size, nullptr};
    const axis_scope scope(&axis);
    std::vector<aval> types;
    std::vector<placement> in;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      types.push_back(leaves[i].aval());
      in.push_back(dims[i] == not_mapped ? placement::whole(types[i].rank()) : placement::stacked(dims[i]));
      if (dims[i] != not_mapped) types.back().dims = shape(types.back().dims.without(dims[i]));
    }
    return base::run_members(cache, signature::of(leaves, args...), given, leaves, [&] {
      const auto t = trace_function(f, trace::purpose::staging, "pmap", types, {}, nullptr, args...);
      check_order("pmap", *t.program, size);
      auto result = prototype_of(t);
      const std::vector<target> devices = base::member_targets(size, [&](std::size_t there) {
        raise(error_kind::value, "pmap: compiling computation that requires ", size, " logical devices, but only ", there, " XLA devices are available (num_replicas=", size,
              ", num_partitions=1); call jq::set_host_device_count(", size, ") before, or use jq::vmap");
      });
      return planned_call<decltype(result)>{{simplify(t.program, tap_effect, devices[0].strict), axis, in, result_places(t),
                                             donation_flags<statics, donations, Statics>(leaves.size(), args...), devices}, std::move(result)};
    });
  }

 private:
  /// The mapped dimension of each leaf, and the size of the axis.
  template <class... D>
  std::pair<std::vector<int>, std::int64_t> mapping(view<const array> leaves, const D&... args) const {
    const std::vector<int> axes = input_axes<O...>(options_, args...);
    const text structure = tree::structure(std::tuple<const D&...>(args...));
    const std::int64_t requested = requested_size<O...>(options_);
    std::pair<std::vector<int>, std::int64_t> r;
    error_record e;
    if (has_mismatch(axes, leaves.size()))
      e = prefix_error("pmap in_axes", specification_text(options_, is_tree_of_in_axes), structure);
    else {
      const bool is_told = std::any_of(axes.begin(), axes.end(), [](int a) { return a != none; });  // the size, by an argument
      e = resolve_mapped("pmap", leaves, axes, is_told ? not_requested : requested, structure, (leaf<D> && ...), r.first, r.second);
      if (!e && is_told && requested != not_requested && requested != r.second)
        e = make_error(error_kind::value, "pmap: Specified axis_size ", requested, " doesn't match received axis_size ", r.second,
                       ". Drop jq::axis_size, or pass arguments of that size");
    }
    if (!e && r.second < 1) e = make_error(error_kind::value, "pmap: got an axis of size ", r.second, ", wanted at least one member; use jq::vmap where there may be none");
    if (e) throw_error(e);
    return r;
  }
  /// Errors: value_error where the user lists another number of devices than there are members.
  void check_devices(std::int64_t size) const {
    const std::vector<device>* const listed = base::listed_devices();
    if (!listed) return;
    if (listed->empty()) raise(error_kind::value, "pmap: 'devices' argument to pmap must be non-empty, or None. Leave it out, or list as many devices as there are members");
    if (std::int64_t(listed->size()) != size)
      raise(error_kind::value, "pmap: Leading axis size of input to pmapped function must equal the number of local devices passed to pmap. Got axis_size=", size,
            ", num_local_devices=", listed->size(), ".");
  }
  /// Where the parts of each result go. Errors: value_error for out_axes that do not fit.
  template <class Traced>
  std::vector<placement> result_places(const Traced& t) const {
    const std::vector<int> out_axes = output_axes<O...>(options_, t.result);
    const std::vector<aval> types = t.program.out_avals();
    if (has_mismatch(out_axes, types.size()))
      throw_error(prefix_error("pmap out_axes", specification_text(options_, is_tree_of_out_axes), tree::structure(t.result)));
    std::vector<placement> r;
    for (std::size_t o = 0; o < types.size(); ++o) {
      const int rank = types[o].rank() + 1, at = out_axes[o] == none ? 0 : resolve_axis(out_axes[o], rank);
      if (at < 0) raise(error_kind::value, "pmap out_axes: axis ", out_axes[o], " is out of bounds for an output of rank ", rank, "; wanted an axis in [", -rank, ", ", rank, ")");
      r.push_back(out_axes[o] == none ? placement::whole(rank - 1) : placement::stacked(at));
    }
    return r;
  }
};

template <class F, class... O>
class pmap_function : public member_function<F, O...> {
  using base = member_function<F, O...>;
  using base::f_, base::options_, base::statics;

 public:
  constexpr pmap_function() = default;
  constexpr pmap_function(F f, O... options) : base(std::move(f), std::move(options)...) {}

  template <class... A>
  constexpr auto operator()(const A&... args) const {
    static_assert(positions_fit(statics, sizeof...(A)), "jq::pmap: static_broadcasted_argnums names an argument that was not passed; all static broadcasted "
                                                        "arguments must be passed positionally");
    static_assert(sizeof...(A) > statics.size() || has_option<axis_size, O...>, "jq::pmap: the mapped function must be passed at least one argument containing an array");
    static_assert(positions_fit(pmap_calls<O...>::donations, sizeof...(A)), "jq::pmap: donate_argnums names an argument that was not passed");
    if constexpr (statics.size() == 0 && is_static_call<A...>()) return as_vmap(f_)(args...);
    else if constexpr (binds_types<statics, A...>())
      return call_with_picked<statics, false>([&](const auto&... mapped) { return as_vmap(function_of_types<statics, F, A...>{f_})(mapped...); }, args...);
    else
      return call_with_signature<statics>(f_, [&](const auto& f, const auto& given, const auto&... mapped) {
        const pmap_calls<O...> calls(options_);
        const leaf_list leaves = flatten_all(mapped...);
        if (calls.is_part_of_trace(leaves)) return calls.map(f, mapped...);
        return calls.run(f, base::cache(), given, leaves, mapped...);
      }, args...);
  }

 private:
  /// vmap of `g` with those of the options that it has.
  template <class G>
  constexpr auto as_vmap(const G& g) const {
    return [&]<class... Kept>(std::tuple<Kept...> kept) { return vmap_function<G, Kept...>{g, std::move(kept)}; }(pmap_calls<O...>(options_).vmap_options());
  }
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
/// Inside other transforms, jit among them, and in the compile-time lane, it is vmap with the same axis, which takes jq::none in out_axes of results alone that
/// are the same for all members.
/// Errors: value_error for sizes that differ, fewer devices than members (see set_host_device_count), and collectives to which not all members come.
template <class F, class... O>
constexpr auto pmap(F f, O... options) {
  (void)(detail::check_function<F>() && ... && detail::check_pmap_option<O>());
  return detail::pmap_function<F, O...>(std::move(f), std::move(options)...);
}

}  // namespace jacquard
