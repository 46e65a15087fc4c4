// Warm calls take no memory from the heap: every form of arguments and results, loops and branches, donated states, compiled stages. Sorts
// of many elements, large factorisations and libraries take scratch memory of their own, which nobody here promises to do without.
#include "../../show.hpp"

#include <jacquard/backends/cpu/cpu.hpp>

#include <cstdlib>
#include <map>
#include <new>

using jq::array;

namespace {

thread_local bool counts = false;
thread_local int taken = 0;

void* counted_memory(std::size_t bytes, std::size_t alignment) {
  taken += counts;
  void* memory = nullptr;
  if (alignment <= alignof(std::max_align_t)) memory = std::malloc(bytes ? bytes : 1);
  else if (posix_memalign(&memory, alignment, bytes) != 0) memory = nullptr;
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace

// Those of the whole test program.
void* operator new(std::size_t bytes) { return counted_memory(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) { return counted_memory(bytes, std::size_t(alignment)); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

// Sanitizers watch what is freed, so that no memory is kept.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define JACQUARD_KEEPS_MEMORY false
#else
#define JACQUARD_KEEPS_MEMORY true
#endif

namespace {

/// How often a call asks the heap for memory, once it has been made some times.
template <class F>
int allocations(F call) {
  for (int i = 0; i < 5; ++i) call();
  taken = 0, counts = true;
  call();
  counts = false;
  return taken;
}

struct layer {
  array w, b;
};
using layers = std::array<layer, 6>;
struct state {
  layers parameters, velocity;
  std::pair<array, array> counters;
};
layers layers_of(float w, float b) {
  layers r;
  for (layer& l : r) l = {jq::full({4, 4}, w), jq::full({4}, b)};
  return r;
}
/// Twenty-six arrays in, as many out.
state update(const state& s, const array& rate) {
  state r = s;
  for (std::size_t i = 0; i < r.parameters.size(); ++i) {
    r.velocity[i].w = 0.5f * s.velocity[i].w - rate * s.parameters[i].w;
    r.velocity[i].b = 0.5f * s.velocity[i].b - rate * s.parameters[i].b;
    r.parameters[i].w = s.parameters[i].w + r.velocity[i].w;
    r.parameters[i].b = s.parameters[i].b + r.velocity[i].b;
  }
  r.counters = {s.counters.first + 1, s.counters.second * 2.f};
  return r;
}

const array x = jq::ones({8}), y = jq::full({8}, 2.f), matrix = jq::ones({6, 8});

}  // namespace

TEST_CASE("warm calls allocate nothing, on tiles and compiled" * doctest::skip(!JACQUARD_KEEPS_MEMORY)) {
  for (const jq::compile_at when : {jq::compile_at::never, jq::compile_at::first_call}) {
    const auto jit = [&](auto f, auto... options) { return jq::jit(f, jq::backend("cpu"), when, options...); };
    const auto flat = jit([](const array& a, const array& b, const array& c) { return a * b + c; });
    CHECK(allocations([&] { flat(x, y, x); }) == 0);
    CHECK(allocations([&] { flat(x, y, 2.0); }) == 0);
    const auto kept = jit([](const array& a, const array& b) { return a * b; }).lower(x, y).compile();
    CHECK(allocations([&] { kept(x, y); }) == 0);
    const auto lists = jit([](const std::vector<array>& v, const std::map<std::string, array>& m) { return v[0] + v[1] * m.at("k"); });
    const std::vector<array> v{x, y};
    const std::map<std::string, array> m{{"k", y}};
    CHECK(allocations([&] { lists(v, m); }) == 0);
    const auto rows = jit([](const array& a) { return jq::softmax(a, 1); });
    CHECK(allocations([&] { rows(matrix); }) == 0);
    const auto slope = jit(jq::grad([](const array& a) { return total(jq::sin(a) * a); }));
    CHECK(allocations([&] { slope(x); }) == 0);
  }
}
TEST_CASE("warm calls allocate nothing, however many arrays they take and return" * doctest::skip(!JACQUARD_KEEPS_MEMORY)) {
  for (const jq::compile_at when : {jq::compile_at::never, jq::compile_at::first_call}) {
    const state start{layers_of(1, 1), layers_of(0, 0), {jq::asarray(0), jq::asarray(1.f)}};
    const array rate = 0.1f;
    const auto plain = jq::jit(update, jq::backend("cpu"), when);
    CHECK(allocations([&] { plain(start, rate); }) == 0);
    const auto kept = plain.lower(start, rate).compile();
    CHECK(allocations([&] { kept(start, rate); }) == 0);
    const auto donating = jq::jit(update, jq::backend("cpu"), when, jq::donate_argnums<0>);
    state s{layers_of(1, 1), layers_of(0, 0), {jq::asarray(0), jq::asarray(1.f)}};
    CHECK(allocations([&] { s = donating(s, rate); }) == 0);
    CHECK(s.counters.first.item<int>() == 6);
    const auto numbers = jq::jit([](const std::array<array, 12>& n) { return total(n[0] + n[11] * x); }, jq::backend("cpu"), when);
    std::array<array, 12> n;
    for (std::size_t i = 0; i < n.size(); ++i) n[i] = double(i);
    CHECK(allocations([&] { numbers(n); }) == 0);
  }
}
TEST_CASE("warm calls allocate nothing in loops and branches" * doctest::skip(!JACQUARD_KEEPS_MEMORY)) {
  for (const jq::compile_at when : {jq::compile_at::never, jq::compile_at::first_call}) {
    const auto jit = [&](auto f) { return jq::jit(f, jq::backend("cpu"), when); };
    const auto counting = jit([](const array& a) {
      return lax::fori_loop(0, 10, [](const array&, const array& c) { return array(jq::sin(c) * 0.5f + c); }, a);
    });
    CHECK(allocations([&] { counting(x); }) == 0);
    const auto scanning = jit([](const array& a, const array& all) {
      return lax::scan([](const array& c, const array& e) { return std::pair{array(c * 0.9f + e), total(c)}; }, a, all);
    });
    CHECK(allocations([&] { scanning(x, matrix); }) == 0);
    const auto until = jit([](const array& a) {
      return lax::while_loop([](const array& c) { return total(c) < 100.f; }, [](const array& c) { return array(c * 1.5f); }, a);
    });
    CHECK(allocations([&] { until(x); }) == 0);
    const auto choosing = jit([](const array& a) {
      return lax::cond(total(a) > 0.f, [](const array& c) { return jq::sin(c); }, [](const array& c) { return jq::cos(c); }, a);
    });
    CHECK(allocations([&] { choosing(x); }) == 0);
    const auto writing = jit([](const array& a) {
      return lax::fori_loop(0, 8, [](const array& i, const array& c) {
        const array element = jq::reshape(lax::dynamic_slice(c, {array(7 - i)}, {1}) * 2.f, {1});
        return array(lax::dynamic_update_slice(c, element, {i}));
      }, a);
    });
    CHECK(allocations([&] { writing(x); }) == 0);
    const auto looking = jit([](const array& a, const array& places) { return jq::cumsum(a)[places] + a.at(places).add(1.f)[places]; });
    const array places = jq::asarray({1, 3});
    CHECK(allocations([&] { looking(x, places); }) == 0);
    const auto sorting = jit([](const array& a, const array& all) {
      return lax::fori_loop(0, 8, [&](const array&, const array& c) { return array(jq::linalg::solve(all, jq::sort(c)) * 0.5f + jq::argsort(c)); }, a);
    });
    const array square = jq::eye(x.size()) * 2.0f + 0.1f;
    CHECK(allocations([&] { sorting(x, square); }) == 0);
    const auto drawing = jit([](const array& a, const array& key) {
      return lax::fori_loop(0, 8, [](const array& i, const std::pair<array, array>& s) {
        const array keys = jq::random::split(s.second);
        return std::pair{array(s.first + jq::random::normal(jq::random::fold_in(keys(1), i), s.first.shape())), array(keys(0))};
      }, std::pair{a, key});
    });
    const array key = jq::random::key(1);
    CHECK(allocations([&] { drawing(x, key); }) == 0);
  }
}
