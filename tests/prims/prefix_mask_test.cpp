// prefix_mask: masks of leading elements, of numbers in and out of range, in programs and batches.
#include "prim_testing.hpp"

using namespace prim_testing;

TEST_CASE("prefix_mask: values, of one number and of many") {
  CHECK_CLOSE(lax::prefix_mask(array(std::int64_t(2)), 4), make({true, true, false, false}), 0);
  CHECK_CLOSE(lax::prefix_mask(make<std::int64_t>({0, 3, 1}), 3), make({false, false, false, true, true, true, true, false, false}, {3, 3}), 0);
  CHECK_CLOSE(lax::prefix_mask(make<std::int64_t>({-5, 700}), 2), make({false, false, true, true}, {2, 2}), 0);
  CHECK_CLOSE(lax::prefix_mask(make<std::uint8_t>({1, 255}), 2), make({true, false, true, true}, {2, 2}), 0);
  CHECK(lax::prefix_mask(make<std::int64_t>({1, 2}), 0).shape() == shape{2, 0});
}
TEST_CASE("prefix_mask: batches, along any dimension") {
  check_batching([](const arrays& x) { return lax::prefix_mask(x[0], 3); }, {make<std::int64_t>({0, 1, 2, 3, 4, 5}, {2, 3})});
}
TEST_CASE("prefix_mask: compiled programs compute it where it is used") {
  const auto f = [](const array& x, const array& n) { return lax::select(lax::prefix_mask(n, 5), x, array(0.0f)); };
  const array x = lax::add(lax::iota(jq::f32, {4, 5}, 1), array(1.0f)), n = make<std::int64_t>({0, 2, 5, std::int64_t(1) << 40});
  CHECK_CLOSE(jq::jit(f)(x, n), f(x, n), 0);
  CHECK_CLOSE(f(x, n), make({0.f, 0.f, 0.f, 0.f, 0.f, 1.f, 2.f, 0.f, 0.f, 0.f, 1.f, 2.f, 3.f, 4.f, 5.f, 1.f, 2.f, 3.f, 4.f, 5.f}, {4, 5}), 0);
}
TEST_CASE("prefix_mask: errors") {
  CHECK_THROWS_WITH_AS(lax::prefix_mask(array(1.0f), 3), doctest::Contains("prefix_mask: got numbers of dtype float32, wanted integers"), jq::type_error);
  CHECK_THROWS_WITH_AS(lax::prefix_mask(array(std::int64_t(1)), -1), doctest::Contains("prefix_mask: got the size -1 for numbers of shape ()"),
                       jq::shape_error);
}
