#pragma once
// Taps in functions that are traced inside the compiler. Such a tap carries no state: its function is captureless and known by
// the address of a thunk, its keywords are words among the parameters of the equation. The compile-time lane goes from the address
// back to the type and calls the function with static values; an interpreter that meets such a program asks the thunk for an
// ordinary callback. Deliberately knows nothing of that lane.

#include <bit>

#include "jacquard/taps/tap_state.hpp"

namespace jacquard {
namespace detail {

constexpr void put_words(std::vector<std::int64_t>& to, std::string_view s) {
  to.push_back(std::int64_t(s.size()));
  for (std::size_t i = 0; i < s.size(); i += 8) {
    std::uint64_t word = 0;
    for (std::size_t k = i; k < s.size() && k < i + 8; ++k) word |= std::uint64_t(std::uint8_t(s[k])) << (8 * (k - i));
    to.push_back(std::int64_t(word));
  }
}
constexpr void put_words(std::vector<std::int64_t>& to, const keyword_argument& k) {
  put_words(to, k.name.view());
  to.push_back(std::int64_t(k.value.kind()));
  switch (k.value.kind()) {  // not visit(), which makes a std::string: clang 16 has none in constant evaluation
    case keyword_kind::text: return put_words(to, k.value.get<std::string_view>());
    case keyword_kind::real: return to.push_back(std::bit_cast<std::int64_t>(k.value.get<double>()));
    case keyword_kind::boolean: return to.push_back(k.value.get<bool>());
    default: to.push_back(k.value.get<std::int64_t>());
  }
}

inline std::string read_text(view<const std::int64_t> words, std::size_t& at) {
  const auto size = std::size_t(words[at++]);
  std::string s;
  for (std::size_t i = 0; i < size; ++i) s += char(std::uint64_t(words[at + i / 8]) >> (8 * (i % 8)));
  at += (size + 7) / 8;
  return s;
}
/// The keywords of a tap in static code. The first word says how many there are.
inline list<keyword> read_keywords(view<const std::int64_t> words) {
  list<keyword> r;
  std::size_t at = 1;
  for (std::int64_t n = words[0]; n > 0; --n) {
    keyword k{read_text(words, at), {}};
    const auto kind = keyword_kind(words[at++]);
    if (kind == keyword_kind::text) k.value = read_text(words, at);
    else if (const std::int64_t v = words[at++]; kind == keyword_kind::integer) k.value = v;
    else if (kind == keyword_kind::boolean) k.value = v != 0;
    else k.value = std::bit_cast<double>(v);
    r.push_back(std::move(k));
  }
  return r;
}

/// Whether F has one signature, rather than a template for many.
template <class F>
concept has_one_signature = requires { &F::operator(); };

/// A function without state that is tapped in static code, on a tree like Tree.
template <class F, class Tree>
struct static_tap {
  using tree = Tree;
  /// Functions of one signature take jq::arrays, as in the other lane.
  static constexpr bool takes_arrays = has_one_signature<F>;

  /// Leaves an ordinary callback where an interpreter asks for one.
  static void thunk() {
    if (requested_tap) requested_tap->made = make_tap(F{}, read_keywords(requested_tap->keywords), Tree{});
  }
  /// Calls the function with values of a tree type that the compile-time lane chose. Exceptions are postponed, as everywhere.
  template <class Values>
  static void show(const Values& values, view<const std::int64_t> transforms, view<const std::int64_t> keywords, std::size_t tapped) {
    try {
      if constexpr (std::is_invocable_v<F&, const Values&, const tap_context&>)
        F{}(values, tap_context{read_keywords(keywords), decode_transforms(transforms, tapped), {}});
      else F{}(values);
    } catch (const std::exception& e) {
      record_failure(std::current_exception(), e.what());
    } catch (...) {
      record_failure(std::current_exception(), "not a std::exception");
    }
  }
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif
/// Connects the address of a thunk to its type.
template <class F, class Tree>
struct tap_registration {
  friend constexpr auto callable_behind(thunk_address<&static_tap<F, Tree>::thunk>) { return static_tap<F, Tree>{}; }
  static constexpr function_ref::thunk thunk = &static_tap<F, Tree>::thunk;
};
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

// Called in constant evaluation only, where the compiler answers with their names.
inline void a_tap_in_a_function_with_static_arguments_must_not_capture_anything() {}
inline void a_tap_in_a_function_with_static_arguments_must_see_a_value_that_depends_on_them() {}
inline void id_print_in_a_function_with_static_arguments_writes_to_stdout_without_jq_output_stream() {}

/// The callback of a tap and its keywords, in constant evaluation.
template <class F, class Tree>
constexpr function_ref make_static_tap() {
  if constexpr (std::is_empty_v<F> && std::is_default_constructible_v<F>) return function_ref(tap_registration<F, Tree>::thunk);
  else {
    a_tap_in_a_function_with_static_arguments_must_not_capture_anything();
    return {};
  }
}

}  // namespace detail
}  // namespace jacquard
