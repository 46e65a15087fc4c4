// Compiled functions on memory of the caller: what may be bound, what is read and written, and what is refused. On the interpreter, which
// runs on arrays; the native backend's way is tests/backends/cpu/bound_native_test.cpp.
#include "../show.hpp"

#include <jacquard/testing/mock_device.hpp>

#include <array>
#include <limits>
#include <utility>

using jq::array;

namespace {

const auto affine = [](const array& w, const array& x, const array& b) { return jq::matmul(w, x) + b; };
const array w = jq::ones({2, 3}), x = jq::ones({3}), b = jq::ones({2});

auto compiled_affine() { return jq::jit(affine, jq::backend("interpreter")).lower(w, x, b).compile(); }

}  // namespace

TEST_CASE("bind: a call reads what lies in memory then, and writes the results there") {
  std::array<float, 6> ws = {1, 2, 3, 4, 5, 6};
  std::vector<float> xs = {1, 0, 2}, out(2);
  const float bs[2] = {10, 20};
  auto run = compiled_affine().bind({ws, xs, bs}, {out});
  CHECK(out == std::vector<float>{0, 0});
  run();
  CHECK(out == std::vector<float>{17, 36});
  xs[0] = 0, ws[5] = 0;
  run();
  CHECK(out == std::vector<float>{16, 20});
  auto moved = std::move(run);
  xs[1] = 1;
  moved();
  CHECK(out == std::vector<float>{18, 25});
}
TEST_CASE("bind: numbers, spans, tensors and arrays; trees by their leaves") {
  const auto f = [](const std::pair<array, array>& p, const array& s) { return std::tuple{p.first * s, p.second + s}; };
  const array two = jq::asarray({1.0, 2.0});
  const auto c = jq::jit(f, jq::backend("interpreter")).lower(std::pair{two, two}, two[0]).compile();
  double s = 3;
  const jq::tensor<double, 2> t{{5, 7}};
  std::vector<double> many = {0, 1, 2, 3}, sum(2);
  jq::tensor<double, 2> product;
  auto run = c.bind({std::span<const double>(many).subspan(1, 2), t, s}, {product, std::span(sum)});
  run();
  CHECK(product == jq::tensor<double, 2>{{3, 6}});
  CHECK(sum == std::vector<double>{8, 10});
  s = 1;
  run();
  CHECK(product == jq::tensor<double, 2>{{1, 2}});

  array held = jq::asarray({1.0, 10.0});
  auto on_arrays = c.bind({held, two, jq::asarray(2.0)}, {product, sum});
  held = array();  // the call holds it
  on_arrays();
  CHECK(product == jq::tensor<double, 2>{{2, 20}});
  CHECK(sum == std::vector<double>{3, 4});
}
TEST_CASE("bind: an array that is donated elsewhere keeps its elements for the call") {
  array a = jq::asarray({1.f, 2.f, 3.f});
  std::vector<float> out(3);
  auto run = jq::jit([](const array& v) { return v * 2.0f; }, jq::backend("interpreter")).lower(a).compile().bind({a}, {out});
  const array other = jq::jit([](const array& v) { return v + 1.0f; }, jq::donate_argnums<0>)(a);
  const array further = other * 100.0f;
  run();
  CHECK(out == std::vector<float>{2, 4, 6});
}
TEST_CASE("bind: one that the function captured and that is donated elsewhere is an error where a program runs on arrays") {
  array w = jq::asarray({1.f, 2.f, 3.f});
  std::vector<float> in = {1, 1, 1}, out(3);
  auto run = jq::jit([w](const array& v) { return v * w; }, jq::backend("interpreter")).lower(w).compile().bind({in}, {out});
  jq::jit([](const array& v) { return v + 1.0f; }, jq::donate_argnums<0>)(w);
  CHECK_THROWS_AS(run(), jq::deleted_error);
}
TEST_CASE("bind: results that are arguments, literals or numbers") {
  const auto f = [](const array& v) { return std::tuple{v, array(4.0), jq::sum(v)}; };
  std::vector<double> in = {1, 2}, same(2);
  double four = 0, sum = 0;
  auto run = jq::jit(f, jq::backend("interpreter")).lower(jq::asarray(in)).compile().bind({in}, {same, four, sum});
  run();
  CHECK(same == in);
  CHECK(four == 4);
  CHECK(sum == 3);
}
TEST_CASE("bind: a donated argument may be written over") {
  std::vector<float> state = {1, 2, 3};
  auto step = jq::jit([](const array& s) { return s * 2.0f; }, jq::donate_argnums<0>, jq::backend("interpreter")).lower(jq::asarray(state)).compile().bind({state}, {state});
  for (int i = 0; i < 3; ++i) step();
  CHECK(state == std::vector<float>{8, 16, 24});
}
TEST_CASE("bind: taps see the memory of the call, and may keep it") {
  std::vector<array> seen;
  const auto f = [&](const array& v) { return jq::id_tap([&](const array& y) { seen.push_back(y); }, v * 2.0f); };
  const auto g = [&](const array& v) { return jq::id_tap([&](const array& y) { seen.push_back(y); }, v) + 1.0f; };
  std::vector<float> in = {1, 2}, out(2);
  const array like = jq::asarray(in);
  auto of_value = jq::jit(f, jq::backend("interpreter")).lower(like).compile().bind({in}, {out});
  auto of_argument = jq::jit(g, jq::backend("interpreter")).lower(like).compile().bind({in}, {out});
  of_value();
  of_argument();
  in[0] = 5;
  of_value();
  REQUIRE(seen.size() == 3);
  CHECK(show(seen[0]) == "f32[2] 2 4");
  CHECK(show(seen[1]) == "f32[2] 1 2");
  CHECK(show(seen[2]) == "f32[2] 10 4");
}
TEST_CASE("bind: whoever looks for the first NaN finds it") {
  std::vector<float> in = {1, -1}, out(2);
  auto run = jq::jit([](const array& v) { return jq::log(v); }, jq::backend("interpreter")).lower(jq::asarray(in)).compile().bind({in}, {out});
  run();
  CHECK(std::isnan(out[1]));
  const jq::debug_nans look;
  CHECK_THROWS_WITH(run(), doctest::Contains("log"));
}
TEST_CASE("bind: what does not fit is refused") {
  const auto c = compiled_affine();
  std::vector<float> ws(6), xs(3), bs(2), out(2);
  std::vector<double> wide(2);
  CHECK_THROWS_WITH_AS(c.bind({ws, xs}, {out}), "bind: got memory of 2 arguments and 1 results, wanted that of 3 and 1; name one for each array that the function takes and returns, in "
                       "the order of their trees' leaves", jq::type_error);
  CHECK_THROWS_WITH_AS(c.bind({ws, xs, bs}, {out, out}), doctest::Contains("3 arguments and 2 results"), jq::type_error);
  CHECK_THROWS_WITH_AS(c.bind({ws, xs, wide}, {out}), "bind: got 2 elements of f64 for argument leaf 2, wanted f32[2]; bind memory of that dtype and size, or compile the function for "
                       "arguments like these", jq::type_error);
  CHECK_THROWS_WITH_AS(c.bind({ws, bs, bs}, {out}), doctest::Contains("got 2 elements of f32 for argument leaf 1, wanted f32[3]"), jq::type_error);
  CHECK_THROWS_WITH_AS(c.bind({ws, xs, bs}, {wide}), doctest::Contains("of f64 for result 0, wanted f32[2]"), jq::type_error);
  CHECK_THROWS_WITH_AS(c.bind({ws, jq::ones({3, 1}), bs}, {out}), doctest::Contains("got f32[3,1] for argument leaf 1, wanted f32[3]"), jq::type_error);
  CHECK_THROWS_WITH_AS(c.bind({ws, xs, bs}, {bs}), "bind: result 0 overlaps argument leaf 2 in memory; give the result memory of its own or, to write over the argument, donate it and "
                       "give the result the same memory", jq::value_error);
  jq::jit([&](const array& traced) {
    CHECK_THROWS_WITH_AS(c.bind({ws, traced, bs}, {out}), doctest::Contains("got a traced array for argument leaf 1"), jq::type_error);
    return traced;
  })(x);
  CHECK_THROWS_WITH_AS(c.bind({ws, array(), bs}, {out}), "bind: got an empty jq::array as argument leaf 1; assign it a value first", jq::type_error);
  array gone = jq::ones({3});
  jq::jit([](const array& v) { return v + 1.0f; }, jq::donate_argnums<0>)(gone);
  CHECK_THROWS_AS(c.bind({ws, gone, bs}, {out}), jq::deleted_error);
  const auto two = jq::jit([](const array& v) { return std::tuple{v + 1.0f, v * 2.0f}; }, jq::backend("interpreter")).lower(b).compile();
  CHECK_THROWS_WITH_AS(two.bind({bs}, {out, out}), doctest::Contains("results 0 and 1 overlap"), jq::value_error);
}
TEST_CASE("bind: temporaries are no memory to bind") {
  static_assert(!std::is_constructible_v<jq::readable_memory, std::vector<float>>);
  static_assert(!std::is_constructible_v<jq::writable_memory, std::vector<float>>);
  static_assert(!std::is_constructible_v<jq::writable_memory, const std::vector<float>&>);
  static_assert(!std::is_constructible_v<jq::writable_memory, std::span<const float>>);
  static_assert(!std::is_constructible_v<jq::writable_memory, const double&>);
  static_assert(!std::is_constructible_v<jq::readable_memory, std::vector<bool>&>);
  static_assert(std::is_constructible_v<jq::readable_memory, std::span<float>>);
  static_assert(std::is_constructible_v<jq::writable_memory, std::span<float>>);
  static_assert(std::is_constructible_v<jq::writable_memory, double&>);
}
TEST_CASE("bind: nothing to compute, nothing in memory") {
  std::vector<float> none, out;
  auto run = jq::jit([](const array& v) { return jq::exp(v); }, jq::backend("interpreter")).lower(jq::zeros({0})).compile().bind({none}, {out});
  run();
  CHECK(out.empty());
}
