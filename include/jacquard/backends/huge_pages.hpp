#pragma once
// Huge pages for large arrays, where the system gives them to who asks. Deliberately no memory of its own: core/block_cache says which blocks.

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "jacquard/core/block_cache.hpp"

namespace jacquard::detail {

#ifdef MADV_HUGEPAGE
/// Set before main, so that all arrays but those made by others before it lie there. If the system refuses, they lie on usual pages.
inline const bool asks_for_huge_pages = [] {
  huge_block_hook = [](void* memory, std::size_t bytes) { madvise(memory, bytes, MADV_HUGEPAGE); };
  return true;
}();
#endif

}  // namespace jacquard::detail
