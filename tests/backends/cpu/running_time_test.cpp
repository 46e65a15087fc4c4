// running_time: long loops are told from short programs before they run, and get machine code then.
#include "../../show.hpp"
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/native_backend.hpp>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
using jq::array;

namespace {
auto steps(std::int64_t n) {
  return [n](const array& x) { return jq::lax::fori_loop(0, n, [](const array&, const array& y) { return jq::sin(y) + y * 0.5; }, x); };
}
double on_tiles(std::int64_t n, const jq::shape& s = {}) { return jq::cpu::time_on_tiles(*jq::make_jaxpr(steps(n))(jq::zeros(s)).program); }
jq::cpu::tier tier_at_first(std::int64_t n, jq::compile_time when) {
  jq::compile_options o;
  o.device = {jq::find_backend("cpu").second, 0};
  o.when = when;
  const auto e = jq::find_backend("cpu").first->compile(jq::make_jaxpr(steps(n))(jq::asarray(1.0)), o);
  return dynamic_cast<const jq::cpu::native_executable&>(*e).runs_on();
}
}  // namespace

TEST_CASE("running time: trips, equations and elements count") {
  const double one = on_tiles(1), many = on_tiles(1000);
  CHECK(one > 100);
  CHECK(many > 500 * one / 2);
  CHECK(on_tiles(1000, {100000}) > 10 * many);
  // Nobody knows how often a while_loop goes round.
  const auto unknown = jq::make_jaxpr([](const array& x) {
    return jq::lax::while_loop([](const array& y) { return y < 1e9; }, [](const array& y) { return y * 2; }, x);
  })(jq::asarray(1.0));
  CHECK(jq::cpu::time_on_tiles(*unknown.program) < 10000);
}
TEST_CASE("running time: compiling costs by the equation, those of bodies included") {
  const auto time = [](auto f) { return jq::cpu::time_to_compile(*jq::make_jaxpr(f)(jq::asarray(1.0)).program); };
  const double plain = time([](const array& x) { return jq::sin(x); });
  CHECK(time([](const array& x) { return jq::sin(jq::sin(x)); }) > plain);
  CHECK(time(steps(5)) > plain);
  CHECK(time(steps(5)) == time(steps(5000)));
}
TEST_CASE("running time: a long loop has machine code in its first run, unless it must not") {
  using jq::compile_time;
  using jq::cpu::tier;
  CHECK(tier_at_first(10, compile_time::when_hot) == tier::tiles);
  CHECK(tier_at_first(10'000'000, compile_time::when_hot) == (jq::cpu::code_generator::get() ? tier::compiled : tier::tiles));
  CHECK(tier_at_first(10'000'000, compile_time::never) == tier::tiles);
}
