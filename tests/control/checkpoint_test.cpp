// checkpoint: the derivatives of the function itself, and how often operations are evaluated for them under each policy.
#include "control_testing.hpp"

#include <jacquard/control/checkpoint.hpp>

using jq::array;
using jq::asarray;
namespace policies = jq::checkpoint_policies;

namespace {

/// The linear program of f at x.
template <class F>
jq::closed_jaxpr linear_program(F f, const array& x) {
  const auto f_lin = jq::linearize(f, x).second;
  return jq::make_jaxpr([&](const array& t) { return f_lin(t); })(x);
}
const auto sin_of_sin = [](const array& x) { return lax::sin(lax::sin(x)); };
/// Three layers of a product and a sine.
const auto layers = [](const auto& product) {
  return [product](array x) {
    for (int i = 0; i < 3; ++i) x = lax::sin(product(x));
    return x;
  };
};
const auto dot = [](const array& x) { return jq::einsum("ij,jk->ik", x, x); };
const auto batched_dot = [](const array& x) { return jq::einsum("nij,njk->nik", x, x); };

}  // namespace

TEST_CASE("checkpoint: values and derivatives are those of the function") {
  const auto f = jq::checkpoint([](const array& w, const std::pair<array, array>& p) { return std::tuple{lax::sin(w * p.first), lax::exp(p.second) * w}; });
  const std::tuple args{asarray({0.3, 0.4}), std::pair{asarray({0.5, -0.2}), asarray({0.1, 0.7})}};
  CHECK_REPORT(jq::testing::check_grads(f, args, {.order = 2}));
  CHECK_REPORT(jq::testing::check_grads(jq::jit(f), args, {.order = 1}));
  CHECK_REPORT(jq::testing::check_vmap(jq::jacrev(jq::checkpoint(sin_of_sin)), {0}, std::tuple{asarray({0.3, 0.4})}));
}
TEST_CASE("checkpoint: a sine of a sine, linearized: one sine and two cosines") {
  const jq::closed_jaxpr p = linear_program(jq::checkpoint(sin_of_sin), asarray(3.0));
  CHECK(testing::uses(p, "sin") == 1);
  CHECK(testing::uses(p, "cos") == 2);
}
TEST_CASE("checkpoint: kept and computed again by policy") {
  const auto counts = [](auto policy, const char* operation) {
    return testing::uses(linear_program(jq::checkpoint(sin_of_sin, policy), asarray(3.0)), operation);
  };
  CHECK(counts(policies::everything_saveable, "sin") == 0);
  CHECK(counts(policies::everything_saveable, "cos") == 0);
  CHECK(counts(policies::nothing_saveable, "sin") == 1);
  CHECK(counts(policies::nothing_saveable, "cos") == 2);
}
TEST_CASE("checkpoint: with checkpoint_dots, three products are kept and two sines computed again") {
  const jq::closed_jaxpr p = linear_program(jq::checkpoint(layers(dot), policies::checkpoint_dots), jq::ones({2, 2}, jq::f64));
  CHECK(testing::uses(p, "sin") == 2);
  CHECK(testing::uses(p, "dot_general") == 6);
  const jq::closed_jaxpr q = linear_program(jq::checkpoint(layers(dot), policies::checkpoint_dots_with_no_batch_dims), jq::ones({2, 2}, jq::f64));
  CHECK(testing::uses(q, "sin") == 2);
  CHECK(testing::uses(q, "dot_general") == 6);
}
TEST_CASE("checkpoint: checkpoint_dots keeps convolutions") {
  const auto same = [](const array& x) { return lax::conv(x, x, {1}, "SAME"); };
  const auto counts = [&](auto policy, const char* operation) {
    return testing::uses(linear_program(jq::checkpoint(layers(same), policy), jq::ones({1, 1, 3}, jq::f64)), operation);
  };
  CHECK(counts(policies::checkpoint_dots, "sin") == 2);
  CHECK(counts(policies::checkpoint_dots, "conv_general_dilated") == 6);
  CHECK(counts(policies::nothing_saveable, "conv_general_dilated") == 9);
}
TEST_CASE("checkpoint: batched products are not kept by the policy without batch dimensions") {
  const jq::closed_jaxpr p = linear_program(jq::checkpoint(layers(batched_dot), policies::checkpoint_dots_with_no_batch_dims), jq::ones({3, 2, 2}, jq::f64));
  CHECK(testing::uses(p, "sin") == 2);
  CHECK(testing::uses(p, "dot_general") == 9);
}
TEST_CASE("checkpoint: calls are looked into") {
  const auto f = [](const array& x) { return jq::jit(dot)(lax::sin(x)); };
  const jq::closed_jaxpr p = linear_program(jq::checkpoint([&](const array& x) { return lax::sin(f(x)); }, policies::checkpoint_dots), jq::ones({2, 2}, jq::f64));
  CHECK(testing::uses(p, "dot_general") == 2);
}
TEST_CASE("checkpoint: names decide") {
  const auto f = [](const array& x) { return lax::sin(jq::checkpoint_name(lax::sin(jq::checkpoint_name(lax::sin(x), "a")), "b")); };
  const auto sines = [&](auto policy) { return testing::uses(linear_program(jq::checkpoint(f, policy), asarray(3.0)), "sin"); };
  CHECK(sines(policies::save_only_these_names("a", "b")) == 0);
  CHECK(sines(policies::save_only_these_names("a")) == 1);
  CHECK(sines(policies::save_only_these_names("b")) == 1);
  CHECK(sines(policies::save_only_these_names("c")) == 2);
  CHECK(sines(policies::save_any_names_but_these("c")) == 0);
  CHECK(sines(policies::save_any_names_but_these("a", "b")) == 2);
  CHECK(show(jq::grad(f)(asarray(0.0))) == "f64[] 1");
}
TEST_CASE("checkpoint: within a checkpoint, in loops, and around them") {
  const auto inner = jq::checkpoint([](const array& x) { return lax::sin(x); });
  const auto outer = jq::checkpoint([=](const array& x) { return lax::sin(inner(x)); });
  CHECK_REPORT(jq::testing::check_grads(outer, std::tuple{asarray({0.3, 0.4})}, {.order = 2}));
  const auto looped = [](const array& x) {
    const auto chunk = jq::checkpoint([](const array& s) { return lax::fori_loop(0, 3, [](const array&, const array& v) { return lax::sin(v) * 1.1; }, s); });
    return lax::fori_loop(0, 4, [=](const array&, const array& s) { return chunk(s); }, x);
  };
  CHECK_REPORT(jq::testing::check_grads(looped, std::tuple{asarray({0.3, 0.4})}, {.order = 2}));
  CHECK_REPORT(jq::testing::check_grads(jq::jit(looped), std::tuple{asarray({0.3, 0.4})}, {.order = 1}));
}
TEST_CASE("checkpoint: of a checkpoint: two sines forward, and one again on the way back") {
  const auto inner = jq::checkpoint([](const array& y) { return lax::sin(y); });
  const jq::closed_jaxpr p = jq::make_jaxpr(jq::grad(jq::checkpoint([=](const array& x) { return lax::sin(inner(x)); })))(asarray(3.0));
  CHECK(testing::uses(p, "sin") == 3);  // the outer sine is not needed again, nor is the inner one for its own cosine
  CHECK(testing::uses(p, "cos") == 2);
}
TEST_CASE("checkpoint: a tap shows the value once, its tangents aside") {
  std::vector<double> seen;
  const auto f = jq::checkpoint([&](const array& x) {
    return lax::sin(jq::id_tap([&](const array& v, const jq::tap_context& c) {
      if (c.transforms.empty()) seen.push_back(v.item<double>());
    }, x));
  });
  jq::grad(f)(asarray(0.5));
  jq::barrier_wait();
  CHECK(seen == std::vector<double>{0.5});
  jq::jit(jq::grad(f))(asarray(0.5));  // which needs only what is computed again, of which the tapped value is not
  jq::barrier_wait();
  CHECK(seen == std::vector<double>{0.5, 0.5});
}
TEST_CASE("checkpoint: functions with side effects are not for derivatives, and run once otherwise; functions that look at values run once") {
  int calls = 0;
  const auto count = [&](const array& v) {
    ++calls;
    return v;
  };
  const auto seen = [&](const auto&... options) {
    return jq::checkpoint([=](const array& x, const array& y) {
      jq::io_callback(count, y, y, options...);
      return lax::sin(x) * x;
    });
  };
  const auto called = jq::checkpoint([&](const array& x, const array& y) { return lax::fori_loop(0, 2, [&](const array&, const array& v) { return v * jq::call(count, y, y); }, x); });
  const std::string text = "Effects not supported in partial-eval of `checkpoint`";
  const auto refused = [&](const auto& f) {
    for (const bool compiled : {false, true})
      CHECK(testing::message_of<jq::not_implemented>([&] { compiled ? jq::jit(jq::grad(f))(array(2.0), array(3.0)) : jq::grad(f)(array(2.0), array(3.0)); }).find(text) == 0);
    CHECK(testing::message_of<jq::not_implemented>([&] { jq::linearize(f, array(2.0), array(3.0)); }).find(text) == 0);
  };
  refused(seen());
  refused(seen(jq::in_order()));
  refused(called);
  CHECK(calls == 0);
  jq::jit(seen())(array(2.0), array(3.0));
  CHECK(calls == 1);
  jq::vmap(seen(), jq::in_axes<jq::none, 0>)(array(2.0), asarray({1.0, 2.0}));
  CHECK(calls == 3);
  jq::jvp([&](const array& x) { return seen()(x, array(3.0)); }, jq::primals(array(2.0)), jq::tangents(1.0));
  CHECK(calls == 4);
  const auto shown = jq::checkpoint([&](const array& x) {
    jq::debug::callback([&](const array&) { ++calls; }, x);
    return lax::sin(lax::sin(x));
  });
  jq::grad(shown)(array(2.0));
  CHECK(calls == 5);
}
// A number stays a number, and a tensor a tensor.
static_assert(jq::stop_gradient(3.0) == 3.0);
static_assert(jq::stop_gradient(jq::tensor<double, 2>{{1.0, 2.0}})[1] == 2.0);
static_assert(jq::grad([](const auto& x) { return x * jq::stop_gradient(x * x); })(3.0) == 9.0);
TEST_CASE("stop_gradient: a constant for differentiation, of trees too") {
  const auto f = [](const array& x) { return x * jq::stop_gradient(std::pair{x, asarray(3)}).first; };
  CHECK(show(jq::grad(f)(asarray(3.0))) == "f64[] 3");
}
