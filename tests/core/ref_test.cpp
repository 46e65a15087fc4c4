// ref: the last owner deletes; copies, moves and conversions share; counting from several threads.
#include <doctest/doctest.h>
#include <jacquard/core/ref.hpp>

#include <thread>
#include <vector>

namespace jq = jacquard;

namespace {
struct shape : jq::counted {
  int& alive;
  explicit shape(int& n) : alive(n) { ++alive; }
  ~shape() override { --alive; }
};
struct circle : shape {
  using shape::shape;
  int radius = 2;
};
}  // namespace

TEST_CASE("the last owner deletes the object") {
  int alive = 0;
  {
    const jq::ref<circle> a = jq::make_ref<circle>(alive);
    {
      const jq::ref<shape> b = a;  // to the base
      CHECK(b.get() == a.get());
      CHECK(alive == 1);
    }
    CHECK(alive == 1);
    CHECK(a->radius == 2);
    const jq::ref<circle> again(a.get());  // the count is in the object
    CHECK(again == a);
  }
  CHECK(alive == 0);
}
TEST_CASE("an owner may be empty, moved from, reassigned") {
  int alive = 0;
  jq::ref<shape> a, b = nullptr;
  CHECK_FALSE(a);
  a = jq::make_ref<shape>(alive);
  b = std::move(a);
  CHECK_FALSE(a);
  CHECK(b);
  jq::ref<shape>& same = b;
  b = same;
  CHECK(alive == 1);
  b = jq::make_ref<circle>(alive);
  CHECK(alive == 1);
  b = nullptr;
  CHECK(alive == 0);
}
TEST_CASE("threads may share an object") {
  int alive = 0;
  {
    const jq::ref<shape> shared = jq::make_ref<shape>(alive);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([shared] {
        for (int k = 0; k < 10000; ++k) jq::ref<shape> own = shared;
      });
    for (std::thread& t : threads) t.join();
    CHECK(alive == 1);
  }
  CHECK(alive == 0);
}
