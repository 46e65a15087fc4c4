// Every construct of control flow within every other one, under every transform and pairs of them: the same as the function laid
// out.
#include "control_testing.hpp"

#include <jacquard/control/custom_batching.hpp>
#include <jacquard/control/linear_solve.hpp>
#include <jacquard/testing/masking.hpp>

#include <functional>

using jq::array;
using jq::asarray;

namespace {

using function = std::function<array(const array&)>;
enum class mode { both, forward, reverse };

/// A way to write a function: what it is wrapped in, and the same laid out.
struct construct {
  std::string name;
  std::function<function(function)> wrapped, laid_out;
  mode differentiable = mode::both;
};

function twice(const function& f) {
  return [f](const array& x) { return f(f(x)); };
}
function itself(const function& f) { return f; }

function in_scan(const function& f) {
  return [f](const array& x) { return lax::scan([&](const array& s, const std::tuple<>& none) { return std::pair{f(s), none}; }, x, std::tuple<>{}, {.length = 2}).first; };
}
function in_reversed_scan(const function& f) {
  return [f](const array& x) {
    const auto last = [&](const array&, const array& v) { return std::pair{f(v), std::tuple<>{}}; };
    return lax::scan(last, x * 0.0, testing::stacked({f(x), x}), {.reverse = true}).first;
  };
}
function in_while(const function& f) {
  return [f](const array& x) {
    using state = std::pair<array, array>;
    return lax::while_loop([](const state& s) { return s.first < 2; }, [&](const state& s) { return state{s.first + 1, f(s.second)}; }, state{asarray(0), x}).second;
  };
}
function in_cond(const function& f) {
  return [f](const array& x) { return lax::cond(total(x) < 100.0, f, [](const array& v) { return v * v * 5.0; }, x); };
}
function in_checkpoint(const function& f) {
  return [f](const array& x) { return jq::checkpoint(f)(x); };
}
function in_call(const function& f) {
  return [f](const array& x) { return jq::jit(f)(x); };
}
function in_custom_jvp(const function& f) {
  return [f](const array& x) {
    return jq::custom_jvp(f, [f](const std::tuple<array>& v, const std::tuple<array>& t) {
      return jq::jvp(f, jq::primals(std::get<0>(v)), jq::tangents(std::get<0>(t)));
    })(x);
  };
}
function in_custom_vjp(const function& f) {
  return [f](const array& x) {
    return jq::custom_vjp(f, [f](const array& v) { return std::pair{f(v), v}; },
                          [f](const array& v, const array& ct) { return jq::vjp(f, v).second(ct); })(x);
  };
}

function in_custom_batching(const function& f) {
  return [f](const array& x) {
    return jq::custom_batching(f, [f](const jq::mapped_arguments&, const array& v) { return jq::vmap(f)(v); })(x);
  };
}
/// The solution of y / (3 + f(x)) = f(x) / (3 + f(x)).
function in_linear_solve(const function& f) {
  return [f](const array& x) {
    const auto matvec = [&](const array& y) { return y / (f(x) + 3.0); };
    const auto solve = [](const auto& g, const array& b) { return b / g(b * 0.0 + 1.0); };
    return lax::custom_symmetric_solve(matvec, f(x) / (f(x) + 3.0), solve);
  };
}

const std::vector<construct> constructs{{"scan", in_scan, twice},
                                        {"reversed scan", in_reversed_scan, twice},
                                        {"while", in_while, twice, mode::forward},
                                        {"cond", in_cond, itself},
                                        {"checkpoint", in_checkpoint, itself},
                                        {"call", in_call, itself},
                                        {"custom_batching", in_custom_batching, itself},
                                        {"custom_linear_solve", in_linear_solve, itself},
                                        {"custom_jvp", in_custom_jvp, itself},
                                        {"custom_vjp", in_custom_vjp, itself, mode::reverse}};

const function base = [](const array& x) { return lax::sin(x) * 1.25 + 0.1; };
const array x = asarray({0.3, -0.7}), longer = asarray({0.3, -0.7, 0.5});

/// Calls check(name, nested, laid out) for every pair of constructs that both differentiate in `wanted`.
template <class Check>
void for_each_pair(mode wanted, Check check) {
  const auto fits = [&](const construct& c) { return c.differentiable == mode::both || c.differentiable == wanted || wanted == mode::both; };
  for (const construct& outer : constructs)
    for (const construct& inner : constructs) {
      if (!fits(outer) || !fits(inner)) continue;
      const bool goes_forwards = outer.name == "custom_jvp" || outer.name == "custom_linear_solve";  // the derivative of the latter's matrix
      if (goes_forwards && inner.differentiable == mode::reverse) continue;
      const std::string name = outer.name + " of " + inner.name;
      INFO(name);
      check(outer.wrapped(inner.wrapped(base)), outer.laid_out(inner.laid_out(base)));
    }
}
array slope(const function& f, const array& at) {
  return jq::grad([&](const array& v) { return total(f(v)); })(at);
}

}  // namespace

