// The compile-time lane on its own: a program that includes <jacquard/fixed.hpp>, nothing else of Jacquard, and links nothing. Every transform
// is called with static arguments, most of them by the compiler; taps run with the program. Prints what failed.

#include <jacquard/fixed.hpp>

#include <array>
#include <cstdio>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace jq = jacquard;
using jq::tensor;

namespace {

int failures = 0;
void check(bool good, const char* what) {
  if (good) return;
  ++failures;
  std::printf("static_lane: %s\n", what);
}

// One variable.

constexpr auto cube = [](auto x) { return x * x * x; };
constexpr auto product = [](auto x, auto y) { return x * x * y; };
static_assert(jq::grad(cube)(2.0) == 12.0);
static_assert(jq::grad(jq::grad(jq::grad(cube)))(2.0) == 6.0);
static_assert(jq::value_and_grad(cube)(2.0) == std::pair(8.0, 12.0));
static_assert(jq::grad(product, jq::argnums<0, 1>)(2.0, 3.0) == std::tuple(12.0, 4.0));
static_assert(jq::grad([](auto x) { return std::pair(x * x, x + 1.0); }, jq::has_aux)(3.0) == std::pair(6.0, 4.0));
static_assert(jq::jvp(cube, jq::primals(2.0), jq::tangents(1.0)) == std::pair(8.0, 12.0));
static_assert(jq::jvp(jq::grad(cube), jq::primals(2.0), jq::tangents(0.5)) == std::pair(12.0, 6.0));
static_assert(std::get<0>(jq::vjp(cube, 2.0).second(1.0)) == 12.0);
static_assert(jq::linearize(cube, 2.0).second(3.0) == 36.0);
static_assert(std::get<0>(jq::linear_transpose([](auto x) { return 3.0 * x; }, 0.0)(2.0)) == 6.0);

// Vectors, matrices and maps.

using vec = tensor<double, 2>;
using mat = tensor<double, 2, 2>;
constexpr auto squares = [](auto x) { return jq::sum(x * x * x); };
constexpr auto polar = [](auto x) { return jq::stack(std::array{x(0) * x(1), x(0) + x(1), x(0) - x(1)}); };
constexpr auto weighted = [](auto x, auto w) { return x * x * w; };
static_assert(jq::grad(squares)(vec{1, 2}) == vec{3, 12});
static_assert(jq::hessian(squares)(vec{1, 2}) == mat{6, 0, 0, 12});
static_assert(jq::jacfwd(polar)(vec{2, 5}) == tensor<double, 3, 2>{5, 2, 1, 1, 1, -1});
static_assert(jq::jacrev(polar)(vec{2, 5}) == tensor<double, 3, 2>{5, 2, 1, 1, 1, -1});
static_assert(jq::vmap(jq::grad(weighted), jq::in_axes<0, jq::none>)(vec{1, 2}, 10.0) == vec{20, 40});
static_assert(jq::vmap(jq::vmap(cube))(mat{1, 2, 3, 4}) == mat{1, 8, 27, 64});
static_assert(jq::grad([](auto x) { return jq::sum(jq::vmap(jq::grad(cube))(x)); })(vec{1, 2}) == vec{6, 12});
static_assert(jq::jvp(jq::grad(squares), jq::primals(vec{1, 2}), jq::tangents(vec{1, 0})).second == vec{6, 0});
static_assert(jq::jacfwd(jq::grad(squares))(vec{1, 2}) == jq::jacrev(jq::grad(squares))(vec{1, 2}));

// jit, which changes nothing here.

static_assert(jq::jit(cube)(2.0) == 8.0);
static_assert(jq::jit(jq::grad(cube))(2.0) == 12.0);
static_assert(jq::grad(jq::jit(cube))(2.0) == 12.0);
static_assert(jq::grad(jq::grad(jq::jit(jq::jit(cube))))(2.0) == 12.0);
static_assert(jq::vmap(jq::jit(cube))(vec{1, 2}) == vec{1, 8});
static_assert(jq::jit(product, jq::donate_argnums<0>)(2.0, 3.0) == 12.0);
static_assert(jq::grad([](auto x) { return jq::jit(product, jq::donate_argnums<1>)(x, x); })(2.0) == 12.0);
static_assert(jq::grad([](auto x) { return jq::jit([](auto y, int n) { return n * y * y; }, jq::static_argnums<1>)(x, 3); })(2.0) == 12.0);
static_assert(jq::grad([](auto x) { return jq::jit([&](auto y) { return x * y; })(x); })(2.0) == 4.0);
static_assert(jq::to_string(jq::make_jaxpr([](auto x) { return jq::jit(cube)(x); })(2.0)).find("call") != std::string_view::npos);

// Rules of one's own, control flow, checkpoints.

constexpr auto clipped = jq::custom_jvp([](auto x) { return x * x; }, [](auto primals, auto tangents) {
  return std::pair(std::get<0>(primals) * std::get<0>(primals), 10.0 * std::get<0>(tangents));
});
constexpr auto backwards = jq::custom_vjp([](auto x) { return x * x; }, [](auto x) { return std::pair(x * x, x); },
                                          [](auto x, auto ct) { return std::tuple(100.0 * x * ct); });
static_assert(clipped(3.0) == 9.0 && jq::grad(clipped)(3.0) == 10.0 && jq::grad(backwards)(3.0) == 300.0);
static_assert(jq::vmap(jq::grad(backwards))(vec{1, 2}) == vec{100, 200});
constexpr auto branched = [](auto x) {
  return jq::lax::cond(x > 1.0, [](auto y) { return y * y; }, [](auto y) { return -y; }, x);
};
static_assert(jq::grad(branched)(3.0) == 6.0 && jq::grad(branched)(0.5) == -1.0);
static_assert(jq::vmap(branched)(vec{0.5, 3}) == vec{-0.5, 9});
constexpr auto power = [](auto x) {
  return jq::lax::fori_loop(0, 5, [](auto, auto y) { return 2.0 * y; }, x);
};
static_assert(jq::jit(power)(3.0) == 96.0 && jq::grad(power)(3.0) == 32.0);
constexpr auto collatz = [](auto x) {
  return jq::lax::while_loop([](auto y) { return y < 100.0; }, [](auto y) { return y * 3.0; }, x);
};
static_assert(jq::jit(collatz)(2.0) == 162.0);
static_assert(jq::jvp(collatz, jq::primals(2.0), jq::tangents(1.0)) == std::pair(162.0, 81.0));
constexpr auto accumulated = [](auto x) {
  return jq::lax::scan([](auto carry, auto y) { return std::pair(carry * y, carry); }, 1.0 + 0.0 * x(0), x).first;
};
static_assert(jq::jit(accumulated)(tensor<double, 4>{1, 2, 3, 4}) == 24.0);
static_assert(jq::grad(accumulated)(tensor<double, 4>{1, 2, 3, 4}) == tensor<double, 4>{24, 12, 8, 6});
static_assert(jq::grad(jq::checkpoint(cube))(2.0) == 12.0);
static_assert(jq::grad([](auto x) { return x * jq::stop_gradient(x); })(2.0) == 2.0);

// Masks.

constexpr auto masked_sum = jq::mask([](auto x) { return jq::sum(x); }, jq::in_shapes<"n">, jq::out_shape<"">);
static_assert(masked_sum(jq::args(tensor<double, 4>{1, 2, 3, 4}), jq::dims{{"n", 3}}) == 6.0);
static_assert(jq::grad([](auto x) { return jq::sum(jq::where(x > 1.0, x * x, 0.0)); })(vec{1, 2}) == vec{0, 4});

// Trees: tuples, pairs, arrays, class templates over their leaf.

template <class T>
struct pose {
  T position, rotation;
};
constexpr auto energy = [](auto p) { return jq::sum(p.position * p.position) + p.rotation(0) * p.rotation(1); };
constexpr auto moved = [](auto p) { return decltype(p){p.position + p.rotation, p.rotation * 2.0}; };
constexpr pose<vec> here{{1, 2}, {3, 4}};
static_assert(jq::grad(energy)(here).position == vec{2, 4} && jq::grad(energy)(here).rotation == vec{4, 3});
static_assert(jq::jit(moved)(here).position == vec{4, 6});
static_assert(std::is_same_v<decltype(jq::jit(moved)(here)), pose<vec>>);
static_assert(jq::grad([](auto p) { return p.first * p.second; })(std::pair(2.0, 3.0)) == std::pair(3.0, 2.0));
static_assert(jq::grad([](auto p) { return std::get<0>(p) * std::get<1>(p); })(std::tuple(2.0, 3.0)) == std::tuple(3.0, 2.0));
static_assert(jq::grad([](auto x) { return jq::sum(x * x); })(std::array{1.0, 2.0, 3.0}) == std::array{2.0, 4.0, 6.0});
static_assert(jq::grad([](auto p) { return jq::sum(p[0] * p[1]); })(std::array{vec{1, 2}, vec{3, 4}}) == std::array{vec{3, 4}, vec{1, 2}});
static_assert(jq::hessian([](auto p) { return std::get<0>(p) * std::get<1>(p); })(std::tuple(2.0, 3.0)) ==
              std::tuple(std::tuple(0.0, 1.0), std::tuple(1.0, 0.0)));

// Programs as objects and as text.

constexpr auto program = jq::make_jaxpr([](auto x) { return jq::sin(x) * 2.0; })(1.0);
static_assert(jq::to_string(program) == "{ lambda ; a:f64[]. let b:f64[] = sin a; c:f64[] = mul b 2.0:f64[] in (c,) }");

// The whole interface of a tensor.

static_assert([] {
  mat m{1, 2, 3, 4};
  m(0, 1) = 7;
  m[3] = 9;
  double total = 0;
  for (double x : m) total += x;
  const std::span<const double, 4> all = std::as_const(m);
  const std::array<double, 4> copy = m;
  return total == 20 && all[1] == 7 && copy[3] == 9 && m.shape() == jq::shape{2, 2} && m.ndim() == 2 && m.dtype() == jq::f64 && m.size() == 4 &&
         mat::from(all) == m && *m.data() == 1 && m.begin() + 4 == m.end() && mat::count == 4;
}());

// Run time.

int taps = 0;
double seen = 0;
constexpr auto tapped = [](auto x) {
  return jq::id_tap([](const auto& v) {
    ++taps;
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(v)>, double>) seen = v;
  }, x * x) * 2.0;
};
constexpr auto printed = [](auto x) { return jq::id_print(x * 2.0, jq::kw("what", "twice"), jq::threshold(10)); };
static_assert(jq::grad(tapped)(3.0) == 12.0 && jq::jit(printed)(3.0) == 6.0);
static_assert(jq::vmap(jq::grad(tapped))(vec{1, 2}) == vec{4, 8});

