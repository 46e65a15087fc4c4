// custom_jvp: the rule is the derivative in every mode and nesting; evaluation, jit and vmap see the function.
#include "control_testing.hpp"

using jq::array;
using jq::asarray;

namespace {

/// sin with the derivative 2 cos, which shows whose derivative was taken.
const auto f = jq::custom_jvp([](const array& x) { return lax::sin(x); },
                              [](const std::tuple<array>& x, const std::tuple<array>& t) {
                                const auto& [v] = x;
                                return std::pair{lax::sin(v), lax::cos(v) * 2.0 * std::get<0>(t)};
                              });
const array x = asarray({0.0, 0.5});

}  // namespace

TEST_CASE("custom_jvp: values and derivatives, eagerly and compiled") {
  CHECK_REPORT(jq::testing::all_close(f(x), lax::sin(x)));
  CHECK_REPORT(jq::testing::all_close(jq::jvp(f, jq::primals(x), jq::tangents(jq::ones({2}, jq::f64))).second, lax::cos(x) * 2.0));
  const auto slope = jq::grad([](const array& v) { return total(f(v)); });
  CHECK_REPORT(jq::testing::all_close(slope(x), lax::cos(x) * 2.0));
  CHECK_REPORT(jq::testing::all_close(jq::jit(slope)(x), lax::cos(x) * 2.0));
  CHECK_REPORT(jq::testing::all_close(jq::grad(jq::jit([](const array& v) { return total(f(v)); }))(x), lax::cos(x) * 2.0));
  CHECK_REPORT(jq::testing::all_close(jq::grad([&](const array& v) { return total(slope(v)); })(x), lax::sin(x) * -2.0));
}
TEST_CASE("custom_jvp: vmap, in every order with the derivative") {
  const array rows = testing::examples(x);
  const auto slope = [](const array& v) { return jq::grad([](const array& u) { return total(f(u)); })(v); };
  CHECK_REPORT(jq::testing::all_close(jq::vmap(f)(rows), lax::sin(rows)));
  CHECK_REPORT(jq::testing::all_close(jq::vmap(slope)(rows), lax::cos(rows) * 2.0));
  CHECK_REPORT(jq::testing::all_close(jq::grad([](const array& v) { return total(jq::vmap(f)(v)); })(rows), lax::cos(rows) * 2.0));
  CHECK_REPORT(jq::testing::all_close(jq::grad([](const array& v) { return total(jq::vmap(jq::vmap(f))(v)); })(rows), lax::cos(rows) * 2.0));
  CHECK_REPORT(jq::testing::check_vmap(jq::jacfwd(f), {1}, std::tuple{testing::examples(x, 1)}));
}
TEST_CASE("custom_jvp: in loops and branches") {
  const auto looped = [](const array& v) { return lax::fori_loop(0, 3, [](const array&, const array& s) { return f(s); }, v); };
  const auto by_hand = [](const array& v) { return f(f(f(v))); };
  CHECK_REPORT(jq::testing::all_close(jq::jacrev(looped)(x), jq::jacrev(by_hand)(x)));
  CHECK_REPORT(jq::testing::all_close(jq::jacfwd(looped)(x), jq::jacfwd(by_hand)(x)));
  CHECK_REPORT(jq::testing::all_close(jq::vmap(jq::jacrev(looped))(testing::examples(x)), jq::vmap(jq::jacrev(by_hand))(testing::examples(x))));
  const auto branch = [](const array& v) { return lax::cond(v > 0.1, f, [](const array& u) { return u; }, v); };
  CHECK_REPORT(jq::testing::all_close(jq::vmap(jq::grad(branch))(x), asarray({1.0, 2 * 0.87758256189})));
}
TEST_CASE("custom_jvp: compiled programs contain the function alone") {
  CHECK(testing::uses(jq::make_jaxpr(f)(x), "custom_jvp_call") == 1);
  CHECK(testing::uses(jq::simplify(jq::make_jaxpr(f)(x)), "custom_jvp_call") == 0);
}
TEST_CASE("custom_jvp: several arguments, trees, integers, and functions among the arguments") {
  const auto power = jq::custom_jvp(
      [](const auto& g, const std::pair<array, array>& p, const array& n) { return std::tuple{g(p.first) * p.second, n}; },
      [](const auto& g, const std::tuple<std::pair<array, array>, array>& v, const std::tuple<std::pair<array, array>, array>& t) {
        const auto& [p, n] = v;
        const auto& [dp, dn] = t;
        return std::pair{std::tuple{g(p.first) * p.second, n}, std::tuple{dp.first * 100.0 + dp.second, dn}};
      },
      jq::nondiff_argnums<0>);
  const auto g = [](const array& v) { return lax::exp(v); };
  const auto h = [&](const array& a, const array& b) { return std::get<0>(power(g, std::pair{a, b}, asarray(3))); };
  CHECK(show(h(asarray(0.0), asarray(2.0))) == "f64[] 2");
  CHECK(show(jq::grad(h, jq::argnums<0, 1>)(asarray(0.0), asarray(2.0))) == "f64[] 100, f64[] 1");
}
TEST_CASE("custom_jvp: what is said of wrong rules") {
  const auto complaint = [](auto rule) {
    const auto wrong = jq::custom_jvp([](const array& v) { return v; }, rule);
    return testing::message_of<jq::type_error>([&] { jq::jvp(wrong, jq::primals(asarray(1.f)), jq::tangents(asarray(1.f))); });
  };
  using one = std::tuple<array>;
  CHECK(complaint([](const one& v, const one&) { return std::pair{std::get<0>(v), std::tuple{std::get<0>(v), std::get<0>(v)}}; })
            .starts_with("Custom JVP rule must produce primal and tangent outputs with equal container (pytree) structures, but got * and (*, *) respectively."));
  CHECK(complaint([](const one& v, const one& t) { return std::pair{std::get<0>(v), lax::broadcast_in_dim(std::get<0>(t), {1}, {})}; })
            .starts_with("Custom JVP rule must produce primal and tangent outputs with equal shapes and dtypes, but got float32[] and float32[1] respectively."));
  const auto other_type = jq::custom_jvp([](const array& a) { return a; }, [](const std::tuple<array>& x, const std::tuple<array>&) {
    const array wide = lax::broadcast_in_dim(std::get<0>(x), {1}, {});
    return std::pair{wide, wide};
  });
  for (const auto& differentiate : {+[](const decltype(other_type)& f) { jq::grad(f)(asarray(1.f)); },
                                    +[](const decltype(other_type)& f) { jq::jvp(f, jq::primals(asarray(1.f)), jq::tangents(asarray(1.f))); }})
    CHECK_THROWS_WITH_AS(differentiate(other_type),
                         doctest::Contains("Custom JVP rule must return the results of the function, of type float32[], but got float32[1]"), jq::type_error);
}
TEST_CASE("custom_jvp: what it captures is not differentiated") {
  const auto outer = [](const array& y) {
    return jq::custom_jvp([&](const array& v) { return v * y; },
                          [](const std::tuple<array>& v, const std::tuple<array>& t) { return std::pair{std::get<0>(v), std::get<0>(t)}; })(y);
  };
  CHECK_THROWS_WITH_AS(jq::grad(outer)(asarray(1.0)), doctest::Contains("Detected differentiation of a custom_jvp function"), jq::unexpected_tracer_error);
}
TEST_CASE("custom_jvp: taps in the rule see tangents in forward mode and cotangents in reverse mode, never zeros that stand for them") {
  std::string seen;
  const auto see = [&seen](std::string_view what) {
    return [&seen, what](const array& v, const jq::tap_context& c) {
      seen += std::string(what) + (c.transforms.empty() ? "" : " " + c.transforms.back().name) + " " + jq::to_string(v) + "; ";
    };
  };
  const auto g = jq::custom_jvp([&](const array& v) { return v * jq::id_tap(see("x"), v); },
                                [&](const std::tuple<array>& v, const std::tuple<array>& t) {
                                  const array tangent = jq::id_tap(see("dx"), std::get<0>(t));
                                  jq::debug::callback([&seen](const array& d) { seen += "debug " + jq::to_string(d) + "; "; }, tangent);
                                  return std::pair{std::get<0>(v) * jq::id_tap(see("x"), std::get<0>(v)), tangent};
                                });
  const auto shown = [&](const auto& run) {
    seen.clear();
    run();
    jq::barrier_wait();
    return seen;
  };
  const auto sum = [&](const array& v) {
    return lax::scan([&](const array& c, const array& e) { return std::pair{c + g(e), std::tuple<>{}}; }, asarray(0.0), v).first;
  };
  CHECK(shown([&] { jq::jvp(g, jq::primals(asarray(0.5)), jq::tangents(asarray(2.0))); }) == "dx 2.; debug 2.; x 0.5; ");
  CHECK(shown([&] { jq::grad(g)(asarray(0.5)); }) == "x 0.5; dx transpose 1.; ");
  CHECK(shown([&] { jq::grad(sum)(x); }) == "x 0.; x 0.5; dx transpose 1.; dx transpose 1.; ");
  CHECK(shown([&] { jq::jit(jq::value_and_grad(sum))(x); }) == "x 0.; x 0.5; dx transpose 1.; dx transpose 1.; ");
}
TEST_CASE("custom_jvp: a tap of a primal within a loop of the rule is seen in reverse mode, too") {
  int seen = 0;
  const auto g = jq::custom_jvp([](const array& v) { return v * v; }, [&](const std::tuple<array>& v, const std::tuple<array>& t) {
    const auto& [p] = v;
    const auto trip = [&](const array& c, const array& e) {
      const array shown = jq::id_tap([&seen](const array&) { ++seen; }, p);
      return std::pair{c + 2.0 * e * shown, std::tuple<>{}};
    };
    return std::pair{p * p, lax::scan(trip, std::get<0>(t) * 0.0, jq::expand_dims(std::get<0>(t), 0)).first};
  });
  CHECK(jq::grad(g)(asarray(1.5)).item<double>() == 3);
  jq::barrier_wait();
  CHECK(seen > 0);
}
TEST_CASE("custom_jvp: rules that are not linear in the tangents have no transpose") {
  const auto with_rule = [](auto tangent) {
    return jq::custom_jvp([](const array& v) { return lax::sin(v); },
                          [tangent](const std::tuple<array>& p, const std::tuple<array>& t) { return std::pair{lax::sin(get<0>(p)), tangent(get<0>(p), get<0>(t))}; });
  };
  const auto square = with_rule([](const array&, const array& t) { return t * t; });
  const auto sine = with_rule([](const array&, const array& t) { return lax::sin(t); });
  CHECK_THROWS_WITH_AS(jq::grad(square)(asarray(3.0)), doctest::Contains("Transpose rule (for reverse-mode differentiation) for 'mul' not implemented"), jq::not_implemented);
  CHECK_THROWS_WITH_AS(jq::grad(sine)(asarray(3.0)), doctest::Contains("Transpose rule (for reverse-mode differentiation) for 'sin' not implemented"), jq::not_implemented);
  CHECK(show(jq::jvp(square, jq::primals(asarray(1.0)), jq::tangents(asarray(3.0))).second) == "f64[] 9");
  // What is linear: products with primals, choices by them, sums, loops over tangents.
  const auto chosen = with_rule([](const array& p, const array& t) { return jq::where(p > 0.0, 2.0 * t, t / p) + lax::stop_gradient(t) * 0.0; });
  CHECK(show(jq::grad(chosen)(asarray(3.0))) == "f64[] 2");
  const auto looped = with_rule([](const array& p, const array& t) { return lax::fori_loop(0, 3, [&](const array&, const array& s) { return s * p; }, t); });
  CHECK(show(jq::grad(looped)(asarray(2.0))) == "f64[] 8");
}
TEST_CASE("custom_jvp: a rule that is the jvp of loops, branches and calls, which carry primals beside tangents") {
  const auto with_jvp = [](auto h) {
    return jq::custom_jvp(h, [h](const std::tuple<array>& p, const std::tuple<array>& t) { return jq::jvp(h, jq::primals(get<0>(p)), jq::tangents(get<0>(t))); });
  };
  const auto looped = [](const array& v) { return lax::tanh(lax::fori_loop(0, 3, [](const array&, const array& s) { return lax::sin(s); }, v)); };
  const auto chosen = [](const array& v) { return lax::exp(lax::cond(v > 0.0, [](const array& u) { return lax::sin(u); }, [](const array& u) { return u * u; }, v)); };
  const auto called = [](const array& v) { return lax::exp(jq::checkpoint(jq::jit([](const array& u) { return lax::sin(u) * u; }))(v)); };
  const auto agrees = [&](auto h) {
    const auto g = with_jvp(h);
    for (const double v : {0.3, -0.7}) {
      CHECK_REPORT(jq::testing::all_close(jq::grad(g)(asarray(v)), jq::grad(h)(asarray(v))));
      CHECK_REPORT(jq::testing::all_close(jq::jit(jq::grad(jq::grad(g)))(asarray(v)), jq::grad(jq::grad(h))(asarray(v))));
    }
    CHECK_REPORT(jq::testing::check_vmap(jq::grad(g), {0}, std::tuple{asarray({0.3, -0.7})}));
  };
  agrees(looped);
  agrees(chosen);
  agrees(called);
  const auto again = [](const array& v) {  // as many trips as a value says
    using state = std::pair<array, array>;
    return lax::exp(lax::while_loop([](const state& s) { return s.first < 3; }, [](const state& s) { return state{s.first + 1, lax::sin(s.second)}; }, state{asarray(0), v}).second);
  };
  CHECK_REPORT(jq::testing::all_close(jq::linearize(with_jvp(again), x).second(x), jq::linearize(again, x).second(x)));
  const auto perhaps = [again](const array& v) { return lax::cond(v > 0.0, again, [](const array& u) { return u; }, v); };
  const auto tangent = [](auto h) { return [h](const array& v) { return jq::jvp(h, jq::primals(v), jq::tangents(v)).second; }; };
  const array at = asarray(0.3);
  CHECK_REPORT(jq::testing::all_close(jq::linearize(tangent(with_jvp(perhaps)), at).second(at), jq::linearize(tangent(perhaps), at).second(at)));
  CHECK_REPORT(jq::testing::all_close(jq::linearize(with_jvp(tangent(perhaps)), at).second(at), jq::linearize(tangent(perhaps), at).second(at)));
}
TEST_CASE("custom_jvp: rules that are not linear in the tangents within a loop, a branch or a call are told of") {
  const auto slope_with = [](auto tangent) {
    return [tangent] {
      jq::grad(jq::custom_jvp([](const array& v) { return lax::sin(v); }, [tangent](const std::tuple<array>& p, const std::tuple<array>& t) {
        return std::pair{lax::sin(get<0>(p)), tangent(get<0>(t))};
      }))(asarray(3.0));
    };
  };
  const auto square = [](const array& t) { return t * t; };
  CHECK_THROWS_WITH_AS(slope_with([=](const array& t) { return jq::jit(square)(t); })(), doctest::Contains("for 'call' not implemented; the tangents"), jq::not_implemented);
  CHECK_THROWS_WITH_AS(slope_with([=](const array& t) { return lax::fori_loop(0, 2, [=](const array&, const array& s) { return square(s); }, t); })(),
                       doctest::Contains("for 'scan' not implemented; the tangents"), jq::not_implemented);
  CHECK_THROWS_WITH_AS(slope_with([=](const array& t) { return lax::cond(t > 0.0, square, [](const array& s) { return s; }, t); })(),
                       doctest::Contains("for 'cond' not implemented; the tangents"), jq::not_implemented);
}

