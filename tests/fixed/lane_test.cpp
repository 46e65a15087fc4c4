// The compile-time lane through the transforms that reach it: values, types, and what decides between the lanes.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>
#include <jacquard/jacquard.hpp>

#include <complex>
#include <optional>

namespace jq = jacquard;
using jq::tensor;

constexpr auto cube = [](auto x) { return x * x * x; };
constexpr auto square = [](auto x) { return x * x; };
constexpr auto sum_of_cubes = [](auto x) { return jq::sum(x * x * x); };

static_assert(jq::grad(cube)(3.0) == 27.0);
static_assert(jq::grad(jq::grad(cube))(2.0) == 12.0);
static_assert(std::is_same_v<decltype(jq::grad(cube)(2.f)), float>);
static_assert(jq::value_and_grad(cube)(2.0) == std::pair{8.0, 12.0});
static_assert(jq::jit(cube)(2.0) == 8.0 && jq::jit(jq::grad(cube), jq::donate_argnums<0>)(2.0) == 12.0);
static_assert(jq::grad(jq::jit(cube))(2.0) == 12.0);
static_assert(jq::grad([](auto x, auto y) { return x * y; }, jq::argnums<0, 1>)(2.0, 3.0) == std::tuple{3.0, 2.0});
static_assert(jq::grad([](auto x, auto y) { return x * y; }, jq::argnums<-1>)(2.0, 3.0) == 2.0);
static_assert(jq::grad([](auto x, auto y) { return std::pair{x * y, y}; }, jq::has_aux)(2.0, 3.0) == std::pair{3.0, 3.0});

// Functions of tensors.
static_assert(jq::jacfwd(square)(tensor<double, 2>{1, 2}) == tensor<double, 2, 2>{2, 0, 0, 4});
static_assert(jq::jacrev(square)(tensor<double, 2>{1, 2}) == tensor<double, 2, 2>{2, 0, 0, 4});
static_assert(jq::hessian(sum_of_cubes)(tensor<double, 2>{1, 2}) == tensor<double, 2, 2>{6, 0, 0, 12});
static_assert(jq::vmap(jq::grad([](auto x, auto y) { return x * x * y; }), jq::in_axes<0, jq::none>)(tensor<double, 2>{1, 2}, 3.0) ==
              tensor<double, 2>{6, 12});
static_assert(jq::vmap(square, jq::out_axes<1>)(tensor<double, 2, 3>{1, 2, 3, 4, 5, 6}) == tensor<double, 3, 2>{1, 16, 4, 25, 9, 36});

// Trees: what mirrors an argument has its type, everything else is a number or a tensor.
template <class T>
struct pose {
  T position, rotation;
  bool operator==(const pose&) const = default;
};
constexpr auto work = [](const auto& p) { return p.position * p.rotation; };
constexpr auto swapped = [](const auto& p) { return std::remove_cvref_t<decltype(p)>{p.rotation, p.position}; };
static_assert(jq::grad(work)(pose<double>{2, 3}) == pose<double>{3, 2});
static_assert(jq::jit(swapped)(pose<double>{2, 3}) == pose<double>{3, 2});
static_assert(jq::jit(swapped)(pose<tensor<float, 2>>{{1, 2}, {3, 4}}) == pose<tensor<float, 2>>{{3, 4}, {1, 2}});
static_assert(jq::grad([](auto v) { return jq::sum(v * v); })(std::array{1.0, 2.0}) == std::array{2.0, 4.0});
static_assert(std::is_same_v<decltype(jq::jit(square)(std::array{1.0, 2.0})), tensor<double, 2>>);
static_assert(jq::grad([](auto t) { return std::get<0>(t) * jq::sum(std::get<1>(t)); })(std::tuple{2.0, tensor<double, 2>{1, 2}}) ==
              std::tuple{3.0, tensor<double, 2>{2, 2}});
static_assert(jq::grad([](auto t) { return t.first * t.second.first; })(std::pair{2.0, std::pair{3.0, 4.0}}) ==
              std::pair{3.0, std::pair{2.0, 0.0}});

// Narrow and other types compute as they do in the other lane.
static_assert(jq::jit([](auto x) { return x + x; })(std::int8_t(100)) == std::int8_t(-56));
static_assert(jq::jit([](auto x) { return x > 1.0; })(2.0) && !jq::jit([](auto x) { return x > 1.0; })(0.5));
static_assert(jq::jit([](auto x) { return jq::where(x > 1.0, x, -x); })(tensor<double, 2>{0.5, 2}) == tensor<double, 2>{-0.5, 2});
static_assert(jq::jit([](auto x) { return x.astype(jq::i32); })(2.7) == 2);

// Collectives of constants learn their axis when a value that varies meets them.
static_assert(jq::vmap([](auto x) { return x * 10 + jq::lax::axis_index("i"); }, jq::axis_name<"i">)(tensor<int, 3>{1, 2, 3}) ==
              tensor<int, 3>{10, 21, 32});
static_assert(jq::vmap([](auto x) { return x / jq::lax::axis_size("i"); }, jq::axis_name<"i">)(tensor<double, 2>{1, 2}) ==
              tensor<double, 2>{0.5, 1});