void run_taps() {
  volatile double x = 3;
  check(jq::jit(tapped)(double(x)) == 18 && taps == 1 && seen == 9, "a tap in a jitted function");
  taps = 0;
  check(jq::grad(tapped)(double(x)) == 12 && taps == 2 && seen == 2, "taps of the value and of the cotangent");
  taps = 0;
  check(jq::vmap(tapped)(vec{1, double(x)}) == vec{2, 18} && taps == 1, "a tap of a batch");
  taps = 0;
  jq::jit([](auto y) {
    (void)tapped(y);
    return y;
  })(double(x));
  check(taps == 0, "a tap whose result is not used");
  static std::vector<std::string> transforms;
  jq::grad([](auto y) {
    return jq::id_tap([](const auto&, const jq::tap_context& c) {
      transforms.clear();
      for (const auto& t : c.transforms) transforms.push_back(t.name);
    }, y) * 1.0;
  })(double(x));
  check(transforms == std::vector<std::string>{"jvp", "transpose"}, "the transforms of a tap");
  jq::jit([](auto y) { return jq::id_tap([](const auto& v) { if (true) throw std::runtime_error(std::to_string(sizeof v)); }, y); })(double(x));
  check(jq::jit(printed)(double(x)) == 6, "id_print");
  check(jq::vmap(printed)(vec{1, 2}) == vec{2, 4}, "id_print of a batch");
}

