// Freezing: one object of exactly the size needed, whatever the size of the program.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>
#include <jacquard/numpy/bits.hpp>
#include <jacquard/numpy/places.hpp>
#include <jacquard/numpy/polynomial_roots.hpp>
#include <jacquard/numpy/spectral.hpp>
#include "frozen_steps.hpp"

namespace jq = jacquard;

template <int n>
struct chain {
  constexpr jq::array operator()(jq::array x) const {
    for (int i = 0; i < n; ++i) x = x * x + double(i);
    return x;
  }
};
template <int n, bool simplified = true>
using program = jq::detail::static_program<simplified, chain<n>, double>;

static_assert(jq::detail::frozen_of<program<3>>.used.equations == 5);         // x + 0 is x
static_assert(jq::detail::frozen_of<program<3, false>>.used.equations == 6);
static_assert(jq::detail::frozen_of<program<600>>.used.equations == 1199);    // more than the first trace has room for
static_assert(jq::detail::frozen_of<program<3>>.equations.size() == 5 && jq::detail::frozen_of<program<3>>.types.size() == 1);

constexpr auto wrong = [](auto x) { return jq::sum(x * jq::zeros({3})); };
using wrong_program = jq::detail::static_program<true, std::remove_const_t<decltype(wrong)>, jq::tensor<double, 2>>;
static_assert(jq::detail::frozen_of<wrong_program>.problem == jq::error_kind::shape);

// clang cuts texts in its messages after 36 characters: there a message is lines, which end between words where they can.
constexpr std::string_view sentence = "Abstract tracer value encountered where concrete value is expected";
static_assert(jq::error_text<1, 36>::room(sentence) == 2 && jq::error_text<1, 36>::room("") == 0);
static_assert([] {
  jq::error_text<2, 36> t;
  t.write(sentence);
  const std::string_view first = t.text[0], second = t.text[1];
  return first == "Abstract tracer value encountered   " && second == "where concrete value is expected    " && !t.empty();
}());
static_assert(jq::error_text<1, 4>::room("a_word_that_is_long") == 5);
static_assert(jq::error_text<1, 0>::room(sentence) == sentence.size() + 1);

TEST_CASE("freezing keeps the message and the place of the first error") {
  const auto& m = jq::detail::message_of<wrong_program>();
  const std::string_view text(m.text);
  CHECK(text.find("mul got incompatible shapes") == 0);
  CHECK(text.find("freeze_test.cpp:") != std::string_view::npos);
}

// Of 32 elements each, so that the steps are many and the equations few. One below the other, as those side by side are rows.
constexpr int rounds = 70;
constexpr auto polynomial = [](auto x) {
  auto y = x;
  for (int i = 0; i < rounds; ++i) y = y * x + 0.25;
  return y;
};
using column = jq::tensor<double, 32, 1>;
static_assert(frozen_steps::layout_for<std::remove_const_t<decltype(polynomial)>, column>.used.steps > jq::detail::block_size);

TEST_CASE("a program of more steps than are put into one function runs as several") {
  column x{};
  for (std::size_t i = 0; i < 32; ++i) x[i] = 0.03 * double(i);
  const column y = frozen_steps::run(polynomial, x);
  for (std::size_t i = 0; i < 32; ++i) {
    double want = x[i];
    for (int k = 0; k < rounds; ++k) want = want * x[i] + 0.25;
    CHECK(y[i] == doctest::Approx(want).epsilon(1e-14));
  }
}

// Arrays that a function makes of numbers stay objects on the heap while the compiler runs rules on them: g++ 12 destroys those that leave a
// `?:` twice. A program is frozen where none does.
constexpr jq::array matrix() { return jq::asarray({{2.0, 1.0}, {1.0, 3.0}}); }
constexpr jq::array row() { return jq::asarray({3.0, 1.0, 2.0}); }
template <class F>
constexpr auto of_constants(F) {
  return jq::jit([](auto x) { return x * F()(); })(1.0);
}
static_assert(of_constants([] { return jq::linalg::matrix_power(matrix(), 3); }) == jq::tensor<double, 2, 2>{15, 20, 20, 35});
static_assert(of_constants([] { return jq::linalg::matrix_power(matrix(), -2)[0][0] * 25.0; }) > 9.999);
static_assert(of_constants([] { return jq::take(row(), jq::asarray({0, 2}), jq::none, "clip"); }) == jq::tensor<double, 2>{3, 2});
static_assert(of_constants([] { return jq::packbits(jq::asarray({1, 0, 1})).astype(jq::f64); }) == jq::tensor<double, 1>{160});
static_assert(of_constants([] { return jq::unpackbits(jq::asarray({std::uint8_t(160)}), jq::none, 3).astype(jq::f64); }) == jq::tensor<double, 3>{1, 0, 1});
static_assert(of_constants([] { return jq::polyfit(row(), 2.0 * row(), 1, row())[0]; }) > 1.999);
static_assert(of_constants([] {
                const auto solve = [](auto l) { return jq::lax::triangular_solve(l, matrix(), {.lower = true}); };
                return jq::jvp(solve, jq::primals(matrix()), jq::tangents(matrix())).second;
              }) == jq::tensor<double, 2, 2>{-1, -0.5, 0, -5.0 / 6});

constexpr auto recurrence = [](auto x, auto ys) {
  const auto step = [](auto state, auto y) {
    const jq::array next = jq::matmul(matrix(), state);
    return std::pair{next, jq::sum(next) * y};
  };
  return jq::sum(std::get<1>(jq::lax::scan(step, x, ys)));
};
static_assert(jq::grad(recurrence)(jq::tensor<double, 2>{1, 2}, jq::tensor<double, 2>{1, 1}) == jq::tensor<double, 2>{13, 19});

// A loop over constants alone does not know the function around it. Derivatives within it find out.
constexpr auto decay = [](auto k) {
  const auto rate = [k](auto y) { return k * y; };
  const auto step = [&](auto y, auto) { return std::pair{jq::grad(rate)(y) * y, y}; };
  return jq::lax::scan(step, jq::asarray(1.0), jq::asarray({1.0, 2.0, 3.0})).first;
};
static_assert(jq::jit(decay)(2.0) == 8.0);
static_assert(jq::grad(decay)(2.0) == 12.0);
// The first tracer from outside that the inner loop meets belongs to the farther one.
constexpr auto nested = [](auto k) {
  const auto outer = [&](auto x, auto) {
    const auto inner = [&](auto y, auto) { return std::pair{jq::grad([&](auto z) { return k * z * z + x * z; })(y), y}; };
    return std::pair{jq::lax::scan(inner, jq::asarray(1.0), jq::asarray({1.0, 2.0})).first, x};
  };
  return jq::lax::scan(outer, k, jq::asarray({1.0, 2.0})).first;
};
static_assert(jq::jit(nested)(1.0) == 25);  // y = 2 k y + x twice from 1, and x = y twice
