// squeeze: shapes and values, derivatives, batching, all dtypes, errors.
#include "reference.hpp"

using namespace prim_testing;

static_assert(constant_kernel<jq::squeeze_p>({{0}}, {2}, {{1, 2}, {1, 2}}) == std::vector<double>{1, 2});

TEST_CASE("squeeze: values, derivatives, batching") {
  const array x = sample({1, 3, 1, 2, 1});
  for (const jq::int_list& dims : {jq::int_list{0}, {2}, {0, 4}, {4, 2, 0}}) {
    const function f = [&](const arrays& z) { return lax::squeeze(z[0], dims); };
    shape kept;
    for (int d = 0; d < 5; ++d)
      if (!dims.contains(d)) kept.push_back(x.shape()[d]);
    CHECK_CLOSE(f({x}), lax::reshape(x, kept), 0);
    check_moves(f, {x});
    check_derivatives(f, {x});
    check_batching(f, {x});
  }
  CHECK(lax::squeeze(x, {}).same_as(x));
  CHECK(lax::squeeze(sample({1, 1}), {0, 1}).ndim() == 0);
  CHECK(lax::squeeze(sample({0, 1}), {1}).shape() == shape{0});
}
TEST_CASE("squeeze: errors") {
  CHECK_THROWS_WITH_AS(
      lax::squeeze(sample({1, 3}), {1}),
      doctest::Contains("squeeze: cannot select an axis to squeeze out which has size not equal to one: got "
                        "dimensions (1,) of shape (1, 3)"),
      jq::shape_error);
  CHECK_THROWS_AS(lax::squeeze(sample({1, 3}), {2}), jq::shape_error);
  CHECK_THROWS_AS(lax::squeeze(sample({1, 3}), {0, 0}), jq::shape_error);
}
