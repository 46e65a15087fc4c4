#pragma once
// id_tap: shows values from inside any transformed or compiled function to a host function.

#include "jacquard/taps/receivers.hpp"

namespace jacquard {

namespace detail {

template <class T>
inline constexpr bool is_result_option = false;
template <class T>
inline constexpr bool is_result_option<result_option<T>> = true;

/// Options of a tap, sorted out.
struct tap_options {
  std::vector<keyword> kwargs;
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

/// Binds a tap of `arg` and returns arg or the given result, through the tap.
template <class T, class... O>
auto bind_tap(const function_ref& callback, const T& arg, const location& where, const O&... options) {
  const leaf_list given = flatten_all(arg);
  std::vector<array> operands = given;
  const std::size_t tapped = operands.size();
  if constexpr (has_result<O...>) flatten_into(find_result(options...), operands);
  const array_list out = bind_list<id_tap_p>({callback, std::int64_t(tapped), {}}, where, operands);
  const view<const array> all(out.data(), out.size());
  if constexpr (has_result<O...>) {
    const auto& r = find_result(options...);
    return rebuild<rebind_t<decltype(r)>>(r, all.subspan(tapped));
  } else return rebuild<rebind_t<T>>(arg, all);
}

}  // namespace detail

/// Calls fn(arg) or fn(arg, tap_context) on the host, with concrete values, whenever the result is computed, and returns
/// arg (any tree), or jq::result(r) where given. Further options: jq::kw(name, value).
/// Under jvp the tangents are tapped too, under grad the cotangents, under vmap the whole batch; the context says so.
template <class F, class T, class... O>
auto id_tap(F fn, const T& arg, const O&... options) {
  using tree = rebind_t<T>;
  static_assert(std::is_invocable_v<F&, const tree&> || std::is_invocable_v<F&, const tree&, const tap_context&>,
                "jq::id_tap: expected a callable value fn(arg) or fn(arg, const jq::tap_context&)");
  detail::tap_options o;
  (o.take(options), ...);
  const function_ref callback = detail::make_tap(std::move(fn), std::move(o.kwargs), detail::empty_like(arg));
  return detail::bind_tap(callback, arg, location{}, options...);
}

}  // namespace jacquard
