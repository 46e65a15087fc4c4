#pragma once
// Visiting the parameters of an equation field by field, with names: what the printer and the reader of jaxprs share.
// Deliberately by reference, so that one visitor reads fields and another one fills them in.

#include "jacquard/core/list.hpp"
#include "jacquard/core/params.hpp"

namespace jacquard {

/// Receives each field of a params aggregate in order.
class param_visitor {
 public:
  constexpr virtual void field(std::string_view name, bool& v) = 0;
  constexpr virtual void field(std::string_view name, std::int64_t& v) = 0;
  constexpr virtual void field(std::string_view name, double& v) = 0;
  constexpr virtual void field(std::string_view name, dtype& v) = 0;
  constexpr virtual void field(std::string_view name, int_list& v) = 0;
  constexpr virtual void field(std::string_view name, std::vector<std::int64_t>& v) = 0;
  constexpr virtual void field(std::string_view name, name_text& v) = 0;
  constexpr virtual void field(std::string_view name, aval& v) = 0;
  constexpr virtual void field(std::string_view name, jaxpr_ref& v) = 0;
  constexpr virtual void field(std::string_view name, list<jaxpr_ref>& v) = 0;
  constexpr virtual void field(std::string_view name, function_ref& v) = 0;
  /// A list of types: each of them, under the same name.
  constexpr void field(std::string_view name, std::vector<aval>& v) {
    for (aval& a : v) field(name, a);
  }
  /// Other integers and enumerations, as integers.
  template <class T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, std::int64_t>)
  constexpr void field(std::string_view name, T& v) {
    std::int64_t wide = std::int64_t(v);
    field(name, wide);
    v = T(wide);
  }
  template <class T>
    requires(std::is_enum_v<T> && !std::is_same_v<T, dtype>)
  constexpr void field(std::string_view name, T& v) {
    std::int64_t wide = std::int64_t(v);
    field(name, wide);
    v = T(wide);
  }

 protected:
  constexpr ~param_visitor() = default;
};

namespace detail {

/// The i-th word of a space-separated list.
constexpr std::string_view word(std::string_view list, int i) {
  while (true) {
    const std::size_t end = list.find(' ');
    if (i-- == 0) return list.substr(0, end);
    list.remove_prefix(end + 1);
  }
}

/// An empty pack stands for default parameters.
template <class Params>
constexpr void visit_params(param_pack& pack, param_visitor& visitor) {
  Params p{};
  if (!pack.words.empty() || !pack.subs.empty() || !pack.functions.empty()) p = decode<Params>(pack);
  int i = 0;
  for_each_member(p, [&](auto& f) {
    using F = std::remove_cvref_t<decltype(f)>;
    if constexpr (std::is_base_of_v<int_list, F>) visitor.field(word(Params::fields, i++), static_cast<int_list&>(f));
    else visitor.field(word(Params::fields, i++), f);
  });
  pack = encode(p);
}

}  // namespace detail
}  // namespace jacquard
