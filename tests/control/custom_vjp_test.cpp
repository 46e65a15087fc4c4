// custom_vjp and custom_gradient: the pullback is the derivative in reverse mode, in every nesting; forward mode is refused.
#include "control_testing.hpp"

using jq::array;
using jq::asarray;

namespace {

/// sin with the derivative 2 cos, which shows whose derivative was taken.
const auto f = jq::custom_vjp([](const array& x) { return lax::sin(x); },
                              [](const array& x) { return std::pair{lax::sin(x), lax::cos(x)}; },
                              [](const array& c, const array& ct) { return std::tuple{c * 2.0 * ct}; });
const array x = asarray({0.0, 0.5});

}  // namespace

TEST_CASE("custom_vjp: values and derivatives, eagerly and compiled") {
  CHECK_REPORT(jq::testing::all_close(f(x), lax::sin(x)));
  const auto slope = jq::grad([](const array& v) { return total(f(v)); });
  CHECK_REPORT(jq::testing::all_close(slope(x), lax::cos(x) * 2.0));
  CHECK_REPORT(jq::testing::all_close(jq::jit(slope)(x), lax::cos(x) * 2.0));
  CHECK_REPORT(jq::testing::all_close(jq::grad(jq::jit([](const array& v) { return total(f(v)); }))(x), lax::cos(x) * 2.0));
  CHECK_REPORT(jq::testing::all_close(jq::grad([&](const array& v) { return total(slope(v)); })(x), lax::sin(x) * -2.0));
  CHECK_REPORT(jq::testing::all_close(jq::jacfwd(slope)(x), jq::jacrev(slope)(x)));
}
TEST_CASE("custom_vjp: vmap, in every order with the derivative") {
  const array rows = testing::examples(x);
  const auto slope = [](const array& v) { return jq::grad([](const array& u) { return total(f(u)); })(v); };
  CHECK_REPORT(jq::testing::all_close(jq::vmap(f)(rows), lax::sin(rows)));
  CHECK_REPORT(jq::testing::all_close(jq::vmap(slope)(rows), lax::cos(rows) * 2.0));
  CHECK_REPORT(jq::testing::all_close(jq::grad([](const array& v) { return total(jq::vmap(f)(v)); })(rows), lax::cos(rows) * 2.0));
  CHECK_REPORT(jq::testing::all_close(jq::grad([](const array& v) { return total(jq::vmap(jq::vmap(f))(v)); })(rows), lax::cos(rows) * 2.0));
  CHECK_REPORT(jq::testing::all_close(jq::jacrev(f)(x), jq::diag(lax::cos(x) * 2.0)));
}
TEST_CASE("custom_vjp: an argument that is the same for all examples gets the sum of their cotangents") {
  const auto g = jq::custom_vjp([](const array& w, const array& v) { return w * v; },
                                [](const array& w, const array& v) { return std::pair{w * v, std::pair{w, v}}; },
                                [](const std::pair<array, array>& r, const array& ct) { return std::tuple{r.second * ct * 10.0, r.first * ct}; });
  const auto loss = [&](const array& w, const array& vs) { return total(jq::vmap(g, jq::in_axes<jq::none, 0>)(w, vs)); };
  CHECK(show(jq::grad(loss, jq::argnums<0, 1>)(asarray(2.0), asarray({1.0, 2.0, 3.0}))) == "f64[] 60, f64[3] 2 2 2");
}
TEST_CASE("custom_vjp: in loops and branches") {
  const auto looped = [](const array& v) { return lax::fori_loop(0, 3, [](const array&, const array& s) { return f(s); }, v); };
  const auto by_hand = [](const array& v) { return f(f(f(v))); };
  CHECK_REPORT(jq::testing::all_close(jq::jacrev(looped)(x), jq::jacrev(by_hand)(x)));
  CHECK_REPORT(jq::testing::all_close(jq::vmap(jq::jacrev(looped))(testing::examples(x)), jq::vmap(jq::jacrev(by_hand))(testing::examples(x))));
  const auto branch = [](const array& v) { return lax::cond(v > 0.1, f, [](const array& u) { return u; }, v); };
  CHECK_REPORT(jq::testing::all_close(jq::vmap(jq::grad(branch))(x), asarray({1.0, 2 * 0.87758256189})));
}
TEST_CASE("custom_vjp: zero cotangents, integers, and functions among the arguments") {
  const auto g = jq::custom_vjp([](const array& a, const auto& h, const array& n, const array& b) { return h(a) * b * lax::convert_element_type(n, jq::f64, false); },
                                [](const array& a, const auto& h, const array& n, const array& b) {
                                  return std::pair{h(a) * b * lax::convert_element_type(n, jq::f64, false), a};
                                },
                                [](const auto& h, const array& a, const array& ct) { return std::tuple{h(a) * ct, array(), array()}; },
                                jq::nondiff_argnums<1>);
  const auto loss = [&](const array& a, const array& b) { return g(a, [](const array& v) { return v * v; }, asarray(3), b); };
  CHECK(show(loss(asarray(2.0), asarray(5.0))) == "f64[] 60");
  CHECK(show(jq::grad(loss, jq::argnums<0, 1>)(asarray(2.0), asarray(5.0))) == "f64[] 4, f64[] 0");
}
TEST_CASE("custom_vjp: jq::none stands for the cotangent of an argument, a container of arrays, too, that is zero") {
  using two = std::vector<array>;
  const auto g = jq::custom_vjp([](const array& a, const two& b) { return a * b[0] * b[1]; },
                                [](const array& a, const two& b) { return std::pair{a * b[0] * b[1], a}; },
                                [](const array&, const array&) { return std::tuple{jq::none, jq::none}; });
  const auto [ga, gb] = jq::grad(g, jq::argnums<0, 1>)(asarray(2.0), two{asarray(3.0), asarray(5.0)});
  CHECK(show(ga) == "f64[] 0");
  CHECK(show(gb) == "f64[] 0, f64[] 0");
  const auto h = jq::custom_vjp([](const array& a, const array& b) { return a * b; }, [](const array& a, const array& b) { return std::pair{a * b, b}; },
                                [](const array& b, const array& ct) { return std::tuple{b * ct, jq::none}; });
  CHECK(show(jq::jit(jq::grad(h, jq::argnums<0, 1>))(asarray(2.0), asarray(3.0))) == "f64[] 3, f64[] 0");
  CHECK(show(jq::vmap(jq::grad(h, jq::argnums<1>))(x, x)) == "f64[2] 0 0");
  const auto number = jq::custom_vjp([](const two& a) { return a[0] * a[1]; }, [](const two& a) { return std::pair{a[0] * a[1], a}; },
                                     [](const two&, const array&) { return std::tuple{7}; });
  CHECK_THROWS_WITH_AS(jq::grad(number)(two{asarray(3.0), asarray(5.0)}), doctest::Contains("of structure ([*, *],), but got (*,); jq::none or"), jq::type_error);
}
TEST_CASE("custom_vjp: a call of the function, and only the tangents' equation knows the pullback") {
  const auto p = jq::make_jaxpr(f)(x);
  CHECK(p->equations[0].op == &jq::table_of<jq::custom_vjp_p>());
  const bool function_transposes = jq::table_of<jq::custom_vjp_p>().transpose, tangents_transpose = jq::table_of<jq::custom_lin_p>().transpose;
  CHECK_FALSE(function_transposes);
  CHECK(tangents_transpose);
}
TEST_CASE("custom_vjp: refused in forward mode, wrong pullbacks named") {
  CHECK_THROWS_WITH_AS(jq::jvp(f, jq::primals(x), jq::tangents(x)), doctest::Contains("can't apply forward-mode autodiff (jvp) to a custom_vjp function."),
                       jq::type_error);
  CHECK_THROWS_WITH_AS(jq::linearize(f, x).second(x), doctest::Contains("can't apply forward-mode autodiff (jvp) to a custom_vjp function."), jq::type_error);
  const auto short_one = jq::custom_vjp([](const array& a, const array& b) { return a * b; }, [](const array& a, const array& b) { return std::pair{a * b, a}; },
                                        [](const array& a, const array& ct) { return std::tuple{a * ct}; });
  CHECK_THROWS_WITH_AS(jq::grad(short_one)(asarray(1.0), asarray(2.0)), doctest::Contains("one cotangent for each differentiable argument, of structure (*, *), but got (*,)"),
                       jq::type_error);
  const auto other_type = jq::custom_vjp([](const array& a) { return a; }, [](const array& a) { return std::pair{lax::broadcast_in_dim(a, {1}, {}), a}; },
                                         [](const array&, const array& ct) { return std::tuple{ct}; });
  CHECK_THROWS_WITH_AS(jq::grad(other_type)(asarray(1.f)),
                       doctest::Contains("Custom VJP forward rule must return the results of the function, of type float32[], but got float32[1]"), jq::type_error);
  const auto number = jq::custom_vjp([](const array& a) { return a * a; }, [](const array& a) { return std::pair{array(9), a}; },
                                     [](const array& a, const array& ct) { return std::tuple{2.f * a * ct}; });  // a number without a dtype
  CHECK(show(jq::value_and_grad(number)(asarray(3.f)).first) == "f32[] 9");
}
TEST_CASE("custom_gradient: value and pullback in one function") {
  const auto g = jq::custom_gradient([](const array& a, const array& b) {
    const array s = lax::sin(a);
    return std::pair{s * b, [=](const array& ct) { return std::tuple{ct * b * 10.0, ct * s}; }};
  });
  CHECK(show(g(asarray(0.5), asarray(2.0))) == "f64[] 0.95885");
  CHECK(show(jq::grad(g, jq::argnums<0, 1>)(asarray(0.5), asarray(2.0))) == "f64[] 20, f64[] 0.47943");
  CHECK(show(jq::jit(jq::grad(g, jq::argnums<0, 1>))(asarray(0.5), asarray(2.0))) == "f64[] 20, f64[] 0.47943");
  CHECK_REPORT(jq::testing::check_vmap(jq::grad(g, jq::argnums<0, 1>), {0, jq::none}, std::tuple{x, asarray(2.0)}));
  CHECK(show(jq::grad([&](const array& v) { return total(jq::vmap(g, jq::in_axes<0, jq::none>)(v, asarray(2.0))); })(x)) == "f64[2] 20 20");
}

