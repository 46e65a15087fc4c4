// Pooling: values, padding, layouts, derivatives, both lanes, errors.
#include <jacquard/numpy/pooling.hpp>

#include "numpy_testing.hpp"

namespace {
const array image = jq::reshape(jq::arange(1.0, 17.0), {1, 4, 4, 1});
const array line = asarray({{{1.0, 3.0, 2.0, 5.0, 4.0}}});  // N C W

constexpr auto pooled = [](auto x) { return jq::max_pool(x, {2}, {2}, {.layout = "W"}); };
static_assert(jq::jit(pooled)(jq::tensor<double, 4>{1, 3, 2, 5}) == jq::tensor<double, 2>{3, 5});
}  // namespace

TEST_CASE("pooling: values") {
  CHECK(show(jq::max_pool(image, {2, 2}, {2, 2})) == "f64[1,2,2,1] 6 8 14 16");
  CHECK(show(jq::min_pool(image, {2, 2}, {2, 2})) == "f64[1,2,2,1] 1 3 9 11");
  CHECK(show(jq::avg_pool(image, {2, 2}, {2, 2})) == "f64[1,2,2,1] 3.5 5.5 11.5 13.5");
  CHECK(show(jq::max_pool(line, {2}, {}, {.layout = "NCW"})) == "f64[1,1,4] 3 3 5 5");
  CHECK(show(jq::max_pool(line, {2}, {2}, {.padding = "SAME", .layout = "NCW"})) == "f64[1,1,3] 3 5 4");
  CHECK(show(jq::avg_pool(line, {2}, {2}, {.padding = "SAME", .layout = "NCW"})) == "f64[1,1,3] 2 3.5 4");
  CHECK(show(jq::avg_pool(line, {2}, {2}, {.padding = "SAME", .layout = "NCW", .count_padding = true})) == "f64[1,1,3] 2 3.5 2");
  CHECK(show(jq::avg_pool(line, {3}, {3}, {.padding = {{1, 0}}, .layout = "NCW"})) == "f64[1,1,2] 2 3.6667");
  CHECK(show(jq::avg_pool(asarray({{{1, 2}}}), {2}, {}, {.layout = "NCW"})) == "f64[1,1,1] 1.5");
}
TEST_CASE("sums of windows that f16 does not hold") {
  const array x = jq::full({1, 1, 4}, 60000.0, jq::f16);
  CHECK(show(jq::avg_pool(x, {2}, {2}, {.layout = "NCW"})) == "f16[1,1,2] 60000 60000");
  CHECK(show(jq::avg_pool(x, {3}, {3}, {.padding = "SAME", .layout = "NCW"})) == "f16[1,1,2] 60000 60000");
}
TEST_CASE("pooling: derivatives") {
  const auto most = [](const array& x) { return jq::sum(jq::max_pool(x, {2}, {}, {.layout = "NCW"})); };
  const auto mean = [](const array& x) { return jq::sum(jq::avg_pool(x, {2}, {2}, {.padding = "SAME", .layout = "NCW"})); };
  CHECK(show(jq::grad(most)(line)) == "f64[1,1,5] 0 2 0 2 0");
  CHECK(show(jq::grad(mean)(line)) == "f64[1,1,5] 0.5 0.5 0.5 0.5 1");
  CHECK(show(jq::vmap([](const array& x) { return jq::max_pool(x, {2}, {2}, {.layout = "CW"}); })(line)) == "f64[1,1,2] 3 5");
}
TEST_CASE("pooling: errors") {
  CHECK_ERROR(jq::shape_error, jq::max_pool(image, {2}), "max_pool", "(1, 4, 4, 1)", "\"NHWC\"", "(2,)");
  CHECK_ERROR(jq::shape_error, jq::avg_pool(line, {2}), "avg_pool", "one letter per dimension");
  CHECK_ERROR(jq::value_error, jq::max_pool(image, {2, 2}, {}, {.padding = "FULL"}), "VALID");
}
