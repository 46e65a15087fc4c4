// What running operations share: the order of elements in both directions, more rows beside each other than are worked on at once.
#include "reference.hpp"

using namespace prim_testing;

namespace {
/// Calls `visit` for each element and the one before it in its row (-1 for none), in the order of the operation.
void each_in_order(const shape& dims, int axis, bool reverse, const std::function<void(const position&, const position*)>& visit) {
  each(shape(dims.without(axis)), [&](const position& row) {
    position at = row, before;
    at.insert(at.begin() + axis, 0);
    for (std::int64_t i = 0; i < dims[axis]; ++i, before = at) {
      at[std::size_t(axis)] = reverse ? dims[axis] - 1 - i : i;
      visit(at, i == 0 ? nullptr : &before);
    }
  });
}
}  // namespace

TEST_CASE("running operations: every axis and direction of an array with many rows beside each other") {
  const array x = sample({3, 5, 37});
  for (const int axis : {0, 1, 2})
    for (const bool reverse : {false, true}) {
      const table in(x);
      table sum(x.shape()), largest(x.shape());
      each_in_order(x.shape(), axis, reverse, [&](const position& at, const position* before) {
        sum(at) = in(at) + (before ? sum(*before) : 0);
        largest(at) = before ? std::max(largest(*before), in(at)) : in(at);
      });
      CHECK_CLOSE(lax::cumsum(x, axis, reverse), sum.get(), 0);
      CHECK_CLOSE(lax::cummax(x, axis, reverse), largest.get(), 0);
    }
}
TEST_CASE("running operations: more rows beside each other than are worked on at once, and than fill vectors") {
  const array x = sample({3, 8203});
  for (const bool reverse : {false, true}) {
    const table in(x);
    table sum(x.shape()), largest(x.shape());
    for (std::int64_t k = 0; k < 8203; ++k) {
      const std::int64_t first = reverse ? 2 : 0, last = 2 - first;
      sum({first, k}) = largest({first, k}) = in({first, k});
      sum({1, k}) = in({first, k}) + in({1, k}), largest({1, k}) = std::max(in({first, k}), in({1, k}));
      sum({last, k}) = sum({1, k}) + in({last, k}), largest({last, k}) = std::max(largest({1, k}), in({last, k}));
    }
    CHECK_CLOSE(lax::cumsum(x, 0, reverse), sum.get(), 0);
    CHECK_CLOSE(lax::cummax(x, 0, reverse), largest.get(), 0);
  }
}
TEST_CASE("running operations: moved on by one place") {
  const array x = make({1.0, 2.0, 3.0});
  CHECK_CLOSE(jq::detail::moved_on(x, {0, false}, 7), make({7.0, 1.0, 2.0}), 0);
  CHECK_CLOSE(jq::detail::moved_on(x, {0, true}, 7), make({2.0, 3.0, 7.0}), 0);
  CHECK_CLOSE(jq::detail::moved_on(make<double>({}, {0}), {0, false}, 7), make<double>({}, {0}), 0);
}
