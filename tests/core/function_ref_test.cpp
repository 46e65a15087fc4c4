// References to functions: shared state, identity, constant evaluation.
#include <jacquard/core/function_ref.hpp>

#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

using jacquard::function_ref;
using jacquard::function_state;

namespace {
int destroyed = 0;
struct state : function_state {
  state() {
    destroy = [](function_state* s) {
      ++destroyed;
      delete static_cast<state*>(s);
    };
  }
};
void one() {}
void other() {}
static_assert(function_ref(&one) == function_ref(&one) && !function_ref());
}  // namespace

TEST_CASE("the last reference destroys the state, once") {
  destroyed = 0;
  {
    function_ref a(&one, new state);
    function_ref b = a, c = std::move(a);
    CHECK_FALSE(a);
    CHECK(b == c);
    a = b;
    b = function_ref();
    CHECK(destroyed == 0);
    CHECK((a.get() == &one));
  }
  CHECK(destroyed == 1);
}

TEST_CASE("equal are references to one function with one state") {
  const function_ref a(&one, new state), b(&one, new state);
  CHECK_FALSE(a == b);
  CHECK_FALSE(function_ref(&one) == function_ref(&other));
}

TEST_CASE("copies on many threads") {
  destroyed = 0;
  {
    const function_ref a(&one, new state);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([a] {
        for (int i = 0; i < 1000; ++i) const function_ref b = a;
      });
    for (auto& t : threads) t.join();
    CHECK(destroyed == 0);
  }
  CHECK(destroyed == 1);
}
