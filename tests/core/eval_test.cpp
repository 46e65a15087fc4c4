// Evaluating jaxprs, and values on demand: what has a value while tracing, what has none and how the error names it.
#include <jacquard/core/eval.hpp>

#include <cmath>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include "../show.hpp"

using testing::message_of;

namespace {

int taps = 0;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// |x| by a C++ condition.
const auto magnitude = [](jq::array x) {
  if (x > 0.0) return x;
  return -x;
};
std::string read_error(auto transform, auto... args) {
  return message_of<jq::concretization_error>([&] { transform([](jq::array x, auto...) { return float(x) > 0 ? x : -x; })(args...); });
}

}  // namespace

TEST_CASE("evaluation binds every equation again") {
  const auto p = jq::make_jaxpr([](jq::array x) { return lax::sin(x) * 2.0; })(jq::array(0.5));
  CHECK(show(jq::eval_jaxpr(p, std::vector<jq::array>{jq::asarray(0.5)})) == "f64[] 0.95885");
  const auto again = jq::make_jaxpr([&](jq::array x) { return jq::eval_jaxpr(p, std::vector<jq::array>{x})[0]; })(jq::array(0.5));
  CHECK(jq::to_string(again) == jq::to_string(p));
}

TEST_CASE("grad, value_and_grad, jvp, vjp and linearize pass values on") {
  CHECK(double(jq::grad(magnitude)(jq::asarray(-2.0))) == -1.0);
  CHECK(double(jq::grad(magnitude)(jq::asarray(2.0))) == 1.0);
  CHECK(show(jq::value_and_grad(magnitude)(jq::asarray(-2.0))) == "f64[] 2, f64[] -1");
  CHECK(show(jq::jvp(magnitude, jq::primals(jq::asarray(-3.0)), jq::tangents(jq::asarray(1.0)))) == "f64[] 3, f64[] -1");
  CHECK(show(std::get<0>(jq::vjp(magnitude, jq::asarray(-3.0)).second(1.0))) == "f64[] -1");
  CHECK(show(jq::linearize(magnitude, jq::asarray(-3.0)).second(2.0)) == "f64[] -2");
}

TEST_CASE("nested traces: values come through all of them") {
  CHECK(double(jq::grad(jq::grad([](jq::array x) { return magnitude(x) * x * x; }))(jq::asarray(-2.0))) == 12.0);
  // The inner condition reads the outer variable, too.
  const auto f = [](jq::array x) {
    return jq::grad([&](jq::array y) {
      if (x * y > 0.0) return x * y;
      return -x * y * y;
    })(x - 1.0);
  };
  CHECK(double(f(jq::asarray(3.0))) == 3.0);
  CHECK(double(jq::grad(f)(jq::asarray(3.0))) == 1.0);
  CHECK(double(jq::grad(f)(jq::asarray(0.5))) == doctest::Approx(-2 * (0.5 - 1) - 2 * 0.5));
}

TEST_CASE("loops whose length depends on a value") {
  const auto f = [](jq::array x) {
    while (x < 100.0) x = x * x;
    return x;
  };
  CHECK(double(jq::grad(f)(jq::asarray(3.0))) == 8 * std::pow(3.0, 7));
}

TEST_CASE("reading a value does not change the program") {
  const auto read = [](jq::array x) {
    const jq::array y = x * x;
    CHECK(float(y) == 9.f);
    CHECK(y.data<double>()[0] == 9.0);
    CHECK(jq::to_string(y) == "9.");
    CHECK(y.is_tracer());
    return y;
  };
  CHECK(double(jq::grad(read)(jq::asarray(3.0))) == 6.0);
  CHECK(jq::has_value(jq::asarray(1.0)));
}

TEST_CASE("elements read from a tracer stay while its trace is open") {
  jq::grad([](jq::array x) {
    const auto elements = (x * 2.0).data<double>();
    for (int i = 0; i < 100; ++i) (void)double(total(x * double(i)));
    CHECK(elements[1] == 4.0);
    return total(x);
  })(jq::asarray({1.0, 2.0}));
}

TEST_CASE("only what is asked for is computed, and once") {
  // 2^200 paths through shared values: without memory this would never end.
  CHECK(double(jq::grad([](jq::array x) {
          jq::array y = x;
          for (int i = 0; i < 200; ++i) {
            y = (y + y) * 0.5;
            if (i % 50 == 0) CHECK(float(y) == 1.f);
          }
          return y;
        })(jq::asarray(1.0))) == 1.0);
}

TEST_CASE("no tap runs while tracing, nor for a value on demand") {
  taps = 0;
  const auto f = [](jq::array x) {
    const jq::array y = jq::id_tap([](const jq::array&) { ++taps; }, x * 2.0);
    CHECK(double(y) == 4.0);
    CHECK(taps == 0);
    return y;
  };
  jq::value_and_grad(f)(jq::asarray(2.0));
  jq::barrier_wait();
  CHECK(taps >= 1);
}

TEST_CASE("a value that needs several arguments names those, and no others") {
  const jq::array one = jq::asarray(1.f), two = jq::ones({2});
  const auto message = [&](auto condition) -> std::string {
    try {
      jq::jit([&](jq::array a, jq::array b, jq::array c) { if (condition(a, b, c)) return a;
        return b;
      })(one, two, one);
    } catch (const jq::concretization_error& e) {
      return e.what();
    }
    return "";
  };
  CHECK(has(message([](jq::array a, jq::array b, jq::array c) { return bool(a < jq::sum(b) * c); }),
            "depends on arguments 0 (f32[]), 1 (f32[2]) and 2 (f32[]) of the function traced by jit, which have no value while tracing"));
  CHECK(has(message([](jq::array a, jq::array, jq::array c) { return bool(c == a); }), "arguments 0 (f32[]) and 2 (f32[]) of"));
  CHECK(has(message([](jq::array, jq::array b, jq::array) { return jq::sum(b).item<float>() > 0; }), "argument 1 (f32[2]) of"));
}

