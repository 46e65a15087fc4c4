// Recording programs: inputs, captured arrays and tracers, nesting, leaks, threads, exceptions.
#include <jacquard/core/trace.hpp>

#include <thread>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include "../show.hpp"

using testing::message_of;

TEST_CASE("operations inside a trace become equations, also those on constants") {
  const jq::array c = jq::asarray({1.f, 2.f});
  const auto p = jq::make_jaxpr([&](jq::array x) {
    const jq::array d = c * 2.f;
    CHECK(d.is_tracer());
    return x + d;
  })(c);
  CHECK(p->equations.size() == 2);
  CHECK(p.constants.size() == 1);
  CHECK(p.constants[0].same_as(c));
}

TEST_CASE("a captured array is captured once") {
  std::vector<jq::array> many;
  for (int i = 0; i < 40; ++i) many.push_back(jq::asarray({float(i)}));
  const auto p = jq::make_jaxpr([&](jq::array x) {
    for (int round = 0; round < 2; ++round)
      for (const jq::array& c : many) x = x + c;
    return x;
  })(many[0]);
  CHECK(p->constvars.size() == 40);
  CHECK(p->equations.size() == 80);
  CHECK(jq::eval_jaxpr(p, std::vector<jq::array>{jq::asarray({0.f})})[0].data<float>()[0] == 2 * 780.f);
}

TEST_CASE("tracers of outer traces are captured by inner ones") {
  // d/dx [x * d/dy (x + y)] at any y: the classic test of perturbation confusion.
  const auto f = [](jq::array x) { return x * jq::grad([&](jq::array y) { return x + y; })(jq::asarray(1.0)); };
  CHECK(double(jq::grad(f)(jq::asarray(3.0))) == 1.0);
  const auto g = [](jq::array x) {
    return jq::grad([&](jq::array y) { return jq::grad([&](jq::array z) { return x * y * z * z; })(y); })(x);
  };
  CHECK(double(g(jq::asarray(3.0))) == 4 * 9.0);
  CHECK(double(jq::grad(g)(jq::asarray(3.0))) == doctest::Approx(8 * 3.0));
}

TEST_CASE("an argument that is returned, and results without inputs") {
  CHECK(jq::to_string(jq::make_jaxpr([](jq::array x) { return x; })(1.f)) == "{ lambda ; a:f32[]. let  in (a,) }");
  CHECK(jq::to_string(jq::make_jaxpr([](jq::array) { return jq::array(2.0); })(1.f)) ==
        "{ lambda ; a:f32[]. let  in (2.0:f64[],) }");
  CHECK(jq::to_string(jq::make_jaxpr([] { return std::tuple<>(); })()) == "{ lambda ; . let  in () }");
}

TEST_CASE("a tracer that leaks gives an error, not a crash") {
  jq::array leaked;
  jq::make_jaxpr([&](jq::array x) {
    leaked = x * 2.f;
    return x;
  })(jq::asarray({1.f}));
  CHECK(leaked.is_tracer());
  const std::string m = message_of<jq::unexpected_tracer_error>([&] { leaked + 1.f; });
  CHECK(m.find("make_jaxpr") != std::string::npos);
  CHECK(m.find("return it") != std::string::npos);
  CHECK_THROWS_AS((void)leaked.shape(), jq::unexpected_tracer_error);
  CHECK_THROWS_AS((void)float(leaked), jq::unexpected_tracer_error);
  CHECK_THROWS_AS((void)leaked.data<float>(), jq::unexpected_tracer_error);
  CHECK_THROWS_AS((void)jq::to_string(leaked), jq::unexpected_tracer_error);
  CHECK_THROWS_AS(jq::grad([&](jq::array x) { return total(x * leaked); })(jq::asarray({1.f})), jq::unexpected_tracer_error);
  CHECK_THROWS_AS(jq::jit([&](jq::array) { return leaked; })(jq::array(1.f)), jq::unexpected_tracer_error);
  CHECK_THROWS_AS(jq::jit([](jq::array x) { return x; })(leaked), jq::unexpected_tracer_error);
}

