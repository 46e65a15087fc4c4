// Donation: argument numbers and flags, which buffers go, what is warned about, and what touching a donated array says.
#include "../show.hpp"

#include "../captured_output.hpp"

#include <ctime>

using jq::array;
using ints = std::vector<int>;

namespace {

const auto add = [](const array& x, const array& y) { return x + y; };

}  // namespace

TEST_CASE("rebase_donate_argnums: the values of the fact sheet") {
  CHECK(jq::rebase_donate_argnums({3, 4}, {0, 1}) == ints{1, 2});
  CHECK(jq::rebase_donate_argnums({2, 3}, {0, 1}) == ints{0, 1});
  CHECK(jq::rebase_donate_argnums({0}, {}) == ints{0});
  CHECK(jq::rebase_donate_argnums({1, 1, 0}, {}) == ints{0, 1});
  CHECK(jq::rebase_donate_argnums({4}, {1, 3}) == ints{2});
  CHECK(jq::rebase_donate_argnums({}, {}) == ints{});
  CHECK_THROWS_WITH_AS(jq::rebase_donate_argnums({0, 1}, {1}), "`static_argnums` [1] and `donate_argnums` [0, 1] cannot intersect. A static argument has no buffer; drop it from the donated ones.",
                       jq::value_error);
}
TEST_CASE("donation_vector: one flag per leaf") {
  const std::pair pair{jq::zeros({1}), jq::zeros({2})};
  CHECK(jq::donation_vector({0}, pair, jq::zeros({3})) == std::vector<char>{1, 1, 0});
  CHECK(jq::donation_vector({1}, pair, jq::zeros({3})) == std::vector<char>{0, 0, 1});
  CHECK(jq::donation_vector({-1}, pair, jq::zeros({3})) == std::vector<char>{0, 0, 1});
  CHECK(jq::donation_vector({}, pair) == std::vector<char>{0, 0});
  CHECK(jq::donation_vector({0, 1}, std::vector<array>{}, 1.0) == std::vector<char>{1});
}
TEST_CASE("donation: a donated array is deleted, a copy made before is not") {
  const array x = jq::asarray({1.f, 2.f}), y = jq::asarray({10.f, 20.f});
  const array copy = jq::asarray(x.data<float>(), {2});
  const auto f = jq::jit(add, jq::donate_argnums<0>);
  CHECK(show(f(x, y)) == "f32[2] 11 22");
  CHECK(x.is_deleted());
  CHECK_FALSE(y.is_deleted());
  CHECK(show(copy) == "f32[2] 1 2");
  const array z = jq::asarray({1.f, 2.f}), again = jq::copy(z);
  CHECK(show(f(z, y)) == "f32[2] 11 22");
  CHECK(z.is_deleted());
  CHECK(show(again) == "f32[2] 1 2");
  CHECK_THROWS_AS(jq::copy(z), jq::deleted_error);
  CHECK(x.shape() == jq::shape{2});  // what it was is still known
}
TEST_CASE("donation: touching a deleted array says shape, dtype and the remedy") {
  const array x = jq::asarray({1, 2, 3, 4});
  jq::jit([](const array& v) { return v + 1; }, jq::donate_argnums<0>)(x);
  CHECK_THROWS_WITH_AS(x.data<int>(), doctest::Contains("Array has been deleted with shape=int32[4]."), jq::deleted_error);
  CHECK_THROWS_WITH_AS(lax::add(x, x), doctest::Contains("Array has been deleted"), jq::deleted_error);
  CHECK_THROWS_AS(jq::to_string(x), jq::deleted_error);
  CHECK_THROWS_AS(jq::jit([](const array& v) { return v; })(x), jq::deleted_error);
  CHECK_THROWS_AS(jq::make_jaxpr([&](const array& v) { return v + x; })(x), jq::deleted_error);
  CHECK_THROWS_AS(x.block_until_ready(), jq::deleted_error);
  CHECK_THROWS_WITH_AS(x.data<int>(), doctest::Contains("donated"), jq::deleted_error);
  CHECK_THROWS_WITH_AS(x.data<int>(), doctest::Contains("donation_test.cpp:52]"), jq::deleted_error);  // the function that took it
}
TEST_CASE("donation: numbers of no argument are errors") {
  CHECK_THROWS_WITH_AS(jq::rebase_donate_argnums({2, -1}, {0}), doctest::Contains("rebase_donate_argnums: got the argument number -1, wanted numbers that count from the first argument"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::rebase_donate_argnums({1}, {-2}), doctest::Contains("got the argument number -2"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::donation_vector({0, 7}, jq::zeros({1})), "donation_vector: got donate_argnums=[0, 7] but was called with only 1 positional argument; drop 7, or pass the argument",
                       jq::value_error);
  CHECK_THROWS_WITH_AS(jq::donation_vector({-3}, jq::zeros({1}), 1.0), doctest::Contains("got donate_argnums=[-3] but was called with only 2 positional arguments"), jq::value_error);
  CHECK_THROWS_AS(jq::donation_vector({0}), jq::value_error);
}
TEST_CASE("donation: outputs take the oldest donated argument of their type; the rest stays, warned of once") {
  const array a = jq::asarray({1.f, 2.f}), b = jq::asarray({3.f, 4.f}), c = jq::asarray({5, 6});
  const auto f = jq::jit([](const array& x, const array& y, const array& z) { return x * 2.f + y + z[0].astype(jq::f32); },
                         jq::donate_argnums<0, 1, 2>);
  captured_output captured(2);
  CHECK(show(f(a, b, c)) == "f32[2] 10 13");
  CHECK(captured.text().starts_with("warning: Some donated buffers were not usable: float32[2], int32[2]."));
  CHECK(a.is_deleted());
  CHECK_FALSE(b.is_deleted());
  CHECK_FALSE(c.is_deleted());
  f(jq::asarray({1.f, 2.f}), b, c);
  CHECK(captured.text() == "");
  CHECK(show(b) == "f32[2] 3 4");
}
TEST_CASE("donation: weak and strong types match") {
  const array x = lax::add(array(1.0), array(2.0));
  CHECK(x.weak_type());
  const auto f = jq::jit([](const array& v) { return v * jq::asarray(2.0); }, jq::donate_argnums<0>);
  captured_output captured(2);
  CHECK(show(f(x)) == "f64[] 6");
  CHECK(captured.text() == "");
  CHECK(x.is_deleted());
}
TEST_CASE("donation: the same buffer twice") {
  const array x = jq::asarray({1.f});
  const auto one = jq::jit(add, jq::donate_argnums<0>);
  const auto both = jq::jit([](const array& v, const array& w) { return std::pair{v + 1.f, w}; }, jq::donate_argnums<0, 1>);
  const char* want = "Attempt to donate the same buffer twice in Execute() (flattened argument 1, ";
  CHECK_THROWS_WITH_AS(one(x, x), doctest::Contains(want), jq::value_error);
  CHECK_THROWS_WITH_AS(one(x, x), doctest::Contains("first use: 0). Toy example for this bug: `f(donate(a), a)`."), jq::value_error);
  CHECK_THROWS_WITH_AS(both(x, x), doctest::Contains("Toy example for this bug: `f(donate(a), donate(a))`."), jq::value_error);
  CHECK_FALSE(x.is_deleted());
  CHECK_THROWS_WITH_AS(one.lower(x, x).compile()(x, x), doctest::Contains(want), jq::value_error);
  CHECK_FALSE(x.is_deleted());
}
TEST_CASE("donation: the same buffer twice among very many, and captured ones") {
  std::vector<array> many;
  for (int i = 0; i < 200; ++i) many.push_back(jq::asarray({float(i), 1.f}));
  const array held = jq::asarray({5.f, 6.f});
  const auto step = jq::jit([&](const std::vector<array>& v) {
    std::vector<array> r;
    for (const array& x : v) r.push_back(x + held);
    return r;
  }, jq::donate_argnums<0>);
  std::vector<array> next = step(many);
  CHECK(many[7].is_deleted());
  CHECK(next[199].data<float>()[0] == 204);
  std::vector<array> wrong = next;
  wrong[150] = wrong[20];
  CHECK_THROWS_WITH_AS(step(wrong), doctest::Contains("(flattened argument 150, first use: 20)"), jq::value_error);
  wrong = next;
  wrong[99] = held;
  CHECK_THROWS_WITH_AS(step(wrong), doctest::Contains("has captured (flattened argument 99)"), jq::value_error);
  CHECK_FALSE(next[0].is_deleted());
}
TEST_CASE("donation: an array that the function has captured") {
  const array a = jq::asarray({1.f, 2.f}), b = jq::asarray({3.f, 4.f});
  for (const char* name : {"interpreter", "cpu"}) {
    const auto f = jq::jit([a](const array& x) { return a + x; }, jq::donate_argnums<0>, jq::backend(name));
    const char* want = "Attempt to donate a buffer that the compiled function has captured (flattened argument 0), which every call reads; donate a copy";
    CHECK_THROWS_WITH_AS(f(a), doctest::Contains(want), jq::value_error);
    CHECK_THROWS_WITH_AS(f.lower(a).compile()(a), doctest::Contains(want), jq::value_error);
    CHECK_FALSE(a.is_deleted());
    CHECK(show(f(jq::copy(b))) == "f32[2] 4 6");
    CHECK_THROWS_WITH_AS(f(a), doctest::Contains(want), jq::value_error);
    CHECK(show(f(jq::copy(a))) == "f32[2] 2 4");
  }
}
TEST_CASE("donation: whole trees, with static arguments before them") {
  const auto step = jq::jit([](int n, const std::pair<array, array>& state, const array& g) {
    return std::pair{state.first - g * double(n), state.second + 1};
  }, jq::static_argnums<0>, jq::donate_argnums<1>);
  std::pair state{jq::asarray({1.f, 2.f}), jq::asarray(0)};
  const array g = jq::asarray({1.f, 1.f});
  const auto before = state;
  state = step(2, state, g);
  CHECK(before.first.is_deleted());
  CHECK(before.second.is_deleted());
  CHECK_FALSE(g.is_deleted());
  for (int i = 0; i < 10; ++i) state = step(2, state, g);
  CHECK(show(state) == "f32[2] -21 -20, i32[] 11");
  CHECK(step.cache_size() == 1);
}
TEST_CASE("donation: memory is taken over, not copied") {
  const auto f = jq::jit([](const array& x) { return x + 1.f; }, jq::donate_argnums<0>);
  array x = jq::zeros({1000});
  const void* memory = x.data<float>().data();
  for (int i = 0; i < 3; ++i) x = f(x);
  CHECK(x.data<float>().data() == memory);
  CHECK(x.data<float>()[999] == 3);
}
TEST_CASE("donation: of an argument returned as it is, and of one that is not used") {
  const array x = jq::asarray({1.f});
  CHECK(show(jq::jit([](const array& v) { return v; }, jq::donate_argnums<0>)(x)) == "f32[1] 1");
  CHECK(x.is_deleted());
  const array y = jq::asarray({1.f});
  CHECK(show(jq::jit([](const array&) { return jq::full({1}, 5.f); }, jq::donate_argnums<0>)(y)) == "f32[1] 5");
  CHECK(y.is_deleted());
}
TEST_CASE("donation: C++ numbers and foreign arrays cannot be taken, and are not harmed") {
  std::vector<float> v{1, 2};
  const auto f = jq::jit([](const array& x, const array& s) { return std::pair{x * s, s + 1.f}; }, jq::donate_argnums<0, 1>);
  CHECK(show(f(v, 2.f)) == "f32[2] 2 4, f32[] 3");
  CHECK(v == std::vector<float>{1, 2});
}
TEST_CASE("donation: of a jitted function inside another one is ignored") {
  const auto inner = jq::jit([](const array& x) { return x + 1.f; }, jq::donate_argnums<0>);
  const array x = jq::asarray({1.f});
  CHECK(show(jq::jit([&](const array& v) { return inner(v) + v; })(x)) == "f32[1] 3");
  CHECK_FALSE(x.is_deleted());
  CHECK(show(jq::grad([&](const array& v) { return total(inner(v)); })(x)) == "f32[1] 1");
  CHECK_FALSE(x.is_deleted());
}
TEST_CASE("donation: an array that another compiled function captured is gone for it too") {
  const array w = jq::asarray({1.f});
  const auto uses = jq::jit([w](const array& x) { return x + w; });
  CHECK(show(uses(jq::asarray({1.f}))) == "f32[1] 2");
  jq::jit([](const array& x) { return x + 1.f; }, jq::donate_argnums<0>)(w);
  CHECK_THROWS_AS(uses(jq::asarray({1.f})), jq::deleted_error);
}
TEST_CASE("donation: nothing is taken by a call that cannot run as the function captured an array that is gone") {
  for (const char* name : {"interpreter", "cpu"})
    for (const jq::dispatch how : {jq::dispatch::asynchronous, jq::dispatch::synchronous}) {
      jq::set_dispatch(how);
      const array w = jq::asarray({1.f}), x = jq::asarray({2.f});
      const auto f = jq::jit([w](const array& v) { return v + w; }, jq::donate_argnums<0>, jq::backend(name));
      CHECK(show(f(jq::asarray({1.f}))) == "f32[1] 2");
      const auto c = f.lower(x).compile();
      CHECK(show(c(jq::asarray({1.f}))) == "f32[1] 2");
      jq::jit([](const array& v) { return v * 2.f; }, jq::donate_argnums<0>, jq::backend(name))(w).block_until_ready();
      CHECK_THROWS_AS(f(x), jq::deleted_error);
      CHECK_THROWS_AS(c(x), jq::deleted_error);
      CHECK_FALSE(x.is_deleted());
    }
}
TEST_CASE("donation: arguments and outputs are matched in time that grows as their number") {
  const auto time_of = [](std::size_t n) {
    const std::vector<jq::aval> types(n, jq::aval(jq::f32, {3}));
    double best = 1e9;
    for (int k = 0; k < 3; ++k) {
      const std::clock_t start = std::clock();
      const std::vector<int> taken = jq::detail::matched_donations(types, types, std::vector<char>(n, true));
      best = std::min(best, double(std::clock() - start));
      CHECK(taken[n - 1] == int(n) - 1);
    }
    return best;
  };
  CHECK(time_of(40000) < 12 * time_of(10000) + 2000);  // it was 16 times, and a second
}
TEST_CASE("results that are constants of their program may be donated: the program keeps its own") {
  const array w = jq::asarray({2.0, 3.0}), x = jq::asarray({1.0, 2.0});
  const auto step = jq::jit([](const array& v) { return v + 1.0; }, jq::donate_argnums<0>);
  const auto constant = jq::jit([](const array& v) { return std::pair{v, jq::asarray({0.0, 0.5})}; });
  const auto captured = jq::jit(jq::grad([w](const array& v) { return jq::sum(v * w); }));
  const auto chosen = jq::jit([w](const array& p, const array& v) { return jq::lax::cond(p, [w](const array&) { return w; }, [](const array& u) { return u; }, v); });
  const auto compiled = jq::jit([w](const array& v) { return std::pair{w, v + 1.0}; }).lower(x).compile();
  for (int i = 0; i < 3; ++i) {
    CHECK(show(step(constant(x).second)) == "f64[2] 1 1.5");
    CHECK(show(step(captured(x))) == "f64[2] 3 4");
    CHECK(show(step(chosen(jq::asarray(true), x))) == "f64[2] 3 4");
    CHECK(show(step(compiled(x).first)) == "f64[2] 3 4");
  }
  CHECK(show(w) == "f64[2] 2 3");
}
