#pragma once
// pure_callback, io_callback and call: host functions whose results a program computes with. Deliberately synchronous: the
// program waits for the results, after the taps before it have arrived.

#include "jacquard/taps/callback_function.hpp"

namespace jacquard {

/// f(args...) on the host, inside any compiled program. `result_shape` is a tree of numbers, arrays or jq::shape_dtype(...),
/// of which only dtype and shape count; f returns a tree like it. f must not have side effects: the program may drop, repeat
/// and reorder its calls. Options among the arguments: a jq::vmap_method, or jq::vectorized(bool).
/// Errors: type_error if f returns something else than announced; tap_error, which holds what f threw; not_implemented from
/// vmap without a method and from derivatives (wrap it in jq::custom_jvp).
template <class F, class R, class... A>
auto pure_callback(F f, const R& result_shape, const A&... args) {
  detail::callback_options o;
  (o.take(args), ...);
  return std::apply(
      [&](const auto&... x) { return detail::bind_callback<pure_callback_p>(std::move(f), "pure_callback", result_shape, o, location{}, x...); },
      detail::arguments_of(args...));
}

/// f(args...) on the host for its side effects as well: it runs exactly once wherever the program runs, also if its result is
/// not used. With jq::in_order(true), in program order with all others of this kind. Result as of pure_callback;
/// std::tuple<>{} for none. vmap calls f once per example, unless ordered. Errors: as pure_callback.
template <class F, class R, class... A>
auto io_callback(F f, const R& result_shape, const A&... args) {
  detail::callback_options o;
  (o.take(args), ...);
  return std::apply(
      [&](const auto&... x) {
        if (o.ordered) return detail::bind_callback<ordered_io_callback_p>(std::move(f), "io_callback", result_shape, o, location{}, x...);
        return detail::bind_callback<io_callback_p>(std::move(f), "io_callback", result_shape, o, location{}, x...);
      },
      detail::arguments_of(args...));
}

/// f(arg) on the host, in program order with taps and other calls; one argument and one result, both trees. Without
/// `result_shape` f returns nothing. Neither derivatives nor vmap. Errors: as pure_callback.
template <class F, class T, class R = std::tuple<>>
auto call(F f, const T& arg, const R& result_shape = {}, location where = location::current()) {
  return detail::bind_callback<host_call_p>(std::move(f), "call", result_shape, detail::callback_options{}, where, arg);
}

}  // namespace jacquard