TEST_CASE("inputs of vmap, jit and make_jaxpr have no value") {
  const jq::array x = jq::asarray({1.f, 2.f}), s = jq::asarray(1.f);
  const auto in_jit = read_error([](auto f) { return jq::jit(f); }, s);
  CHECK(has(in_jit, "Abstract tracer value encountered where concrete value is expected"));
  CHECK(has(in_jit, "argument 0"));
  CHECK(has(in_jit, "f32[]"));
  CHECK(has(in_jit, "jit"));
  CHECK(has(in_jit, "lax::cond"));
  CHECK(has(in_jit, "where"));
  CHECK(has(read_error([](auto f) { return jq::vmap(f); }, x), "vmap"));
  CHECK(has(read_error([](auto f) { return jq::make_jaxpr(f); }, s), "make_jaxpr"));
  CHECK(has(read_error([](auto f) { return jq::grad(jq::jit(f)); }, s), "jit"));
  CHECK(has(read_error([](auto f) { return jq::jit(jq::grad(f)); }, s), "jit"));
}

TEST_CASE("the error names the argument and the user's line") {
  const int line = __LINE__ + 2;
  const auto f = [](jq::array, jq::array y) {
    const jq::array z = lax::sin(y);
    return float(z) > 0 ? z : -z;
  };
  const auto m = message_of<jq::concretization_error>([&] { jq::jit(f)(jq::asarray(1.0), jq::asarray(2.0)); });
  CHECK(has(m, "argument 1"));
  CHECK(has(m, "eval_test.cpp:" + std::to_string(line)));
}

TEST_CASE("arguments are counted as the function has them: trees, static ones, and the counter of a loop") {
  const jq::array one = jq::asarray(1.f);
  const std::pair both{one, one};
  const auto message = [](auto&& f) { return message_of<jq::concretization_error>(f); };
  const auto of_pair = [&](auto condition) {
    return message([&] {
      jq::jit([&](const std::pair<jq::array, jq::array>& p, jq::array y) { if (condition(p, y)) return p.first;
        return y;
      })(both, one);
    });
  };
  CHECK(has(of_pair([](const auto&, jq::array y) { return bool(y > 0); }), "argument 1 (f32[]) of"));
  CHECK(has(of_pair([](const auto& p, jq::array y) { return bool(p.second > y); }), "arguments 0 (leaf 1, f32[]) and 1 (f32[]) of"));
  const auto with_static = [](jq::array x, int n, jq::array y) { return y > n ? x : y; };
  CHECK(has(message([&] { jq::jit(with_static, jq::static_argnums<1>)(one, 3, one); }), "argument 2 (f32[]) of"));
  const auto counter = [](jq::array i, jq::array x) { return i > 1 ? x : x * 2.f; };
  const auto carried = [](jq::array, jq::array x) { return x > 1 ? x : x * 2.f; };
  for (const jq::array& n : {jq::array(3), jq::jit([] { return jq::asarray(3); })()}) {
    CHECK(has(message([&] { lax::fori_loop(0, n, counter, one); }), "argument 0 (i32[]) of the function traced by fori_loop"));
    CHECK(has(message([&] { lax::fori_loop(0, n, carried, one); }), "argument 1 (f32[]) of the function traced by fori_loop"));
    CHECK(has(message([&] { jq::jit([&](jq::array m) { return lax::fori_loop(0, m, counter, one); })(n); }), "argument 0 (i32[]) of the function traced by fori_loop"));
    CHECK(has(message([&] { jq::jit([&](jq::array m) { return lax::fori_loop(0, m, carried, one); })(n); }), "argument 1 (f32[]) of the function traced by fori_loop"));
  }
}

TEST_CASE("a condition on something else than the argument works everywhere") {
  const auto f = [](jq::array x) {
    const jq::array flag = jq::eager([] { return jq::asarray(true); });
    return flag ? x : -x;
  };
  CHECK(float(jq::jit(f)(jq::asarray(2.f))) == 2.f);
  // Shapes and types are always known.
  CHECK(show(jq::jit([](jq::array x) { return x.ndim() == 1 && x.dtype() == jq::f32 ? total(x) : x; })(jq::ones({3}))) == "f32[] 3");
}

TEST_CASE("a value that depends on a staged input of an outer trace has none") {
  const auto f = [](jq::array x) { return jq::grad([&](jq::array y) { return x > 0.0 ? y : -y; })(jq::asarray(1.0)); };
  CHECK(double(f(jq::asarray(2.0))) == 1.0);
  CHECK_THROWS_AS(jq::jit(f)(jq::asarray(2.0)), jq::concretization_error);
  const auto g = [](jq::array x) { return jq::grad([&](jq::array y) { return y > 0.0 ? y * x : -y * x; })(jq::asarray(1.0)); };
  CHECK(double(jq::jit(g)(jq::asarray(2.0))) == 2.0);
}

TEST_CASE("item wants one element also from a tracer") {
  CHECK_THROWS_AS(jq::grad([](jq::array x) { return float(x) > 0 ? total(x) : total(-x); })(jq::asarray({1.0, 2.0})), jq::value_error);
}
