#pragma once
// Pieces of long sums. A sum in which each number is added to all before it loses the more the longer it is, and always to the same side where the
// numbers are alike; one of sums of pieces loses as much as the pieces do and their sum. Depends on how many numbers there are alone, so that
// results do not depend on the number of threads.

#include <cstdint>

namespace jacquard::cpu {

/// How many of so many numbers are a piece: about as many as there are pieces, but never so few that adding these up would take time. A power of 2.
constexpr std::int64_t numbers_in_piece(std::int64_t numbers) {
  std::int64_t n = 256;
  while (n * n < numbers && n >> 31 == 0) n *= 2;
  return n;
}

}  // namespace jacquard::cpu
