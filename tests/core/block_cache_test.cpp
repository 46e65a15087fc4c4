// Blocks of memory kept for the next value of the same size.
#include <jacquard/core/block_cache.hpp>
#include <jacquard/core/buffer.hpp>

#include <sys/resource.h>

#include <cstring>
#include <ostream>

#include <doctest/doctest.h>
#include <thread>

namespace jq = jacquard;
using jq::detail::block_cache;

namespace {
void* block(std::size_t bytes) { return jq::detail::new_block(bytes); }
}  // namespace

TEST_CASE("a kept block is given to a value of exactly its size") {
  block_cache c;
  void* const a = block(128);
  c.keep(a, 128);
  CHECK(c.bytes() == 128);
  CHECK(c.take(64) == nullptr);
  CHECK(c.take(128) == a);
  CHECK(c.take(128) == nullptr);
  jq::detail::free_block(a, 128);
}
TEST_CASE("large blocks are freed at once, and the oldest make room") {
  block_cache c;
  c.keep(block(block_cache::largest_block + 64), block_cache::largest_block + 64);
  CHECK(c.bytes() == 0);
  for (std::size_t i = 0; i < 2 * block_cache::most_blocks; ++i) c.keep(block(64), 64);
  CHECK(c.bytes() == 64 * block_cache::most_blocks);
  c.clear();
  CHECK(c.bytes() == 0);
}
TEST_CASE("larger blocks are found by size, whatever lies between, and those that have been here longest go first") {
  block_cache c;
  const auto size = [](std::size_t i) { return block_cache::largest_chained + 64 * (i + 1); };
  for (std::size_t i = 0; i < block_cache::most_blocks; ++i) c.keep(block(size(i)), size(i));
  const std::size_t all = c.bytes();
  void* const taken = c.take(size(500));
  REQUIRE(taken);
  CHECK(c.take(size(500)) == nullptr);
  CHECK(c.bytes() == all - size(500));
  c.keep(taken, size(500));  // now the newest
  for (std::size_t i : {5000, 5001, 5002}) c.keep(block(size(i)), size(i));
  for (std::size_t i : {0, 1, 2}) CHECK(c.take(size(i)) == nullptr);
  for (std::size_t i : {3, 500, 1023, 5000, 5001, 5002}) {
    void* const a = c.take(size(i));
    REQUIRE(a);
    jq::detail::free_block(a, size(i));
  }
  void *const a = block(size(7000)), *const b = block(size(7000));
  c.keep(a, size(7000)), c.keep(b, size(7000));
  CHECK(c.take(size(7000)) == b);
  CHECK(c.take(size(7000)) == a);
  jq::detail::free_block(a, size(7000)), jq::detail::free_block(b, size(7000));
  const std::size_t huge = block_cache::largest_block;
  for (int i = 0; i < 3; ++i) c.keep(block(huge), huge);  // as many bytes as are kept: all others went
  CHECK(c.bytes() == 2 * huge);
  CHECK(c.take(size(4)) == nullptr);
  c.clear();
  CHECK(c.bytes() == 0);
  CHECK(c.take(huge) == nullptr);
}
TEST_CASE("large blocks begin on huge pages, and a program that runs again finds them without page faults") {
  const std::size_t bytes = 8 * jq::detail::least_huge_block;
  const auto fill = [&] {
    void* const a = jq::detail::take_block(bytes);
    REQUIRE(a);
    CHECK(reinterpret_cast<std::uintptr_t>(a) % jq::detail::huge_page == 0);
    std::memset(a, 1, bytes);
    jq::detail::give_block(a, bytes);
  };
  const auto faults = [] {
    rusage r{};
    getrusage(RUSAGE_SELF, &r);
    return r.ru_minflt;
  };
  fill();
  const long before = faults();
  if (!jq::detail::this_block_cache()) return;
  for (int i = 0; i < 4; ++i) fill();
  CHECK(faults() - before < 64);
}
TEST_CASE("blocks of a few lines of a cache are chained by size, up to a number, and the latest is given first") {
  block_cache c;
  const std::size_t most = block_cache::largest_chained;
  for (const std::size_t bytes : {std::size_t(64), most, most + 64, std::size_t(96)}) {
    void *const a = block(bytes), *const b = block(bytes);
    c.keep(a, bytes), c.keep(b, bytes);
    CHECK(c.bytes() == 2 * bytes);
    CHECK(c.take(bytes + 64) == nullptr);
    CHECK(c.take(bytes) == b);
    CHECK(c.take(bytes) == a);
    CHECK(c.take(bytes) == nullptr);
    CHECK(c.bytes() == 0);
    jq::detail::free_block(a, bytes), jq::detail::free_block(b, bytes);
  }
  for (std::size_t i = 0; i < block_cache::most_blocks + 3; ++i) c.keep(block(128), 128);
  CHECK(c.bytes() == 128 * block_cache::most_blocks);
  c.clear();
  CHECK(c.bytes() == 0);
}
TEST_CASE("buffers of one thread may go in another") {
  jq::buffer* made = nullptr;
  std::thread([&] { made = jq::make_buffer(jq::aval(jq::f32, {1000})); }).join();
  CHECK(made->data != nullptr);
  made->drop();
  jq::buffer* const empty = jq::make_buffer(jq::aval(jq::f32, {0}));
  CHECK(empty->data != nullptr);
  empty->drop();
}
TEST_CASE("headers are kept up to a number, the latest is given first") {
  block_cache c;
  CHECK(c.take_header() == nullptr);
  void *const a = ::operator new(64), *const b = ::operator new(64);
  CHECK(c.keep_header(a));
  CHECK(c.keep_header(b));
  CHECK(c.take_header() == b);
  CHECK(c.take_header() == a);
  CHECK(c.take_header() == nullptr);
  for (std::size_t i = 0; i < block_cache::most_blocks; ++i) CHECK(c.keep_header(::operator new(64)));
  CHECK_FALSE(c.keep_header(a));
  c.clear();
  CHECK(c.take_header() == nullptr);
  ::operator delete(a);
  ::operator delete(b);
}
