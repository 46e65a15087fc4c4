#pragma once
// What callbacks are made of: options told from arguments, the state behind a reference, and the check of what a function
// returned. Deliberately without the public functions: those are in callbacks.hpp, debug.hpp and device_callback.hpp.

#include "jacquard/core/value_text.hpp"
#include "jacquard/prims/callback.hpp"
#include "jacquard/prims/kernel_libraries.hpp"
#include "jacquard/taps/receivers.hpp"
#include "jacquard/transforms/function.hpp"

namespace jacquard {

/// Whether a callback runs in program order with others.
struct in_order {
  bool value;
  constexpr explicit in_order(bool on = true) : value(on) {}
};
/// The older name of two vmap methods: true = legacy_vectorized, false = sequential.
struct vectorized {
  bool value;
  constexpr explicit vectorized(bool on) : value(on) {}
};

/// A leaf of a tree of results: dtype and shape without a value. Errors of the callback it is made for name its line.
template <class Array = array>
Array shape_dtype(const shape& dims, dtype t, location where = location::current()) {
  return detail::array_without_value<Array>(aval(t, dims), "shape_dtype", where);
}

namespace detail {

/// Specialised for types that are options of callbacks.
template <class T>
inline constexpr bool is_callback_option = false;
template <>
inline constexpr bool is_callback_option<jacquard::in_order> = true;
template <>
inline constexpr bool is_callback_option<vectorized> = true;
template <>
inline constexpr bool is_callback_option<vmap_method> = true;

template <class T>
constexpr auto as_argument(const T& x) {
  if constexpr (is_callback_option<T>) return std::tuple<>();
  else return std::tuple<const T&>(x);
}
/// The arguments without the options, as a tuple of references.
template <class... A>
constexpr auto arguments_of(const A&... all) {
  return std::tuple_cat(as_argument(all)...);
}

/// Options that all callbacks understand.
struct callback_options {
  vmap_method method = vmap_method::not_given;
  bool ordered = false;

  template <class T>
  void take(const T& o) {
    if constexpr (std::is_same_v<T, vmap_method>) method = o;
    else if constexpr (std::is_same_v<T, vectorized>) method = o.value ? vmap_method::legacy_vectorized : vmap_method::sequential;
    else if constexpr (std::is_same_v<T, jacquard::in_order>) ordered = o.value;
  }
};

/// The types of a tree of results. Errors: value_error for an empty array.
template <class R>
std::vector<aval> result_types(std::string_view what, const R& tree) {
  std::vector<aval> r;
  for (const array& x : flatten_all(tree)) {
    if (x.is_none())
      raise(error_kind::value, what, ": got an empty jq::array among the result shapes. The values must be either numeric scalars, "
            "or must have 'shape' and 'dtype' attributes; pass an array, a number or jq::shape_dtype(shape, dtype)");
    aval t = x.aval();
    t.weak = false;
    r.push_back(t);
  }
  return r;
}

/// Where a tree of results was written, as far as it says so. Callbacks take any number of arguments, and have no room for one that tells.
template <class R>
location line_of(const R& result_shape, const location& known = {}) {
  if (known.known()) return known;
  for (const array& x : flatten_all(result_shape))
    if (const constant_node* n = x.as_constant(); n && n->where.known()) return n->where;
  return {};
}

/// A result with memory of its own and exactly the type `want`, whose elements are there. Errors: deleted_error.
template <class Array = array>
Array finished_result(const lazy<Array>& given, const aval& want) {
  array x = concrete(given);
  if (x.kind() == array_kind::literal) x = array(x.as_literal().as(want.type)).materialised();
  const buffer* b = x.as_buffer();
  b->check_alive();  // a call that does not wait may have made it
  if (!b->borrowed && b->type == want) return x;
  buffer* copy = copy_buffer(*b);
  copy->type = want;
  return array(copy);
}

/// Whether an integer keeps its value as a number of dtype `t`.
constexpr bool fits(const literal& number, dtype t) {
  if (!is_integer(number.type) || !is_integer(t)) return true;
  const literal made = number.as(t);
  return made.as(number.type) == number && (made.get<double>() < 0) == (number.get<double>() < 0);
}

/// Checks what a host function returned against what was announced. Errors: type_error; value_error for a plain integer that the dtype
/// announced cannot hold.
template <class R, class Got>
void take_results(std::string_view what, const R& like, view<const aval> types, const Got& got, view<array> out) {
  const text want_tree = tree::structure(like), got_tree = tree::structure(got);
  if (!(want_tree == got_tree))
    raise(error_kind::type, what, ": Callback func should have returned a result with pytree ", want_tree, " but returned ", got_tree);
  std::vector<array> leaves;
  flatten_into(got, leaves);
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (leaves[i].is_none())
      raise(error_kind::type, what, ": Callback func should have returned a result with abstract values ", types[i],
            " but returned an empty jq::array in result leaf ", i);
    const aval t = leaves[i].aval();
    const bool weak_number = leaves[i].kind() == array_kind::literal && t.weak && types[i].rank() == 0 &&
                             category_of(t.type) <= category_of(types[i].type);
    if (!weak_number && t.type != types[i].type && t.dims == types[i].dims)
      raise(error_kind::type, what, ": Incorrect output dtype for return value ", i, ": Callback func should have returned a result with abstract values ",
            types[i], " but returned ", t);
    if (!weak_number && !same_type(t, types[i]))
      raise(error_kind::type, what, ": Callback func should have returned a result with abstract values ", types[i], " but returned ",
            t, " in result leaf ", i);
    if (weak_number && !fits(leaves[i].as_literal(), types[i].type))
      raise(error_kind::value, what, ": Callback func returned ", to_text(leaves[i]), " in result leaf ", i, ", which ", long_name(types[i].type),
            " cannot hold; announce a wider dtype");
    out[i] = finished_result(leaves[i], types[i]);
  }
}

/// Runs a host function; what it throws becomes a tap_error that holds it.
template <class F>
auto run_host_function(std::string_view what, const location& where, F&& f) {
  const library_scope none_here(nullptr);
  const auto failure = [&](std::string_view threw) {
    error_record e = make_error(error_kind::tap, what, ": the function threw", threw);
    e.where = where;
    return tap_error(placed_message(e));
  };
  try {
    return eager(f);
  } catch (const std::exception& e) {
    std::throw_with_nested(failure(": " + std::string(e.what())));
  } catch (...) {
    std::throw_with_nested(failure(" something that is no std::exception"));
  }
}

/// The state of a callback with results: calls f(args...) with trees of concrete arrays.
template <class F, class R, class... A>
struct callback_function : callback_state {
  F f;
  std::string what;
  location where;
  R like;  ///< a tree of results without values
  std::tuple<rebind_t<A>...> prototypes;

