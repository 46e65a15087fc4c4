#pragma once
// Names of aggregate members for printing: compilers spell the address of a subobject in a function's name. Older clang takes
// such an address as a template argument only within a struct; where that fails too (nvcc), members are called _0, _1, ....

#include <string_view>

#include "jacquard/core/members.hpp"

namespace jacquard::detail {

#if !defined(__CUDACC__) && ((defined(__GNUC__) && !defined(__clang__)) || (defined(__clang__) && __clang_major__ >= 16))
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif
template <class T>
struct holder {
  T value;
};
template <class T>
extern const holder<T> phantom;  // never defined: only addresses within it are named

template <class T>
struct subobject {
  const T* address;
};
template <auto Subobject>
constexpr std::string_view spelled() {
  return __PRETTY_FUNCTION__;
}
/// The last identifier in "... ::name)]".
constexpr std::string_view last_identifier(std::string_view s) {
  const std::size_t semicolon = s.find(';');
  if (semicolon != std::string_view::npos) s = s.substr(0, semicolon);
  std::size_t end = s.size();
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  while (end > 0 && !is_word(s[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_word(s[begin - 1])) --begin;
  return s.substr(begin, end - begin);
}
/// Computed in constant evaluation only, so that no program refers to the phantom.
template <class T, std::size_t I>
consteval std::string_view find_member_name() {
  constexpr subobject<std::remove_cvref_t<decltype(std::get<I>(members(phantom<T>.value)))>> member{
      &std::get<I>(members(phantom<T>.value))};
  return last_identifier(spelled<member>());
}
template <class T, std::size_t I>
inline constexpr std::string_view name_of_member = find_member_name<T, I>();
template <class T>
constexpr std::string_view member_name(std::size_t i) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    std::string_view r;
    ((I == i ? void(r = name_of_member<T, I>) : void()), ...);
    return r;
  }(std::make_index_sequence<member_count<T>>{});
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
#else
template <class T>
constexpr std::string_view member_name(std::size_t i) {
  constexpr std::string_view names[] = {"_0",  "_1",  "_2",  "_3",  "_4",  "_5",  "_6",  "_7",  "_8",  "_9",  "_10",
                                        "_11", "_12", "_13", "_14", "_15", "_16", "_17", "_18", "_19", "_20", "_21",
                                        "_22", "_23", "_24", "_25", "_26", "_27", "_28", "_29", "_30", "_31"};
  return names[i];
}
#endif

}  // namespace jacquard::detail
