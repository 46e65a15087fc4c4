// Bytes of arrays, counted by each thread.
#include <jacquard/core/buffer.hpp>
#include <jacquard/core/byte_count.hpp>

#include <ostream>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

namespace jq = jacquard;
using jq::detail::byte_counter;

TEST_CASE("small changes count at once for whoever asks, on the thread that made them and on others") {
  const std::int64_t before = byte_counter::live();
  jq::buffer* const small = jq::make_buffer({jq::dtype::f32, {5}});
  CHECK(byte_counter::live() - before == 20);
  std::int64_t seen = 0;
  std::thread([&] { seen = byte_counter::live(); }).join();
  CHECK(seen - before == 20);
  small->drop();
  CHECK(byte_counter::live() == before);
}
TEST_CASE("the peak of one thread is exact, for small arrays and for large ones") {
  for (const std::int64_t bytes : {std::int64_t(48), byte_counter::untold - 1, byte_counter::untold, 5 * byte_counter::untold + 3}) {
    const std::int64_t before = byte_counter::live();
    byte_counter::reset_peak();
    CHECK(byte_counter::peak() == before);
    for (int i = 0; i < 3; ++i) {
      jq::buffer* const a = jq::make_buffer({jq::dtype::u8, {bytes}});
      jq::buffer* const b = jq::make_buffer({jq::dtype::u8, {bytes / 2}});
      a->drop();
      b->drop();
    }
    CHECK(byte_counter::live() == before);
    CHECK(byte_counter::peak() == before + bytes + bytes / 2);
    byte_counter::reset_peak();
    CHECK(byte_counter::peak() == before);
  }
}
TEST_CASE("what one thread made another may free, and threads that end leave nothing uncounted") {
  const std::int64_t before = byte_counter::live();
  std::vector<jq::buffer*> made(100);
  std::thread([&] {
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = jq::make_buffer({jq::dtype::u8, {std::int64_t(i)}});
  }).join();
  CHECK(byte_counter::live() - before == 4950);
  for (jq::buffer* b : made) b->drop();
  CHECK(byte_counter::live() == before);
}
TEST_CASE("many threads at once: exact once they are done, and the peak at most so much too high") {
  const std::int64_t before = byte_counter::live();
  byte_counter::reset_peak();
  constexpr int threads = 4, rounds = 2000;
  constexpr std::int64_t bytes = 1000;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([] {
      for (int i = 0; i < rounds; ++i) jq::make_buffer({jq::dtype::u8, {bytes}})->drop();
    });
  for (int t = 0; t < 2; ++t)
    all.emplace_back([] {
      for (int i = 0; i < 200; ++i) jq::make_buffer({jq::dtype::u8, {1 << 20}})->drop();
    });
  for (int i = 0; i < 200; ++i) byte_counter::reset_peak();
  for (std::thread& t : all) t.join();
  CHECK(byte_counter::live() == before);
  CHECK(byte_counter::peak() <= before + (2 << 20) + (threads + 2) * (byte_counter::untold + bytes));
  byte_counter::reset_peak();
  CHECK(byte_counter::peak() == before);
}
TEST_CASE("small arrays of many threads make a peak") {
  const std::int64_t before = byte_counter::live();
  byte_counter::reset_peak();
  constexpr int threads = 4;
  constexpr std::int64_t bytes = 1000;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([] {
      for (int i = 0; i < 2000; ++i) jq::make_buffer({jq::dtype::u8, {bytes}})->drop();
    });
  for (std::thread& t : all) t.join();
  CHECK(byte_counter::peak() >= before + bytes);
  CHECK(byte_counter::peak() <= before + threads * (byte_counter::untold + bytes));
}