namespace {

constexpr auto in_static_lane = jq::custom_vjp([](const auto& v) { return jq::sin(v); }, [](const auto& v) { return std::pair{jq::sin(v), v}; },
                                               [](const auto& r, const auto& ct) { return std::tuple{jq::cos(r) * ct * 3.0}; });
constexpr auto over_examples = jq::grad([](const auto& v) { return jq::sum(jq::vmap(in_static_lane)(v)); })(jq::tensor<double, 2>{{0.0, 0.0}});
static_assert(over_examples[0] == 3.0 && over_examples[1] == 3.0);

/// A product; the derivative has a factor of five.
const auto scaled = jq::custom_vjp([](const array& a, const array& b) { return a * b; }, [](const array& a, const array& b) { return std::pair{a * b, std::tuple<>{}}; },
                                   [](const array& a, const std::tuple<>&, const array& ct) { return std::tuple{a * ct * 5.0}; }, jq::nondiff_argnums<0>);
/// The identity, whose cotangents are clipped.
const auto clipped = jq::custom_vjp([](const std::pair<array, array>&, const array& v) { return v; }, [](const std::pair<array, array>&, const array& v) { return std::pair{v, std::tuple<>{}}; },
                                    [](const std::pair<array, array>& bounds, const auto&, const array& ct) { return std::tuple{jq::clip(ct, bounds.first, bounds.second)}; }, jq::nondiff_argnums<0>);

}  // namespace

