// Integer lists and shapes: editing, strides, sizes that overflow, too many dimensions, text.
#include <jacquard/core/shape.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

using jacquard::cat;
using jacquard::int_list;
using jacquard::shape;

static_assert(shape{2, 3}.elements() == 6 && shape{}.elements() == 1 && shape{4, 0}.elements() == 0);
static_assert(shape{2, 3, 4}.strides() == int_list{12, 4, 1} && shape{}.strides().empty());
static_assert(int_list{1, 2}.with(0, 9) == int_list{9, 1, 2} && int_list{1, 2}.with(2, 9) == int_list{1, 2, 9});
static_assert(int_list{1, 2, 3}.without(1) == int_list{1, 3});
static_assert(int_list::filled(2, 5) == int_list{5, 5} && int_list::iota(3) == int_list{0, 1, 2});
static_assert(int_list{4, 6}.index_of(6) == 1 && !int_list{4, 6}.contains(5));
static_assert(jacquard::resolve_axis(-1, 3) == 2 && jacquard::resolve_axis(3, 3) == -1 && jacquard::resolve_axis(-4, 3) == -1);
static_assert(std::is_trivially_copyable_v<shape>);

static_assert(shape(std::array<std::size_t, 2>{2, 3}) == shape{2, 3});

TEST_CASE("containers of integers are shapes") {
  const std::vector<std::int64_t> dims{2, 3};
  CHECK(jacquard::zeros(dims).shape() == shape{2, 3});
  CHECK(jacquard::reshape(jacquard::arange(6), std::vector<int>{3, -1}).shape() == shape{3, 2});
  CHECK(jacquard::asarray(std::vector<double>(6), std::array<long, 2>{6, 1}).shape() == shape{6, 1});
  CHECK(jacquard::broadcast_to(jacquard::asarray(1.0), std::span(dims)).shape() == shape{2, 3});
  CHECK_THROWS_AS(jacquard::ones(std::vector<int>(9, 1)), jacquard::shape_error);
}
TEST_CASE("a ninth dimension is remembered, not stored") {
  shape s(int_list::filled(8, 1));
  CHECK_FALSE(s.overflowed());
  s.push_back(5);
  CHECK(s.rank() == 8);
  CHECK(s.overflowed());
  CHECK_THROWS_AS(jacquard::zeros(s), jacquard::shape_error);
}

TEST_CASE("sizes that cannot be counted saturate, unless a dimension is zero") {
  const std::int64_t big = std::int64_t(1) << 40;
  CHECK(shape{big, big}.elements() == INT64_MAX);
  CHECK(shape{big, big, 2, 3}.elements() == INT64_MAX);
  CHECK(shape{big, big, 0}.elements() == 0);
  CHECK(shape{0, big, big, big}.strides().size() == 4);
  CHECK(jacquard::aval(jacquard::f64, {std::int64_t(1) << 61}).bytes() == INT64_MAX);
  CHECK_THROWS_AS(jacquard::make_buffer(jacquard::aval(jacquard::f32, {big, big})), jacquard::value_error);
}

TEST_CASE("text is Python's") {
  CHECK(cat(shape{}).view() == "()");
  CHECK(cat(shape{3}).view() == "(3,)");
  CHECK(cat(int_list{3, -4}).view() == "(3, -4)");
}
