#pragma once
// Options of transforms. Those that fix types are template arguments, so that a transformed function stays an empty type;
// the rest are values. Each option says which transforms accept it; any other use is one readable static_assert.

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "jacquard/core/array.hpp"  // its enumerations have a `none`, too, and must come before ours (-Wshadow)
#include "jacquard/core/params.hpp"

namespace jacquard {

/// "Not mapped" in in_axes and out_axes.
inline constexpr int none = -2147483647 - 1;

namespace detail {
/// Marks a leaf for which an axis specification has no entry.
inline constexpr int mismatch = none + 1;
}  // namespace detail

/// A string as a template argument.
template <std::size_t N>
struct fixed_string {
  char chars[N]{};
  constexpr fixed_string(const char (&s)[N]) {
    for (std::size_t i = 0; i < N; ++i) chars[i] = s[i];
  }
  constexpr std::string_view view() const { return {chars, N - 1}; }
};

namespace detail {
/// Whether a type is that of a value that stands where a function is wanted.
template <class F>
inline constexpr bool is_no_function = scalar<F> || std::is_same_v<F, array>;
/// Every transform asks this of its function, so that nothing else is said of a number or an array in its place.
template <class F>
constexpr bool check_function() {
  static_assert(!is_no_function<F>, "jacquard: got a number or an array where a function is wanted; pass the function itself and its arguments "
                                    "afterwards, as in jq::grad([](const auto& x) { return x * x; })(3.0)");
  return !is_no_function<F>;
}

struct grad_option {
  using option_of_a_transform = void;
  using option_of_grad = void;
};
struct vmap_option {
  using option_of_a_transform = void;
  using option_of_vmap = void;
};
struct jit_option {
  using option_of_a_transform = void;
  using option_of_jit = void;
};
struct rule_option {
  using option_of_a_transform = void;
  using option_of_rules = void;
};
struct jaxpr_option {
  using option_of_a_transform = void;
  using option_of_make_jaxpr = void;
};
struct no_option {
  using option_of_grad = void;
  using option_of_vmap = void;
  using option_of_jit = void;
};
template <class O>
concept for_grad = requires { typename O::option_of_grad; };
template <class O>
concept for_vmap = requires { typename O::option_of_vmap; };
template <class O>
concept for_jit = requires { typename O::option_of_jit; };
template <class O>
concept for_rules = requires { typename O::option_of_rules; };
template <class O>
concept for_make_jaxpr = requires { typename O::option_of_make_jaxpr; };
}  // namespace detail

template <int... I>
struct argnums_t : detail::grad_option {
  static constexpr std::array<int, sizeof...(I)> values{I...};
};
/// The arguments to differentiate with respect to.
template <int... I>
inline constexpr argnums_t<I...> argnums{};

struct has_aux_t : detail::grad_option {};
/// f returns a pair (value, auxiliary data); the second is passed through.
inline constexpr has_aux_t has_aux{};

struct allow_int_t : detail::grad_option {};
/// Integer arguments are allowed; their gradients are zeros of dtype bool (JAX's float0).
inline constexpr allow_int_t allow_int{};

struct holomorphic_t : detail::grad_option {};
/// f is a holomorphic function of complex arguments.
inline constexpr holomorphic_t holomorphic{};

template <int... A>
struct in_axes_t : detail::vmap_option {
  static constexpr std::array<int, sizeof...(A)> values{A...};
};
/// The mapped axis of each argument; one value applies to all arguments; jq::none = not mapped.
template <int... A>
inline constexpr in_axes_t<A...> in_axes{};

template <int... A>
struct out_axes_t : detail::vmap_option {
  static constexpr std::array<int, sizeof...(A)> values{A...};
  static constexpr auto values_tuple() { return std::tuple{A...}; }
};
/// Where the mapped axis goes in each result; one value applies to all.
template <int... A>
inline constexpr out_axes_t<A...> out_axes{};

template <class... T>
struct in_axes_tree_t : detail::vmap_option {
  std::tuple<T...> axes;
};
/// Mapped axes as one tree prefix per argument: ints, jq::none, and containers of them.
template <class... T>
constexpr in_axes_tree_t<T...> in_axes_tree(T... axes) {
  return {{}, {axes...}};
}
template <class T>
struct out_axes_tree_t : detail::vmap_option {
  T axes;
};
/// Mapped axes of the result as a tree prefix.
template <class T>
constexpr out_axes_tree_t<T> out_axes_tree(T axes) {
  return {{}, axes};
}

template <fixed_string S>
struct axis_name_t : detail::vmap_option {
  static constexpr name_text name{S.view()};
};
/// Names the mapped axis for collectives.
template <fixed_string S>
inline constexpr axis_name_t<S> axis_name{};

/// The size of the mapped axis, where no argument tells it.
struct axis_size : detail::vmap_option {
  std::int64_t value;
  constexpr explicit axis_size(std::int64_t n) : value(n) {}
};

template <int... I>
struct donate_argnums_t : detail::jit_option {
  static constexpr std::array<int, sizeof...(I)> values{I...};
};
/// The arguments whose buffers the computation may take over. They are deleted by the call.
template <int... I>
inline constexpr donate_argnums_t<I...> donate_argnums{};

template <int... I>
struct static_argnums_t : detail::jit_option {
  using option_of_make_jaxpr = void;
  static constexpr std::array<int, sizeof...(I)> values{I...};
};
/// Arguments passed to the function as they are; a new value of theirs means a new trace.
template <int... I>
inline constexpr static_argnums_t<I...> static_argnums{};

struct inline_t : detail::jit_option {};
/// Within another trace, the function's equations are those of the program around it, and no call is seen there.
inline constexpr inline_t inline_{};

template <fixed_string Name, std::int64_t Size>
struct axis_env_t : detail::jaxpr_option {
  static constexpr name_text name{Name.view()};
  static constexpr std::int64_t size = Size;
};
/// An axis of `Size` members that the function may name in collectives, though nothing maps it.
template <fixed_string Name, std::int64_t Size>
inline constexpr axis_env_t<Name, Size> axis_env{};

struct return_shape_t : detail::jaxpr_option {};
/// The program is returned in a pair with what eval_shape gives.
inline constexpr return_shape_t return_shape{};

namespace detail {

template <template <int...> class Option, class O>
inline constexpr bool is_int_option = false;
template <template <int...> class Option, int... I>
inline constexpr bool is_int_option<Option, Option<I...>> = true;

/// The first option among O... for which `pick` holds, or no_option.
template <class Want, class... O>
struct find_option {
  using type = no_option;
};
template <class Want, class First, class... Rest>
struct find_option<Want, First, Rest...> {
  using type = std::conditional_t<Want::template matches<First>, First, typename find_option<Want, Rest...>::type>;
};
template <template <int...> class Option>
struct wants_ints {
  template <class O>
  static constexpr bool matches = is_int_option<Option, O>;
};
template <class Option>
struct wants {
  template <class O>
  static constexpr bool matches = std::is_same_v<O, Option>;
};
template <class Option, class... O>
inline constexpr bool has_option = (std::is_same_v<Option, O> || ...);
/// The numbers of an option, or none.
template <template <int...> class Option, class... O>
constexpr auto int_option() {
  using found = typename find_option<wants_ints<Option>, O...>::type;
  if constexpr (std::is_same_v<found, no_option>) return std::array<int, 0>{};
  else return found::values;
}

/// Resolved argnums: those given, else argument 0.
template <class... O>
constexpr auto argnums_of() {
  using found = typename find_option<wants_ints<argnums_t>, O...>::type;
  if constexpr (std::is_same_v<found, no_option>) return std::array<int, 1>{0};
  else return found::values;
}
/// Whether argnums were given as exactly one number (or not at all), so that results are not tuples.
template <class... O>
constexpr bool single_argnum() {
  return argnums_of<O...>().size() == 1;
}

template <class O>
constexpr bool check_grad_option() {
  static_assert(for_grad<O>, "jq::grad: this option is not one of jq::argnums<i...>, jq::has_aux, jq::allow_int, jq::holomorphic");
  return for_grad<O>;
}
template <class O>
constexpr bool check_jacobian_option() {
  static_assert(for_grad<O>, "jq::jacfwd/jacrev/jacobian/hessian: this option is not one of jq::argnums<i...>, jq::has_aux, jq::allow_int, jq::holomorphic");
  return for_grad<O>;
}
template <class O>
constexpr bool check_vmap_option() {
  static_assert(for_vmap<O>, "jq::vmap: this option is not one of jq::in_axes<i...>, jq::out_axes<i...>, jq::in_axes_tree(...), "
                             "jq::out_axes_tree(...), jq::axis_name<\"name\">, jq::axis_size(n)");
  return for_vmap<O>;
}
template <class O>
constexpr bool check_jit_option() {
  static_assert(for_jit<O>, "jq::jit: this option is not one of jq::static_argnums<i...>, jq::donate_argnums<i...>, "
                            "jq::inline_, jq::backend(name), a jq::device, a jq::precision, jq::denormals, a jq::compile_at");
  return for_jit<O>;
}
template <class O>
constexpr bool check_jaxpr_option() {
  static_assert(for_make_jaxpr<O>, "jq::make_jaxpr: this option is not one of jq::static_argnums<i...>, jq::axis_env<\"name\", size>, jq::return_shape");
  return for_make_jaxpr<O>;
}
template <class O>
constexpr bool check_rule_option() {
  static_assert(for_rules<O>, "jq::custom_jvp/custom_vjp: this option is not jq::nondiff_argnums<i...>");
  return for_rules<O>;
}

}  // namespace detail
}  // namespace jacquard
