// slice and pad: values against loops, strides and negative padding, derivatives, batching, all dtypes, errors.
#include "reference.hpp"

using namespace prim_testing;
using jq::int_list;

namespace {
array slice_loop(const array& x, const int_list& low, const int_list& high, const int_list& step) {
  shape dims;
  for (int d = 0; d < low.size(); ++d) {
    std::int64_t n = 0;
    for (std::int64_t i = low[d]; i < high[d]; i += step[d]) ++n;
    dims.push_back(n);
  }
  table from(x), to(dims);
  each(dims, [&](const position& i) {
    position j = i;
    for (std::size_t d = 0; d < j.size(); ++d) j[d] = low[int(d)] + i[d] * step[int(d)];
    to(i) = from(j);
  });
  return to.get();
}
array pad_loop(const array& x, double value, const int_list& low, const int_list& high,
               const int_list& interior) {
  shape dims;
  for (int d = 0; d < low.size(); ++d) {
    const std::int64_t n = x.shape()[d];
    dims.push_back(low[d] + high[d] + (n == 0 ? 0 : n + (n - 1) * interior[d]));
  }
  table from(x), to(dims, value);
  each(from.dims, [&](const position& i) {
    position j = i;
    bool inside = true;
    for (std::size_t d = 0; d < j.size(); ++d) {
      j[d] = low[int(d)] + i[d] * (interior[int(d)] + 1);
      inside = inside && j[d] >= 0 && j[d] < dims[int(d)];
    }
    if (inside) to(j) = from(i);
  });
  return to.get();
}
struct padding {
  int_list low, high, interior;
};
const padding paddings[] = {{{1, 0}, {0, 2}, {0, 0}},   {{0, 0}, {0, 0}, {2, 1}},
                            {{-1, 2}, {2, -1}, {0, 1}}, {{-2, -3}, {0, 1}, {1, 2}},
                            {{-3, -2}, {3, 0}, {0, 3}}, {{5, -9}, {-5, 9}, {1, 2}},
                            {{-4, 1}, {0, 1}, {1, 0}},  {{-9, -9}, {9, 9}, {2, 2}}};
}  // namespace

static_assert(constant_kernel<jq::slice_p>({{1}, {4}, {2}}, {2}, {{4}, {1, 2, 3, 4}}) ==
              std::vector<double>{2, 4});
static_assert(constant_kernel<jq::pad_p>({{-1}, {1}, {1}}, {5}, {{3}, {1, 2, 3}}, {{}, {9}}) ==
              std::vector<double>{9, 2, 9, 3, 9});

TEST_CASE("slice: values, derivatives, batching") {
  const array x = sample({4, 5});
  const int_list bounds[][3] = {
      {{1, 0}, {3, 5}, {1, 1}}, {{0, 1}, {4, 5}, {2, 3}}, {{3, 2}, {4, 2}, {1, 1}}, {{0, 0}, {4, 5}, {5, 4}}};
  for (const auto& b : bounds) {
    const function f = [&](const arrays& z) { return lax::slice(z[0], b[0], b[1], b[2]); };
    CHECK_CLOSE(f({x}), slice_loop(x, b[0], b[1], b[2]), 0);
    check_moves(f, {x});
    check_batching(f, {x});
    check_derivatives(f, {x});
  }
  CHECK(lax::slice(x, {0, 0}, {4, 5}).same_as(x));
  CHECK_CLOSE(lax::slice(scalar(3.0), {}, {}), scalar(3.0), 0);
  CHECK(lax::slice(sample({0, 3}), {0, 1}, {0, 3}).shape() == shape{0, 2});
}
TEST_CASE("slice: errors") {
  const array x = sample({4});
  CHECK_THROWS_WITH_AS(
      lax::slice(x, {1}, {5}),
      doctest::Contains(
          "slice: got start_indices (1,), limit_indices (5,) and strides (1,) for an operand of "
          "shape (4,); wanted 0 <= start <= limit <= size and stride >= 1"),
      jq::shape_error);
  CHECK_THROWS_AS(lax::slice(x, {-1}, {2}), jq::shape_error);
  CHECK_THROWS_AS(lax::slice(x, {3}, {2}), jq::shape_error);
  CHECK_THROWS_AS(lax::slice(x, {0}, {2}, {0}), jq::shape_error);
  CHECK_THROWS_AS(lax::slice(x, {0, 0}, {2, 2}), jq::shape_error);
}
TEST_CASE("pad: values") {
  const array x = sample({3, 4});
  for (const padding& p : paddings)
    CHECK_CLOSE(lax::pad(x, 7.0, p.low, p.high, p.interior), pad_loop(x, 7, p.low, p.high, p.interior), 0);
  CHECK_CLOSE(lax::pad(make<int>({1, 2, 3}), 0, {1}, {2}, {1}), make<int>({0, 1, 0, 2, 0, 3, 0, 0}), 0);
  CHECK_CLOSE(lax::pad(sample({0}), 1.0, {1}, {2}, {5}), make({1., 1., 1.}), 0);
  CHECK(lax::pad(x, 0.0, {0, 0}, {0, 0}).same_as(x));
  CHECK_CLOSE(lax::pad(scalar(2.0), 0.0, {}, {}), scalar(2.0), 0);
  CHECK_CLOSE(lax::pad(make({1., 2.}), not_a_number, {-1}, {1}), make({2., not_a_number}), 0);
}
TEST_CASE("pad: derivatives, batching, dtypes") {
  const array x = sample({3, 4}), v = scalar(7.0);
  for (const padding& p : paddings) {
    const function f = [&](const arrays& z) { return lax::pad(z[0], z[1], p.low, p.high, p.interior); };
    check_derivatives(f, {x, v});
    check_batching(f, {x, v});
    check_moves(f, {x, v});
  }
}
TEST_CASE("pad: errors") {
  const array x = make({1., 2.});
  CHECK_THROWS_WITH_AS(lax::pad(x, 0.0, {-2}, {-1}), doctest::Contains("no dimension cut below 0"),
                       jq::shape_error);
  CHECK_THROWS_WITH_AS(lax::pad(x, 0.0, {0}, {1}, {-1}), doctest::Contains("interior >= 0"), jq::shape_error);
  CHECK_THROWS_WITH_AS(lax::pad(x, x, {0}, {1}),
                       doctest::Contains("padding value of shape (2,), wanted a scalar"), jq::shape_error);
  CHECK_THROWS_WITH_AS(lax::pad(x, scalar(1.f), {0}, {1}),
                       doctest::Contains("float64 and a padding value of dtype float32"), jq::type_error);
  CHECK_THROWS_AS(lax::pad(x, 0.0, {0, 0}, {1, 1}), jq::shape_error);
}
