#pragma once
// A reference to something callable, of one type for all of it: a function that takes one is compiled once, where a template is compiled for each
// lambda it is given. For code that writes text or walks programs; deliberately not for inner loops, which a template lets the compiler see through.

#include <memory>
#include <type_traits>
#include <utility>

namespace jacquard::detail {

template <class Signature>
class callable_ref;

/// Refers to a callable object, which must live as long as this is used: an argument of the call it is made for does. Never empty, never owns.
template <class Result, class... A>
class callable_ref<Result(A...)> {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, callable_ref> && std::is_object_v<std::remove_reference_t<F>> && std::is_invocable_r_v<Result, F&, A...>)
  callable_ref(F&& f)
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))), call_([](void* object, A... a) -> Result {
          auto& called = *static_cast<std::remove_reference_t<F>*>(object);
          if constexpr (std::is_void_v<Result>) called(std::forward<A>(a)...);
          else return called(std::forward<A>(a)...);
        }) {}
  Result operator()(A... a) const { return call_(object_, std::forward<A>(a)...); }

 private:
  void* object_;
  Result (*call_)(void*, A...);
};

}  // namespace jacquard::detail
