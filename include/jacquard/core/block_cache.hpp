#pragma once
// Memory that arrays gave back, kept for the next ones of the same size: a program that runs again finds the pages of its last run
// instead of asking the system for new ones. The headers of buffers are kept, too. Blocks of a few lines of a cache and headers are chained,
// so that the small arrays of a warm call are found without a search, larger ones listed by size. One cache per thread, without locks. What does
// not fit is freed. Deliberately without blocks of other sizes than were asked for.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include "jacquard/core/byte_count.hpp"

namespace jacquard::detail {

inline constexpr std::size_t buffer_alignment = 64;
/// So many bytes, and what is missing to a whole number of lines of that size.
constexpr std::int64_t whole_lines(std::int64_t bytes) {
  constexpr auto line = std::int64_t(buffer_alignment);
  return (bytes + line - 1) / line * line;
}

/// Blocks of so many bytes begin on a huge page: programs that go through large arrays else wait for page tables more than for memory, and new
/// blocks for one page fault after the other.
inline constexpr std::size_t huge_page = std::size_t(2) << 20, least_huge_block = huge_page;
using block_hook = void (*)(void* memory, std::size_t bytes);
/// Told of each new one, and how many bytes of it are whole huge pages; set by backends/huge_pages, which asks the system for them.
inline constinit block_hook huge_block_hook = nullptr;

/// New memory; null if there is none. Large blocks end with a huge page where that takes little more.
[[gnu::noinline]] inline void* new_block(std::size_t bytes) {
  if (bytes < least_huge_block) return ::operator new(bytes, std::align_val_t(buffer_alignment), std::nothrow);
  const std::size_t rest = bytes % huge_page, missing = rest == 0 ? 0 : huge_page - rest;
  const std::size_t all = missing <= bytes / 8 && bytes <= SIZE_MAX - missing ? bytes + missing : bytes;
  void* const memory = ::operator new(all, std::align_val_t(huge_page), std::nothrow);
  if (memory && huge_block_hook) huge_block_hook(memory, all / huge_page * huge_page);
  return memory;
}
/// Gives it back to the system.
[[gnu::noinline]] inline void free_block(void* memory, std::size_t bytes) {
  ::operator delete(memory, std::align_val_t(bytes < least_huge_block ? buffer_alignment : huge_page));
}

/// Blocks of one size that nobody uses, each of which begins with the address of the next.
class block_chain {
 public:
  /// The one that was kept last, or null.
  void* take() {
    void* const r = first_;
    if (r) std::memcpy(&first_, r, sizeof first_), --count_;
    return r;
  }
  /// False where there are enough.
  bool keep(void* block, std::uint32_t most) {
    if (count_ == most) return false;
    std::memcpy(block, &first_, sizeof first_);
    first_ = block;
    ++count_;
    return true;
  }
  std::size_t count() const { return count_; }

 private:
  void* first_ = nullptr;
  std::uint32_t count_ = 0;  // half a word: g++ writes two whole ones at once, which takes it longer than each by itself
};

class block_cache {
 public:
  static constexpr std::size_t largest_block = std::size_t(128) << 20, most_bytes = std::size_t(256) << 20, most_blocks = 1024;
  static constexpr std::size_t largest_chained = 16 * buffer_alignment;

  /// A block of exactly that size, or null.
  void* take(std::size_t bytes) {
    if (is_chained(bytes)) [[likely]] return chains_[bytes / buffer_alignment].take();
    for (idle_block* b = list_of(bytes); b; b = b->next)
      if (b->bytes == bytes) return remove(b);
    return nullptr;
  }
  /// Keeps a block, in place of those that have been here longest where there are too many.
  void keep(void* memory, std::size_t bytes) {
    if (is_chained(bytes)) [[likely]] {
      if (!chains_[bytes / buffer_alignment].keep(memory, most_blocks)) free_block(memory, bytes);
      return;
    }
    if (bytes > largest_block || bytes < sizeof(idle_block)) return free_block(memory, bytes);
    while (count_ == most_blocks || (oldest_ && bytes_ + bytes > most_bytes)) free_oldest();
    idle_block*& list = list_of(bytes);
    const auto b = new (memory) idle_block{bytes, list, nullptr, newest_, nullptr};
    if (list) list->previous = b;
    list = b;
    (newest_ ? newest_->newer : oldest_) = b;
    newest_ = b;
    ++count_, bytes_ += bytes;
  }
  /// Memory of a buffer's header, or null.
  void* take_header() { return headers_.take(); }
  /// Keeps one for the next buffer; false where there are enough.
  bool keep_header(void* header) { return headers_.keep(header, most_blocks); }
  void clear() {
    while (void* header = take_header()) ::operator delete(header);
    for (std::size_t i = 1; i <= largest_chained / buffer_alignment; ++i)
      while (void* memory = chains_[i].take()) free_block(memory, i * buffer_alignment);
    while (oldest_) free_oldest();
  }
  std::size_t bytes() const {
    std::size_t sum = bytes_;
    for (std::size_t i = 1; i <= largest_chained / buffer_alignment; ++i) sum += chains_[i].count() * i * buffer_alignment;
    return sum;
  }

