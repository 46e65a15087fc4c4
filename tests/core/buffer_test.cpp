// Buffers: reference counts across threads, alignment, deletion, borrowed memory and its copies, memory that runs out.
#include <jacquard/core/buffer.hpp>

#include <thread>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include "../show.hpp"

using jacquard::buffer;

namespace {
int released = 0;
buffer* counted(float* data) {
  buffer* b = jacquard::borrow_buffer(jacquard::aval(jacquard::f32, {2}), data);
  b->borrowed = false;
  b->release = [](buffer&) { ++released; };
  return b;
}
}  // namespace

TEST_CASE("the last handle releases the memory, once") {
  float data[2] = {};
  released = 0;
  buffer* b = counted(data);
  b->retain();
  CHECK(b->is_shared());
  b->drop();
  CHECK(released == 0);
  CHECK_FALSE(b->is_shared());
  b->drop();
  CHECK(released == 1);
}

TEST_CASE("handles may go on any thread") {
  float data[2] = {};
  released = 0;
  {
    const jq::array x(counted(data));
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([x] {
        for (int i = 0; i < 1000; ++i) const jq::array y = x;
      });
    for (auto& t : threads) t.join();
    CHECK(x.as_buffer()->references == 1);
  }
  CHECK(released == 1);
}

TEST_CASE("memory is aligned, also of empty arrays") {
  for (std::int64_t n : {0, 1, 3, 1000}) {
    const jq::array x(jq::make_buffer(jq::aval(jq::u8, {n})));
    CHECK(reinterpret_cast<std::uintptr_t>(x.as_buffer()->data) % 64 == 0);
  }
}

TEST_CASE("a deleted buffer releases at once and names itself in the error") {
  float data[2] = {};
  released = 0;
  const jq::array x(counted(data));
  x.as_buffer()->remove({"train.cpp", 12});
  CHECK(released == 1);
  CHECK(x.is_deleted());
  x.as_buffer()->remove({});
  CHECK(released == 1);
  const std::string m = testing::message_of<jq::deleted_error>([&] { x.as_buffer()->check_alive(); });
  CHECK(m.find("float32[2]") != std::string::npos);
  CHECK(m.find("train.cpp:12") != std::string::npos);
}

TEST_CASE("borrowed memory is read in place, until it is kept") {
  float data[2] = {1, 2};
  const jq::array view(jq::borrow_buffer(jq::aval(jq::f32, {2}), data));
  const jq::array copy(jq::copy_buffer(*view.as_buffer()));
  data[1] = 5;
  CHECK(view.data<float>()[1] == 5);
  CHECK(copy.data<float>()[1] == 2);
  CHECK_FALSE(copy.as_buffer()->borrowed);
  CHECK_FALSE(view.as_buffer()->is_ours());
  jq::keep_borrowed(*view.as_buffer());
  data[1] = 7;
  CHECK(view.data<float>()[1] == 5);
  CHECK(view.as_buffer()->is_ours());
  jq::keep_borrowed(*view.as_buffer());
  CHECK(view.data<float>()[0] == 1);
}

TEST_CASE("memory that is watched stays with those who watch it, whoever takes or deletes the buffer") {
  float data[2] = {1, 2};
  released = 0;
  for (const bool by_taking : {true, false}) {
    buffer* const b = counted(data);
    CHECK(b->watch());
    CHECK(b->is_shared());
    buffer* const mine = by_taking ? b->take({"train.cpp", 12}) : nullptr;
    if (!by_taking) b->remove({"train.cpp", 12});
    CHECK(b->is_deleted());
    CHECK(testing::message_of<jq::deleted_error>([&] { b->check_alive(); }).find("train.cpp:12") != std::string::npos);
    if (by_taking) {
      CHECK(mine->data != data);
      CHECK(static_cast<float*>(mine->data)[1] == 2);
      static_cast<float*>(mine->data)[1] = 7;
      mine->drop();
    }
    b->drop();
    CHECK(released == (by_taking ? 0 : 1));
    CHECK(b->data == data);
    CHECK(data[1] == 2);
    b->unwatch();
    CHECK(released == (by_taking ? 1 : 2));
  }
  {
    buffer* const b = counted(data);  // another holder does not keep the memory of a deleted buffer
    CHECK(b->watch());
    b->remove({});
    CHECK(b->data == data);
    CHECK_FALSE(b->watch());
    b->unwatch();
    CHECK(released == 3);
    CHECK(b->data == nullptr);
    b->drop();
    CHECK(released == 3);
    released = 2;
  }
  buffer* const b = counted(data);  // once it is not watched any more, it is taken without a copy
  b->watch();
  b->unwatch();
  CHECK(released == 2);
  buffer* const mine = b->take({});
  CHECK(mine->data == data);
  b->drop();
  mine->drop();
  CHECK(released == 3);
}

TEST_CASE("bytes of host buffers are counted, now and at most") {
  const std::int64_t before = jq::host_memory().live;
  jq::reset_peak_memory();
  {
    const jq::array a(jq::make_buffer(jq::aval(jq::f64, {100})));
    CHECK(jq::host_memory().live == before + 800);
    { const jq::array b(jq::copy_buffer(*a.as_buffer())); }
    float data[2] = {1, 2};
    const jq::array view(jq::borrow_buffer(jq::aval(jq::f32, {2}), data));
    CHECK(jq::host_memory().live == before + 800);
  }
  CHECK(jq::host_memory().live == before);
  CHECK(jq::host_memory().peak == before + 1600);
  jq::reset_peak_memory();
  CHECK(jq::host_memory().peak == before);
}

TEST_CASE("too much memory is an error, not a crash") {
  CHECK_THROWS_AS(jq::make_buffer(jq::aval(jq::f64, {std::int64_t(1) << 60})), jq::value_error);
}
TEST_CASE("another shape of borrowed memory is a copy, which stays when that memory goes") {
  float memory[4] = {1, 2, 3, 4};
  jq::buffer* const borrowed = jq::borrow_buffer(jq::aval(jq::f32, {4}), memory);
  jq::buffer* const other = jq::share_buffer(*borrowed, jq::aval(jq::f32, {2, 2}));
  borrowed->drop();
  memory[3] = 0;
  CHECK(static_cast<float*>(other->data)[3] == 4);
  CHECK(other->type.dims == jq::shape{2, 2});
  CHECK_FALSE(other->borrowed);
  other->drop();
}
