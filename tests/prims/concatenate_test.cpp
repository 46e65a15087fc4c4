// concatenate: values along each dimension, empty operands, derivatives, batching, all dtypes, errors.
#include "reference.hpp"

using namespace prim_testing;

namespace {
function along(int d) {
  return [d](const arrays& x) { return lax::concatenate(x, d); };
}
}  // namespace

static_assert(constant_kernel<jq::concatenate_p>({1}, {2, 3}, {{2, 1}, {1, 2}}, {{2, 2}, {3, 4, 5, 6}}) ==
              std::vector<double>{1, 3, 4, 2, 5, 6});

TEST_CASE("concatenate: long blocks") {
  for (const int d : {0, 1}) {
    const array x = jq::reshape(jq::arange(300), {3, 100}), y = jq::reshape(jq::arange(300) + 1000, {3, 100});
    const array z = lax::concatenate({x, y, x}, d);
    CHECK(z.shape() == (d == 0 ? shape{9, 100} : shape{3, 300}));
    for (int k = 0; k < 3; ++k) {
      const array part = d == 0 ? z(jq::slice(3 * k, 3 * k + 3)) : z(jq::all, jq::slice(100 * k, 100 * k + 100));
      CHECK(bool(jq::all(part == (k == 1 ? y : x))));
    }
  }
}
TEST_CASE("concatenate: values") {
  for (int d = 0; d < 3; ++d) {
    shape a{2, 3, 2}, b{2, 3, 2}, total{2, 3, 2};
    a[d] = 1;
    b[d] = 4;
    total[d] = 5;
    const array x = sample(a), y = sample(b);
    table tx(x), ty(y), want(total);
    each(total, [&](position i) {
      const position j = i;
      const std::size_t k = std::size_t(d);
      if (i[k] < 1) want(j) = tx(i);
      else i[k] -= 1, want(j) = ty(i);
    });
    CHECK_CLOSE(lax::concatenate({x, y}, d), want.get(), 0);
    check_moves(along(d), {x, y});
    check_derivatives(along(d), {x, y});
    check_batching(along(d), {x, y});
  }
  const array none = sample({0, 2}), two = sample({2, 2});
  CHECK_CLOSE(lax::concatenate({none, two, none}, 0), two, 0);
  CHECK(lax::concatenate({none, none}, 0).shape() == shape{0, 2});
  CHECK(lax::concatenate({none, none}, 1).shape() == shape{0, 4});
  CHECK(lax::concatenate({two}, 0).same_as(two));
}
TEST_CASE("concatenate: the cotangent is sliced, unused operands get zeros") {
  const array x = make({1., 2.}), y = make({3., 4., 5.});
  const arrays ct = cotangents(along(0), {x, y}, make({1., 2., 3., 4., 5.}));
  CHECK_CLOSE(ct[0], make({1., 2.}), 0);
  CHECK_CLOSE(ct[1], make({3., 4., 5.}), 0);
  const auto f = [&](const array& z) { return lax::concatenate({x, z}, 0); };
  CHECK_CLOSE(jq::jvp(f, jq::primals(y), jq::tangents(y)).second, make({0., 0., 3., 4., 5.}), 0);
}
TEST_CASE("concatenate: errors") {
  const array x = sample({2, 3});
  CHECK_THROWS_WITH_AS(
      lax::concatenate({x, sample({2, 2})}, 0),
      doctest::Contains("concatenate: cannot concatenate arrays of shapes (2, 3), (2, 2) along dimension 0"),
      jq::shape_error);
  CHECK_THROWS_WITH_AS(lax::concatenate({x, x}, 2), doctest::Contains("wanted a dimension in [0, 2)"),
                       jq::shape_error);
  CHECK_THROWS_WITH_AS(lax::concatenate({x, sample({3})}, 0), doctest::Contains("(2, 3), (3,)"),
                       jq::shape_error);
  CHECK_THROWS_WITH_AS(lax::concatenate({x, sample({2, 3}, jq::f32)}, 0),
                       doctest::Contains("same dtypes, got float64, float32"), jq::type_error);
  CHECK_THROWS_WITH_AS(lax::concatenate({}, 0), doctest::Contains("at least one array"), jq::type_error);
  CHECK_THROWS_AS(lax::concatenate({scalar(1.0), scalar(2.0)}, 0), jq::shape_error);
}
