// Partitioned programs: what they compute against the whole program, for operations of every kind, and what they make members exchange.
#include "sharding.hpp"

using namespace sharding;

namespace {
/// The program of one of so many members, as text.
template <class F, class... A>
std::string member_text(F f, std::int64_t members, const std::vector<jq::detail::wanted_parts>& in, const std::vector<jq::detail::wanted_parts>& out, const A&... x) {
  const jq::detail::member_plan plan = jq::detail::partitioned(jq::make_jaxpr(f)(x...), in, out, members);
  return std::string(jq::to_string(plan.program));
}
std::size_t count(const std::string& text, std::string_view word) {
  std::size_t n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}
const auto layer = [](const array& v, const array& u, const array& c) { return jq::tanh(jq::matmul(v, u) + c); };
}  // namespace

TEST_CASE("elementwise operations, reductions and views") {
  const array x = grid();
  check("elementwise", [](const array& v) { return jq::tanh(v) * 2.0; }, x);
  check("where", [](const array& v) { return jq::where(v > 0.0, v, -1.0); }, x);
  check("sum", [](const array& v) { return jq::sum(v); }, x);
  check("sum of columns", [](const array& v) { return jq::sum(v, 0); }, x);
  check("extremes", [](const array& v) { return jq::max(v, 1) + jq::min(v); }, x);
  check("product", [](const array& v) { return jq::prod(v + 1.5, 0); }, x);
  check("any", [](const array& v) { return jq::any(v > 0.99, 0).astype(jq::i32); }, x);
  check("softmax", [](const array& v) { return jq::nn::softmax(v); }, x);
  check("transpose", [](const array& v) { return jq::transpose(v) + v; }, x);
  check("reverse", [](const array& v) { return jq::flip(v, 0) + jq::flip(v, 1); }, x);
  check("slice", [](const array& v) { return v[jq::slice(1, 5)] * 2.0; }, x);
  check("counting", [](const array& v) { return v * jq::arange(8.0) + jq::reshape(jq::arange(8.0), {8, 1}); }, x);
  check("no elements", [](const array& v) { return v[jq::slice(0, 0)] * 2.0; }, x);
}
TEST_CASE("reshapes") {
  const array x = grid();
  check("to one dimension", [](const array& v) { return jq::reshape(v, {64}) * 2.0; }, x);
  check("the first one split", [](const array& v) { return jq::reshape(v, {4, 2, 8}) * 2.0; }, x);
  check("in other rows", [](const array& v) { return jq::reshape(v, {2, 32}) * 2.0; }, x);
  check("the last one split", [](const array& v) { return jq::reshape(v, {8, 1, 2, 4}) * 2.0; }, x);
  check("shorter than the pieces", [](const array& v) { return jq::reshape(v, {1, 1, 64}) + 1.0; }, x);
  check("through it", [](const array& v) { const array t = jq::reshape(v, {4, 4, 4}); return jq::matmul(t, jq::transpose(t, {0, 2, 1})); }, x);
}
TEST_CASE("operands side by side, and operations that know nothing of cuts") {
  const array x = grid();
  check("concatenate rows", [](const array& v) { return jq::concatenate({v, v * 2.0}, 0); }, x);
  check("concatenate columns", [](const array& v) { return jq::concatenate({v, v * 2.0}, 1); }, x);
  check("pad", [](const array& v) { return jq::pad(v, {{1, 2}, {0, 0}}); }, x);
  check("cumsum", [](const array& v) { return jq::cumsum(v, 0); }, x);
  check("sort", [](const array& v) { return jq::sort(v, 1); }, x);
  check("argmax", [](const array& v) { return jq::argmax(v, 1).astype(jq::i32); }, x);
  check("rows by index", [](const array& v) { return v[jq::asarray({3, 1, 2})]; }, x);
}
TEST_CASE("products") {
  const array x = grid(), w = weights(), b = jq::arange(8.0);
  check("left", [](const array& v, const array& u) { return jq::matmul(v, u); }, x, w);
  check("right", [](const array& v, const array& u) { return jq::matmul(u, v); }, x, w);
  check("of itself", [](const array& v) { return jq::matmul(v, v); }, x);
  check("of its transpose", [](const array& v) { return jq::matmul(v, jq::transpose(v)); }, x);
  check("layer", layer, x, w, b);
  check("sums of products", [](const array& v, const array& u) { return jq::einsum("ij,kj->ik", v, u) + jq::einsum("ij,ij->i", v, u); }, x, w);
  check("attention", [](const array& v, const array& u) { return jq::matmul(jq::nn::softmax(jq::matmul(jq::matmul(v, u), jq::transpose(v))), v); }, x, w);
}