  byte_counter* counter = nullptr;  ///< of this thread

 private:
  /// What lies at the beginning of a block that is not chained: its neighbours in a list of blocks whose sizes have one hash, and in age.
  struct idle_block {
    std::size_t bytes;
    idle_block *next, *previous, *older, *newer;
  };
  static constexpr int bits_of_lists = 6;

  static bool is_chained(std::size_t bytes) { return bytes - 1 < largest_chained && bytes % buffer_alignment == 0; }
  idle_block*& list_of(std::size_t bytes) { return lists_[std::uint64_t(bytes / buffer_alignment) * 0x9E3779B97F4A7C15u >> (64 - bits_of_lists)]; }
  void* remove(idle_block* b) {
    (b->previous ? b->previous->next : list_of(b->bytes)) = b->next;
    if (b->next) b->next->previous = b->previous;
    (b->older ? b->older->newer : oldest_) = b->newer;
    (b->newer ? b->newer->older : newest_) = b->older;
    --count_, bytes_ -= b->bytes;
    return b;
  }
  void free_oldest() {
    const std::size_t bytes = oldest_->bytes;
    free_block(remove(oldest_), bytes);
  }

  idle_block *lists_[std::size_t(1) << bits_of_lists]{}, *oldest_ = nullptr, *newest_ = nullptr;
  std::size_t count_ = 0, bytes_ = 0;
  block_chain headers_, chains_[largest_chained / buffer_alignment + 1];  ///< by lines of a cache
};

// Sanitizers watch what is freed.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define JACQUARD_CACHES_BLOCKS 0
#elif defined(__has_feature)
#define JACQUARD_CACHES_BLOCKS (!__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer))
#else
#define JACQUARD_CACHES_BLOCKS 1
#endif

#if JACQUARD_CACHES_BLOCKS
/// The cache of one thread, there from the start, so that reaching it asks for nothing but whether this thread has begun to use it.
struct thread_block_cache {
  enum class phase : char { unused, used, ended };
  block_cache blocks{};
  phase now = phase::unused;
};
inline constinit thread_local thread_block_cache block_cache_here{};

[[gnu::noinline, gnu::cold]] inline block_cache* begin_block_cache() {
  using phase = thread_block_cache::phase;
  if (block_cache_here.now == phase::ended) return nullptr;
  struct holder {
    ~holder() {
      block_cache_here.blocks.clear();
      block_cache_here.now = phase::ended;
      if (byte_counter* c = block_cache_here.blocks.counter) c->leave();
    }
  };
  static thread_local holder at_the_end;  // of this thread
  block_cache_here.blocks.counter = byte_counter::join();
  block_cache_here.now = phase::used;
  return &block_cache_here.blocks;
}
#endif
/// The cache of this thread; null when the thread ends, and under sanitizers.
inline block_cache* this_block_cache() {
#if JACQUARD_CACHES_BLOCKS
  if (block_cache_here.now == thread_block_cache::phase::used) [[likely]] return &block_cache_here.blocks;
  return begin_block_cache();
#else
  return nullptr;
#endif
}
#undef JACQUARD_CACHES_BLOCKS

/// A block of so many bytes, null if there is none, and back.
inline void* take_block(std::size_t bytes, block_cache* here = this_block_cache()) {
  void* const memory = here ? here->take(bytes) : nullptr;
  return memory ? memory : new_block(bytes);
}
inline void give_block(void* memory, std::size_t bytes, block_cache* here = this_block_cache()) {
  if (here) return here->keep(memory, bytes);
  free_block(memory, bytes);
}

/// Memory for a while that holds no values of the program, and is not counted among theirs. Throws std::bad_alloc if there is none.
class scratch_block {
 public:
  explicit scratch_block(std::int64_t bytes) : data(take_block(std::size_t(whole_lines(bytes)))), bytes_(std::size_t(whole_lines(bytes))) {
    if (!data) throw std::bad_alloc();
  }
  scratch_block(const scratch_block&) = delete;
  ~scratch_block() { give_block(data, bytes_); }
  void* data;

 private:
  std::size_t bytes_;
};

}  // namespace jacquard::detail
