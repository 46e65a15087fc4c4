#pragma once
// id_tap: shows values from inside any transformed or compiled function to a host function. Deliberately knows no receivers: taps of static
// code need none, and those of other programs find them where taps/receivers.hpp is included.

#include "jacquard/taps/static_tap.hpp"

namespace jacquard {

namespace detail {

template <class T>
inline constexpr bool is_result_option = false;
template <class T>
inline constexpr bool is_result_option<result_option<T>> = true;

/// The options of each tap, as those of transforms.
template <class O>
concept for_id_tap = requires { typename O::option_of_id_tap; };
template <class O>
concept for_id_print = for_id_tap<O> || requires { typename O::option_of_id_print; };
template <class O>
constexpr bool check_id_tap_option() {
  static_assert(for_id_tap<O>, "jq::id_tap: this option is not one of jq::kw(name, value), jq::result(value)");
  return for_id_tap<O>;
}

/// Options of a tap, sorted out.
struct tap_options {
  list<keyword> kwargs;
  std::int64_t threshold = 1024;
  void* stream = nullptr;
  void (*write)(void*, std::string_view) = nullptr;

  void take(const keyword& k) { kwargs.push_back(k); }
  void take(const jacquard::threshold& t) { threshold = t.value; }
  void take(const output_stream& s) { stream = s.stream, write = s.write; }
  template <class T>
  void take(const result_option<T>&) {}
};

template <class... O>
constexpr bool has_result = (is_result_option<O> || ...);

template <class First, class... Rest>
constexpr const auto& find_result(const First& first, const Rest&... rest) {
  if constexpr (is_result_option<First>) return first.value;
  else return find_result(rest...);
}

/// The line of a call, as far as its options know it.
template <class... O>
constexpr location where_of(const O&... options) {
  location r;
  [[maybe_unused]] const auto look = [&](const auto& o) {
    if constexpr (requires { o.where; })
      if (!r.known()) r = o.where;
  };
  (look(options), ...);
  return r;
}

constexpr void check_static_operands(view<const array> operands) {
  bool depends = false;
  for (const array& a : operands) depends = depends || a.is_tracer();
  if (!depends) a_tap_in_a_function_with_static_arguments_must_see_a_value_that_depends_on_them();
}
/// The options of a tap in static code, as words. A threshold goes as a keyword without a name.
struct static_tap_options {
  std::vector<std::int64_t> words{0};
  constexpr void take(const keyword_argument& k) {
    ++words[0];
    put_words(words, k);
  }
  constexpr void take(const jacquard::threshold& t) { take(kw("", t.value)); }
  template <std::same_as<output_stream> S>
  constexpr void take(const S&) {
    id_print_in_a_function_with_static_arguments_writes_to_stdout_without_jq_output_stream();
  }
  template <class T>
  constexpr void take(const result_option<T>&) {}
};
/// Binds a tap of `arg` and returns arg or the given result, through the tap.
template <class T, class... O>
constexpr auto bind_tap(id_tap_p::params p, const T& arg, const location& where, const O&... options) {
  const leaf_list given = flatten_all(arg);
  std::vector<array> operands = given;
  const std::size_t tapped = operands.size();
  if constexpr (has_result<O...>) flatten_into(find_result(options...), operands);
  if (std::is_constant_evaluated()) check_static_operands(operands);
  p.tapped = std::int64_t(tapped);
  const array_list out = bind_list<id_tap_p>(p, where, operands);
  const view<const array> all(out.data(), out.size());
  if constexpr (has_result<O...>) {
    const auto& r = find_result(options...);
    return rebuild<rebind_t<decltype(r)>>(r, all.subspan(tapped));
  } else return rebuild<rebind_t<T>>(arg, all);
}

template <class F, class T, class... O>
constexpr auto static_id_tap(const T& arg, const location& where, const O&... options) {
  static_tap_options o;
  (o.take(options), ...);
  return bind_tap({make_static_tap<F, rebind_t<T>>(), 0, {}, o.words}, arg, where, options...);
}
template <class F, class T, class... O>
auto stateful_id_tap(F fn, const T& arg, const location& where, const O&... options) {
  tap_options o;
  (o.take(options), ...);
  return bind_tap({make_tap(std::move(fn), std::move(o.kwargs), empty_like(arg)), 0, {}, {}}, arg, where, options...);
}
template <class F, class T, class... O>
constexpr auto id_tap_at(const location& where, F fn, const T& arg, const O&... options) {
  using tree = rebind_t<T>;
  static_assert(std::is_invocable_v<F&, const tree&> || std::is_invocable_v<F&, const tree&, const tap_context&>,
                "jq::id_tap: expected a callable value fn(arg) or fn(arg, const jq::tap_context&)");
  if constexpr (!(check_id_tap_option<O>() && ...)) return tree();
  else if (std::is_constant_evaluated()) return static_id_tap<F>(arg, where, options...);
  else return stateful_id_tap(std::move(fn), arg, where, options...);
}

}  // namespace detail

/// Calls fn(arg) or fn(arg, tap_context) on the host, with concrete values, whenever the result is computed, and returns
/// arg (any tree), or jq::result(r) where given. Further options: jq::kw(name, value).
/// Under jvp the tangents are tapped too, under grad the cotangents, under vmap the whole batch; the context says so.
/// In a function with static arguments fn must capture nothing. A generic fn gets numbers and tensors there, one of a single
/// signature gets jq::arrays.
template <class F, class T>
constexpr auto id_tap(F fn, const T& arg, location where = location::current()) {
  return detail::id_tap_at(where, std::move(fn), arg);
}
template <class F, class T, class Option, class... O>
constexpr auto id_tap(F fn, const T& arg, const Option& option, const O&... options) {
  return detail::id_tap_at(detail::where_of(option, options...), std::move(fn), arg, option, options...);
}

}  // namespace jacquard
