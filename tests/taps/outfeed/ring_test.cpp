// The ring of messages: alignment, order, wrapping around, full and empty.
#include <doctest/doctest.h>
#include <jacquard/taps/outfeed/ring.hpp>

#include <cstring>
#include <random>
#include <thread>

using jacquard::detail::message_ring;

TEST_CASE("ring: messages come out as they went in, aligned, until it is full") {
  message_ring r(4096);
  CHECK(r.empty());
  CHECK(r.front() == nullptr);
  int n = 0;
  while (void* p = r.reserve(100)) {
    CHECK(reinterpret_cast<std::uintptr_t>(p) % 64 == 0);
    std::memcpy(p, &n, sizeof n);
    r.publish();
    ++n;
  }
  CHECK(n == 4096 / 192);
  CHECK(!r.is_half_empty());
  for (int i = 0; i < n; ++i) {
    int got = -1;
    REQUIRE(r.front());
    std::memcpy(&got, r.front(), sizeof got);
    CHECK(got == i);
    r.pop();
  }
  CHECK(r.empty());
  CHECK(r.is_half_empty());
}
TEST_CASE("ring: the largest message fits wherever the ring stands") {
  message_ring r(8192);
  for (std::size_t before = 0; before < 100; ++before) {
    REQUIRE(r.reserve(1 + 64 * (before % 60)));
    r.publish();
    REQUIRE(r.front());
    r.pop();
    REQUIRE(r.reserve(r.largest()));
    r.publish();
    REQUIRE(r.front());
    r.pop();
  }
}
TEST_CASE("ring: a message fits into an idle ring that stands before its length") {
  constexpr std::size_t megabyte = std::size_t(1) << 20;
  for (std::size_t at = 64; at < 16 * megabyte; at += megabyte / 4) {
    message_ring r(64 * megabyte);  // an idle ring of more than a megabyte starts again, if there is room to skip the rest
    REQUIRE(r.reserve(at));
    r.publish();
    REQUIRE(r.front());
    r.pop();
    for (std::size_t size : {megabyte, 4 * megabyte, r.largest()}) {
      CAPTURE(at);
      CAPTURE(size);
      REQUIRE(r.reserve(size) != nullptr);
    }
  }
}
TEST_CASE("ring: a producer and a consumer, messages of all sizes") {
  message_ring r(1 << 14);
  constexpr int count = 20000;
  std::thread producer([&] {
    std::mt19937 random(1);
    for (int i = 0; i < count; ++i) {
      const std::size_t size = sizeof(int) + random() % 4000;
      void* p = nullptr;
      while (!(p = r.reserve(size))) std::this_thread::yield();
      std::memset(p, i & 0xff, size);
      std::memcpy(p, &i, sizeof i);
      r.publish();
    }
  });
  std::mt19937 random(1);
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    const std::size_t size = sizeof(int) + random() % 4000;
    void* p = nullptr;
    while (!(p = r.front())) std::this_thread::yield();
    int got = -1;
    std::memcpy(&got, p, sizeof got);
    wrong += got != i || static_cast<unsigned char*>(p)[size - 1] != (size > sizeof(int) ? (i & 0xff) : static_cast<unsigned char*>(p)[size - 1]);
    r.pop();
  }
  producer.join();
  CHECK(wrong == 0);
}
