// reduce and reduce_window with the user's operation: against the primitives, order of elements, trees, derivatives, both lanes, errors.
#include <jacquard/control/reduce.hpp>

#include "../numpy/numpy_testing.hpp"

namespace lax = jacquard::lax;

namespace {

constexpr auto plus = [](const auto& a, const auto& b) { return a + b; };
constexpr auto times = [](const auto& a, const auto& b) { return a * b; };
/// The affine map that comes of one after the other; not commutative.
struct affine {
  array scale, shift;
};
constexpr auto after = [](const affine& f, const affine& g) { return affine{f.scale * g.scale, f.shift * g.scale + g.shift}; };

const array m = jq::reshape(jq::arange(1.0, 25.0), {2, 3, 4});

constexpr auto product = [](auto x) { return lax::reduce(times, x, array(1.0), {0}); };
static_assert(jq::jit(product)(jq::tensor<double, 5>{1, 2, 3, 4, 5}) == 120);
static_assert(jq::grad(product)(jq::tensor<double, 3>{2, 0, 5}) == jq::tensor<double, 3>{0, 10, 0});

}  // namespace

TEST_CASE("reduce: sums and products over any axes") {
  CHECK(show(lax::reduce(plus, m, array(0.0), {1})) == show(jq::sum(m, 1)));
  CHECK(show(lax::reduce(plus, m, array(0.0), {2, 0})) == show(jq::sum(m, {0, 2})));
  CHECK(show(lax::reduce(plus, m, array(0.0), {0, 1, 2})) == "f64[] 300");
  CHECK(show(lax::reduce(plus, m, array(0.0), {})) == show(m));
  CHECK(show(lax::reduce(times, jq::zeros({0, 2}), array(1.f), {0})) == "f32[2] 1 1");
}
TEST_CASE("reduce: an operation that is not commutative, on a tree") {
  const affine maps{asarray({2.0, 3.0, 0.5, 1.0, -1.0}), asarray({1.0, 0.0, 2.0, -3.0, 4.0})};
  const affine all = lax::reduce(after, maps, affine{array(1.0), array(0.0)}, {0});
  double x = 7;
  for (int i = 0; i < 5; ++i) x = x * jq::item<double>(maps.scale(i)) + jq::item<double>(maps.shift(i));
  CHECK(jq::item<double>(all.scale * 7.0 + all.shift) == x);
}
TEST_CASE("reduce_window: sums as the primitive's, and an extreme with its place") {
  for (const jq::conv_padding& padding : {jq::conv_padding("VALID"), jq::conv_padding("SAME"), jq::conv_padding{{1, 0}, {0, 2}, {-1, 1}}})
    for (const jq::int_list& strides : {jq::int_list{}, jq::int_list{1, 2, 2}})
      CHECK(show(lax::reduce_window(plus, m, array(0.0), {1, 2, 3}, strides, padding)) == show(lax::reduce_window_sum(m, {1, 2, 3}, strides, padding)));
  CHECK(show(lax::reduce_window(plus, m, array(0.0), {2, 2, 2}, {}, {{1, 1}, {1, 1}, {0, 0}}, {1, 2, 1}, {1, 1, 2})) ==
        show(lax::reduce_window_sum(m, {2, 2, 2}, {}, {{1, 1}, {1, 1}, {0, 0}}, {1, 2, 1}, {1, 1, 2})));
  const auto larger = [](const auto& a, const auto& b) {
    const array keep = a.first >= b.first;
    return std::pair(jq::where(keep, a.first, b.first), jq::where(keep, a.second, b.second));
  };
  const auto [values, at] = lax::reduce_window(larger, std::pair(asarray({3.0, 1.0, 4.0, 1.0, 5.0}), jq::arange(5)), std::pair(array(-inf), asarray(std::int64_t(-1))),
                                               {3});
  CHECK(show(values) == "f64[3] 4 4 5");
  CHECK(show(at) == "i64[3] 2 2 4");
}
TEST_CASE("reduce and reduce_window: derivatives") {
  CHECK(show(jq::grad([](const array& x) { return lax::reduce(times, x, array(1.0), {0}); })(asarray({2.0, 3.0, 4.0}))) == "f64[3] 12 8 6");
  CHECK(show(jq::grad([](const array& x) { return jq::sum(lax::reduce_window(times, x, array(1.0), {2})); })(asarray({2.0, 3.0, 4.0}))) == "f64[3] 3 6 3");
}
TEST_CASE("reduce and reduce_window: errors") {
  CHECK_ERROR(jq::value_error, lax::reduce(plus, m, array(0.0), {3}), "reduce", "axes (3,)", "(2, 3, 4)");
  CHECK_ERROR(jq::value_error, lax::reduce(plus, m, asarray(0), {0}), "reduce", "int32[]", "same dtype");
  CHECK_ERROR(jq::shape_error, lax::reduce_window(plus, m, array(0.0), {2}), "reduce_window", "window_dimensions (2,)");
}
