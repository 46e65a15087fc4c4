// jit: one trace per signature, static arguments, what comes back, lowering by hand, and its errors. Threads have their own file.
#include "../show.hpp"

#include <cmath>
#include <functional>
#include <map>

using jq::array;

namespace {

const array three = jq::asarray({1.f, 2.f, 3.f});
constexpr auto doubled = [](const array& x) { return x * 2.f; };

/// Counts how often its function is traced.
struct counted {
  int* traces;
  array operator()(const array& x) const {
    ++*traces;
    return lax::sin(x);
  }
};

}  // namespace

TEST_CASE("jit: computes what the function computes") {
  const auto f = [](const array& x, const std::pair<array, array>& p) { return std::map<std::string, array>{{"y", x * p.first + p.second}}; };
  const std::pair p{jq::asarray(2.f), jq::asarray({10.f, 20.f, 30.f})};
  CHECK(show(jq::jit(f)(three, p).at("y")) == "f32[3] 12 24 36");
  CHECK(show(jq::jit(f)(three, p)) == show(f(three, p)));
}
TEST_CASE("jit: one trace per dtype, shape and weakness, none per value") {
  int traces = 0;
  const auto f = jq::jit(counted{&traces});
  CHECK(f.cache_size() == 0);
  f(three);
  f(jq::asarray({4.f, 5.f, 6.f}));
  CHECK(traces == 1);
  f(jq::asarray({1.f, 2.f}));
  CHECK(traces == 2);
  f(jq::asarray({1.0, 2.0, 3.0}));
  CHECK(traces == 3);
  f(jq::asarray(1.0));
  CHECK(traces == 4);
  f(array(1.0));  // weakly typed
  f(array(2.0));
  CHECK(traces == 5);
  f(three);
  CHECK(traces == 5);
  CHECK(f.cache_size() == 5);
}
TEST_CASE("jit: one trace per tree structure") {
  int traces = 0;
  const auto f = jq::jit([&](const std::vector<array>& v) {
    ++traces;
    return v.back();
  });
  f(std::vector{three});
  f(std::vector{three});
  f(std::vector{three, three});
  CHECK(traces == 2);
}
TEST_CASE("jit: copies share a cache, and so do jits of the same stateless function") {
  int traces = 0;
  const auto f = jq::jit(counted{&traces});
  const auto g = f;
  f(three);
  g(three);
  CHECK(traces == 1);
  static int static_traces = 0;
  const auto stateless = [](const array& x) {
    ++static_traces;
    return x + 1.f;
  };
  jq::jit(stateless)(three);
  jq::jit(stateless)(three);
  CHECK(static_traces == 1);
  jq::jit(stateless, jq::donate_argnums<0>)(jq::asarray({1.f, 2.f, 3.f}));
  CHECK(static_traces == 2);
}
TEST_CASE("jit: a trivial function returns the same buffer") {
  const auto same = jq::jit([](const array& x) { return x; });
  CHECK(same(three).same_as(three));
  const auto twice = jq::jit([](const array& x) { return std::pair{x, x}; })(three);
  CHECK(twice.first.same_as(three));
  CHECK(twice.second.same_as(three));
}
TEST_CASE("jit: results do not share memory that the call only borrowed") {
  std::vector<float> v{1, 2};
  const array y = jq::jit([](const array& x) { return x; })(v);
  v[0] = 100;
  CHECK(show(y) == "f32[2] 1 2");
}
TEST_CASE("jit: weak types come out as they go in") {
  const auto f = jq::jit([](const array& x) { return std::pair{x * 2, x * jq::asarray(2.0)}; });
  CHECK(f(array(1.0)).first.weak_type());
  CHECK_FALSE(f(array(1.0)).second.weak_type());
  CHECK_FALSE(f(jq::asarray(1.0)).first.weak_type());
}
TEST_CASE("jit: foreign arrays and numbers, arguments and results") {
  const auto f = jq::jit([](const array& x, const array& n) { return x * n; });
  const std::vector<double> y = f(std::vector<double>{1, 2}, 3);
  CHECK(y == std::vector<double>{3, 6});
  CHECK(f(array(2.0), array(3.0)).item<double>() == 6);
}
TEST_CASE("jit: no arguments, no results") {
  CHECK(show(jq::jit([] { return jq::ones({2}); })()) == "f32[2] 1 1");
  int calls = 0;
  const auto f = jq::jit([&](const array&) { ++calls; });
  f(three);
  f(three);
  CHECK(calls == 1);
}
TEST_CASE("jit: static arguments are passed as they are; a new value is a new trace") {
  int traces = 0;
  const auto power = jq::jit([&](const array& x, int n) {
    ++traces;
    array y = x;
    for (int i = 1; i < n; ++i) y = y * x;
    return y;
  }, jq::static_argnums<1>);
  CHECK(show(power(three, 2)) == "f32[3] 1 4 9");
  CHECK(show(power(three, 3)) == "f32[3] 1 8 27");
  CHECK(show(power(jq::asarray({3.f, 2.f, 1.f}), 2)) == "f32[3] 9 4 1");
  CHECK(traces == 2);
  CHECK(power.cache_size() == 2);
}
TEST_CASE("jit: static views of strings are kept by their characters") {
  const auto f = jq::jit([](const array& v, std::string_view s) { return s == "a" ? v : -v; }, jq::static_argnums<1>);
  const array v = jq::asarray({1.f});
  std::string name = "a";
  CHECK(show(f(v, std::string_view(name))) == "f32[1] 1");
  name = "b";
  CHECK(show(f(v, std::string_view(name))) == "f32[1] -1");
  name = "a";
  CHECK(show(f(v, std::string_view(name))) == "f32[1] 1");
  CHECK(f.cache_size() == 2);
}
TEST_CASE("jit: static arguments of any comparable type, counted from either end") {
  const auto f = jq::jit([](const std::string& op, const array& x, bool negate) {
    const array y = op == "sin" ? lax::sin(x) : lax::cos(x);
    return negate ? -y : y;
  }, jq::static_argnums<0, -1>);
  CHECK(show(f(std::string("sin"), 0.0, false)) == "f64[] 0");
  CHECK(show(f(std::string("cos"), 0.0, true)) == "f64[] -1");
  CHECK(show(f("cos", 0.0, false)) == "f64[] 1");
  CHECK(show(f("sin", 0.0, false)) == "f64[] 0");
  CHECK(f.cache_size() == 4);
}
TEST_CASE("jit: of a function that captures keeps its own cache") {
  const auto make = [](float k) { return jq::jit([k](const array& x) { return x * k; }); };
  const auto twice = make(2.f), thrice = make(3.f);
  CHECK(show(twice(three)) == "f32[3] 2 4 6");
  CHECK(show(thrice(three)) == "f32[3] 3 6 9");
}
TEST_CASE("jit: composes with grad, vmap and itself") {
  const auto f = [](const array& x) { return total(lax::mul(x, lax::sin(x))); };
  const array x = jq::asarray({0.5, 1.0});
  CHECK(show(jq::jit(jq::grad(f))(x)) == show(jq::grad(f)(x)));
  CHECK(show(jq::grad(jq::jit(f))(x)) == show(jq::grad(f)(x)));
  CHECK(show(jq::jit(jq::vmap(jq::jit(jq::grad([](const array& v) { return lax::sin(v); }))))(x)) == show(lax::cos(x)));
  CHECK(show(jq::jit(jq::hessian(f))(x)) == show(jq::hessian(f)(x)));
}
TEST_CASE("jit: lower and compile by hand") {
  const auto f = jq::jit([](const array& x, const array& y) { return lax::add(lax::sin(x), y); });
  const auto l = f.lower(three, three);
  CHECK(l.as_text() == "{ lambda ; a:f32[3] b:f32[3]. let c:f32[3] = sin a; d:f32[3] = add c b in (d,) }");
  CHECK_FALSE(jq::check_jaxpr(*l.jaxpr()));
  const auto c = l.compile();
  CHECK(show(c(jq::zeros({3}), three)) == "f32[3] 1 2 3");
  CHECK(c.as_text().find("sin") != std::string::npos);
  CHECK(f.cache_size() == 0);
}
TEST_CASE("jit: lower with static arguments leaves them out") {
  const auto f = jq::jit([](int n, const array& x) { return x * double(n); }, jq::static_argnums<0>);
  const auto c = f.lower(3, three).compile();
  CHECK(show(c(three)) == "f32[3] 3 6 9");
}
TEST_CASE("jit: a compiled program checks its arguments") {
  const auto c = jq::jit([](const std::pair<array, array>& p) { return p.first + p.second; }).lower(std::pair{three, three}).compile();
  CHECK_THROWS_WITH_AS(c(three), doctest::Contains("function compiled for PyTreeDef(((*, *),)), called with PyTreeDef((*,))"), jq::type_error);
  const std::string types = testing::message_of<jq::type_error>([&] { c(std::pair{three, jq::asarray({1, 2, 3})}); });
  CHECK(types.find("Computation compiled for input types:\n  float32[3]\ncalled with:\n  int32[3]") != std::string::npos);
  CHECK_THROWS_WITH_AS(jq::grad([&](const array& x) { return total(c(std::pair{x, x})); })(three),
                       doctest::Contains("Cannot apply JAX transformations to a function lowered and compiled for a particular signature"),
                       jq::type_error);
}
TEST_CASE("jit: types without values are no arguments of a call") {
  const auto f = jq::jit([](const array& x) { return std::pair{x + x, x}; });
  const array type = jq::shape_dtype({2}, jq::f32);
  const auto compiled = f.lower(type).compile();
  CHECK_THROWS_WITH_AS(f(type), doctest::Contains("shape_dtype: has a type but no value"), jq::value_error);
  f(jq::zeros({2}));
  CHECK_THROWS_WITH_AS(f(type), doctest::Contains("shape_dtype: has a type but no value"), jq::value_error);
  CHECK_THROWS_WITH_AS(f(type.aval()), doctest::Contains("aval: has a type but no value"), jq::value_error);
  CHECK_THROWS_WITH_AS(f(jq::eval_shape(f)(type).first), doctest::Contains("its results have types but no values"), jq::value_error);
  CHECK_THROWS_WITH_AS(compiled(type), doctest::Contains("shape_dtype: has a type but no value"), jq::value_error);
  const auto donating = jq::jit([](const array& x) { return x + x; }, jq::donate_argnums<0>, jq::backend("interpreter"));
  CHECK_THROWS_WITH_AS(donating(type), doctest::Contains("shape_dtype: has a type but no value"), jq::value_error);
  std::vector<float> a(2), b(2);
  CHECK_THROWS_WITH_AS(compiled.bind({type}, {a, b}), doctest::Contains("shape_dtype: has a type but no value"), jq::value_error);
}
TEST_CASE("jit: C++ conditions name the argument without a value") {
  const auto f = jq::jit([](const array& x, const array& y) { return bool(y > 0.0) ? x : y; });
  const std::string message = testing::message_of<jq::concretization_error>([&] { f(array(1.0), array(2.0)); });
  CHECK(message.find("Abstract tracer value encountered where concrete value is expected") != std::string::npos);
  CHECK(message.find("argument 1") != std::string::npos);
  CHECK(message.find("traced by jit") != std::string::npos);
  CHECK(message.find("jit_test.cpp") != std::string::npos);
  CHECK_THROWS_AS(jq::jit([](const array& x) { return x * double(x.item<int>()); })(array(2.0)), jq::concretization_error);
  CHECK_THROWS_AS(jq::jit([](const array& x) { return jq::asarray(x.data<float>(), {3}); })(three), jq::concretization_error);
}
TEST_CASE("jit: an error leaves no entry behind, the next call traces again") {
  bool broken = true;
  int traces = 0;
  const auto f = jq::jit([&](const array& x) {
    ++traces;
    if (broken) throw std::runtime_error("not yet");
    return x;
  });
  CHECK_THROWS_WITH(f(three), "not yet");
  CHECK(f.cache_size() == 0);
  broken = false;
  CHECK(show(f(three)) == "f32[3] 1 2 3");
  CHECK(traces == 2);
}
TEST_CASE("jit: a function that needs itself while it is traced is told so") {
  std::function<array(const array&)> self;
  const auto f = jq::jit([&](const array& x) { return x + jq::eager([&] { return self(jq::asarray({1.f, 2.f, 3.f})); }); });
  self = [&](const array& x) { return f(x); };
  CHECK_THROWS_WITH_AS(f(three), doctest::Contains("calls itself with the same signature while it is being traced"), jq::value_error);
}
TEST_CASE("jit: backends by name") {
  CHECK(show(jq::jit(doubled, jq::backend("interpreter"))(three)) == "f32[3] 2 4 6");
  CHECK(show(jq::jit(doubled, jq::backend("cpu"))(three)) == "f32[3] 2 4 6");
  CHECK_THROWS_WITH_AS(jq::jit(doubled, jq::backend("abacus"))(three), doctest::Contains("unknown name 'abacus', known are: "),
                       jq::value_error);
}
TEST_CASE("jit: a function that names another backend cannot be part of a program") {
  const auto inner = jq::jit(doubled, jq::backend("interpreter"));
  const auto outer = [&](array x) { return inner(x) + 1.f; };
  const std::string wanted = "jit: Outer-jit backend specification cpu must match explicit inner-jit backend specification interpreter.";
  CHECK_THROWS_WITH_AS(jq::jit(outer)(three), doctest::Contains(wanted.c_str()), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::jit(outer, jq::backend("cpu")).lower(three), doctest::Contains(wanted.c_str()), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::jit([&](array x) { return jq::vmap(inner)(x); })(three), doctest::Contains(wanted.c_str()), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::grad([&](array x) { return jq::sum(jq::jit(outer)(x)); })(three), doctest::Contains(wanted.c_str()), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::jit([](array x) { return jq::jit(doubled, jq::device{"cpu", 1})(x); })(three),
                       doctest::Contains("specification cpu:0 must match explicit inner-jit backend specification cpu:1."), jq::value_error);
  // The same backend, none inside, none outside of a program, or a program of its own.
  CHECK(show(jq::jit(outer, jq::backend("interpreter"))(three)) == "f32[3] 3 5 7");
  CHECK(show(jq::jit([](array x) { return jq::jit(doubled)(x); }, jq::backend("interpreter"))(three)) == "f32[3] 2 4 6");
  CHECK(show(jq::jit([](array x) { return jq::jit(doubled, jq::backend("cpu"))(x); })(three)) == "f32[3] 2 4 6");
  CHECK(show(jq::vmap(inner)(three)) == "f32[3] 2 4 6");
  CHECK(show(jq::grad([&](array x) { return jq::sum(inner(x)); })(three)) == "f32[3] 2 2 2");
  const array table = three;
  CHECK(show(jq::jit([&](array x) { return x + jq::eager([&] { return jq::vmap(inner)(table); }); })(three)) == "f32[3] 3 6 9");
  CHECK(show(jq::jit(doubled)(three)) == "f32[3] 2 4 6");
}
TEST_CASE("jit: large programs and large constants") {
  const array table = jq::arange(100000, jq::f32);
  const auto f = jq::jit([&](const array& x) {
    array y = x;
    for (int i = 0; i < 300; ++i) y = lax::add(lax::sin(y), table);
    return lax::reduce_max(y, {0});
  });
  CHECK(f(table).item<float>() == doctest::Approx(99999.0 + std::sin(99999.0 + 1)).epsilon(1e-4));
}
