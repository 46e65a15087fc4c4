// scatter_mul, scatter_min and scatter_max: values against loops, places named twice, derivatives with zeros and ties, both lanes.
#include "prim_testing.hpp"

using namespace prim_testing;
using jq::index_mode;

namespace {

const jq::scatter_dimension_numbers elements{{}, {0}, {0}};
const array x = make({1.0, -2.0, 3.0, 4.0}), u = make({2.0, 0.5, -3.0, 5.0});
const array at = make<std::int64_t>({1, 3, 1, 9}, {4, 1}), once = make<std::int64_t>({1, 3, 0, 9}, {4, 1});

function multiplied(const array& places, bool unique = false) {
  return [=](const arrays& a) { return lax::scatter_mul(a[0], places, a[1], elements, index_mode::fill_or_drop, unique); };
}
function lowest(const array& places) {
  return [=](const arrays& a) { return lax::scatter_min(a[0], places, a[1], elements); };
}
function highest(const array& places) {
  return [=](const arrays& a) { return lax::scatter_max(a[0], places, a[1], elements); };
}

constexpr auto product = [](auto v, auto w) {
  return jq::sum(lax::scatter_mul(v, jq::reshape(jq::arange(3), {3, 1}) % 2, w, jq::scatter_dimension_numbers{{}, {0}, {0}}));
};
static_assert(jq::jit(product)(jq::tensor<double, 2>{2, 3}, jq::tensor<double, 3>{5, 7, 11}) == 2 * 5 * 11 + 3 * 7);
static_assert(jq::grad(product, jq::argnums<1>)(jq::tensor<double, 2>{2, 3}, jq::tensor<double, 3>{0, 7, 0}) == jq::tensor<double, 3>{0, 3, 0});

}  // namespace

TEST_CASE("scatter_mul, scatter_min, scatter_max: values; what lies outside is dropped or moved inside") {
  CHECK_CLOSE(multiplied(at)({x, u}), make({1.0, 12.0, 3.0, 2.0}), 0);
  CHECK_CLOSE(lowest(at)({x, u}), make({1.0, -3.0, 3.0, 0.5}), 0);
  CHECK_CLOSE(highest(at)({x, u}), make({1.0, 2.0, 3.0, 4.0}), 0);
  CHECK_CLOSE(lax::scatter_mul(x, at, u, elements, index_mode::clip), make({1.0, 12.0, 3.0, 10.0}), 0);
  CHECK_CLOSE(lax::scatter_max(x, at, u, elements, index_mode::clip), make({1.0, 2.0, 3.0, 5.0}), 0);
  CHECK_CLOSE(highest(at)({x, make({not_a_number, 1.0, 1.0, 1.0})}), make({1.0, not_a_number, 3.0, 4.0}), 0);
  const array matrix = make({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, {3, 2}), rows = make<std::int32_t>({2, 2}, {2, 1});
  CHECK_CLOSE(lax::scatter_mul(matrix, rows, make({2.0, 3.0, 4.0, 5.0}, {2, 2}), {{1}, {0}, {0}}), make({1.0, 2.0, 3.0, 4.0, 40.0, 90.0}, {3, 2}), 0);
}
TEST_CASE("scatter_mul: derivatives, with zeros among factors that meet") {
  check_derivatives(multiplied(at), {x, u});
  check_derivatives(multiplied(once, true), {x, u});
  check_derivatives(multiplied(at), {x, make({0.0, 0.5, -3.0, 5.0})});
  check_derivatives(multiplied(at), {make({1.0, 0.0, 3.0, 4.0}), make({0.0, 0.5, 0.0, 5.0})});
  const arrays ct = cotangents(multiplied(at), {x, make({0.0, 0.5, -3.0, 5.0})}, make({1.0, 1.0, 1.0, 1.0}));
  CHECK_CLOSE(ct[0], make({1.0, 0.0, 1.0, 0.5}), 0);
  CHECK_CLOSE(ct[1], make({6.0, 4.0, 0.0, 0.0}), 0);
  const array windows = make<std::int64_t>({0, 1, 0}, {3, 1}), m = make({1.0, 2.0, 3.0, 4.0}, {2, 2}), v = make({2.0, 3.0, 0.0, 5.0, 6.0, 7.0}, {3, 2});
  const function rows = [=](const arrays& a) { return lax::scatter_mul(a[0], windows, a[1], {{1}, {0}, {0}}); };
  check_derivatives(rows, {m, v});
  check_batching(rows, {m, v});
}
TEST_CASE("scatter_mul: what is dropped has no derivative, however large its product") {
  const array outside = make<std::int64_t>({9, 1, 9, 9}, {4, 1}), large = make({1e200, 2.0, 1e200, 1e200});
  const array slope = jq::grad([&](const array& w) { return jq::sum(multiplied(outside)({x, w})); })(large);
  CHECK_CLOSE(slope, make({0.0, -2.0, 0.0, 0.0}), 0);
}
TEST_CASE("scatter_min and scatter_max: derivatives, shared among equal ones") {
  for (const function& f : {lowest(at), highest(at)}) {
    check_derivatives(f, {x, u});
    check_batching(f, {x, u});
  }
  const arrays ct = cotangents(highest(at), {make({1.0, 2.0, 3.0, 4.0}), make({2.0, 4.5, 2.0, 0.0})}, make({1.0, 3.0, 1.0, 1.0}));
  CHECK_CLOSE(ct[0], make({1.0, 1.0, 1.0, 0.0}), 1e-15);
  CHECK_CLOSE(ct[1], make({1.0, 1.0, 1.0, 0.0}), 1e-15);
}
TEST_CASE("scatter_mul, scatter_min, scatter_max: errors") {
  CHECK_THROWS_WITH_AS(highest(at)({cast(x, jq::c128), cast(u, jq::c128)}), doctest::Contains("scatter_max does not accept dtype complex128"), jq::type_error);
  CHECK_THROWS_WITH_AS(multiplied(at)({x, cast(u, jq::f32)}), doctest::Contains("got an operand of dtype float64 and updates of dtype float32"),
                       jq::type_error);
  CHECK_THROWS_WITH_AS(multiplied(at)({x, make({1.0})}), doctest::Contains("got updates of shape (1,), wanted (4,)"), jq::shape_error);
}
