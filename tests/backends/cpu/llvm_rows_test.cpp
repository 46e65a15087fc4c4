// Rows that vectors lie across: short rows of all lengths about the width of a vector, many of them and some that fill none; read once and again,
// reduced, and written back; several at once; parts of longer rows; in one place. Oracle: the interpreter, to the last bit where nothing is fused.
// And memory that nobody may touch behind the last row.
#include "guarded_memory.hpp"
#include "same.hpp"

using jq::array;

namespace {

array data(const jq::shape& s, jq::dtype t) { return (jq::random::normal(jq::random::key(5), s) * 2.0f).astype(t); }
const std::initializer_list<std::int64_t> lengths = {5, 6, 7, 8, 9, 10, 15, 16, 17, 20, 31, 33, 40, 41};
std::string code(const auto& f, const array& x) { return jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call).lower(x).compile().as_text("llvm"); }
array normalised(const array& x) {
  const array d = x - jq::mean(x, -1, jq::keepdims);
  return d / jq::sqrt(jq::mean(d * d, -1, jq::keepdims) + 1e-5f);
}

}  // namespace

TEST_CASE("cpu: short rows, reduced") {
  for (const std::int64_t n : lengths)
    for (const std::int64_t rows : {64, 75, 131}) {
      CHECK_SAME([](array x) { return jq::max(x, 1); }, data({rows, n}, jq::f32));
      CHECK_SAME([](array x) { return jq::sum(x * x, 1); }, data({rows, n}, jq::i32));
      CHECK_SAME([](array x) { return std::pair{jq::min(x, 1), jq::max(x * 2, 1)}; }, data({rows, n}, jq::f64));
      same_within(1e-5, [](array x) { return jq::logsumexp(x, 1); }, data({rows, n}, jq::f32));
      same_within(1e-5, [](array x) { return jq::var(x, 1); }, data({rows, n}, jq::f32));
    }
}
TEST_CASE("cpu: short rows, written back") {
  for (const std::int64_t n : lengths)
    for (const std::int64_t rows : {64, 75, 131}) {
      CHECK_SAME([](array x) { return x - jq::max(x, 1, jq::keepdims); }, data({rows, n}, jq::f32));
      CHECK_SAME([](array x) { return std::pair{x == jq::max(x, 1, jq::keepdims), x * jq::min(x, 1, jq::keepdims)}; }, data({rows, n}, jq::f64));
      same_within(1e-5, [](array x) { return jq::softmax(x, 1); }, data({rows, n}, jq::f32));
      same_within(1e-12, [](array x) { return jq::softmax(x, 1); }, data({rows, n}, jq::f64));
      same_within(1e-4, normalised, data({rows, n}, jq::f32));
    }
}
TEST_CASE("cpu: short rows of all dtypes") {
  for (const jq::dtype t : {jq::f16, jq::bf16, jq::i8, jq::u16, jq::i64, jq::bool_})
    for (const std::int64_t n : {6, 10, 16, 19}) CHECK_SAME([](array x) { return std::pair{jq::max(x, 1), x != jq::max(x, 1, jq::keepdims)}; }, data({75, n}, t));
  CHECK_SAME([](array x) { return jq::max(x.astype(jq::f64), 1, jq::keepdims) - x; }, data({75, 11}, jq::f32));
}
TEST_CASE("cpu: several arrays of short rows, and numbers for each column") {
  for (const std::int64_t n : {7, 12, 40}) {
    const array x = data({150, n}, jq::f32), y = data({150, n}, jq::f32) * 3.0f, scale = data({n}, jq::f32);
    CHECK_SAME([](array a, array b, array s) { return (a + b - jq::max(a * b, 1, jq::keepdims)) * s; }, x, y, scale);
    same_within(1e-4, [](array a, array b, array s) { return std::pair{normalised(a + b) * s, jq::softmax(a, 1) * b}; }, x, y, scale);
    const array labels = (jq::arange(150) * 7 % n).astype(jq::i32);
    const auto loss = [](array a, array l) { return -jq::mean(jq::take_along_axis(jq::log_softmax(a, 1), jq::expand_dims(l, 1), 1)); };
    same_within(1e-5, loss, x, labels);
    same_within(1e-5, [=](array a, array l) { return jq::grad(loss)(a, l); }, x, labels);
  }
}
TEST_CASE("cpu: parts of longer rows, and rows of more dimensions") {
  const array x = data({140, 23}, jq::f32), y = data({9, 80, 10}, jq::f64);
  CHECK_SAME([](array a) { return jq::max(a(jq::slice(), jq::slice(3, 15)), 1); }, x);
  CHECK_SAME([](array a) { const array part = a(jq::slice(5, jq::none), jq::slice(10, jq::none)); return part - jq::min(part, 1, jq::keepdims); }, x);
  CHECK_SAME([](array a) { return a - jq::max(a, 2, jq::keepdims); }, y);
  CHECK_SAME([](array a) { return a - jq::max(a, jq::axis_list{1, 2}, jq::keepdims); }, y);
  CHECK_SAME([](array a) { return jq::transpose(a, {1, 0, 2}) - jq::max(jq::transpose(a, {1, 0, 2}), 2, jq::keepdims); }, y);
}
TEST_CASE("cpu: short rows are shared between threads") {
  same_on_threads([](array v) { return jq::softmax(v, 1); }, data({50001, 10}, jq::f32));
  same_on_threads([](array v) { return jq::logsumexp(v, 1); }, data({50001, 33}, jq::f64));
}
TEST_CASE("cpu: short rows are transposed, not gathered") {
  if (!jq::cpu::code_generator::get() || jq::cpu::code_generator::get()->target().bytes < 32) return;
  for (const std::int64_t n : {6, 10, 20}) {
    CHECK(code([](array x) { return jq::softmax(x, 1); }, data({128, n}, jq::f32)).find("%rows") != std::string::npos);
    CHECK(code([](array x) { return jq::softmax(x, 1); }, data({128, n}, jq::f32)).find("masked.gather") == std::string::npos);
    CHECK(code([](array x) { return jq::softmax(x, 1); }, data({128, n}, jq::f32)).find("masked.scatter") == std::string::npos);
  }
  CHECK(code([](array x) { return jq::softmax(x, 1); }, data({128, 200}, jq::f32)).find("%rows") == std::string::npos);
}
TEST_CASE("cpu: nothing is read or written behind the last of short rows") {
  const guarded_memory memory(2);
  const auto f = [](const array& v) { return v - jq::max(v, 1, jq::keepdims); };
  for (const bool at_end : {false, true})
    for (const std::int64_t n : {5, 8, 10, 16}) {
      const std::int64_t rows = 64, elements = rows * n;  // whole lines of the cache, as arrays begin with one
      void* const at = memory.room(elements * 4, at_end);
      const array x(jq::borrow_buffer({jq::f32, {rows, n}}, at));
      for (std::int64_t i = 0; i < elements; ++i) static_cast<float*>(at)[i] = float(i * 7 % 11);
      CHECK(jq::testing::identical(jq::testing::leaves{jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call)(x)}, jq::testing::leaves{jq::jit(f, jq::backend("interpreter"))(x)}).ok);
    }
}
