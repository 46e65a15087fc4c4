// Values that several kernels write, each a box of them: on tiles, compiled, with edges on tiles and the rest compiled, in loops, between
// taps, donated. Oracle: the interpreter, to the last bit.
#include "same.hpp"

using jq::array;

namespace {

array data(const jq::shape& s) { return jq::random::normal(jq::random::key(3), s); }
array neighbours(const array& x) { return jq::roll(x, 1) * x - jq::roll(x, -1); }
array stencil(const array& x) {
  return x + 0.25 * (jq::roll(x, 1, 0) + jq::roll(x, -1, 0) + jq::roll(x, 1, 1) + jq::roll(x, -1, 1) - 4.0 * x);
}
std::string loops(const array& x) { return jq::jit(stencil, jq::backend("cpu"), jq::compile_at::first_call).lower(x).compile().as_text("loops"); }

}  // namespace

TEST_CASE("cpu: parts of one value") {
  CHECK_SAME(neighbours, data({1000}));
  CHECK_SAME([](array x) { return jq::concatenate({x * 2, x + 1, x * x}); }, data({333}));
  CHECK_SAME([](array x) { return std::pair{lax::pad(x * x, 1, {1, 0, 2}, {2, 3, 0}), x - 1}; }, data({5, 9, 17}));
  CHECK_SAME([](array x) { return lax::pad(x * x, 0, {-2, 3}, {1, -4}) + lax::pad(x + 1, 1, {0, -1}, {-1, 0}); }, data({40, 30}));
  CHECK_SAME([](array x) { return jq::concatenate({lax::rev(x * 2, {0}), jq::transpose(x) + 1}, 1)(jq::slice(jq::none, jq::none, 2)); }, data({20, 20}));
}
TEST_CASE("cpu: an update of a window, which is one pass with what surrounds it") {
  const auto inner = [](const array& x) {
    const std::int64_t n = x.shape()[0];
    return x.at(jq::slice(1, n - 1)).add(0.1 * (x(jq::slice(0, n - 2)) - 2.0 * x(jq::slice(1, n - 1)) + x(jq::slice(2, n))));
  };
  CHECK_SAME(inner, data({1000}));
  CHECK_SAME(inner, data({1000, 3}));
  CHECK_SAME([=](array x) { return jq::lax::fori_loop(0, 5, [&](const array&, const array& v) { return inner(inner(v)); }, x); }, data({300}));
  const std::string t = jq::jit(inner, jq::backend("cpu"), jq::compile_at::first_call).lower(data({1000})).compile().as_text("loops");
  CHECK(t.find("in a copy of") == std::string::npos);
  CHECK(t.find("part 3 of 3") != std::string::npos);
  const array x = data({40, 30}), u = data({25, 28});
  for (const int row : {0, 3, 15, 17, -1, -30, -40, -55})  // clamped
    for (const int column : {0, 2, 1, 5, -1, -30})
      CHECK_SAME([=](array a, array b) { return lax::dynamic_update_slice(a * 2, b + 1, {array(row), array(column)}) - a; }, x, u);
  CHECK_SAME([](array a, array b) { return lax::dynamic_update_slice(a, b, {array(3), array(1)}); }, x, u);  // nothing is computed
  CHECK_SAME([](array a, array b) { return jq::sum(lax::dynamic_update_slice(a, b * b, {array(3), array(1)}), 1); }, x, u);
  CHECK_SAME([](array a, array b) { return jq::transpose(lax::dynamic_update_slice(a, b * b, {array(3), array(1)}))(jq::slice(jq::none, jq::none, 2)); }, x, u);
  CHECK_SAME([](array a) { return lax::dynamic_update_slice(a, a(jq::slice(0, 300)) * 2, {array(200)}); }, data({500}));
  const auto donated = jq::jit([](array a) { return lax::dynamic_update_slice(a, a(jq::slice(0, 300)) * 2, {array(200)}); }, jq::backend("cpu"),
                               jq::donate_argnums<0>, jq::compile_at::first_call);
  const array want = jq::jit([](array a) { return lax::dynamic_update_slice(a, a(jq::slice(0, 300)) * 2, {array(200)}); }, jq::backend("interpreter"))(data({500}));
  CHECK(jq::testing::identical(jq::testing::leaves{donated(data({500}) + 0)}, jq::testing::leaves{want}).ok);
}
TEST_CASE("cpu: many parts, of which the small ones stay on tiles") {
  CHECK(loops(data({64, 80})).find("part 9 of 9") != std::string::npos);
  CHECK(loops(data({64, 64})).find("2 of 9 parts, loops 62 1\n") != std::string::npos);  // the first and the last column
  CHECK_SAME(stencil, data({64, 64}));
  CHECK_SAME([](array x) { return stencil(stencil(stencil(x))); }, data({64, 48}));
}
TEST_CASE("cpu: parts in the bodies of loops, whose carry they read") {
  CHECK_SAME([](array x) { return jq::lax::fori_loop(0, 7, [](array, array v) { return neighbours(v); }, x); }, data({700}));
}
TEST_CASE("cpu: parts between equations that call the host") {
  double seen = 0;
  const auto f = [&](array x) {
    const array y = jq::id_tap([&](array v) { seen += v(0).item<float>(); }, neighbours(x * 2));
    return neighbours(y) + 1;
  };
  CHECK_SAME(f, data({700}));
  jq::barrier_wait();
  CHECK(seen != 0);
}
TEST_CASE("cpu: parts are shared between threads, with the same bits") {
  same_on_threads([](array v) { return jq::sin(neighbours(v)); }, data({300000}));
}
