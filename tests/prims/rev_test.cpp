// rev: values, derivatives, batching, all dtypes, errors.
#include "reference.hpp"

using namespace prim_testing;

static_assert(constant_kernel<jq::rev_p>({{0}}, {3}, {{3}, {1, 2, 3}}) == std::vector<double>{3, 2, 1});

TEST_CASE("rev: values, derivatives, batching") {
  const array x = sample({3, 2, 4});
  for (const jq::int_list& dims : {jq::int_list{0}, {1}, {2}, {0, 2}, {2, 1, 0}}) {
    const function f = [&](const arrays& z) { return lax::rev(z[0], dims); };
    table from(x), want(from.dims);
    each(from.dims, [&](const position& i) {
      position j = i;
      for (std::int64_t d : dims) j[std::size_t(d)] = from.dims[int(d)] - 1 - i[std::size_t(d)];
      want(i) = from(j);
    });
    CHECK_CLOSE(f({x}), want.get(), 0);
    check_moves(f, {x});
    check_derivatives(f, {x});
    check_batching(f, {x});
  }
  CHECK(lax::rev(x, {}).same_as(x));
  CHECK(lax::rev(sample({0, 2}), {0, 1}).shape() == shape{0, 2});
}
TEST_CASE("rev: errors") {
  CHECK_THROWS_WITH_AS(lax::rev(sample({2, 3}), {2}),
                       doctest::Contains("rev: got axes (2,) for an operand of shape (2, 3)"),
                       jq::shape_error);
  CHECK_THROWS_AS(lax::rev(sample({2, 3}), {1, 1}), jq::shape_error);
}
