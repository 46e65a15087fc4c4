#pragma once
// What functions have in common whose members run at the same time, on several devices or in several processes: options, the devices that they
// name, and a cache of planned programs by signature. Deliberately without a way to make a plan, which tells pmap, sharded_jit and mpi::each_rank apart.

#include "jacquard/exec/jit.hpp"
#include "jacquard/parallel/member_program.hpp"

namespace jacquard::detail {

template <class O>
inline constexpr bool is_device_list = std::is_same_v<O, std::vector<device>>;
/// Options of jit that speak of what a device runs.
template <class O>
concept for_members = is_int_option<static_argnums_t, O> || is_device_list<O> ||
                      (for_jit<O> && !std::is_same_v<O, device> && !std::is_same_v<O, inline_t> && !is_int_option<donate_argnums_t, O>);

/// A signature of such a function, and what runs its members.
template <class Program, class Statics, class Result>
struct member_entry : jit_entry<Statics, Result> {
  using jit_entry<Statics, Result>::jit_entry;
  std::optional<Program> members;
};
/// The program of one member with a prototype of what a call returns.
template <class Result>
struct planned_call {
  member_plan plan;
  Result result;
};
/// What lower() of such a function gives: the program of one member.
class lowered_members {
 public:
  explicit lowered_members(member_plan p) : plan_(std::move(p)) {}
  const closed_jaxpr& jaxpr() const { return plan_.program; }
  std::string as_text() const { return to_string(plan_.program); }

 private:
  member_plan plan_;
};
/// The program that was traced, and a result without tracers.
template <class Traced>
auto prototype_of(const Traced& t) {
  using prototype = rebind_t<std::remove_cvref_t<decltype(t.result)>>;
  return rebuild<prototype>(t.result, untraced_leaves(t.result, t.program->outvars.size()));
}

/// Calls with arrays that are known at run time, of functions by their signature, so that this is compiled once for all functions of one.
template <class... O>
class member_calls {
 protected:
  constexpr explicit member_calls(const std::tuple<O...>& options) : options_(options) {}

  /// use(option) for each.
  template <class Use>
  constexpr void for_each_option([[maybe_unused]] const Use& use) const {
    std::apply([&](const auto&... o) { (use(o), ...); }, options_);
  }
  /// The devices that the user lists, or null.
  const std::vector<device>* listed_devices() const {
    const std::vector<device>* found = nullptr;
    for_each_option([&](const auto& o) {
      if constexpr (is_device_list<std::remove_cvref_t<decltype(o)>>) found = &o;
    });
    return found;
  }
  /// Where each of so many members runs. Errors: value_error for a device that is listed twice; what `too_few` throws, given how many there are.
  template <class TooFew>
  std::vector<target> member_targets(std::int64_t members, const TooFew& too_few) const {
    const target like = target_of(options_);
    const std::vector<device>* const listed = listed_devices();
    std::vector<device> all;
    if (listed) all = *listed;
    else all = devices(like.platform);
    for (std::size_t i = 0; listed && i < all.size(); ++i)
      if (std::find(all.begin(), all.begin() + std::ptrdiff_t(i), all[i]) != all.begin() + std::ptrdiff_t(i))
        raise(error_kind::value, "jq::devices: got the device ", std::string_view(to_string(all[i])), " twice, wanted one for each member; list others, or leave the devices out");
    if (std::int64_t(all.size()) < members) too_few(all.size());
    std::vector<target> r(std::size_t(members), like);
    for (std::size_t m = 0; m < r.size(); ++m) r[m].platform = all[m].platform, r[m].ordinal = all[m].ordinal;
    return r;
  }
  /// Runs the members on concrete arrays. Of a new signature, make() gives the planned call, of whose plan a Program is made; what is
  /// given beyond it says where that runs.
  template <class Program = member_program, class Statics, class Make, class... Place>
  auto run_members(jit_cache& cache, const signature& key, const Statics& given, view<const array> leaves, const Make& make, Place&... place) const {
    using result = decltype(make().result);
    using entry = member_entry<Program, typename decayed<Statics>::type, result>;
    static constexpr jit_kind kind = kind_of<entry, Statics>();
    const auto trace = [&](jit_entry_header& header) -> traced_call {
      entry& e = static_cast<entry&>(header);
      planned_call<result> made = make();
      traced_call call{made.plan.program, made.plan.devices[0], true};
      e.result = make_ref<jit_result<result>>(std::move(made.result));
      e.members.emplace(std::move(made.plan));
      return call;
    };
    entry& e = static_cast<entry&>(cache.entry_of(key, kind, &given, jit_tracer::of(trace)));
    std::vector<array> values;
    for (const array& x : leaves) values.push_back(concrete(x));
    const std::vector<array> out = e.members->run(values, e.where, place...);
    return rebuild<result>(e.result->value, view<const array>(out));
  }

  const std::tuple<O...>& options_;
};

/// What is compiled for one such function: itself, and where it keeps its programs.
template <class F, class... O>
class member_function {
 public:
  /// Number of signatures compiled so far.
  std::size_t cache_size() const {
    jit_cache& c = cache();
    const scoped_lock lock(c.traced);
    return c.entries.size();
  }

 protected:
  static constexpr auto statics = int_option<static_argnums_t, O...>();

  constexpr member_function() = default;
  constexpr member_function(F f, O... options) : f_(std::move(f)), options_(std::move(options)...), cache_(f_, options_) {}

  jit_cache& cache() const { return cache_in(cache_, "pmap, sharded_jit or mpi::each_rank: got a function", f_, options_); }

  [[no_unique_address]] F f_;
  [[no_unique_address]] std::tuple<O...> options_;

 private:
  [[no_unique_address]] jit_cache_holder<F, std::is_empty_v<F> && (std::is_empty_v<O> && ...), O...> cache_;
};

}  // namespace jacquard::detail
