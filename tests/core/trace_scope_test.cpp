// The current trace of a thread: entering, leaving, nesting, and code that runs outside every trace.
#include <jacquard/core/trace_scope.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include <pthread.h>

#include <functional>
#include <string>

#include "../show.hpp"

namespace {
const jq::trace* current() { return jq::detail::current_trace; }
}  // namespace

TEST_CASE("only between enter and leave is a trace current") {
  {
    jq::trace_scope t(jq::trace::purpose::staging, nullptr);
    CHECK(current() == nullptr);
    t.enter();
    CHECK(current() == t.get());
    {
      jq::trace_scope inner(jq::trace::purpose::staging, t.get());
      inner.enter();
      CHECK(current() == inner.get());
      CHECK(inner->is_inside(t.get()));
    }
    CHECK(current() == t.get());
    t.leave();
    CHECK(current() == nullptr);
    t.leave();
  }
  CHECK(current() == nullptr);
}

TEST_CASE("eager computes at once inside a trace") {
  const auto p = jq::make_jaxpr([](jq::array x) {
    const jq::array table = jq::eager([] { return jq::asarray({1.f, 2.f}) * 10.f; });
    CHECK(table.is_concrete());
    CHECK(current() != nullptr);
    return x + table;
  })(jq::zeros({2}));
  CHECK(p->equations.size() == 1);
  CHECK(show(p.constants[0]) == "f32[2] 10 20");
}

TEST_CASE("eager restores the trace when its body throws") {
  jq::make_jaxpr([](jq::array x) {
    const jq::trace* before = current();
    CHECK_THROWS(jq::eager([]() -> int { throw std::runtime_error("user"); }));
    CHECK(current() == before);
    return x;
  })(jq::array(1.f));
}

TEST_CASE("a static table made inside a trace can be used in the next one") {
  const auto f = [](jq::array x) {
    static const jq::array table = jq::eager([] { return jq::arange(3, jq::f32); });
    return total(x * table);
  };
  CHECK(show(jq::grad(f)(jq::zeros({3}))) == "f32[3] 0 1 2");
  CHECK(show(jq::jit(f)(jq::ones({3}))) == "f32[] 3");
}

TEST_CASE("recursion that a traced value cannot end is an error, not the end of the stack") {
  std::function<jq::array(const jq::array&)> self;
  const auto message = [&] {
    try {
      self(jq::array(1.f));
    } catch (const jq::value_error& e) {
      return std::string(e.what());
    }
    return std::string("none");
  };
  const std::string wanted = "tracing: got functions that call each other within more than 4 MiB of stack; wanted a recursion that ends";
  self = jq::jit([&](const jq::array& x) { return self(x) + 1.f; });
  CHECK(message().starts_with(wanted));
  self = [&](const jq::array& x) { return jq::grad(self)(x); };
  CHECK(message().starts_with(wanted));
  self = [&](const jq::array& x) {
    return jq::lax::cond(x > 0, [&](const jq::array& y) { return self(y - 1); }, [](const jq::array& y) { return y; }, x);
  };
  CHECK(message().starts_with(wanted));
  CHECK(current() == nullptr);
  // One that ends in time is none.
  const std::function<jq::array(const jq::array&, int)> doubled = [&](const jq::array& x, int n) {
    return n == 0 ? jq::array(x) : jq::jit([&](const jq::array& y) { return doubled(y, n - 1) * 2.f; })(x);
  };
  CHECK(show(doubled(jq::array(1.f), 50)) == "f32[] 1.1259e+15");
}

TEST_CASE("recursion ends in time on small stacks too") {
  struct attempt {
    std::string message = "none";
    static void* run(void* x) {
      std::function<jq::array(const jq::array&)> self;
      self = jq::jit([&](const jq::array& y) { return self(y) + 1.f; });
      try {
        self(jq::array(1.f));
      } catch (const jq::value_error& e) {
        static_cast<attempt*>(x)->message = e.what();
      }
      return nullptr;
    }
  };
  for (const std::size_t kilobytes : {256, 512, 1024, 3072}) {
    attempt a;
    pthread_attr_t about;
    pthread_t thread;
    REQUIRE(pthread_attr_init(&about) == 0);
    REQUIRE(pthread_attr_setstacksize(&about, kilobytes << 10) == 0);
    REQUIRE(pthread_create(&thread, &about, &attempt::run, &a) == 0);
    REQUIRE(pthread_join(thread, nullptr) == 0);
    pthread_attr_destroy(&about);
    CAPTURE(kilobytes);
    CHECK(a.message.starts_with("tracing: got functions that call each other within more than "));
    CHECK(a.message.find(kilobytes < 1500 ? " KiB of stack; wanted a recursion that ends" : " MiB of stack; wanted") != std::string::npos);
  }
}