static_assert(jq::vmap([](auto x) {
  return jq::vmap([](auto y) { return y + 10 * jq::lax::axis_index("i") + jq::lax::axis_index("j"); }, jq::axis_name<"j">)(x);
}, jq::axis_name<"i">)(tensor<int, 2, 2>{}) == tensor<int, 2, 2>{0, 1, 10, 11});

// The lane.
template <class... A>
constexpr bool is_static = jq::detail::is_static_call<A...>();
static_assert(is_static<double> && is_static<int, tensor<float, 2>> && is_static<std::array<double, 3>> && is_static<pose<double>>);
static_assert(is_static<std::tuple<double, std::pair<int, std::array<pose<float>, 2>>>>);
static_assert(!is_static<jq::array> && !is_static<double, jq::array> && !is_static<> && !is_static<std::vector<double>>);
static_assert(!is_static<std::tuple<double, jq::array>> && !is_static<std::optional<double>> && !is_static<std::tuple<>>);

TEST_CASE("lanes: one jq::array makes a call run-time") {
  const auto g = jq::grad([](auto x, auto y) { return x * y; }, jq::argnums<0, 1>)(2.0, jq::asarray(3.0));
  static_assert(std::is_same_v<decltype(g), const std::tuple<double, jq::array>>);
  CHECK(std::get<0>(g) == 3);
}
TEST_CASE("lanes: both give the same values") {
  constexpr auto f = [](auto x) { return jq::sum(jq::sin(x) * jq::exp(-x * x) / (1.0 + x * x)); };
  const tensor<double, 5> x{-2, -0.5, 0, 0.7, 3};
  const tensor<double, 5> fixed = jq::grad(f)(x), traced = jq::grad(f)(jq::asarray(x));
  for (int i = 0; i < 5; ++i) CHECK(fixed[i] == doctest::Approx(traced[i]).epsilon(1e-14));
}
TEST_CASE("lanes: large tensors run in loops") {
  constexpr auto f = [](auto x) { return jq::log(jq::sum(jq::exp(x))); };
  tensor<double, 1000> x{};
  for (int i = 0; i < 1000; ++i) x[i] = 0.001 * i;
  const tensor<double, 1000> fixed = jq::grad(f)(x), traced = jq::grad(f)(jq::asarray(x));
  for (int i = 0; i < 1000; i += 37) CHECK(fixed[i] == doctest::Approx(traced[i]).epsilon(1e-13));
}
TEST_CASE("lanes: products, reductions and movements of matrices") {
  constexpr auto f = [](auto a, auto x) {
    const auto y = jq::tanh(jq::matmul(a, x)) + x(jq::slice(0, 2));
    return jq::sum(y * y) + jq::max(x) + jq::sum(jq::transpose(a)(jq::slice(1, jq::none)));
  };
  const tensor<double, 2, 3> a{0.1, -0.2, 0.3, 0.4, 0.5, -0.6};
  const tensor<double, 3> x{1, 2, 3};
  const auto [ga, gx] = jq::grad(f, jq::argnums<0, 1>)(a, x);
  const auto [ra, rx] = jq::grad(f, jq::argnums<0, 1>)(jq::asarray(a), jq::asarray(x));
  CHECK(jq::to_string(jq::round(jq::asarray(ga) * 1e9)) == jq::to_string(jq::round(ra * 1e9)));
  CHECK(jq::to_string(jq::round(jq::asarray(gx) * 1e9)) == jq::to_string(jq::round(rx * 1e9)));
}

// Types that stand for one of ours: std::complex, and long long where std::int64_t is long. Results that mirror an argument have its type.
using complex = std::complex<double>;
constexpr auto twice_square = [](auto z) { return z * z * 2.0; };
constexpr auto real_of_cube = [](auto z) { return jq::real(z * z * z); };
constexpr auto squared_size = [](auto z) { return jq::sum(jq::real(z * jq::conj(z))); };
static_assert(jq::jit(square)(3LL) == 9);
static_assert(jq::jit(twice_square)(complex(1, 2)) == jq::complex128(-6, 8));
static_assert(std::is_same_v<decltype(jq::grad(real_of_cube)(complex())), complex>);
static_assert(jq::grad(real_of_cube)(complex(1, 2)) == complex(-9, 12));  // 3 z^2
TEST_CASE("lanes: numbers of std::complex, alone and in arrays of every size") {
  const auto tangent = jq::jvp(twice_square, jq::primals(tensor<complex, 2>{{complex(1, 1), complex(2, 2)}}),
                               jq::tangents(tensor<complex, 2>{{complex(1, 0), complex(0, 1)}})).second;
  CHECK(tangent[0] == jq::complex128(4, 4));
  CHECK(tangent[1] == jq::complex128(-8, 8));
  const std::array<complex, 2> small = jq::grad(squared_size)(std::array<complex, 2>{complex(1, 2), complex(3, -4)});
  CHECK(small[1] == complex(6, 8));
  static std::array<complex, 300> x{}, g{};
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = {0.5 * double(i), 1 - double(i)};
  g = jq::grad(squared_size)(x);
  const auto y = jq::jit(twice_square)(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    CHECK(g[i] == 2.0 * std::conj(x[i]));
    CHECK(complex(y[i]) == 2.0 * x[i] * x[i]);
  }
  const std::complex<float> narrow = jq::grad([](auto z) { return jq::imag(z * z); })(std::complex<float>(1, 2));
  CHECK(narrow == std::complex<float>(4, -2));  // d/dx - i d/dy of 2 x y
}
