#pragma once
// Functions as templates that trace them see them: called with trees of arrays, and of one type for each signature, so that what traces,
// differentiates, maps and compiles is compiled once for all functions of a signature. Deliberately knows no trace.

#include <tuple>
#include <type_traits>
#include <utility>

#include "jacquard/core/tree.hpp"
#include "jacquard/transforms/options.hpp"

namespace jacquard::detail {

/// f(args...); member functions take their object first.
template <class F, class Object, class... A>
constexpr decltype(auto) invoke_function(F& f, Object&& object, A&&... args) {
  if constexpr (std::is_member_function_pointer_v<F>) return (std::forward<Object>(object).*f)(std::forward<A>(args)...);
  else if constexpr (std::is_member_object_pointer_v<F>) return std::forward<Object>(object).*f;
  else return f(std::forward<Object>(object), std::forward<A>(args)...);
}
template <class F>
constexpr decltype(auto) invoke_function(F& f) {
  return f();
}

/// f(args...) with void mapped to the empty tuple.
template <class F, class... A>
constexpr auto call_function(F& f, A&&... args) {
  static_assert(!check_function<std::remove_const_t<F>>() || std::is_invocable_v<F&, A...>,
                "jacquard: a function is traced with a jq::array in the place of each number and tensor, and cannot be called with those; write "
                "its parameters as auto or const auto&, and as many as there are arguments. An error in its body, told of above this one, ends "
                "here too: functions of arrays are jq::sin and its like, not std::sin");
  if constexpr (!std::is_invocable_v<F&, A...>) return array(0.0f);  // one error is enough
  else if constexpr (std::is_void_v<std::invoke_result_t<F&, A...>>) {
    invoke_function(f, std::forward<A>(args)...);
    return std::tuple<>{};
  } else {
    return std::remove_cvref_t<std::invoke_result_t<F&, A...>>(invoke_function(f, std::forward<A>(args)...));
  }
}

/// The same; a constant function is copied for the call, which may change what it holds.
template <class F, class... A>
constexpr auto call_copied(F& f, A&&... args) {
  if constexpr (std::is_const_v<F>) {
    std::remove_const_t<F> copy = f;
    return call_function(copy, std::forward<A>(args)...);
  } else return call_function(f, std::forward<A>(args)...);
}

/// What f returns for arguments of types A..., before its leaves are replaced by arrays.
template <class F, class... A>
using result_tree = decltype(call_function(std::declval<std::remove_const_t<F>&>(), std::declval<rebind_t<A>>()...));

/// A function as what traces it sees it: one type for all functions of these arguments and this result, so that tracing and transforming are
/// compiled once for each signature, where a template is compiled for each lambda. Deliberately without `void*`: it works in constant evaluation.
template <class Result, class... A>
class function_of {
 public:
  using result = Result;
  constexpr Result operator()(A... a) const { return call_(*this, std::forward<A>(a)...); }
  function_of(const function_of&) = delete;  // it would be cut off what it refers to

 protected:
  using caller = Result (*)(const function_of&, A&&...);
  constexpr explicit function_of(caller call) : call_(call) {}

 private:
  caller call_;
};
/// Refers to f, which must live as long; one that is constant is copied for each call.
template <class F, class Result, class... A>
class function_seen final : public function_of<Result, A...> {
 public:
  constexpr explicit function_seen(F& f) : function_of<Result, A...>(&call), f_(f) {}
  constexpr const function_of<Result, A...>& of_signature() const { return *this; }

 private:
  static constexpr Result call(const function_of<Result, A...>& self, A&&... a) {
    return call_copied(static_cast<const function_seen&>(self).f_, std::forward<A>(a)...);
  }
  F& f_;
};
/// f as a function of its signature, called with arguments of the types A..., references among them.
template <class... A, class F>
constexpr auto seen_when_called_with(F& f) {
  return function_seen<F, decltype(call_function(std::declval<std::remove_const_t<F>&>(), std::declval<A>()...)), A...>(f);
}
/// The same for trees like A... of arrays, which are passed on by value.
template <class... A, class F>
constexpr auto seen_by_signature(F& f) {
  return seen_when_called_with<rebind_t<A>...>(f);
}

}  // namespace jacquard::detail
