// The native backend on memory of the caller: the results of a call, whatever the program is made of, on both tiers, again and again.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/native_backend.hpp>

#include <jacquard/testing/comparison.hpp>
#include <thread>

#include "../../show.hpp"

using jq::array;

namespace {

array numbers(const jq::shape& s, std::uint64_t seed = 3) { return jq::random::normal(jq::random::key(seed), s); }
std::vector<float> floats(const array& x) { return {x.data<float>().begin(), x.data<float>().end()}; }

/// Binds f(x...) on both tiers, with results of so many elements, and compares it with calls, on several sets of values in the same memory.
template <std::size_t... N, class F, class... A>
void same(std::index_sequence<N...>, F f, const A&... x) {
  for (const jq::compile_at when : {jq::compile_at::first_call, jq::compile_at::never}) {
    const auto c = jq::jit(f, jq::backend("cpu"), when).lower(x...).compile();
    auto in = std::make_tuple(std::pair(floats(x), x.shape())...);
    std::vector<std::vector<float>> out{std::vector<float>(N, -1.f)...};
    auto run = std::apply([&](auto&... given) {
      return [&]<std::size_t... I>(std::index_sequence<I...>) { return c.bind({given.first...}, {out[I]...}); }(std::make_index_sequence<sizeof...(N)>());
    }, in);
    for (int round = 0; round < 3; ++round) {
      const auto want = std::apply([&](const auto&... given) { return jq::tree::flatten(c(jq::asarray(std::span<const float>(given.first), given.second)...)); }, in);
      run();
      REQUIRE(want.size() == out.size());
      for (std::size_t n = 0; n < out.size(); ++n) CHECK(out[n] == floats(want[n]));
      const auto change = [](std::vector<float>& v) {
        for (float& e : v) e = e * 0.75f + 0.125f;
      };
      std::apply([&](auto&... given) { (change(given.first), ...); }, in);
    }
  }
}
template <std::size_t... N>
constexpr std::index_sequence<N...> sizes{};

}  // namespace

