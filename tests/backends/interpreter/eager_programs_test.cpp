// Eager loops, branches and composite functions: interpreted at first, then compiled once for all equations that look alike, with the
// same bits.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/interpreter/eager_programs.hpp>

#include <cstring>
#include <thread>

#include "../../show.hpp"

using jq::array;
using jq::asarray;
using jq::detail::eager_programs;

namespace {

/// The words of the last equation of f(x...).
template <class F, class... A>
jq::detail::equation_words words_of(F f, const A&... x) {
  const jq::closed_jaxpr p = jq::make_jaxpr(f)(x...);
  const jq::equation& e = p->equations[p->equations.size() - 1];
  std::vector<array> in;
  for (jq::atom a : p->inputs(e)) in.push_back(jq::zeros(p->type_of(a).dims, p->type_of(a).type));
  return {*e.op, in, p->params(e)};
}
const auto scaled_until = [](double limit, const array& x) {
  return lax::while_loop([=](const array& s) { return jq::sum(s) < limit; }, [](const array& s) { return s * 1.5 + 0.125; }, x);
};
/// Calls f until one more equation is compiled; on a slow machine that is after the first call.
template <class F>
void call_until_compiled(F f) {
  const std::size_t before = eager_programs::get()->size();
  for (int i = 0; i < 10000 && eager_programs::get()->size() == before; ++i) f();
  CHECK(eager_programs::get()->size() == before + 1);
}
bool same_bits(const array& a, const array& b) {
  return a.aval() == b.aval() && std::memcmp(a.as_buffer()->data, b.as_buffer()->data, std::size_t(a.aval().bytes())) == 0;
}
template <class F>
void keeps_its_bits(F f) {
  const array want = jq::jit(f, jq::backend("interpreter"))();
  call_until_compiled([&] { CHECK(same_bits(f(), want)); });
  CHECK(same_bits(f(), want));
  jq::cpu::finish_compiling();
  CHECK(same_bits(f(), want));
}

}  // namespace

TEST_CASE("eager programs: equal words for what computes the same") {
  const array x = jq::ones({3}), y = jq::ones({4});
  const auto f = [](double limit) { return [=](const array& a) { return scaled_until(limit, a); }; };
  CHECK(words_of(f(10), x) == words_of(f(10), x));
  CHECK(words_of(f(10), x).hash() == words_of(f(10), x).hash());
  CHECK_FALSE(words_of(f(10), x) == words_of(f(11), x));
  CHECK_FALSE(words_of(f(10), x) == words_of(f(10), y));
  CHECK_FALSE(words_of(f(10), x) == words_of(f(10), jq::ones({3}, jq::f64)));
  const auto trips = [](int n) {
    return [=](const array& a) { return lax::fori_loop(0, n, [](const array&, const array& s) { return s + 1.0; }, a); };
  };
  CHECK_FALSE(words_of(trips(3), x) == words_of(trips(4), x));
  CHECK(words_of(trips(3), x).equations() == 2);
}
TEST_CASE("eager programs: rules do not count, effects and functions with state cannot be compared") {
  const auto with_rule = [](double slope) {
    return [=](const array& a) {
      return jq::custom_jvp([](const array& b) { return jq::sin(b); },
                            [=](const std::tuple<array>& b, const std::tuple<array>& t) { return std::pair{jq::sin(std::get<0>(b)), slope * std::get<0>(t)}; })(a);
    };
  };
  const array x = jq::ones({3});
  CHECK(words_of(with_rule(1), x).comparable());
  CHECK(words_of(with_rule(1), x) == words_of(with_rule(2), x));
  const auto tapped = [](const array& a) {
    return lax::fori_loop(0, 3, [](const array&, const array& s) { return jq::id_tap([](const array&) {}, s + 1.0); }, a);
  };
  CHECK_FALSE(words_of(tapped, x).comparable());
}
TEST_CASE("eager programs: loops are compiled once they have taken long enough") {
  const array x = asarray({1.f, 2.f});
  keeps_its_bits([&] { return scaled_until(1e6, x); });
  const std::size_t before = eager_programs::get()->size();
  for (int i = 0; i < 100; ++i) scaled_until(1e6, asarray({1.f, float(i)}));  // other values, the same program
  CHECK(eager_programs::get()->size() == before);
  CHECK(show(scaled_until(-1.0, x)) == "f32[2] 1 2");
  call_until_compiled([&] { scaled_until(1e6, jq::ones({3})); });
}
TEST_CASE("eager programs: elementary functions, stacked results and branches keep their bits") {
  const array x = jq::linspace(-3.0, 3.0, 501).astype(jq::f32);
  keeps_its_bits([&] { return lax::fori_loop(0, 20, [&](const array&, const array& s) { return jq::tanh(s * 1.25f + jq::exp(-x)) - jq::log1p(s * s); }, x); });
  keeps_its_bits([&] { return lax::scan([](const array& s, const array& e) { return std::pair{s * 0.9f + e, jq::sin(s)}; }, jq::ones({3}), jq::ones({50, 3})).second; });
  keeps_its_bits([&] { return lax::cond(x(0) < 0.0f, [](const array& s) { return jq::sqrt(jq::abs(s)) / 3.0f; }, [](const array& s) { return s; }, x); });
}
TEST_CASE("eager programs: random numbers keep their bits") {
  const array k = jq::random::key(5);
  keeps_its_bits([&] { return jq::random::gamma(k, 0.75, {400}); });
  keeps_its_bits([&] { return jq::random::poisson(k, asarray({0.5, 3.0, 40.0}), {100, 3}); });
  keeps_its_bits([&] { return jq::random::binomial(k, 60.0, 0.5, {300}); });
}
TEST_CASE("eager programs: derivatives of loops run as the loops do") {
  const auto f = [](const array& x) { return jq::sum(lax::fori_loop(0, 30, [](const array&, const array& s) { return jq::sin(s) * 1.5f; }, x)); };
  const array x = asarray({0.5f, 1.f}), want = jq::jit(jq::grad(f), jq::backend("interpreter"))(x);
  const std::size_t before = eager_programs::get()->size();
  for (int i = 0; i < 10000 && eager_programs::get()->size() < before + 2; ++i) CHECK(same_bits(jq::grad(f)(x), want));
  CHECK(eager_programs::get()->size() >= before + 2);  // forwards and backwards
  CHECK(same_bits(jq::grad(f)(x), want));
}
TEST_CASE("eager programs: equations that take little time are not compiled") {
  const std::size_t before = eager_programs::get()->size();
  for (int i = 0; i < 300; ++i) scaled_until(2.5 + 1e-3 * i, jq::ones({2}));
  CHECK(eager_programs::get()->size() < before + 30);  // the clock goes on while the system runs other things
}
TEST_CASE("eager programs: errors and values shown are those of the interpreter") {
  const array x = asarray({1.f, 2.f});
  call_until_compiled([&] { scaled_until(2e6, x); });
  const auto bad = [](const array& s) { return lax::fori_loop(0, 40, [](const array&, const array& a) { return jq::log(a - 1.0f); }, s); };
  call_until_compiled([&] { bad(x); });
  {
    const jq::debug_nans here;
    CHECK_THROWS_WITH_AS(bad(x), doctest::Contains("invalid value (nan) encountered in log"), jq::value_error);
  }
  const array given = asarray({1.f, 2.f});
  jq::jit([](const array& a) { return a + 1.f; }, jq::donate_argnums<0>)(given);
  CHECK_THROWS_AS(scaled_until(2e6, given), jq::deleted_error);
  static int seen = 0;
  const auto tapped = [](const array& a) {
    return lax::fori_loop(0, 3, [](const array&, const array& s) { return jq::id_tap([](const array&) { ++seen; }, s + 1.0); }, a);
  };
  for (int i = 0; i < 500; ++i) tapped(x);
  jq::barrier_wait();
  CHECK(seen == 1500);
}
TEST_CASE("eager programs: many threads at once") {
  const array x = jq::ones({5}), want = scaled_until(3e7, x);
  std::vector<std::thread> threads;
  bool same[4]{};
  for (bool& ok : same)
    threads.emplace_back([&] {
      ok = true;
      for (int i = 0; i < 300; ++i) ok = ok && same_bits(scaled_until(3e7, x), want);
    });
  for (std::thread& t : threads) t.join();
  for (bool ok : same) CHECK(ok);
}

