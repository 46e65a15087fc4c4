// The static types of results.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

namespace jq = jacquard;
using jq::tensor;

template <class T>
struct pair_of {
  T a, b;
};
template <class F, class... A>
using result_of = decltype(jq::detail::run_static<F, jq::detail::own_result>(std::declval<A>()...));

constexpr auto many = [](auto x) { return std::tuple{x, std::pair{x > 0.0, jq::sum(x)}, std::array{x, x}}; };
static_assert(std::is_same_v<result_of<std::remove_const_t<decltype(many)>, tensor<float, 2>>,
                             std::tuple<tensor<float, 2>, std::pair<tensor<bool, 2>, float>, std::array<tensor<float, 2>, 2>>>);
constexpr auto templated = [](auto x) { return pair_of<jq::array>{x, x + 1.0}; };
static_assert(std::is_same_v<result_of<std::remove_const_t<decltype(templated)>, double>, pair_of<double>>);
// A Jacobian has a tree for each leaf of another one.
template <class T>
struct pair_of_pairs {
  pair_of<T> first;
  T last;
};
static_assert(std::is_same_v<decltype(jq::hessian([](auto p) { return p.a * p.b * p.b; })(pair_of<double>{2, 3})), pair_of<pair_of<double>>>);
static_assert(jq::hessian([](auto p) { return p.a * p.b * p.b; })(pair_of<double>{2, 3}).b.a == 6);
constexpr auto mixed = [](auto p) {
  auto r = p;
  r.last = p.first.a * p.last;
  return r;
};
static_assert(jq::jacrev(mixed)(pair_of_pairs<double>{{1, 2}, 3}).last.first.a == 3 && jq::jacfwd(mixed)(pair_of_pairs<double>{{1, 2}, 3}).last.last == 1);
static_assert(jq::jacfwd(mixed)(pair_of_pairs<double>{{1, 2}, 3}).first.b.first.b == 1);

constexpr auto nothing = [](auto) { return std::tuple{}; };
static_assert(std::is_same_v<result_of<std::remove_const_t<decltype(nothing)>, double>, std::tuple<>>);
constexpr auto number = [](auto) { return 2.5f; };
static_assert(std::is_same_v<result_of<std::remove_const_t<decltype(number)>, double>, float>);

// A std::array of numbers is a leaf; one of tracers is a node.
constexpr auto two_numbers = [](auto x) { return std::array{x * 2.0, x + 1.0}; };
static_assert(jq::jit(two_numbers)(2.0) == std::array{4.0, 3.0});
constexpr auto nested = [](auto x) {
  return std::tuple{x, std::array{x, -x}, std::pair{std::array{x * x, x + x, -x}, std::array{x > 0.0}}};
};
static_assert([] {
  const auto [x, signs, rest] = jq::jit(nested)(2.0f);
  return x == 2.0f && signs == std::array{2.0f, -2.0f} && rest.first == std::array{4.0f, 4.0f, -2.0f} && rest.second == std::array{true};
}());
static_assert(jq::jvp(two_numbers, jq::primals(2.0), jq::tangents(1.0)) == std::pair{std::array{4.0, 3.0}, std::array{2.0, 1.0}});

// Each parameter of a class template has leaves of its own type: a filter's state holds a mean and a covariance.
template <class Mean, class Cov>
struct belief {
  Mean mean;
  Cov cov;
};
template <class A, class B>
struct beliefs {
  std::array<A, 2> pair;
  belief<A, B> inner;
  B last;
};
using vec = tensor<double, 2>;
using mat = tensor<double, 2, 2>;
constexpr belief<vec, mat> start{{1, 2}, {1, 2, 3, 4}};
constexpr auto step = [](const auto& b) { return belief<jq::array, jq::array>{b.mean * 2.0, b.cov + 1.0}; };
static_assert(std::is_same_v<decltype(jq::jit(step)(start)), belief<vec, mat>>);
static_assert(jq::jit(step)(start).mean == vec{2, 4} && jq::jit(step)(start).cov == mat{2, 3, 4, 5});
static_assert(jq::jvp(step, jq::primals(start), jq::tangents(start)).second.cov == start.cov);
constexpr auto deep = [](const auto& b) { return beliefs<jq::array, jq::array>{{b.mean, b.mean}, {b.mean, b.cov}, b.cov * 2.0}; };
static_assert(std::is_same_v<decltype(jq::jit(deep)(start)), beliefs<vec, mat>>);
static_assert(jq::jit(deep)(start).pair[1] == vec{1, 2} && jq::jit(deep)(start).inner.cov == start.cov && jq::jit(deep)(start).last(1, 1) == 8);
// Of two parameters within the one parameter of another class template, too, and of dtypes.
constexpr auto two = [](const auto& b) { return pair_of<belief<jq::array, jq::array>>{{b.mean, b.cov}, {b.mean * 3.0, b.cov}}; };
static_assert(std::is_same_v<decltype(jq::jit(two)(start)), pair_of<belief<vec, mat>>> && jq::jit(two)(start).b.mean == vec{3, 6});
constexpr auto signs = [](const auto& b) { return belief<jq::array, jq::array>{jq::sum(b.mean), b.cov > 0.0}; };
static_assert(std::is_same_v<decltype(jq::jit(signs)(start)), belief<double, tensor<bool, 2, 2>>> && jq::jit(signs)(start).mean == 3);
static_assert(jq::vmap([](auto x) { return belief<jq::array, jq::array>{x * 2.0, jq::stack({x, x})}; })(vec{1, 2}).cov == mat{1, 1, 2, 2});

TEST_CASE("static results: a returned std::array of numbers, across a batch") {
  const std::vector<double> in{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  std::vector<std::array<double, 2>> out(in.size());
  jq::map(two_numbers, in, out);
  const auto rows = jq::vmap(two_numbers)(std::span<const double>(in));
  for (std::size_t i = 0; i < in.size(); ++i) {
    CHECK(out[i] == std::array{in[i] * 2.0, in[i] + 1.0});
    CHECK(rows[i] == out[i]);
  }
}

TEST_CASE("static results: a parameter takes the type of its leaves") {
  const auto r = jq::detail::run_static<std::remove_const_t<decltype(templated)>, jq::detail::own_result>(tensor<double, 2>{1, 2});
  CHECK((r.b == tensor<double, 2>{2, 3}));
}