TEST_CASE("bound: one kernel, several, products, loops and branches") {
  same(sizes<1000>, [](const array& a) { return jq::maximum(a * a + 0.5f, 0.75f) * a; }, numbers({1000}));
  same(sizes<16>, [](const array& a, const array& b) { return jq::matmul(a, b); }, numbers({4, 4}), numbers({4, 4}, 5));
  same(sizes<4900>, [](const array& a, const array& b) { return jq::tanh(jq::matmul(a, jq::matmul(a, b))); }, numbers({70, 70}), numbers({70, 70}, 5));
  same(sizes<300>, [](const array& a) { return jq::cumsum(jq::sort(a) - jq::mean(a)); }, numbers({300}));
  same(sizes<33>, [](const array& a) {
    return jq::lax::fori_loop(0, 5, [](const array& i, const array& s) { return jq::sin(s) + i.astype(jq::f32); }, a);
  }, numbers({33}));
  same(sizes<9>, [](const array& a) {
    return jq::lax::cond(jq::sum(a) > 0.0f, [](const array& v) { return jq::sort(v); }, [](const array& v) { return -v; }, a);
  }, numbers({9}));
  same(sizes<200000>, [](const array& a) { return jq::exp(a) / jq::sum(jq::exp(a)); }, numbers({200000}));
}
TEST_CASE("bound: several results, among them arguments, constants and literals") {
  const array held = numbers({5}, 9);
  same(sizes<6, 1, 6>, [](const array& a) {
    const array s = jq::sin(a);
    return std::tuple{s, jq::sum(s), a};
  }, numbers({6}));
  same(sizes<5, 3, 5>, [held](const array& a) { return std::tuple{held, jq::broadcast_to(array(2.0f), {3}), held * jq::sum(a)}; }, numbers({6}));
}
TEST_CASE("bound: a donated argument is written over where the program may, and the results are those of a call where it may not") {
  for (const jq::compile_at when : {jq::compile_at::first_call, jq::compile_at::never}) {
    const auto poly = [](const array& a) { return jq::maximum(a * a + 0.5f, 0.75f) * a; };
    const auto turned = [](const array& a) { return jq::flip(a) + a; };  // element 0 wants the last one
    const array start = numbers({40});
    std::vector<float> state = floats(start);
    auto step = jq::jit(poly, jq::backend("cpu"), jq::donate_argnums<0>, when).lower(start).compile().bind({state}, {state});
    array want = start;
    const auto plain = jq::jit(poly, jq::backend("cpu"), when);
    step();
    jq::reset_peak_memory();
    const auto before = jq::host_memory();
    for (int i = 0; i < 3; ++i) step();
    CHECK(jq::host_memory().peak == before.live);  // not by way of arrays
    for (int i = 0; i < 4; ++i) want = plain(want);
    CHECK(state == floats(want));

    state = floats(start);
    auto turn = jq::jit(turned, jq::backend("cpu"), jq::donate_argnums<0>, when).lower(start).compile().bind({state}, {state});
    turn();
    CHECK(state == floats(turned(start)));
  }
}
TEST_CASE("bound: memory that begins anywhere") {
  const auto f = [](const array& a) { return jq::exp(a) * a; };
  const auto c = jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call).lower(numbers({100})).compile();
  std::vector<float> in = floats(numbers({103})), out(105, -7.f);
  auto run = c.bind({std::span(in).subspan(3)}, {std::span(out).subspan(1, 100)});
  run();
  CHECK(std::vector<float>(out.begin() + 1, out.begin() + 101) == floats(c(jq::asarray(std::span<const float>(in).subspan(3), {100}))));
  CHECK(out[0] == -7.f);
  for (std::size_t i = 101; i < out.size(); ++i) CHECK(out[i] == -7.f);
}
TEST_CASE("bound: an array that the function captured keeps its elements for the call, whoever donates it") {
  array w = numbers({300});
  std::vector<float> want = floats(w * 2.0f), in(300, 2.f), out(300);
  auto run = jq::jit([w](const array& v) { return v * w; }, jq::backend("cpu")).lower(w).compile().bind({in}, {out});
  const array other = jq::jit([](const array& v) { return v + 1.0f; }, jq::backend("cpu"), jq::donate_argnums<0>)(w);
  CHECK(w.is_deleted());
  CHECK(other.size() == 300);
  run();
  CHECK(out == want);
}
TEST_CASE("bound: no memory is asked for by a call") {
  const array start = numbers({20, 30});
  const auto f = [](const array& a) { return jq::matmul(jq::transpose(jq::sin(a)), jq::cumsum(a, 0)) + jq::sum(a); };
  const auto c = jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call).lower(start).compile();
  std::vector<float> in = floats(start), out(900);
  auto run = c.bind({in}, {out});
  run();
  jq::reset_peak_memory();
  const auto before = jq::host_memory();
  for (int i = 0; i < 10; ++i) run();
  CHECK(jq::host_memory().peak == before.live);
}
TEST_CASE("bound: a program that has no machine code yet gets some, unless it is to have none") {
  const array start = numbers({20});
  std::vector<float> in = floats(start), out(20);
  void* const from[] = {in.data()};
  void* const to[] = {out.data()};
  for (const jq::compile_time when : {jq::compile_time::when_hot, jq::compile_time::never}) {
    jq::compile_options options;
    options.when = when;
    options.donated = {false};
    const auto e = jq::make_ref<jq::cpu::native_executable>(jq::make_jaxpr([](const array& a) { return jq::sin(a); })(start), options);
    CHECK(e->runs_on() == jq::cpu::tier::tiles);
    const jq::ref<jq::bound_program> b = e->bind(from, to);
    REQUIRE(b);
    const bool compiles = when != jq::compile_time::never && jq::cpu::code_generator::get();
    CHECK(dynamic_cast<jq::cpu::bound_native&>(*b).runs_on() == (compiles ? jq::cpu::tier::compiled : jq::cpu::tier::tiles));
    b->run(false);
    const jq::testing::report r = jq::testing::all_close(jq::asarray(std::span<const float>(out), {20}), jq::sin(start), 1e-6, 1e-6);
    CHECK_MESSAGE(r.ok, r.text);
  }
}
TEST_CASE("bound: denormal numbers count as zero where the program flushes them") {
  const array like = jq::ones({3});
  std::vector<float> in = {1e-39f, 1.f, 2e-39f}, out(3);
  const auto f = [](const array& a) { return a * 0.5f; };
  jq::jit(f, jq::backend("cpu"), jq::denormals::flush).lower(like).compile().bind({in}, {out})();
  CHECK(out == std::vector<float>{0.f, 0.5f, 0.f});
  jq::jit(f, jq::backend("cpu")).lower(like).compile().bind({in}, {out})();
  CHECK(out == std::vector<float>{0.5e-39f, 0.5f, 1e-39f});
}
TEST_CASE("bound: several threads, each with a call of its own") {
  const auto c = jq::jit([](const array& a) { return jq::matmul(a, a) + jq::sum(a); }, jq::backend("cpu")).lower(numbers({20, 20})).compile();
  std::vector<std::vector<float>> in(4), out(4, std::vector<float>(400));
  for (std::size_t t = 0; t < 4; ++t) in[t] = floats(numbers({20, 20}, t));
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      auto run = c.bind({in[t]}, {out[t]});
      for (int i = 0; i < 50; ++i) run();
    });
  for (std::thread& t : threads) t.join();
  for (std::size_t t = 0; t < 4; ++t) {
    const jq::testing::report r = jq::testing::all_close(jq::asarray(std::span<const float>(out[t]), {20, 20}), c(numbers({20, 20}, t)), 1e-4, 1e-4);
    CHECK_MESSAGE(r.ok, r.text);
  }
}
TEST_CASE("bound: taps, profiles and the search for NaNs work") {
  int seen = 0;
  std::vector<float> in = {1, -1}, out(2);
  const array like = jq::ones({2});
  auto tapped = jq::jit([&](const array& a) { return jq::id_tap([&](const array&) { ++seen; }, a * 2.0f); }, jq::backend("cpu")).lower(like).compile().bind({in}, {out});
  tapped();
  CHECK(seen == 1);
  CHECK(out == std::vector<float>{2, -2});
  auto logs = jq::jit([](const array& a) { return jq::log(a); }, jq::backend("cpu"), jq::compile_at::first_call).lower(like).compile().bind({in}, {out});
  logs();
  const jq::debug_nans look;
  CHECK_THROWS_WITH(logs(), doctest::Contains("log"));
}
