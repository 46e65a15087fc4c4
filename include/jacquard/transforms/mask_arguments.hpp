#pragma once
// The arguments of masked functions: jq::args, the padded arrays, and jq::dims, the logical sizes by name. Both are trees, so
// that vmap maps over sizes as over arrays, and jit takes them as run-time values. And sizes as values.

#include "jacquard/core/list.hpp"
#include "jacquard/core/tree.hpp"
#include "jacquard/transforms/structural.hpp"

namespace jacquard {

/// The arguments of a masked function.
template <class... T>
constexpr std::tuple<std::remove_cvref_t<T>...> args(T&&... x) {
  return {std::forward<T>(x)...};
}

/// Logical sizes by name: scalar integers, which may be tracers. jq::dims{{"n", 3}, {"m", lengths}}
class dims {
 public:
  /// A name as the key of a tree node.
  struct key : name_text {
    using name_text::name_text;
    constexpr std::size_t size() const { return view().size(); }
    constexpr const char* begin() const { return chars; }
    constexpr const char* end() const { return chars + size(); }
    constexpr explicit operator std::string_view() const { return view(); }
  };
  using mapped_type = array;
  struct entry {
    key name;
    array value;
    constexpr entry() = default;
    constexpr entry(const key& n, const array& x) : name(n), value(x) {}
    template <leaf T>
    constexpr entry(std::string_view n, const T& x) : name(n) {
      std::vector<array> copy;
      flatten_into(x, copy);
      value = copy[0];
    }
  };

  constexpr dims() = default;
  /// Up to eight sizes. Not an initializer_list, whose elements g++ 12 cannot destroy in constant evaluation.
  constexpr dims(const entry& a, const entry& b = {}, const entry& c = {}, const entry& d = {}, const entry& e = {}, const entry& f = {},
                 const entry& g = {}, const entry& h = {}) {
    for (const entry* given : {&a, &b, &c, &d, &e, &f, &g, &h})
      if (!given->value.is_none()) entries_.push_back(*given);
  }
  constexpr std::size_t size() const { return entries_.size(); }
  constexpr auto begin() const { return entries_.begin(); }
  constexpr auto end() const { return entries_.end(); }
  constexpr auto begin() { return entries_.begin(); }
  constexpr auto end() { return entries_.end(); }
  constexpr void emplace(const key& name, const array& value) { entries_.emplace_back(name, value); }
  /// The value of a name, or none.
  constexpr array find(const name_text& name) const {
    for (const entry& e : entries_)
      if (e.name.view() == name.view()) return e.value;
    return {};
  }

 private:
  list<entry> entries_;
};

namespace detail {
template <>
inline constexpr bool is_map<dims> = true;
}  // namespace detail

/// The size of dimension `axis` of x as a value, i64[]: within mask its logical size, a run-time value.
/// Errors: shape_error for an axis out of range.
template <class Array = array>
constexpr array dim_as_value(const lazy<Array>& x, int axis, location where = location::current()) {
  const shape s = x.shape();
  const int d = resolve_axis(axis, s.rank());
  if (d < 0 && !__builtin_is_constant_evaluated())
    raise(error_kind::shape, "dim_as_value: axis ", axis, " is out of bounds for an array of shape ", s, "; wanted one in [", -s.rank(), ", ",
          s.rank(), ")");
  return detail::size_as_operand(s[d < 0 ? 0 : d], where);
}

}  // namespace jacquard