namespace {

/// A product; the derivative has a factor of five.
constexpr auto scaled = jq::custom_jvp([](const auto& a, const auto& b) { return a * b; },
                                       [](const auto& a, const auto& p, const auto& t) { return std::pair{a * std::get<0>(p), a * std::get<0>(t) * 5.0}; }, jq::nondiff_argnums<0>);
static_assert(jq::grad(scaled, jq::argnums<1>)(2.0, 3.0) == 10.0);

}  // namespace

TEST_CASE("custom_jvp: arrays that are not differentiated reach the rule when the trace they belong to is over") {
  CHECK(show(jq::grad(scaled, jq::argnums<1>)(asarray(2.0), asarray(3.0))) == "f64[] 10");
  CHECK(show(jq::grad(jq::jit(scaled), jq::argnums<1>)(asarray(2.0), asarray(3.0))) == "f64[] 10");
  const auto forwards = [](const array& b) { return jq::jvp([](const array& v) { return jq::vmap(scaled)(x, v); }, jq::primals(b), jq::tangents(b)).second; };
  CHECK(show(forwards(x)) == "f64[2] 0 1.25");
  const auto factorial = [](const array& b) {
    return lax::fori_loop(0, 3, [](const array& i, const array& s) { return scaled(lax::convert_element_type(i, jq::f64) + 1.0, s); }, b);
  };
  CHECK(show(jq::grad(factorial)(asarray(2.0))) == "f64[] 750");
  CHECK(show(jq::vmap(jq::grad(factorial))(x)) == "f64[2] 750 750");
  const auto masked = [](const array& v) {
    const auto sum = [](const array& a, const array& b) { return jq::sum(scaled(a, b)); };
    return jq::mask(sum, jq::in_shapes<"n", "n">, jq::out_shape<"">)(jq::args(asarray({3.0, 4.0}), v), jq::dims{{"n", 1}});
  };
  CHECK(show(jq::grad(masked)(x)) == "f64[2] 15 0");
  CHECK_THROWS_WITH_AS(jq::grad([](const array& v) { return scaled(v, v); })(asarray(2.0)), doctest::Contains("Detected differentiation of a custom_jvp function"),
                       jq::unexpected_tracer_error);
}
TEST_CASE("custom_jvp: texts and plain functions among the arguments that are not differentiated") {
  struct plain {
    static array square(const array& v) { return v * v; }
  };
  const auto f = jq::custom_jvp([](const auto& g, const array& v, const std::string& s) { return g(v) * double(s.size()); },
                                [](const auto& g, const std::string& s, const std::tuple<array>& p, const std::tuple<array>& t) {
                                  return std::pair{g(std::get<0>(p)) * double(s.size()), std::get<0>(t) * 10.0 * double(s.size())};
                                },
                                jq::nondiff_argnums<0, -1>);
  CHECK(show(jq::value_and_grad([&](const array& v) { return f(plain::square, v, "abc"); })(asarray(2.0))) == "f64[] 12, f64[] 30");
}
TEST_CASE("custom_jvp: the function and its rule may ask for values, where there are any") {
  const auto g = jq::custom_jvp([](const array& v) { return v > 0 ? lax::sin(v) : lax::cos(v); }, [](const std::tuple<array>& p, const std::tuple<array>& t) {
    const auto& [v] = p;
    return std::pair{v > 0 ? lax::sin(v) : lax::cos(v), get<0>(t) * (v > 0 ? 2.0 : 3.0)};
  });
  CHECK(show(g(asarray(-2.0))) == "f64[] -0.41615");
  CHECK(show(jq::jvp(g, jq::primals(asarray(-2.0)), jq::tangents(asarray(1.0))).second) == "f64[] 3");
  CHECK(show(jq::grad([&](const array& v) { return g(v * 1.0) + g(-v) * 10.0; })(asarray(2.0))) == "f64[] -28");
  CHECK_THROWS_WITH_AS(jq::jit(g)(asarray(2.0)), doctest::Contains("of the function traced by jit"), jq::concretization_error);
  CHECK_THROWS_WITH_AS(jq::vmap(g)(x), doctest::Contains("of the function traced by vmap"), jq::concretization_error);
}
