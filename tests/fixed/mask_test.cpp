// mask with static arguments: values at compile time, sizes that are numbers of the run, errors.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>
#include <jacquard/jacquard.hpp>

#include <array>
#include <limits>
#include <string>
#include <vector>

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;
using jq::tensor;

namespace {

constexpr double garbage = std::numeric_limits<double>::quiet_NaN();
constexpr auto sum = jq::mask([](const array& x) { return jq::sum(x * x); }, jq::in_shapes<"n">, jq::out_shape<"">);
constexpr auto running = jq::mask([](const array& x) { return jq::cumsum(x); }, jq::in_shapes<"n">, jq::out_shape<"n">);
constexpr auto product = jq::mask([](const array& x, const array& m) { return jq::matmul(x, m); }, jq::in_shapes<"n", "(n, m)">, jq::out_shape<"m">);

static_assert(sum(jq::args(tensor<double, 4>{1, 2, 3, garbage}), jq::dims{{"n", 3}}) == 14);
static_assert(sum(jq::args(tensor<double, 4>{garbage, garbage, garbage, garbage}), jq::dims{{"n", 0}}) == 0);
static_assert(running(jq::args(tensor<double, 4>{1, 2, garbage, garbage}), jq::dims{{"n", 2}}) == tensor<double, 4>{1, 3, 0, 0});
static_assert(product(jq::args(tensor<double, 2>{1, garbage}, tensor<double, 2, 3>{5, 6, garbage, garbage, garbage, garbage}), jq::dims{{"m", 2}, {"n", 1}}) ==
              tensor<double, 3>{5, 6, 0});

// A loop over a symbolic length.
constexpr auto polynomial = jq::mask([](const array& coefficients, const array& x) {
  return lax::scan([&](const array& c, const array& a) { return std::pair{c * x + a, std::tuple<>{}}; }, 0.0, coefficients).first;
}, jq::in_shapes<"n", "">, jq::out_shape<"">);
static_assert(polynomial(jq::args(tensor<double, 4>{1, 2, 3, garbage}, 10.0), jq::dims{{"n", 3}}) == 123);

// Without out_shape the logical shape comes along.
constexpr auto twice = jq::mask([](const array& x) { return jq::concatenate({x, x}); }, jq::in_shapes<"n">);
static_assert(twice(jq::args(tensor<double, 2>{7, garbage}), jq::dims{{"n", 1}}) ==
              std::pair{tensor<double, 4>{7, 7, 0, 0}, tensor<std::int64_t, 1>{2}});

}  // namespace

TEST_CASE("mask of static arguments: sizes of the run, in any integer dtype") {
  const std::array<double, 4> x{1, 2, 3, garbage};
  double want = 0;
  for (int n = 0; n <= 3; ++n) {
    if (n > 0) want += x[std::size_t(n - 1)] * x[std::size_t(n - 1)];
    const double got = sum(jq::args(x), jq::dims{{"n", n}});
    CHECK(got == want);
    CHECK(sum(jq::args(x), jq::dims{{"n", jq::asarray(std::uint8_t(n))}}) == want);
  }
}
TEST_CASE("mask of static arguments: sizes that do not fit") {
  const auto message = [](const jq::dims& d) {
    try {
      sum(jq::args(tensor<double, 4>{1, 2, 3, 4}), d);
    } catch (const jq::error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(message(jq::dims{{"n", 5}}) == "mask: the size n is 5, wanted one between 0 and its padded size 4");
  CHECK(message(jq::dims{{"n", -1}}) == "mask: the size n is -1, wanted one between 0 and its padded size 4");
  CHECK(message(jq::dims{{"m", 1}}).starts_with("mask: got no size for n"));
  CHECK(message(jq::dims{{"n", 1.5}}).starts_with("mask: the size n is f64[], wanted a scalar integer"));
  std::string traced;
  jq::make_jaxpr([&](const array& n) {
    traced = message(jq::dims{{"n", n}});
    return n;
  })(jq::asarray(1));
  CHECK(traced == "mask: the size n is traced, but the arguments are static; pass them as arrays, jq::asarray(x)");
}
TEST_CASE("mask of static arguments and of arrays: the same") {
  const tensor<double, 4> x{1, 2, garbage, garbage};
  const array y = running(jq::args(jq::asarray({1.0, 2.0, garbage, garbage})), jq::dims{{"n", 2}});
  const tensor<double, 4> z = running(jq::args(x), jq::dims{{"n", 2}});
  for (std::size_t i = 0; i < 4; ++i) CHECK(z.data()[i] == y.data<double>()[i]);
}
TEST_CASE("mask of static arguments: jq::map over rows of different sizes, several at once") {
  std::vector<std::pair<tensor<float, 4>, std::int64_t>> rows;
  for (std::int64_t i = 0; i < 21; ++i) rows.push_back({{1.f, 2.f, 3.f, float(i)}, i % 5});
  std::vector<float> values(21), slopes(21);
  jq::map([](auto p) { return sum(jq::args(p.first), jq::dims{{"n", p.second}}); }, rows, values);
  jq::map([](auto p) {
    return jq::grad([&](const array& x) { return sum(jq::args(x), jq::dims{{"n", p.second}}); })(p.first)[1];
  }, rows, slopes);
  for (std::size_t i = 0; i < 21; ++i) {
    const float want[] = {0, 1, 5, 14, 14 + float(i) * float(i)};
    CHECK(values[i] == want[rows[i].second]);
    CHECK(slopes[i] == (rows[i].second > 1 ? 4 : 0));
  }
}