TEST_CASE("custom_vjp: arrays that are not differentiated reach the rule when the trace they belong to is over") {
  CHECK(show(jq::grad(scaled, jq::argnums<1>)(asarray(2.0), asarray(3.0))) == "f64[] 10");
  CHECK(show(jq::jit(jq::grad(scaled, jq::argnums<1>))(asarray(2.0), asarray(3.0))) == "f64[] 10");
  CHECK(show(jq::vmap(jq::grad(scaled, jq::argnums<1>))(x, x)) == "f64[2] 0 2.5");
  CHECK(show(jq::grad([](const array& v) { return total(scaled(jq::stop_gradient(v + 1.0), v)); })(x)) == "f64[2] 5 7.5");
  CHECK(show(jq::grad([](const array& v) { return clipped(std::pair{asarray(-0.1), jq::stop_gradient(v + 0.1)}, v); })(asarray(0.1))) == "f64[] 0.2");
  CHECK_THROWS_WITH_AS(jq::grad([](const array& v) { return scaled(v, v); })(asarray(2.0)), doctest::Contains("Detected differentiation of a custom_vjp function"),
                       jq::unexpected_tracer_error);
}
TEST_CASE("custom_vjp: values of a trace without values are refused where nothing is differentiated") {
  const auto wrong = doctest::Contains("passed to a custom_vjp function in a position of nondiff_argnums");
  CHECK_THROWS_WITH_AS(jq::jit(scaled)(asarray(2.0), asarray(3.0)), wrong, jq::unexpected_tracer_error);
  CHECK_THROWS_WITH_AS(jq::grad(jq::jit(scaled), jq::argnums<1>)(asarray(2.0), asarray(3.0)), wrong, jq::unexpected_tracer_error);
  CHECK_THROWS_WITH_AS(jq::vmap(scaled)(x, x), wrong, jq::unexpected_tracer_error);
}
TEST_CASE("custom_vjp: the function and its rules may ask for values, where there are any") {
  const auto g = jq::custom_vjp([](const array& v) { return v > 0 ? lax::sin(v) : lax::cos(v); },
                                [](const array& v) { return std::pair{v > 0 ? lax::sin(v) : lax::cos(v), v}; },
                                [](const array& v, const array& ct) { return std::tuple{v > 0 ? ct * 2.0 : ct > 0 ? ct * 3.0 : ct * 30.0}; });
  CHECK(show(g(asarray(2.0))) == "f64[] 0.9093");
  CHECK(show(jq::grad(g)(asarray(2.0))) == "f64[] 2");
  CHECK(show(jq::grad([&](const array& v) { return g(v * 2.0) * -1.0; })(asarray(-2.0))) == "f64[] -60");
  CHECK_THROWS_WITH_AS(jq::jit(g)(asarray(2.0)), doctest::Contains("of the function traced by jit"), jq::concretization_error);
}
