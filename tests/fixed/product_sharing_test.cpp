// What products share: how many steps are left, what stays as it is, and values.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

#include <cmath>
#include <random>
#include <vector>

#include "frozen_steps.hpp"

namespace jq = jacquard;
using jq::tensor;
using namespace frozen_steps;

namespace {

using triple = tensor<double, 3>;
using eight = tensor<double, 8>;

// Three chains of five products, and one that the program makes: y^2, y^3, y^5, and one product for each.
constexpr auto powers = [](auto x, auto y) { return std::pair{x * y * y * y * y * y, y * y * y * y * y * 5.0}; };
static_assert(steps_of(powers, triple{}, 1.0) == 3 + 3 + 1);
static_assert(run(powers, triple{1, 2, 3}, 2.0) == std::pair{triple{32, 64, 96}, 160.0});
// Not powers that the program does not make, which may leave the range of numbers where it does not; those that it makes elsewhere.
constexpr auto one_by_one = [](auto x, auto y) { return x * y * y * y * y * y; };
static_assert(steps_of(one_by_one, triple{}, 1.0) == 15);
static_assert(run(one_by_one, 1e-300, 1e70) > 0x1p100);
// What is left of a product when pairs are drawn: not a power first.
constexpr auto left_over = [](auto x, auto y, auto w, auto v) { auto square = x * x; return std::tuple{square * y * x * w, v * y * w, square}; };
static_assert(std::get<0>(run(left_over, 0x1p366, 0x1p-664, 1.0, 1.0)) == 0x1p434);
constexpr auto up_to_cubes = [](auto x, auto y) { return std::tuple{x * y * y * y * y * y, y * y * y * 5.0}; };
static_assert(steps_of(up_to_cubes, triple{}, 1.0) == 2 + 6 + 1);
// One product has nobody to share with.
static_assert(steps_of(powers, 1.0, 1.0) == 5);
// A product that the program makes anyway, before or after.
constexpr auto before = [](auto x, auto y, auto z) { return std::tuple{y * z, x * y * z}; };
constexpr auto after = [](auto x, auto y, auto z) { return std::tuple{x * y * z, y * z}; };
static_assert(steps_of(before, 1.0, 1.0, 1.0) == 2);
static_assert(steps_of(after, 1.0, 1.0, 1.0) == 2);
static_assert(run(after, 2.0, 3.0, 5.0) == std::tuple{30.0, 15.0});
// Constants are factors as others are.
constexpr auto constants = [](auto x, auto y) { return x * y * 3.0; };
static_assert(steps_of(constants, triple{}, 1.0) == 1 + 3);
static_assert(run(constants, triple{1, 2, 3}, 2.0) == triple{6, 12, 18});
// What lies between is read elsewhere: there is nothing to take apart.
constexpr auto running = [](auto x, auto y) {
  const auto a = x * y, b = a * y;
  return std::tuple{a, b, b * y};
};
static_assert(steps_of(running, triple{}, 1.0) == 9);
static_assert(run(running, 3.0, 2.0) == std::tuple{6.0, 12.0, 24.0});
// Not through sums.
constexpr auto sums = [](auto x, auto y) { return (x * y + 1.0) * y; };
static_assert(steps_of(sums, triple{}, 1.0) == 9);
// A factor of all terms: once for the sum, and once with what the terms' products are multiplied by.
constexpr auto factored = [](auto x, auto d, auto e) {
  const auto m = x * d;
  return std::tuple{jq::sum(x * m), m * e};
};
static_assert(steps_of(factored, eight{}, 1.0, 1.0) == 8 + 7 + 1 + 1 + 8);
static_assert(run(factored, eight{1, 2, 3, 4, 5, 6, 7, 8}, 2.0, 3.0) == std::tuple{408.0, eight{6, 12, 18, 24, 30, 36, 42, 48}});
// Not where the products stay, since others read them, or meet as many factors as there are terms.
constexpr auto products_stay = [](auto x, auto d) {
  const auto m = x * d;
  return std::tuple{jq::sum(x * m), m};
};
static_assert(steps_of(products_stay, eight{}, 1.0) == 8 + 8 + 7);
constexpr auto met_by_many = [](auto x, auto d, auto e) {
  const auto m = x * d;
  return std::tuple{jq::sum(x * m), m * e};
};
static_assert(steps_of(met_by_many, eight{}, 1.0, eight{}) == 8 + 8 + 7 + 8);
// Some terms are subtracted.
constexpr auto alternating = [](auto x, auto d) {
  const auto a = x[0] * d, b = x[1] * d, c = x[2] * d;
  return std::tuple{x[3] * a - x[4] * b - x[5] * c, a * d, b * d, c * d};
};
static_assert(run(alternating, eight{1, 2, 3, 4, 5, 6, 7, 8}, 2.0) == std::tuple{2.0 * (4 - 10 - 18), 4.0, 8.0, 12.0});

constexpr auto energy = [](auto s) { return 1.0 / jq::sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]); };

}  // namespace

TEST_CASE("second derivatives of a potential share the powers of the distance") {
  const triple s{.3, -.7, 1.1};
  const auto h = jq::hessian(energy)(s);
  const double square = .3 * .3 + .7 * .7 + 1.1 * 1.1, r = std::sqrt(square);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      CHECK(h(i, j) == doctest::Approx(3 * s[i] * s[j] / (square * square * r) - (i == j ? 1 / (square * r) : 0)).epsilon(1e-14));
}

