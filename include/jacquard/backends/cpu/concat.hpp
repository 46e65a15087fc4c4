#pragma once
// Text made of parts. Deliberately no operator: a chain of + makes a string at each step, and code for each of them to be freed where one throws.

#include <initializer_list>
#include <string>
#include <string_view>

namespace jacquard::cpu::detail {

/// The parts, one after the other, made from left to right.
[[gnu::noinline]] inline std::string concat(std::initializer_list<std::string_view> parts) {
  std::size_t size = 0;
  for (std::string_view p : parts) size += p.size();
  std::string r;
  r.reserve(size);
  for (std::string_view p : parts) r += p;
  return r;
}

}  // namespace jacquard::cpu::detail
