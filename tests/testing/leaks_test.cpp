// The leak check finds tracers that are kept after their trace, and nothing else.
#include "../show.hpp"

#include <jacquard/testing/leaks.hpp>

using jq::array;

TEST_CASE("leaks: none in transforms, loops, compiled functions and their caches") {
  const jq::check_tracer_leaks guard;
  const auto f = [](const array& x) { return total(lax::scan([](const array& s, const array& v) { return std::pair{s * v, s}; }, x(0), x).second); };
  const auto compiled = jq::jit(jq::grad(f));
  compiled(jq::asarray({1.0, 2.0}));
  jq::vmap(jq::grad(f))(jq::asarray({{1.0, 2.0}, {3.0, 4.0}}));
  jq::hessian(f)(jq::asarray({1.0, 2.0}));
}
TEST_CASE("leaks: a tracer that was stored is found, with the transform's name") {
  array stored;
  const auto leak = [&] {
    jq::check_tracer_leaks guard;
    jq::vmap([&](const array& x) { return stored = x * 2.0; })(jq::asarray({1.0, 2.0}));
    guard.check();
  };
  CHECK_THROWS_WITH_AS(leak(), doctest::Contains("1 handles on values traced by vmap"), jq::unexpected_tracer_error);
  const auto at_the_end = [&] {
    const jq::check_tracer_leaks guard;
    jq::jit([&](const array& x) { return stored = x + 1.0; })(jq::asarray(1.0));
  };
  CHECK_THROWS_WITH_AS(at_the_end(), doctest::Contains("values traced by jit"), jq::unexpected_tracer_error);
  stored = {};
  CHECK_NOTHROW([] { const jq::check_tracer_leaks guard; }());
}