TEST_CASE("products make no powers that the program does not make") {
  // d (x / |x|) has x x / |x|^3, whose cube leaves the range of floats long before anything that the program computes.
  const auto unit = [](auto x) { return x / jq::sqrt(jq::sum(x * x)); };
  const double direction[3] = {1, 2, -3};
  for (const float size : {1e-18f, 1e-15f, 1e-13f, 1.0f, 1e13f, 1e15f, 1e18f}) {
    const jq::tensor<float, 3> x{size, 2 * size, -3 * size};
    const auto reverse = jq::jacrev(unit)(x), forward = jq::jacfwd(unit)(x);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const double expected = ((i == j ? 1 : 0) - direction[i] * direction[j] / 14) / std::sqrt(14.0);
        CHECK(double(reverse(i, j)) * double(size) == doctest::Approx(expected).epsilon(1e-6));
        CHECK(double(forward(i, j)) * double(size) == doctest::Approx(expected).epsilon(1e-6));
      }
  }
  // Three quotients by r, one after the other, and what is divided by them is shared; not so by r^3.
  const auto thrice = [](auto x, auto y, auto r) { return jq::stack({x / r / r / r, y / r / r / r, (x + y) / r / r / r}); };
  const auto result = jq::jit(thrice)(1e-30, 2e-30, 1e-110);
  CHECK(result[0] == doctest::Approx(1e300));
  CHECK(result[2] == doctest::Approx(3e300));
}
TEST_CASE("zeros and infinities of products") {
  const auto products = [](const triple& x, double y) { return run(powers, x, y).first; };
  CHECK(products(triple{1, -1, 0}, 0.0) == triple{0, -0.0, 0});
  CHECK(std::signbit(products(triple{1, -1, 0}, 0.0)[1]));
  CHECK(products(triple{1, -1, 2}, HUGE_VAL) == triple{HUGE_VAL, -HUGE_VAL, HUGE_VAL});
  CHECK(std::isnan(products(triple{0, 1, 2}, HUGE_VAL)[0]));
}

// Random programs of sums, products and quotients, as the pass alone sees them.

namespace {

constexpr std::uint32_t room = 400;
struct random_program : jq::detail::arithmetic_graph {
  std::vector<std::uint32_t> values, results;
  explicit random_program(std::mt19937_64& g) : arithmetic_graph(jq::f64, room, 600) {
    const auto below = [&g](std::size_t n) { return std::size_t(g() % n); };
    for (int i = 0; i < 4; ++i) values.push_back(new_number());
    for (int i = 0; i < 40; ++i) {
      const auto recent = [&] { return values[values.size() - 1 - below(std::min<std::size_t>(values.size(), 8 + below(30)))]; };
      const std::size_t what = below(10);
      const auto a = recent(), b = what == 9 ? number(1.5) : recent();
      const auto op = what < 2 ? jq::detail::arithmetic::add : what == 2 ? jq::detail::arithmetic::subtract : jq::detail::arithmetic::multiply;
      values.push_back(settled(arithmetic_element(op, a, b, false, false)));
    }
    for (std::size_t i = values.size() - 6; i < values.size(); ++i) results.push_back(values[i]);
  }
  std::vector<double> computed() const {
    std::vector<double> x(room + 1, NAN), r;
    for (int i = 0; i < 4; ++i) x[std::size_t(i)] = .7 + .2 * i;
    const auto at = [&](std::uint32_t code) { return is_constant(code) ? double_of(code) : x[code]; };
    for (std::uint32_t n = 0; n < step_count; ++n) {
      const auto& s = steps[n];
      x[s.out] = jq::detail::computed(jq::detail::arithmetic(s.kind & ~jq::detail::run_step::plain_arithmetic), at(s.in[0]), at(s.in[1]));
    }
    for (std::uint32_t code : results) r.push_back(at(code));
    return r;
  }
  std::uint32_t products() const {
    std::uint32_t n = 0;
    for (std::uint32_t i = 0; i < step_count; ++i) n += steps[i].kind == jq::detail::run_step::kind_of(jq::detail::arithmetic::multiply) ? 1 : 0;
    return n;
  }
};

}  // namespace

TEST_CASE("random programs keep their values and take no more products") {
  std::mt19937_64 g(11);
  int shorter = 0;
  for (int program = 0; program < 3000; ++program) {
    random_program p(g);
    // What no result needs goes first, as in a layout.
    std::vector<char> needed(room + 1, 0);
    const auto need = [&](std::uint32_t code) {
      if (code <= room) needed[code] = 1;
    };
    for (std::uint32_t code : p.results) need(code);
    bool keep[room + 1]{};
    for (std::uint32_t n = p.step_count; n-- > 0;)
      if ((keep[n] = needed[p.steps[n].out] != 0)) need(p.steps[n].in[0]), need(p.steps[n].in[1]);
    std::uint32_t kept = 0;
    for (std::uint32_t n = 0; n < p.step_count; ++n)
      if (keep[n]) p.steps[kept++] = p.steps[n];
    p.step_count = kept;
    for (std::uint32_t n = 0; n < kept; ++n) keep[n] = true;

    const std::vector<double> want = p.computed();
    const std::uint32_t products = p.products();
    const auto arity = [](const jq::detail::run_step&) { return 2u; };
    const auto reads = [&p](std::uint32_t, const auto& visit) {
      for (std::uint32_t code : p.results) visit(code);
    };
    if (!jq::detail::product_sharing(p, keep, arity, reads).share()) continue;
    ++shorter;
    REQUIRE(p.products() < products);
    const std::vector<double> got = p.computed();
    for (std::size_t i = 0; i < want.size(); ++i)
      if (std::isfinite(want[i]) && std::isfinite(got[i])) CHECK(got[i] == doctest::Approx(want[i]).epsilon(1e-9));
      else CHECK(!std::isfinite(want[i]));
  }
  CHECK(shorter > 100);
}