TEST_CASE("nesting: values, compiled and mapped") {
  for_each_pair(mode::both, [](const function& f, const function& want) {
    CHECK_REPORT(jq::testing::all_close(f(x), want(x)));
    CHECK_REPORT(jq::testing::all_close(jq::jit(f)(x), want(x)));
    CHECK_REPORT(jq::testing::all_close(jq::vmap(f)(testing::examples(x)), want(testing::examples(x))));
    CHECK_REPORT(jq::testing::all_close(jq::jit(jq::vmap(jq::vmap(f)))(testing::examples(x)), want(testing::examples(x))));
  });
}
TEST_CASE("nesting: forward mode, twice, compiled and mapped") {
  for_each_pair(mode::forward, [](const function& f, const function& want) {
    const auto derivative = [](const function& g) { return [g](const array& v) { return jq::jvp(g, jq::primals(v), jq::tangents(v * 0.0 + 1.0)).second; }; };
    const array d = derivative(want)(x);
    CHECK_REPORT(jq::testing::all_close(derivative(f)(x), d));
    CHECK_REPORT(jq::testing::all_close(jq::linearize(f, x).second(x * 0.0 + 1.0), d));
    CHECK_REPORT(jq::testing::all_close(derivative(derivative(f))(x), derivative(derivative(want))(x)));
    CHECK_REPORT(jq::testing::all_close(jq::jit(jq::vmap(derivative(f)))(testing::examples(x)), derivative(want)(testing::examples(x))));
    CHECK_REPORT(jq::testing::all_close(derivative(jq::vmap(f))(testing::examples(x)), derivative(want)(testing::examples(x))));
  });
}
TEST_CASE("nesting: reverse mode, twice, compiled and mapped") {
  for_each_pair(mode::reverse, [](const function& f, const function& want) {
    const auto derivative = [](const function& g) { return [g](const array& v) { return slope(g, v); }; };
    const array d = slope(want, x);
    CHECK_REPORT(jq::testing::all_close(slope(f, x), d));
    CHECK_REPORT(jq::testing::all_close(jq::jit(derivative(f))(x), d));
    CHECK_REPORT(jq::testing::all_close(slope(derivative(f), x), slope(derivative(want), x)));
    CHECK_REPORT(jq::testing::all_close(jq::vmap(derivative(f))(testing::examples(x)), slope(want, testing::examples(x))));
    CHECK_REPORT(jq::testing::all_close(slope(jq::vmap(f), testing::examples(x)), slope(want, testing::examples(x))));
  });
}
TEST_CASE("nesting: masked, with garbage in the padding; gradients of a ragged batch, compiled") {
  for_each_pair(mode::both, [](const function& f, const function&) {
    const auto of_leaves = [f](const jq::testing::leaves& v) { return jq::testing::leaves{f(v[0])}; };
    for (const std::int64_t n : {2, 3, 0}) CHECK_REPORT(jq::testing::check_mask(of_leaves, {"n"}, {longer}, {{"n", n}}, false));
  });
  for_each_pair(mode::reverse, [](const function& f, const function& want) {
    const auto masked = [&](const array& v, const array& n) {
      return total(jq::mask(f, jq::in_shapes<"n">, jq::out_shape<"n">)(jq::args(v), jq::dims{{"n", n}}));
    };
    const array sizes = asarray({2, 0, 3}), rows = testing::stacked({asarray({0.3, -0.7, std::numeric_limits<double>::quiet_NaN()}), longer, longer * 0.5});
    const array got = jq::jit(jq::vmap(jq::grad(masked)))(rows, sizes);
    CHECK_REPORT(jq::testing::all_close(got[0](jq::slice(0, 2)), slope(want, x)));
    CHECK(show(got[1]) == "f64[3] 0 0 0");
    CHECK_REPORT(jq::testing::all_close(got[2], slope(want, longer * 0.5)));
  });
}
