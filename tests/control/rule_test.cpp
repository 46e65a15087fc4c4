// Rules as equations keep them: run, mapped over examples, and pullbacks whose cotangents are summed where an argument is shared;
// arguments picked and put together again; taps in functions and in their rules.
#include "control_testing.hpp"

#include <jacquard/control/custom_batching.hpp>
#include <jacquard/control/linear_solve.hpp>

using jq::array;
using jq::asarray;

namespace {

const auto scale = jq::detail::make_rule([](jq::view<const array> in, jq::function_ref&) { return std::vector<array>{in[0] * in[1]}; });

}  // namespace

TEST_CASE("rules: run on flat arrays") {
  CHECK(show(jq::detail::run_rule(scale, std::vector{asarray(2.0), asarray(3.0)})) == "f64[] 6");
  CHECK_THROWS_WITH_AS(jq::detail::run_rule(jq::function_ref(), std::vector{asarray(2.0)}), doctest::Contains("program in static storage"), jq::not_implemented);
}
TEST_CASE("rules: mapped over examples, results along the first dimension") {
  jq::function_ref more;
  const std::vector<int> dims{1, jq::not_mapped};
  const auto y = jq::detail::run_rule_mapped(scale, std::vector{asarray({{1.0, 2.0, 3.0}}), asarray({10.0})}, dims, 3, {}, more);
  CHECK(show(y) == "f64[3,1] 10 20 30");
}
TEST_CASE("rules: a mapped pullback sums the cotangents of shared arguments") {
  const auto both = jq::detail::make_rule([](jq::view<const array> in, jq::function_ref&) { return std::vector<array>{in[0] * in[1], in[1]}; });
  const auto mapped = jq::detail::mapped_pullback(both, {}, {jq::not_mapped, 0}, 2, {});
  CHECK(show(jq::detail::run_rule(mapped, std::vector{asarray({1.0, 2.0}), asarray({10.0, 20.0})})) == "f64[] 50, f64[2] 10 20");
}
TEST_CASE("rules: arguments picked and put together again") {
  constexpr std::array<int, 2> at{1, -1};
  const int one = 1, two = 2, three = 3, four = 4;
  const auto picked = jq::detail::pick_arguments<at, true>(one, two, three, four);
  const auto rest = jq::detail::pick_arguments<at, false>(one, two, three, four);
  CHECK(picked == std::tuple{2, 4});
  CHECK(rest == std::tuple{1, 3});
  const auto digits = [](int a, int b, int c, int d) { return 1000 * a + 100 * b + 10 * c + d; };
  CHECK(jq::detail::call_merged<at>(digits, picked, rest) == 1234);
}

namespace {

/// The names of the taps that a function runs, as it is called, compiled, mapped, differentiated, and differentiated and compiled.
struct tap_names {
  std::string all;
  array tap(const std::string& name, const array& x) {
    const auto note = [this, name](const auto&, const jq::tap_context& c) {
      all += (all.empty() ? "" : " ") + name;
      for (const jq::transform_record& t : c.transforms) all += "." + t.name;
    };
    return jq::id_tap(note, x);
  }
  template <class F>
  std::vector<std::string> of(F f) {
    std::vector<std::string> r;
    const auto run = [&](auto&& call) {
      all.clear();
      call();
      jq::barrier_wait();
      r.push_back(all);
    };
    const array x = asarray(2.0), xs = asarray({1.0, 2.0});
    run([&] { f(x); });
    run([&] { jq::jit(f)(x); });
    run([&] { jq::vmap(f)(xs); });
    run([&] { jq::grad(f)(x); });
    run([&] { jq::jit(jq::grad(f))(x); });
    return r;
  }
};
using names = std::vector<std::string>;

}  // namespace

TEST_CASE("rules: taps in a function fire where it runs, those in a rule where that does") {
  tap_names log;
  const auto doubled = [&](const array& x) { return log.tap("f", x) * 2.0; };
  CHECK(log.of(jq::custom_jvp(doubled, [&](const std::tuple<array>& x, const std::tuple<array>& t) {
          return std::pair{log.tap("rule", std::get<0>(x)) * 2.0, std::get<0>(t) * 2.0};
        })) == names{"f", "f", "f.batch", "rule", ""});  // the value of the rule is not used in the last
  CHECK(log.of(jq::custom_vjp(doubled, [&](const array& x) { return std::pair{log.tap("forward", x) * 2.0, x}; },
                              [&](const array&, const array& ct) { return std::tuple{log.tap("back", ct) * 2.0}; })) ==
        names{"f", "f", "f.batch", "forward back", "back"});
  CHECK(log.of(jq::custom_batching(doubled, [&](const jq::mapped_arguments&, const array& x) { return log.tap("rule", x) * 2.0; })) ==
        names{"f", "f", "rule", "f f.jvp.transpose", "f.jvp.transpose"});
  CHECK(log.of([&](const array& b) {
          return lax::custom_symmetric_solve([](const array& v) { return v * 2.0; }, b, [&](const auto&, const array& v) { return log.tap("solve", v) / 2.0; });
        }) == names{"solve", "solve", "solve.batch", "solve solve", "solve"});
}
