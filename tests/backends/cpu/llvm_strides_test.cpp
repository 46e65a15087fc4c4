// Elements that lie a few apart: every second to fifth one, backwards, and the members of structures that lie side by side; read, written, and
// both in one place. Oracle: the interpreter, to the last bit. And memory that nobody may touch right before and behind what is read.
#include "guarded_memory.hpp"
#include "same.hpp"

using jq::array;

namespace {

array data(const jq::shape& s, jq::dtype t) { return (jq::random::normal(jq::random::key(3), s) * 10.0f).astype(t); }
const std::initializer_list<std::int64_t> lengths = {1, 2, 3, 15, 16, 17, 31, 33, 64, 127, 1000};

array every(const array& x, std::int64_t first, std::int64_t step) { return x(jq::slice(first, jq::none, step)); }
array member(const array& x, std::int64_t m) { return jq::squeeze(jq::lax::slice_in_dim(x, m, m + 1, 1, 1), 1); }
std::string code(const auto& f, const array& x) { return jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call).lower(x).compile().as_text("llvm"); }

}  // namespace

TEST_CASE("cpu: elements a few apart") {
  for (const jq::dtype t : {jq::f32, jq::f64, jq::f16, jq::i8, jq::u16, jq::i64, jq::bool_})
    for (const std::int64_t step : {2, 3, 4, 5, -1, -2, -3, -4})
      CHECK_SAME([=](array x) { return every(x, step < 0 ? -1 : 1, step); }, data({1003}, t));
}
TEST_CASE("cpu: elements a few apart, of all lengths") {
  for (const std::int64_t n : lengths)
    for (const std::int64_t step : {2, 3, -1, -2}) CHECK_SAME([=](array x) { return every(x, step < 0 ? -1 : 0, step) * 3.0f; }, data({n}, jq::f32));
}
TEST_CASE("cpu: elements a few apart, in rows that begin anywhere") {
  CHECK_SAME([](array x) { return x(jq::slice(jq::none, jq::none, 2), jq::slice(1, jq::none, 3)) + 1.0f; }, data({21, 203}, jq::f32));
  CHECK_SAME([](array x) { return jq::flip(x, 1) * x; }, data({21, 203}, jq::f64));
}
TEST_CASE("cpu: members of structures") {
  for (const std::int64_t n : lengths) {
    CHECK_SAME([](array x) { return member(x, 0) * member(x, 1) + member(x, 0); }, data({n, 2}, jq::f32));
    CHECK_SAME([](array x) { return jq::maximum(member(x, 0) * member(x, 1), member(x, 2)); }, data({n, 3}, jq::f64));
    CHECK_SAME([](array x) { return jq::stack({member(x, 1) * 2, member(x, 0) - member(x, 1)}, 1); }, data({n, 2}, jq::f32));
    CHECK_SAME([](array x) { return jq::stack({member(x, 1) * 2, member(x, 2) - 1, member(x, 0) * member(x, 1)}, 1); }, data({n, 3}, jq::f64));
    CHECK_SAME([](array x) { return jq::stack({member(x, 3) * 2, member(x, 2) - 1, member(x, 0) * member(x, 1), member(x, 3)}, 1); }, data({n, 4}, jq::i16));
  }
}
TEST_CASE("cpu: structures of four") {
  for (const jq::dtype t : {jq::f32, jq::f64, jq::i32, jq::i64, jq::i16, jq::i8})
    for (const std::int64_t n : lengths) {
      CHECK_SAME([](array x) { return jq::stack({member(x, 2) * 2, member(x, 0) - 1, member(x, 1) * member(x, 3), member(x, 1)}, 1); }, data({n, 4}, t));
      CHECK_SAME([](array x) { return jq::stack({member(x, 3), member(x, 3) + member(x, 0)}, 1); }, data({n, 4}, t));
      CHECK_SAME([](array x) { return jq::stack({x, -x, x + 1, x * 2}, 1); }, data({n}, t));
    }
}
TEST_CASE("cpu: sums of short rows") {
  for (const std::int64_t n : lengths)
    for (const std::int64_t size : {2, 3, 4}) {
      CHECK_SAME([](array x) { return jq::max(x, 1); }, data({n, size}, jq::f32));
      CHECK_SAME([](array x) { return jq::sum(x, 1); }, data({n, size}, jq::i32));
    }
}
TEST_CASE("cpu: what is a few apart is shuffled, not gathered") {
  const auto shuffles = [](const std::string& text) { return text.find("masked.gather.v") == std::string::npos && text.find("masked.scatter.v") == std::string::npos; };
  CHECK(shuffles(code([](array x) { return every(x, 0, 2) * 2.0f; }, data({2048}, jq::f32))));
  CHECK(shuffles(code([](array x) { return jq::flip(x) * 2.0f; }, data({2048}, jq::f32))));
  CHECK(shuffles(code([](array x) { return jq::stack({member(x, 1), -member(x, 0)}, 1); }, data({1024, 2}, jq::f32))));
  CHECK(shuffles(code([](array x) { return jq::stack({member(x, 1), member(x, 3), member(x, 0), -member(x, 2)}, 1); }, data({1024, 4}, jq::f64))));
  CHECK_FALSE(shuffles(code([](array x) { return every(x, 0, 8) * 2.0f; }, data({8192}, jq::f32))));
}
TEST_CASE("cpu: nothing is read beyond the elements that are there") {
  const guarded_memory memory(1);
  for (const bool at_end : {false, true})
    for (const std::int64_t size : {1, 2, 3, 4})
      for (std::int64_t n = 16; n <= 256; n += 16) {  // whole lines of the cache, as arrays begin with one
        void* const at = memory.room(n * size * 4, at_end);
        const array x(jq::borrow_buffer({jq::f32, {n, size}}, at));
        for (std::int64_t i = 0; i < n * size; ++i) static_cast<float*>(at)[i] = float(i % 7);
        const auto f = [&](array v) { return jq::sum(member(v, 0)) + jq::sum(jq::flip(jq::ravel(v)) * jq::ravel(v)) + jq::sum(every(jq::ravel(v), size - 1, size)); };
        CHECK(jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call)(x).item<float>() == jq::jit(f, jq::backend("interpreter"))(x).item<float>());
      }
}
// LLVM 14, which JACQUARD_LLVM=libLLVM-14.so.1 takes, read a row's 64th byte where its 64th element lies.
TEST_CASE("cpu: rows whose last vector begins at as many elements as another one at bytes") {
  for (const std::int64_t rows : {1, 5, 16})
    for (const std::int64_t n : {5, 16, 17})
      for (const int times : {2, 3}) {
        CHECK_SAME([=](array x) { return jq::tile(x, {times, times}); }, jq::reshape(jq::arange(rows * n, jq::f32), {rows, n}));
        CHECK_SAME([=](array x) { return jq::broadcast_to(~x, {times, rows, n}); }, jq::reshape(jq::arange(rows * n, jq::i32), {rows, n}));
      }
}
