// The primitives of callbacks: types, effects, printing. What they compute is in tests/taps.
#include "prim_testing.hpp"

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
using jq::array;

namespace {

/// The program of f on two numbers.
template <class F>
jq::closed_jaxpr program(F f) {
  return jq::make_jaxpr(f)(jq::asarray({1.f, 2.f}));
}
array same(const array& x) { return x; }

template <class P>
bool contains(const jq::closed_jaxpr& p) {
  for (const jq::equation& e : p->equations)
    if (e.op == &jq::table_of<P>()) return true;
  return false;
}

}  // namespace

TEST_CASE("callback: each function binds its primitive") {
  CHECK(contains<jq::pure_callback_p>(program([](const array& x) { return jq::pure_callback(same, x, x); })));
  CHECK(contains<jq::io_callback_p>(program([](const array& x) { return jq::io_callback(same, x, x); })));
  CHECK(contains<jq::ordered_io_callback_p>(program([](const array& x) { return jq::io_callback(same, x, x, jq::in_order()); })));
  CHECK(contains<jq::host_call_p>(program([](const array& x) { return jq::call(same, x, x); })));
  CHECK(contains<jq::debug_callback_p>(program([](const array& x) {
    jq::debug::callback([](const array&) {}, x);
    return x;
  })));
  CHECK(contains<jq::ordered_debug_callback_p>(program([](const array& x) {
    jq::debug::print("{}", x, jq::in_order());
    return x;
  })));
  const auto kernel = [](const array& x) {
    return jq::device_callback([](const jq::device_call&) {}, x, x,
                               jq::vjp_rule([](const std::tuple<array>& a, const array&, const array&) { return a; }));
  };
  CHECK(contains<jq::device_callback_p>(program(kernel)));
  const auto linear = jq::make_jaxpr([&](const array& x) { return jq::jvp(kernel, jq::primals(x), jq::tangents(x)).second; })(jq::asarray(1.f));
  CHECK(contains<jq::device_callback_tangent_p>(linear));
}
TEST_CASE("callback: effects of the tables and of programs") {
  CHECK(jq::table_of<jq::pure_callback_p>().effects == jq::no_effect);
  CHECK(jq::table_of<jq::device_callback_p>().effects == jq::no_effect);
  CHECK(jq::table_of<jq::io_callback_p>().effects == jq::unordered_effect);
  CHECK(jq::table_of<jq::debug_callback_p>().effects == jq::unordered_effect);
  CHECK(jq::table_of<jq::ordered_io_callback_p>().effects == jq::ordered_effect);
  CHECK(jq::table_of<jq::ordered_debug_callback_p>().effects == jq::ordered_effect);
  CHECK(jq::table_of<jq::host_call_p>().effects == jq::ordered_effect);
  const auto p = program([](const array& x) {
    jq::io_callback(same, x, x);
    return jq::jit([](const array& y) { return jq::io_callback(same, y, y, jq::in_order()); })(x);
  });
  CHECK(p->effects == (jq::unordered_effect | jq::ordered_effect));
}
TEST_CASE("callback: printed with the types of results and the loops of vmaps") {
  const auto f = [](const array& x) { return jq::pure_callback(same, x, x, jq::vmap_method::sequential); };
  const std::string text = jq::to_string(jq::make_jaxpr(jq::vmap(f))(jq::zeros({3, 2})));
  for (const char* part : {"pure_callback", "callback=<function>", "loops=[3, 1]", "method=1", "results=f32[2]", ":f32[3,2]"}) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  }
}
TEST_CASE("callback: simplification keeps effects, their number and their order") {
  const auto p = program([](const array& x) {
    jq::debug::print("{}", x);
    jq::pure_callback(same, x, x);
    jq::io_callback(same, x, x);
    jq::debug::print("{}", x);
    return x;
  });
  const jq::closed_jaxpr s = jq::simplify(p, jq::tap_effect);
  REQUIRE(s->equations.size() == 3);
  CHECK(s->equations[0].op == &jq::table_of<jq::debug_callback_p>());
  CHECK(s->equations[1].op == &jq::table_of<jq::io_callback_p>());
  CHECK(s->equations[2].op == &jq::table_of<jq::debug_callback_p>());
}