TEST_CASE("a tracer of one function used in the next one") {
  jq::array leaked;
  jq::make_jaxpr([&](jq::array x) { return leaked = x; })(jq::array(1.f));
  CHECK_THROWS_AS(jq::make_jaxpr([&](jq::array x) { return x + leaked; })(jq::array(1.f)), jq::unexpected_tracer_error);
}

TEST_CASE("a tracer that leaks out of an inner trace into the outer one") {
  const auto f = [](jq::array x) {
    jq::array inner;
    jq::make_jaxpr([&](jq::array y) {
      inner = y * x;
      return y;
    })(x);
    return x + inner;
  };
  CHECK_THROWS_AS(jq::grad(f)(jq::asarray(1.0)), jq::unexpected_tracer_error);
}

TEST_CASE("an inner tracer captured by a trace that encloses it only later") {
  jq::array kept;
  const auto f = [&](jq::array x) {
    kept = x;
    throw std::runtime_error("user");
    return x;
  };
  CHECK_THROWS_WITH_AS(jq::make_jaxpr(f)(jq::array(1.f)), "user", std::runtime_error);
  CHECK_THROWS_AS(kept + 1.f, jq::unexpected_tracer_error);
  CHECK_THROWS_AS((void)float(kept), jq::unexpected_tracer_error);
  // Nothing is left of the failed trace.
  CHECK((jq::asarray(1.f) + 1.f).is_concrete());
}

TEST_CASE("a trace belongs to its thread") {
  std::string used, read, elsewhere;
  jq::make_jaxpr([&](jq::array x) {
    std::thread([&] {
      used = message_of<jq::unexpected_tracer_error>([&] { x + 1.f; });
      read = message_of<jq::unexpected_tracer_error>([&] { (void)float(x); });
      elsewhere = show(jq::asarray(1.f) + 1.f);
    }).join();
    return x;
  })(jq::array(1.f));
  CHECK(used.find("another thread") != std::string::npos);
  CHECK(read.find("another thread") != std::string::npos);
  CHECK(elsewhere == "f32[] 2");
}

TEST_CASE("threads trace independently") {
  std::vector<std::thread> threads;
  std::vector<double> results(8);
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i)
        results[std::size_t(t)] = double(jq::grad([t](jq::array x) { return x * x * double(t); })(jq::asarray(2.0)));
    });
  for (auto& t : threads) t.join();
  for (int t = 0; t < 8; ++t) CHECK(results[std::size_t(t)] == 4.0 * t);
}

TEST_CASE("a deep chain of captures and a long program") {
  jq::array x = jq::asarray(1.0);
  const auto p = jq::make_jaxpr([](jq::array a) {
    for (int i = 0; i < 5000; ++i) a = a + 1.0;
    return a;
  })(x);
  CHECK(p->equations.size() == 5000);
  CHECK(double(jq::eval_jaxpr(p, std::vector<jq::array>{x})[0]) == 5001.0);
}

TEST_CASE("programs that lie within each other too deep are an error, not the end of the stack") {
  const auto wrapped = [](int times) {
    jq::closed_jaxpr p = jq::make_jaxpr([](jq::array x) { return jq::sin(x); })(jq::array(1.f));
    for (int i = 0; i < times; ++i)
      p = jq::make_jaxpr([&](jq::array x) {
        return jq::jit([&](jq::array y) { return jq::eval_jaxpr(p, std::vector<jq::array>{y})[0]; })(x);
      })(jq::array(1.f));
    return p;
  };
  CHECK(wrapped(100)->depth == 100);
  const std::string message = message_of<jq::value_error>([&] { wrapped(501); });
  CHECK(message.starts_with("call: got programs that lie within each other 501 deep, wanted at most 500"));
}
