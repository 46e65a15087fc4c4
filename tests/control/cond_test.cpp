// cond_p: derivatives of the branch taken, zeros where only other branches have them, residuals in shared places, and mapped
// indices without NaN from the branch not taken.
#include "control_testing.hpp"

#include <algorithm>
#include <cmath>

using jq::array;
using jq::asarray;

namespace {

const auto f = [](const array& p, const array& x, const array& y) {
  return lax::cond(
      p, [](const array& a, const array& b) { return lax::sin(a) * b; }, [](const array& a, const array&) { return lax::exp(lax::mul(a, a)); },
      x, y);
};
const array x = asarray({0.3, -0.7}), y = asarray({1.5, 0.2});

}  // namespace

TEST_CASE("cond: derivatives of either branch, in all modes and orders") {
  for (bool taken : {true, false}) {
    CAPTURE(taken);
    const auto g = [&](const array& a, const array& b) { return f(asarray(taken), a, b); };
    CHECK_REPORT(jq::testing::check_grads(g, std::tuple{x, y}, {.order = 2}));
    CHECK_REPORT(jq::testing::check_grads(jq::jit(g), std::tuple{x, y}, {.order = 1}));
  }
}
TEST_CASE("cond: an operand that only the other branch uses has a cotangent of zero") {
  const auto g = [](const array& p, const array& a, const array& b) { return total(f(p, a, b)); };
  CHECK(show(jq::grad(g, jq::argnums<2>)(asarray(false), x, y)) == "f64[2] 0 0");
  CHECK(show(jq::jvp([](const array& b) { return f(asarray(false), x, b); }, jq::primals(y), jq::tangents(y)).second) == "f64[2] 0 0");
}
TEST_CASE("cond: one known and one linear cond; branches share the places of their residuals") {
  const auto p = jq::make_jaxpr(jq::grad([](const array& q, const array& a, const array& b) { return total(f(q, a, b)); }, jq::argnums<1, 2>))(asarray(true), x, y);
  CHECK_FALSE(jq::check_jaxpr(*p));
  CHECK(testing::uses(p, "cond") == 2);
  std::size_t outputs = 0;
  for (const jq::equation& e : p->equations)
    if (e.op == &jq::table_of<jq::cond_p>()) outputs = std::max<std::size_t>(outputs, e.out.count);
  CHECK(outputs <= 1 + 2);  // the result, and at most the residuals of one branch
}
TEST_CASE("cond: vmap over every choice of arguments, and of the gradient") {
  const auto g = jq::grad([](const array& p, const array& a, const array& b) { return total(f(p, a, b)); }, jq::argnums<1, 2>);
  const array flags = asarray({true, false, true});
  for (int mapped = 1; mapped < 8; ++mapped) {
    CAPTURE(mapped);
    const int axes[] = {mapped & 1 ? 0 : jq::none, mapped & 2 ? 1 : jq::none, mapped & 4 ? 0 : jq::none};
    const std::tuple args{mapped & 1 ? flags : asarray(false), mapped & 2 ? testing::examples(x, 1) : x, mapped & 4 ? testing::examples(y) : y};
    CHECK_REPORT(jq::testing::check_vmap(f, {axes[0], axes[1], axes[2]}, args));
    CHECK_REPORT(jq::testing::check_vmap(g, {axes[0], axes[1], axes[2]}, args));
  }
}
TEST_CASE("switch: branches of which each uses one more operand, under every transform") {
  const auto g = [](const array& i, const array& a, const array& b) {
    return lax::switch_(i, std::tuple{[](const array& u, const array&) { return u * 0.0 + 2.0; }, [](const array& u, const array&) { return lax::sin(u); },
                                      [](const array& u, const array& v) { return u * v; }}, a, b);
  };
  for (int i = 0; i < 3; ++i) {
    CAPTURE(i);
    const auto chosen = [&](const array& a, const array& b) { return g(asarray(i), a, b); };
    CHECK_REPORT(jq::testing::check_grads(chosen, std::tuple{x, y}, {.order = 2}));
    CHECK_REPORT(jq::testing::check_vmap(g, {jq::none, 0, jq::none}, std::tuple{asarray(i), testing::examples(x), y}));
    CHECK_REPORT(jq::testing::check_vmap(g, {jq::none, jq::none, 0}, std::tuple{asarray(i), x, testing::examples(y)}));
  }
}
TEST_CASE("cond: branches that agree on what has a tangent are differentiated once") {
  int times = 0;
  const auto counted = jq::custom_jvp([](const array& a) { return lax::sin(a); }, [&](const std::tuple<array>& p, const std::tuple<array>& t) {
    ++times;
    return std::pair{lax::sin(get<0>(p)), lax::cos(get<0>(p)) * get<0>(t)};
  });
  const auto g = [&](const array& a) {
    return lax::cond(asarray(true), [&](const array& u) { return counted(u); }, [&](const array& u) { return 2.0 * counted(u); }, a);
  };
  CHECK(show(jq::jvp(g, jq::primals(asarray(0.0)), jq::tangents(asarray(1.0))).second) == "f64[] 1");
  CHECK(times == 2);  // once for each branch
}
TEST_CASE("cond: a mapped predicate guards the gradient") {
  const auto guarded = [](const array& v) {
    return lax::cond(v > 0.0, [](const array& a) { return lax::sqrt(a); }, [](const array& a) { return a * 0.0; }, v);
  };
  const array slope = jq::vmap(jq::grad(guarded))(asarray({0.0, 4.0}));
  CHECK(show(slope) == "f64[2] 0 0.25");
  CHECK(show(jq::grad([&](const array& v) { return total(jq::vmap(guarded)(v)); })(asarray({0.0, 4.0}))) == "f64[2] 0 0.25");
}
TEST_CASE("cond: an unmapped predicate stays a cond") {
  const auto p = jq::make_jaxpr(jq::vmap(f, jq::in_axes<jq::none, 0, 0>))(asarray(true), x, y);
  CHECK(testing::uses(p, "cond") == 1);
  CHECK(testing::uses(p, "select_n") == 0);
}
TEST_CASE("cond: within a scan, and a scan within a cond") {
  const auto inside = [](const array& start, const array& xs) {
    return lax::scan([](const array& s, const array& v) {
             const array n = lax::cond(v > 0.0, [](const array& a, const array& b) { return lax::sin(a) * b; },
                                       [](const array& a, const array& b) { return a + b; }, s, v);
             return std::pair{n, s};
           }, start, xs).first;
  };
  const array xs = asarray({0.5, -0.3, 0.7});
  CHECK_REPORT(jq::testing::check_grads(inside, std::tuple{asarray(0.4), xs}, {.order = 2}));
  CHECK_REPORT(jq::testing::check_vmap(jq::grad(inside, jq::argnums<0, 1>), {jq::none, 0}, std::tuple{asarray(0.4), testing::examples(xs)}));
  const auto outside = [&](const array& p, const array& v) {
    return lax::cond(p, [&](const array& a) { return inside(asarray(1.0), a); }, [](const array& a) { return total(a); }, v);
  };
  CHECK_REPORT(jq::testing::check_vmap(jq::grad(outside, jq::argnums<1>), {0, jq::none}, std::tuple{asarray({true, false, true}), xs}));
}
TEST_CASE("cond: operands that do not fit are type errors") {
  const auto body = [](const array& a) { return jq::make_jaxpr([](const array& b) { return b; })(a).program; };
  const auto run = [&](const array& index, const jq::list<jq::jaxpr_ref>& branches, const array& a) {
    jq::bind_list<jq::cond_p>({branches}, {}, std::vector{index, a});
  };
  CHECK_NOTHROW(run(asarray(1), {body(x), body(x)}, x));
  CHECK_THROWS_WITH_AS(run(asarray(1), {}, x), doctest::Contains("Empty branch sequence"), jq::value_error);
  CHECK_THROWS_WITH_AS(run(asarray(1.f), {body(x)}, x), doctest::Contains("got an index of type f32[], wanted i32[]"), jq::type_error);
  CHECK_THROWS_WITH_AS(run(asarray(1), {body(asarray(1.f))}, x), doctest::Contains("operand 0 is f64[2], wanted f32[]"), jq::type_error);
}