void run_maps() {
  const std::vector<double> in{1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::vector<double> out(in.size());
  jq::map(jq::grad(cube), in, out);
  bool good = true;
  for (std::size_t i = 0; i < in.size(); ++i) good = good && out[i] == 3 * in[i] * in[i];
  check(good, "map over numbers");
  std::vector<pose<vec>> poses(5, here), gradients(5);
  jq::map(jq::grad(energy), std::span<const pose<vec>>(poses), std::span<pose<vec>>(gradients));
  for (const pose<vec>& g : gradients) good = good && g.position == vec{2, 4} && g.rotation == vec{4, 3};
  check(good, "map over class templates");
  const auto batch = jq::vmap(cube)(std::span<const double>(in));
  check(batch.size() == 9 && batch[8] == 729, "vmap over a span");
}

/// A scan of many steps is one loop: its body is there once, however many steps it takes.
constexpr auto long_scan = [](auto x) {
  return jq::lax::scan([](auto carry, auto y) { return std::pair(carry + jq::sin(y), carry); }, 0.0 * x(0), x).first;
};
void run_programs() {
  static tensor<double, 1000> x{};
  check(jq::jit(long_scan)(x) == 0, "a scan of a thousand steps");
  check(jq::grad(long_scan)(x)[999] == 1, "its gradient");
  check(jq::to_string(vec{1, 2}) == "[1. 2.]", "a tensor as text");
  try {
    (void)jq::jit(cube)(jq::asarray(2.0));
    check(false, "jit of an array without a backend must throw");
  } catch (const jq::value_error& e) {
    check(std::string(e.what()).find("jacquard/jacquard.hpp") != std::string::npos, e.what());
  }
  try {
    (void)jq::lax::fori_loop(0, 3, [](auto, auto y) { return 2.0 * y; }, 1.0);
    check(false, "a loop outside of transformed functions must throw without a backend");
  } catch (const jq::not_implemented& e) {
    const std::string said = e.what();
    check(said.find("jq::jit(f)(x)") != said.npos && said.find("static_lane.cpp") != said.npos, e.what());
  }
  try {
    (void)jq::jit([](auto y, int n) { return n * y; }, jq::static_argnums<1>)(2.0, 3);
    check(false, "jit of a static argument that is a number must throw without a backend");
  } catch (const jq::value_error& e) {
    check(std::string(e.what()).find("std::integral_constant<int, 3>{}") != std::string::npos, e.what());
  }
}

}  // namespace

int main() {
  run_taps();
  run_maps();
  run_programs();
  return failures;
}