namespace {

/// A backend that compiles nothing.
struct unable : jq::backend_interface {
  std::string_view name() const override { return "unable"; }
  int device_count() const override { return 1; }
  jq::ref<jq::executable> compile(const jq::closed_jaxpr&, const jq::compile_options&) override {
    jq::raise(jq::error_kind::not_implemented, "unable");
  }
};

}  // namespace

TEST_CASE("eager programs: those used last are kept, and what a backend cannot compile is interpreted") {
  unable none;
  eager_programs all(none, 0);
  const array x = jq::ones({2}), in[] = {x};
  const jq::aval types[] = {x.aval()};
  const auto body_of = [](double n) {
    return jq::detail::build_body(std::vector{jq::aval(jq::f32, {2})}, nullptr, [&](jq::view<const array> a) { return std::vector<array>{a[0] * n}; });
  };
  jq::jaxpr_ref first;
  const auto add = [&](double n) {
    const jq::param_pack params = jq::encode(jq::call_p::params{body_of(n), "f"});
    jq::detail::equation_words words(jq::table_of<jq::call_p>(), in, params);
    const std::uint64_t hash = words.hash();
    if (n == 0) first = params.subs[0];
    all.compile(hash, jq::detail::equation_words(words), jq::table_of<jq::call_p>(), in, params, types, {});
    const jq::ref<jq::executable> found = all.find(hash, words, params.subs[0]);
    REQUIRE(found);
    CHECK(show(found->run(std::vector{x}, {})[0]) == show(x * n));
    CHECK(all.find(params.subs[0]));
    CHECK_FALSE(all.find(body_of(n)));
    CHECK(all.find(first));
  };
  for (std::size_t i = 0; i < eager_programs::most + 20; ++i) add(double(i));
  CHECK(all.size() == eager_programs::most);
  CHECK_FALSE(all.is_worth_compiling(77, 1000, 2));
  CHECK(all.is_worth_compiling(77, 10'000'000, 2));
  CHECK_FALSE(all.is_worth_compiling(77, 10'000'000, 2));
}
