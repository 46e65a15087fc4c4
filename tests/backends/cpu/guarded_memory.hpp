#pragma once
// Pages of memory between two that nobody may touch, so that a read or a write beside an array at either end of them ends the process.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

#include <doctest/doctest.h>

class guarded_memory {
 public:
  explicit guarded_memory(std::int64_t pages) : page_(sysconf(_SC_PAGESIZE)), bytes_(pages * page_) {
    all_ = static_cast<char*>(mmap(nullptr, std::size_t(bytes_ + 2 * page_), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(all_ != MAP_FAILED);
    REQUIRE(mprotect(all_, std::size_t(page_), PROT_NONE) == 0);
    REQUIRE(mprotect(all_ + page_ + bytes_, std::size_t(page_), PROT_NONE) == 0);
  }
  guarded_memory(const guarded_memory&) = delete;
  ~guarded_memory() { munmap(all_, std::size_t(bytes_ + 2 * page_)); }

  /// Room for so many bytes at the end, or at the beginning.
  void* room(std::int64_t bytes, bool at_end) const { return all_ + page_ + (at_end ? bytes_ - bytes : 0); }

 private:
  std::int64_t page_, bytes_;
  char* all_;
};
