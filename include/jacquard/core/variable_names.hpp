#pragma once
// The variables of a jaxpr by the names they have in a text. Deliberately a sorted list: it also works in constant
// evaluation, and printed programs name their variables in order.

#include <string_view>
#include <vector>

#include "jacquard/core/jaxpr.hpp"
#include "jacquard/core/list.hpp"

namespace jacquard::detail {

/// Variables by name. Names of printed programs come in order, so that adding one is cheap.
class variable_names {
 public:
  /// The variable, or nothing_found.
  constexpr variable find(std::string_view name) const {
    const std::size_t i = place(name);
    return i < entries_.size() && entries_[i].name == name ? entries_[i].v : nothing_found;
  }
  constexpr void add(std::string_view name, variable v) {
    entries_.insert(entries_.begin() + std::ptrdiff_t(place(name)), entry{name, v});
  }
  static constexpr variable nothing_found = ~variable(0);

 private:
  struct entry {
    std::string_view name;
    variable v = 0;
  };
  static constexpr bool before(std::string_view a, std::string_view b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  }
  /// The position of the first entry that is not before `name`.
  constexpr std::size_t place(std::string_view name) const {
    std::size_t low = 0, high = entries_.size();
    if (high && before(entries_.back().name, name)) return high;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (before(entries_[middle].name, name)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  list<entry> entries_;
};

}  // namespace jacquard::detail
