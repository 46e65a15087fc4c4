// pmap: donated arguments. What is deleted, whose memory a result takes over, what is not usable, and the same buffer twice.
#include "pmap_testing.hpp"

#include "../captured_output.hpp"

using namespace pmap_testing;

namespace {

struct layer {
  array weights, bias;
};
const array four = jq::asarray({0.f, 1.f, 2.f, 3.f});
const array rows = jq::asarray({{0.f, 1.f}, {2.f, 3.f}, {4.f, 5.f}});
const auto twice = [](const array& x) { return x * 2.f; };
/// The memory that an array's elements lie in.
const void* memory_of(const array& x) { return x.as_buffer()->data; }
array fresh() { return jq::copy(rows); }

}  // namespace

TEST_CASE("pmap: a donated argument is deleted, and the result lies in its memory") {
  const auto f = jq::pmap([](const array& x) { return lax::psum(x, "i") + x; }, over_i, jq::donate_argnums<0>);
  const array x = fresh(), kept = jq::copy(x);
  const void* const memory = memory_of(x);
  const array y = f(x);
  CHECK(x.is_deleted());
  CHECK(memory_of(y) == memory);
  CHECK(show(y) == "f32[3,2] 6 10 8 12 10 14");
  CHECK(show(kept) == show(rows));
  CHECK_THROWS_WITH_AS(f(x), doctest::Contains("deleted"), jq::deleted_error);
  CHECK(memory_of(f(y)) == memory);
  CHECK(y.is_deleted());
}
TEST_CASE("pmap: many donated steps in one memory") {
  const auto step = jq::pmap([](const array& x, const array& g) { return x - 0.5f * lax::pmean(g, "i"); }, over_i, jq::donate_argnums<0>);
  array x = jq::zeros({8, 100003}, jq::f32) + 1.f;
  const array g = jq::ones({8, 100003}, jq::f32);
  const void* const memory = memory_of(x);
  for (int k = 0; k < 10; ++k) x = step(x, g);
  CHECK(memory_of(x) == memory);
  CHECK_FALSE(g.is_deleted());
  CHECK_SAME(x, jq::zeros({8, 100003}, jq::f32) - 4.f);
}
TEST_CASE("pmap: donation where members exchange what is overwritten") {
  // Each member reads its neighbour's part after it might have written its own.
  const auto f = jq::pmap([](const array& x, const array& y) {
    const array turned = lax::ppermute(x, "i", {{0, 1}, {1, 2}, {2, 0}});
    return std::pair{turned + y, lax::ppermute(turned, "i", {{0, 1}, {1, 2}, {2, 0}}) - x};
  }, over_i, jq::donate_argnums<0, 1>);
  for (int round = 0; round < 20; ++round) {
    const array x = jq::copy(sample({3, 5000})), y = jq::copy(sample({3, 5000}) * 3.0);
    const auto want = jq::vmap([](const array& a, const array& b) {
      const array turned = lax::ppermute(a, "i", {{0, 1}, {1, 2}, {2, 0}});
      return std::pair{turned + b, lax::ppermute(turned, "i", {{0, 1}, {1, 2}, {2, 0}}) - a};
    }, over_i)(x, y);
    CHECK(same_tree(f(x, y), want));
    CHECK(x.is_deleted());
    CHECK(y.is_deleted());
  }
}
TEST_CASE("pmap: donated arguments with no result of their type stay, warned of once") {
  captured_output captured(2);
  const auto f = jq::pmap([](const array& x, const array& y) { return lax::psum(x, "i") + y[0]; }, over_i, jq::donate_argnums<0, 1>);
  const array x = jq::copy(four), y = jq::copy(sample({4, 2}, jq::f32));
  f(x, y);
  const std::string said = captured.text();
  CHECK(said.find("Some donated buffers were not usable: float32[4,2]") != std::string::npos);
  CHECK(x.is_deleted());
  CHECK_FALSE(y.is_deleted());
  f(jq::copy(four), y);
  CHECK(captured.text().empty());
  // The oldest argument of the type gives its memory.
  const array a = jq::copy(four), b = jq::copy(four);
  const void* const memory = memory_of(a);
  const array c = jq::pmap([](const array& u, const array& v) { return u - v; }, jq::donate_argnums<0, 1>)(a, b);
  CHECK(memory_of(c) == memory);
  CHECK(a.is_deleted());
  CHECK_FALSE(b.is_deleted());
  CHECK(captured.text().find("not usable: float32[4]") != std::string::npos);
}
TEST_CASE("pmap: only parts that lie as those of the result do are taken over") {
  captured_output captured(2);
  const array x = jq::copy(sample({3, 3}, jq::f32)), y = jq::copy(x);
  CHECK_SAME(jq::pmap(twice, jq::in_axes<1>, jq::donate_argnums<0>)(x), jq::vmap(twice, jq::in_axes<1>)(y));
  CHECK_FALSE(x.is_deleted());
  CHECK_SAME(jq::pmap(twice, jq::out_axes<1>, jq::donate_argnums<0>)(x), jq::vmap(twice, jq::out_axes<1>)(y));
  CHECK_FALSE(x.is_deleted());
  CHECK_SAME(jq::pmap(twice, jq::in_axes<jq::none>, jq::axis_size(3), jq::donate_argnums<0>)(x), jq::vmap(twice, jq::in_axes<jq::none>, jq::axis_size(3))(y));
  CHECK_FALSE(x.is_deleted());
  CHECK(testing::count(captured.text(), "Some donated buffers were not usable: float32[3,3]") == 3);
  CHECK(show(x) == show(y));
}
TEST_CASE("pmap: donation counts arguments with static ones left out, leaf by leaf, and weak types match") {
  const auto f = jq::pmap([](int n, const layer& l) { return layer{l.weights * float(n), l.bias + l.bias}; }, jq::static_broadcasted_argnums<0>, jq::donate_argnums<1>);
  const layer l{fresh(), jq::copy(sample({3}, jq::f32))};
  const void* const first = memory_of(l.weights);
  const void* const second = memory_of(l.bias);
  const layer r = f(2, l);
  CHECK(l.weights.is_deleted());
  CHECK(l.bias.is_deleted());
  CHECK(memory_of(r.weights) == first);
  CHECK(memory_of(r.bias) == second);
  CHECK(show(r.weights) == "f32[3,2] 0 2 4 6 8 10");
  const auto last = jq::pmap([](const array& x, const array& y) { return x + y; }, jq::donate_argnums<-1>);
  const array x = fresh(), y = fresh();
  last(x, y);
  CHECK_FALSE(x.is_deleted());
  CHECK(y.is_deleted());
}
TEST_CASE("pmap: the same buffer twice in a call that donates it") {
  const array x = fresh();
  const auto both = jq::pmap([](const array& u, const array& v) { return std::pair{u * 1.f, v * 2.f}; }, jq::donate_argnums<0, 1>);
  CHECK_THROWS_WITH_AS(both(x, x), doctest::Contains("Attempt to donate the same buffer twice in Execute() (flattened argument 1, "), jq::value_error);
  CHECK_THROWS_WITH_AS(both(x, x), doctest::Contains("first use: 0). Toy example for this bug: `f(donate(a), donate(a))`."), jq::value_error);
  const auto one = jq::pmap([](const array& u, const array& v) { return u + v; }, jq::donate_argnums<0>);
  CHECK_THROWS_WITH_AS(one(x, x), doctest::Contains("Toy example for this bug: `f(donate(a), a)`."), jq::value_error);
  CHECK_FALSE(x.is_deleted());
  CHECK(show(x) == show(rows));
}
TEST_CASE("pmap: donation does nothing inside other transforms") {
  const auto f = jq::pmap(twice, jq::donate_argnums<0>);
  const array x = fresh();
  CHECK(show(jq::jit([&](const array& v) { return f(v); })(x)) == "f32[3,2] 0 2 4 6 8 10");
  CHECK(show(jq::vmap(f)(jq::copy(sample({2, 3}, jq::f32)))) == show(sample({2, 3}, jq::f32) * 2.f));
  CHECK_FALSE(x.is_deleted());
}
TEST_CASE("pmap: results that are arguments, of which others take the memory") {
  const auto swap = jq::pmap([](const array& x, const array& y) { return std::pair{y, x}; }, jq::donate_argnums<0, 1>);
  const auto [b, a] = swap(jq::copy(jq::asarray({1.f, 2.f})), jq::copy(jq::asarray({3.f, 4.f})));
  CHECK_SAME(a, jq::asarray({1.f, 2.f}));
  CHECK_SAME(b, jq::asarray({3.f, 4.f}));
  const auto both = jq::pmap([](const array& x) { return std::pair{x * -1.f, x}; }, jq::donate_argnums<0>);
  const auto [negative, own] = both(jq::copy(jq::asarray({1.f, 2.f})));
  CHECK_SAME(negative, jq::asarray({-1.f, -2.f}));
  CHECK_SAME(own, jq::asarray({1.f, 2.f}));
}
