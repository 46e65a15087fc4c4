// What kernels read across their vectors: transposed matrices of all sizes about a block, alone and beside others, of more dimensions, in ranges
// of rows that threads share. Oracle: the interpreter, to the last bit.
#include "same.hpp"

using jq::array;

namespace {

array data(const jq::shape& s, jq::dtype t) { return (jq::random::normal(jq::random::key(5), s) * 10.0f).astype(t); }
std::string code(const auto& f, const array& x) { return jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call).lower(x).compile().as_text("llvm"); }

}  // namespace

TEST_CASE("cpu: transposed matrices of all sizes") {
  for (const std::int64_t rows : {4, 7, 8, 15, 16, 17, 33, 64, 100})
    for (const std::int64_t columns : {3, 8, 16, 31, 32, 65}) CHECK_SAME([](array x) { return jq::transpose(x) * 2.0f; }, data({rows, columns}, jq::f32));
}
TEST_CASE("cpu: transposed matrices of all dtypes") {
  for (const jq::dtype t : {jq::f64, jq::f16, jq::bf16, jq::i8, jq::u16, jq::i64, jq::bool_}) CHECK_SAME([](array x) { return jq::transpose(x); }, data({75, 141}, t));
  CHECK_SAME([](array x) { return jq::transpose(x).astype(jq::f64) + 1.0; }, data({75, 141}, jq::f32));
}
TEST_CASE("cpu: transposed matrices beside others, and several") {
  CHECK_SAME([](array x) { return x + jq::transpose(x); }, data({70, 70}, jq::f32));
  CHECK_SAME([](array x, array y) { return jq::exp(jq::transpose(x)) * y - jq::transpose(x * x); }, data({70, 50}, jq::f64), data({50, 70}, jq::f64));
  CHECK_SAME([](array x) { return std::pair{jq::transpose(x) * 2.0f, x + 1.0f}; }, data({70, 50}, jq::f32));
}
TEST_CASE("cpu: permuted dimensions") {
  for (const jq::axis_list& axes : {jq::axis_list{0, 2, 1}, jq::axis_list{2, 0, 1}, jq::axis_list{2, 1, 0}, jq::axis_list{1, 2, 0}, jq::axis_list{1, 0, 2}})
    CHECK_SAME([=](array x) { return jq::transpose(x, axes) + 1.0f; }, data({20, 37, 18}, jq::f32));
}
TEST_CASE("cpu: blocks are shared between threads") {
  const array x = data({611, 523}, jq::f64);
  const array one = same_on_threads([](array v) { return jq::transpose(v) * 3.0; }, x);
  CHECK(jq::testing::identical(jq::testing::leaves{one}, jq::testing::leaves{jq::transpose(x) * 3.0}).ok);
}
TEST_CASE("cpu: whole blocks are transposed in registers") {
  const auto f = [](array x) { return jq::transpose(x) + 1.0f; };
  CHECK(code(f, data({64, 64}, jq::f32)).find("masked.gather") == std::string::npos);
  CHECK(code(f, data({2, 64}, jq::f32)).find("%block") == std::string::npos);
}
