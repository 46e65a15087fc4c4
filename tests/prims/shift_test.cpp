// Shifts: values by hand for each width, counts beyond it, errors, batching.
#include "prim_testing.hpp"

using namespace prim_testing;

static_assert(jq::shift_left_p::apply(3, 4) == 48 && jq::shift_left_p::apply(1, 32) == 0 && jq::shift_left_p::apply(1, -1) == 0);
static_assert(jq::shift_right_logical_p::apply(std::int8_t(-1), std::int8_t(4)) == 15);
static_assert(jq::shift_right_arithmetic_p::apply(std::uint8_t(0x80), std::uint8_t(3)) == 0xf0);

TEST_CASE("shifts depend on the width of the dtype") {
  CHECK_CLOSE(lax::shift_left(make({1, -3, 1}), make({4, 1, 32})), make({16, -6, 0}), 0);
  CHECK_CLOSE(lax::shift_right_logical(make({-1, 16, 5}), make({28, 2, 40})), make({15, 4, 0}), 0);
  CHECK_CLOSE(lax::shift_right_arithmetic(make({-64, 64, -1}), make({3, 3, 99})), make({-8, 8, -1}), 0);
  CHECK_CLOSE(lax::shift_right_logical(make<std::int8_t>({-1}), 4), make<std::int8_t>({15}), 0);
  CHECK_CLOSE(lax::shift_right_arithmetic(make<std::uint16_t>({0x8000}), 15), make<std::uint16_t>({0xffff}), 0);
  CHECK_CLOSE(lax::shift_left(make<std::uint64_t>({1}), 63), make<std::uint64_t>({1ull << 63}), 0);
  CHECK_CLOSE(jq::jit([](const array& x) { return lax::shift_right_logical(lax::shift_left(x, 30), 29); })(make({3, 1})), make({6, 2}), 0);
}
TEST_CASE("shifts: batching and errors") {
  const array a = make({9, 5, 77}), b = make({1, 2, 3});
  for (const auto& f : {binary([](const array& x, const array& y) { return lax::shift_left(x, y); }),
                        binary([](const array& x, const array& y) { return lax::shift_right_logical(x, y); }),
                        binary([](const array& x, const array& y) { return lax::shift_right_arithmetic(x, y); })}) {
    check_batching(f, {a, b});
    CHECK_THROWS_WITH_AS(f({make({1.0}), make({1.0})}), doctest::Contains("does not accept dtype"), jq::type_error);
  }
}