  callback_function(F fn, std::string name, const location& line, R r, const A&... args)
      : f(std::move(fn)), what(std::move(name)), where(line), like(std::move(r)), prototypes(empty_like(args)...) {
    destroy = [](function_state* s) { delete static_cast<callback_function*>(s); };
  }
  static void run(function_state* s, callback_call& c) {
    auto& self = *static_cast<callback_function*>(s);
    const auto got = run_host_function(self.what, self.where, [&] { return self.call(c.in, std::index_sequence_for<A...>{}); });
    const rule_location_scope here(self.where);
    take_results(self.what, self.like, c.types, got, c.out);
  }

 private:
  template <std::size_t... I>
  auto call(view<const array> in, std::index_sequence<I...>) {
    [[maybe_unused]] const array* next = in.data();
    std::tuple<rebind_t<A>...> args{rebuild_from<rebind_t<A>>(std::get<I>(prototypes), next)...};
    return call_function(f, std::get<I>(args)...);
  }
};

template <class P, class F, class R, class... A>
auto bind_callback(F fn, std::string_view what, const R& result_shape, const callback_options& o, const location& given,
                   const A&... args) {
  using state = callback_function<F, rebind_t<R>, A...>;
  static_assert(std::is_invocable_v<F&, const rebind_t<A>&...>, "jacquard: a callback's function must be callable with its "
                "arguments as trees of jq::array; take them by value, by const reference or as const auto&");
  install_delivery<void>();
  const location where = line_of(result_shape, given);
  callback_params p;
  p.results = result_types(what, result_shape);
  p.method = o.method;
  p.callback = function_ref(reinterpret_cast<function_ref::thunk>(&state::run),
                            new state(std::move(fn), std::string(what), where, empty_like(result_shape), args...));
  const leaf_list leaves = flatten_all(args...);
  const array_list out = bind_list<P>(p, where, leaves);
  return rebuild<rebind_t<R>>(result_shape, view<const array>(out.data(), out.size()));
}

}  // namespace detail
}  // namespace jacquard
