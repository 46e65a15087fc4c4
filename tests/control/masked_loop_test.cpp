// Loops over an axis whose logical size is a run-time value: what runs in the padding, and what it costs in a batch. The values and
// derivatives are checked by tests/laws/masked_control_test.cpp.
#include "control_testing.hpp"

#include <jacquard/fixed.hpp>

#include <limits>

using jq::array;
using jq::asarray;

namespace {

using two = std::pair<array, array>;
const double nan = std::numeric_limits<double>::quiet_NaN();

/// f(x) of the first n elements of x.
template <class F>
auto prefix_of(F f) {
  return [f](const array& x, const array& n) { return jq::mask(f, jq::in_shapes<"n">, jq::out_shape<"">)(jq::args(x), jq::dims{{"n", n}}); };
}
/// Steps of a network over a sequence.
template <jq::fixed_string Spec>
auto network(const array& w, const array& xs, const array& n) {
  const auto f = [](const array& m, const array& v) {
    return jq::sum(lax::scan([&](const array& c, const array& x) { return two{jq::tanh(jq::dot(c, m) + x), c}; }, jq::zeros({3}, jq::f64), v).first);
  };
  return jq::mask(f, jq::in_shapes<"(3, 3)", Spec>, jq::out_shape<"">)(jq::args(w, xs), jq::dims{{"n", n}});
}

// In the compile-time lane.
constexpr auto power_sum = [](const array& x, const array& n) {
  const auto f = [](const array& v) { return lax::scan([](const array& c, const array& e) { return two{c * 2.0 + e * e, c}; }, 0.0, v).first; };
  return jq::mask(f, jq::in_shapes<"n">, jq::out_shape<"">)(jq::args(x), jq::dims{{"n", n}});
};
static_assert(jq::value_and_grad(power_sum)(jq::tensor<double, 3>{1, 2, 3}, 2).first == 6);
static_assert(jq::grad(power_sum)(jq::tensor<double, 3>{1, 2, 3}, 2) == jq::tensor<double, 3>{4, 4, 0});

}  // namespace

TEST_CASE("masked loop: callbacks and taps run in the real trips alone") {
  int calls = 0, taps = 0;
  const auto f = prefix_of([&](const array& v) {
    return lax::scan([&](const array& c, const array& x) {
      jq::io_callback([&](const array& y) {
        ++calls;
        return y;
      }, x, x);
      return two{c + jq::id_tap([&](const auto&, const jq::tap_context&) { ++taps; }, x), x};
    }, asarray(0.0), v).first;
  });
  CHECK(show(f(asarray({1.0, 2.0, 3.0, nan, nan}), asarray(3))) == "f64[] 6");
  CHECK(show(jq::jit(f)(asarray({1.0, nan, nan, nan, nan}), asarray(1))) == "f64[] 1");
  CHECK(show(f(asarray({nan, nan, nan, nan, nan}), asarray(0))) == "f64[] 0");
  jq::barrier_wait();
  CHECK(calls == 4);
  CHECK(taps == 4);
}
TEST_CASE("masked loop: a loop within, which would not end on padding, does not run there") {
  const auto reached = prefix_of([](const array& v) {
    const auto climb = [](const array& c, const array& x) {
      return two{lax::while_loop([&](const array& y) { return y < c + 1.0; }, [&](const array& y) { return y + x; }, c), c};
    };
    return lax::scan(climb, asarray(0.0), v).first;
  });
  CHECK(show(reached(asarray({0.4, 0.3, nan}), asarray(2))) == "f64[] 2.4");
  CHECK(show(reached(asarray({nan, nan, nan}), asarray(0))) == "f64[] 0");
  CHECK(show(jq::vmap(reached)(asarray({{0.4, 0.3, nan}, {2.0, nan, nan}}), asarray({2, 1}))) == "f64[2] 2.4 2");
  CHECK(show(jq::vmap(reached)(asarray({{nan, nan, nan}, {2.0, nan, nan}}), asarray({0, 1}))) == "f64[2] 0 2");
}
TEST_CASE("masked loop: what is the same for all examples stays so where the sequences are known not to be empty") {
  const array w = jq::ones({3, 3}, jq::f64), xs = jq::ones({4, 6, 3}, jq::f64), n = asarray({1, 2, 3, 4});
  const auto program = [&](auto f) { return jq::to_string(jq::make_jaxpr(jq::grad([&](const array& m, const array& v, const array& s) {
    return jq::sum(jq::vmap(f, jq::in_axes<jq::none, 0, 0>)(m, v, s));
  }))(w, xs, n)); };
  CHECK(testing::count(program(network<"(n + 1, 3)">), "f64[4,3,3]") == 0);
  CHECK(testing::count(program(network<"(n, 3)">), "f64[4,3,3]") > 0);  // an empty one must not spoil the gradient
}
TEST_CASE("masked loop: a constant length makes a loop of the masked body alone") {
  const auto f = [](const array& v) { return lax::fori_loop(0, 3, [](const array&, const array& c) { return c / jq::sum(c); }, v); };
  const auto p = jq::make_jaxpr(jq::mask(f, jq::in_shapes<"n">, jq::out_shape<"n">))(jq::args(asarray({1.0, 2.0, nan})), jq::dims{{"n", 2}});
  CHECK(testing::uses(p, "scan") == 1);
  CHECK(testing::uses(p, "cond") == 0);
}
TEST_CASE("masked loop: errors show what the sizes in types stand for") {
  const std::string m = testing::message_of([] {
    prefix_of([](const array& v) { return lax::scan([&](const array&, const array& x) { return two{v, x}; }, asarray(0.0), v).first; })(
        asarray({1.0, 2.0}), asarray(1));
  });
  CHECK(m.starts_with("scan carry output and input must have identical types"));
  CHECK(m.find("(mask traced the function on sizes that stand for names: n = ") != std::string::npos);
}

TEST_CASE("masked scans: what is stacked in the padding has no cotangents, whatever later operations make of it") {
  const auto f = [](const array& x, const array& w) {
    const array ys = lax::scan([&](const array& c, const array& e) { return two{c, w * e}; }, asarray(0.0), x).second;
    return jq::log(ys * x);  // its derivative is not finite where x is filled with zeros
  };
  const auto masked = [&](const array& x, const array& w) {
    const array n(std::int64_t(2));
    const array y = jq::mask(f, jq::in_shapes<"n", "">, jq::out_shape<"n">)(jq::args(x, w), jq::dims{{"n", n}});
    return jq::sum(y(jq::slice(0, 2)));
  };
  CHECK(double(jq::grad(masked, jq::argnums<1>)(asarray({2.0, 3.0, nan}), asarray(4.0)).item<double>()) == doctest::Approx(2 / 4.0));
}
