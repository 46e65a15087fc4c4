#pragma once
// Memory for the large arrays of a program: offsets by dtype, given back and used again. First fit, in constant evaluation.
// Deliberately without alignment beyond that of the dtype.

#include <array>
#include <vector>

#include "jacquard/core/dtype.hpp"
#include "jacquard/core/list.hpp"

namespace jacquard {
namespace detail {

/// Hands out memory for large variables, of each dtype separately; what is dead is used again.
class memory_plan {
 public:
  constexpr std::uint32_t take(dtype t, std::uint32_t size) {
    for (block& b : free_)
      if (b.type == t && b.size >= size) {
        const std::uint32_t at = b.first;
        b.first += size;
        b.size -= size;
        return at;
      }
    const std::uint32_t at = top_[std::size_t(t)];
    top_[std::size_t(t)] += size;
    return at;
  }
  constexpr void give_back(dtype t, std::uint32_t first, std::uint32_t size) {
    for (block& b : free_) {
      if (b.type != t || b.size == 0) continue;
      if (b.first + b.size == first) return void(b.size += size);
      if (first + size == b.first) return void((b.first = first, b.size += size));
    }
    free_.push_back({t, first, size});
  }
  constexpr std::uint32_t top(std::size_t t) const { return top_[t]; }

 private:
  struct block {
    dtype type;
    std::uint32_t first, size;
  };
  list<block> free_;
  std::array<std::uint32_t, std::size_t(dtype_count)> top_{};
};

}  // namespace detail
}  // namespace jacquard
