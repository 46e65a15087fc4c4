// Tracing user functions: trees are taken apart and put together, the function is called once, a trace ends with its function.
#include "../show.hpp"

#include <map>
#include <optional>
#include <stdexcept>

using jq::array;

namespace {

// Not with std::array, which g++ 12 cannot copy in constant evaluation.
constexpr auto sum_of_parts = [](const std::pair<array, std::tuple<array, array>>& p) {
  return p.first + std::get<0>(p.second) * std::get<1>(p.second);
};
static_assert(jq::to_text(jq::make_jaxpr(sum_of_parts)(std::pair{array(1.0), std::tuple{array(2.0), array(3.0)}})) ==
              "{ lambda ; a:f64[] b:f64[] c:f64[]. let\n    d:f64[] = mul b c\n    e:f64[] = add a d\n  in (e,) }");

template <class T>
struct state {
  T position;
  std::array<std::pair<T, T>, 1> forces;
};
struct counter {
  int calls = 0;
  array operator()(const array& x) {  // not const
    ++calls;
    return x * double(calls);
  }
};
array times_two(const array& x) { return x * 2.0; }

}  // namespace

TEST_CASE("functions: every kind of tree comes in and goes out with its structure") {
  const auto f = [](const std::tuple<array, std::vector<array>>& t, const std::map<std::string, array>& m,
                    const std::optional<array>& o, const state<array>& s) {
    CHECK(std::get<1>(t).size() == 2);
    CHECK_FALSE(o);
    return std::tuple{std::vector{std::get<0>(t)}, m, o, s};
  };
  const auto r = jq::make_jaxpr(f)(std::tuple{jq::zeros({1}), std::vector{jq::zeros({2}), jq::zeros({3})}},
                                   std::map<std::string, array>{{"b", jq::zeros({4})}, {"a", jq::zeros({5})}}, std::optional<array>(),
                                   state<array>{jq::zeros({6}), {std::pair{jq::zeros({7}), jq::zeros({8})}}});
  CHECK(jq::to_string(r) ==
        "{ lambda ; a:f32[1] b:f32[2] c:f32[3] d:f32[5] e:f32[4] f:f32[6] g:f32[7] h:f32[8]. let\n  in (a, d, e, f, g, h) }");
}
TEST_CASE("functions: templates over their leaf type are rebound, aggregates of foreign leaves too") {
  const auto f = [](const auto& s) { return s.position * s.forces[0].second; };
  const state<double> g = jq::grad(f)(state<double>{2.0, {std::pair{1.0, 3.0}}});
  CHECK(g.position == 3);
  CHECK(g.forces[0] == std::pair{0.0, 2.0});
}
TEST_CASE("functions: pointers, mutable objects and references as results") {
  CHECK(show(jq::jit(&times_two)(jq::asarray(2.0))) == "f64[] 4");
  CHECK(show(jq::jvp(times_two, jq::primals(array(2.0)), jq::tangents(1.0)).second) == "f64[] 2");
  CHECK(double(jq::grad(counter{})(array(2.0))) == 1);
  const array kept = jq::asarray({1.f, 2.f});
  const auto reference = [&](const array&) -> const array& { return kept; };
  CHECK(show(jq::vmap(reference)(jq::zeros({2}))) == "f32[2,2] 1 2 1 2");
}
TEST_CASE("functions: void means no results") {
  int calls = 0;
  jq::jit([&](const array&) { ++calls; })(jq::asarray(1.0));
  CHECK(calls == 1);
}
TEST_CASE("functions: are called once per trace") {
  int calls = 0;
  const auto f = [&](const array& x) {
    ++calls;
    return x * x;
  };
  jq::grad(f)(array(1.0));
  CHECK(calls == 1);
  jq::vmap(f)(jq::ones({3}));
  CHECK(calls == 2);
  jq::jacfwd(f)(jq::ones({3}));
  CHECK(calls == 3);
  jq::hessian([&](const array& x) { return total(f(x)); })(jq::ones({3}));
  CHECK(calls == 4);
}
TEST_CASE("functions: an exception ends the trace and leaves nothing behind") {
  const auto bad = [](const array& x) -> array {
    lax::sin(x);
    throw std::runtime_error("mine");
  };
  CHECK_THROWS_WITH_AS(jq::grad(bad)(array(1.0)), "mine", std::runtime_error);
  CHECK_THROWS_WITH_AS(jq::vmap(bad)(jq::ones({2})), "mine", std::runtime_error);
  CHECK_THROWS_WITH_AS(jq::jit(bad)(jq::ones({2})), "mine", std::runtime_error);
  CHECK_THROWS_WITH_AS(jq::make_jaxpr([&](const array& x) { return jq::grad(bad)(x); })(array(1.0)), "mine", std::runtime_error);
  CHECK(jq::ones({2}).is_concrete());
  CHECK(show(lax::add(jq::ones({2}), 1.f)) == "f32[2] 2 2");
}
TEST_CASE("functions: tracers that outlive their trace") {
  array leaked, staged;
  jq::grad([&](const array& x) { return leaked = x * x; })(array(2.0));
  CHECK_THROWS_WITH_AS(leaked + 1.0, doctest::Contains("Encountered an unexpected tracer"), jq::unexpected_tracer_error);
  CHECK_THROWS_AS(leaked.item<double>(), jq::unexpected_tracer_error);
  jq::jit([&](const array& x) { return staged = x * x; })(jq::asarray(2.0));
  CHECK_THROWS_WITH_AS(staged.item<double>(), doctest::Contains("traced by jit"), jq::unexpected_tracer_error);
  CHECK_THROWS_AS(jq::make_jaxpr([&](const array& x) { return x + staged; })(array(1.0)), jq::unexpected_tracer_error);
  CHECK_THROWS_AS(staged.shape(), jq::unexpected_tracer_error);
}
TEST_CASE("functions: eager runs outside every trace") {
  array table;
  const auto p = jq::make_jaxpr([&](const array& x) {
    table = jq::eager([] { return lax::mul(jq::ones({2}), 3.f); });
    CHECK(table.is_concrete());
    return x + table;
  })(jq::zeros({2}));
  CHECK(p.constants.size() == 1);
  CHECK(p->equations.size() == 1);
  CHECK(show(table) == "f32[2] 3 3");
}
TEST_CASE("functions: results that are C++ numbers or empty trees") {
  CHECK(show(jq::jit([](const array&) { return 2.5; })(jq::asarray(1.f))) == "f64[] 2.5");
  CHECK(show(jq::vmap([](const array&) { return std::pair{1, std::tuple<>{}}; })(jq::ones({2}))) == "i32[2] 1 1");
}

TEST_CASE("functions: members of a class take their object first") {
  struct spring {
    jq::array k;
    jq::array energy(const jq::array& x) const { return 0.5 * k * x * x; }
  };
  const spring s{jq::asarray(3.0)};
  const auto [of_spring, force] = jq::grad(&spring::energy, jq::argnums<0, 1>)(s, jq::asarray(2.0));
  CHECK(of_spring.k.item<double>() == 2.0);
  CHECK(force.item<double>() == 6.0);
  CHECK(jq::grad(&spring::k)(s).k.item<double>() == 1.0);
  CHECK(jq::vmap(&spring::energy, jq::in_axes<jq::none, 0>)(s, jq::asarray({1.0, 2.0}))(1).item<double>() == 6.0);
}