TEST_CASE("rows of a batch need nothing of each other") {
  const std::string text = member_text(layer, 4, {spec(4, 1), jq::none, jq::none}, {spec(4, 1)}, grid(), weights(), jq::arange(8.0));
  CAPTURE(text);
  CHECK(count(text, "retile") + count(text, "combine") + count(text, "all_gather") == 0);
  CHECK(count(text, "tanh") == 1);
  CHECK(count(text, "f64[2,8] = tanh") == 1);
}
TEST_CASE("weights cut by columns, then by rows: one sum at the end") {
  const auto two = [](const array& v, const array& u, const array& k) { return jq::matmul(jq::tanh(jq::matmul(v, u)), k); };
  const std::string text = member_text(two, 4, {jq::none, spec(1, 4), spec(4, 1)}, {jq::none}, grid(), weights(), weights());
  CAPTURE(text);
  CHECK(count(text, "f64[8,2] = tanh") == 1);
  CHECK(count(text, "combine") == 1);
  CHECK(count(text, "retile") == 0);
}
TEST_CASE("the gradient of whole parameters on a batch that is cut: one sum each") {
  const auto loss = [](const array& k, const array& v) { return jq::sum(jq::square(jq::matmul(v, k))); };
  const auto step = [&](const array& k, const array& v) { return jq::grad(loss)(k, v); };
  const std::string text = member_text(step, 4, {jq::none, spec(4, 1)}, {jq::none}, weights(), grid());
  CAPTURE(text);
  CHECK(count(text, "combine") == 1);
  CHECK(count(text, "retile") == 0);
}
TEST_CASE("how results are wanted reaches operands that are whole, which are then read in pieces") {
  const auto f = [](const array& v) { return jq::tanh(v) * jq::arange(8.0); };
  const std::string text = member_text(f, 4, {jq::none}, {spec(4, 1)}, grid());
  CAPTURE(text);
  CHECK(count(text, "f64[2,8] = tanh") == 1);
  CHECK(count(text, "retile") == 0);
}
TEST_CASE("and products of whole operands, which are cut for it") {
  const auto f = [](const array& v, const array& u) { return jq::tanh(jq::matmul(v, u)); };
  for (const spec& s : {spec(4, 1), spec(1, 4), spec(2, 2)}) {
    const std::string text = member_text(f, 4, {jq::none, jq::none}, {s}, grid(), weights());
    CAPTURE(text);
    CHECK(count(text, s == spec(4, 1) ? "f64[2,8] = dot_general" : s == spec(1, 4) ? "f64[8,2] = dot_general" : "f64[4,4] = dot_general") == 1);
    CHECK(count(text, "retile") + count(text, "combine") == 0);
    CHECK(difference(jq::sharded_jit(f, jq::out_parts(s))(grid(), weights()), f(grid(), weights())) < 1e-12);
  }
}
TEST_CASE("what a product shares with the other operand is read where it lies") {
  // The first operand is whole, and stays so: nothing of it is copied.
  const auto f = [](const array& v, const array& u) { return jq::matmul(v, u); };
  const std::string text = member_text(f, 4, {jq::none, spec(1, 4)}, {jq::none}, grid(), weights());
  CAPTURE(text);
  CHECK(count(text, "dynamic_slice") + count(text, "retile") == 0);
}
TEST_CASE("constraints cut a value where they stand") {
  const auto f = [](const array& v) { return jq::with_sharding_constraint(jq::with_sharding_constraint(v * 2.0, spec(2, 2)) + 1.0, spec(1, 4)) * 3.0; };
  const std::string text = member_text(f, 4, {spec(4, 1)}, {jq::none}, grid());
  CAPTURE(text);
  CHECK(count(text, "retile") == 2);
  check("values", f, grid());
  const auto whole = [](const array& v) { return jq::with_sharding_constraint(v * 2.0, jq::none) + 1.0; };
  check("whole", whole, grid());
}
