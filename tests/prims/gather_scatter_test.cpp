// gather, scatter_add and scatter: values against loops in every mode, repeated and out-of-range indices, derivatives,
// transposes, batching, all dtypes, errors.
#include <algorithm>
#include <cmath>

#include "reference.hpp"

using namespace prim_testing;
using jq::index_mode;
using jq::int_list;

namespace {

/// Whole windows of x at index vectors i [n, k]; windows of `sizes` and full rank, dimension `collapse` (if any) dropped.
struct problem {
  shape operand;
  array indices;
  int_list sizes;
  int_list map;       // operand dimension of each entry of an index vector
  int_list collapse;  // dropped dimensions
  jq::gather_dimension_numbers numbers() const {
    jq::gather_dimension_numbers n;
    for (int d = 0; d < operand.rank() - collapse.size(); ++d) n.offset_dims.push_back(d + 1);
    n.collapsed_slice_dims = collapse;
    n.start_index_map = map;
    return n;
  }
  jq::scatter_dimension_numbers scatter_numbers() const {
    const jq::gather_dimension_numbers n = numbers();
    return {n.offset_dims, n.collapsed_slice_dims, n.start_index_map, {}, {}};
  }
  shape windows() const {
    shape s{indices.shape()[0]};
    for (int d = 0; d < operand.rank(); ++d)
      if (!collapse.contains(d)) s.push_back(sizes[d]);
    return s;
  }
  /// Calls f(index in the windows, index in the operand, whether the window fits) element by element.
  template <class F>
  void visit(index_mode mode, F f) const {
    const std::vector<std::int64_t> i = values<std::int64_t>(indices);
    const std::size_t k = std::size_t(map.size());
    each(windows(), [&](const position& w) {
      position at;
      std::size_t next = 1;
      for (int d = 0; d < operand.rank(); ++d) at.push_back(collapse.contains(d) ? 0 : w[next++]);
      bool inside = true;
      for (std::size_t e = 0; e < k; ++e) {
        const int d = int(map[int(e)]);
        std::int64_t start = i[std::size_t(w[0]) * k + e];
        const std::int64_t last = operand[d] - sizes[d];
        inside = inside && start >= 0 && start <= last;
        if (mode == index_mode::clip) start = std::max<std::int64_t>(0, std::min(start, last));
        at[std::size_t(d)] += start;
      }
      f(w, at, inside || mode == index_mode::clip);
    });
  }
};

const problem problems[] = {
    {{5, 3}, make<int>({3, 0, 3, -1, 5}, {5, 1}), {1, 3}, {0}, {0}},                        // rows
    {{5, 3}, make<std::int8_t>({1, 2, 4, 0, 1, 2, 9, 9}, {4, 2}), {1, 1}, {0, 1}, {0, 1}},  // elements
    {{5, 4}, make<unsigned>({1, 2, 2, 1, 4, 3}, {3, 2}), {2, 3}, {1, 0}, {}},    // windows that overlap
    {{2, 5, 3}, make<std::int64_t>({2, 2, 4, -2}, {4, 1}), {2, 2, 1}, {1}, {2}}  // a window along the middle
};

array scatter_loop(const problem& p, index_mode mode, const array& x, const array& updates, bool add) {
  table out(x), from(updates);
  p.visit(mode, [&](const position& w, const position& at, bool inside) {
    if (inside) out(at) = add ? out(at) + from(w) : from(w);
  });
  return out.get();
}

}  // namespace

static_assert(constant_kernel<jq::gather_p>(
                  {{}, {0}, {0}, {}, {}, {1}, jq::index_mode::fill_or_drop, false, -1}, {3}, {{3}, {1, 2, 3}},
                  {{3, 1}, {}, {2, 9, 0}}) == std::vector<double>{3, -1, 1});
static_assert(constant_kernel<jq::scatter_add_p>({{}, {0}, {0}, {}, {}, false, jq::index_mode::fill_or_drop},
                                                 {2}, {{2}, {1, 2}}, {{3, 1}, {}, {1, 1, 9}},
                                                 {{3}, {5, 6, 7}}) == std::vector<double>{1, 13});
static_assert(constant_kernel<jq::scatter_p>({{}, {0}, {0}, {}, {}, false, jq::index_mode::clip}, {2},
                                             {{2}, {1, 2}}, {{3, 1}, {}, {0, 0, 9}},
                                             {{3}, {5, 6, 7}}) == std::vector<double>{6, 7});

TEST_CASE("gather: values in every mode") {
  for (const problem& p : problems)
    for (const index_mode mode : {index_mode::clip, index_mode::fill_or_drop}) {
      const array x = sample(p.operand);
      table from(x), want(p.windows());
      p.visit(mode, [&](const position& w, const position& at, bool inside) {
        want(w) = inside ? from(at) : not_a_number;
      });
      CHECK_CLOSE(lax::gather(x, p.indices, p.numbers(), p.sizes, mode), want.get(), 0);
    }
}
TEST_CASE("gather: fill values") {
  const problem& p = problems[0];
  const array i = make<int>({9}, {1, 1});
  const auto fill = [&](const array& x) {
    return lax::slice(lax::gather(x, i, p.numbers(), p.sizes), {0, 0}, {1, 1});
  };
  CHECK_CLOSE(fill(sample({5, 3}, jq::i8)), make<std::int8_t>({-128}, {1, 1}), 0);
  CHECK_CLOSE(fill(sample({5, 3}, jq::u16)), make<std::uint16_t>({65535}, {1, 1}), 0);
  CHECK_CLOSE(fill(sample({5, 3}, jq::i64)),
              make<std::int64_t>({std::numeric_limits<std::int64_t>::lowest()}, {1, 1}), 0);
  CHECK_CLOSE(fill(lax::zeros({jq::bool_, {5, 3}})), make<bool>({true}, {1, 1}), 0);
  for (const jq::dtype t : {jq::f16, jq::bf16, jq::f32, jq::f64, jq::c64, jq::c128})
    CHECK(std::isnan(numbers(fill(sample({5, 3}, t)))[0].real()));
  CHECK_CLOSE(lax::gather_fill(sample({5, 3}, jq::f16), i, p.numbers(), p.sizes, -2.5),
              cast(make({-2.5, -2.5, -2.5}, {1, 3}), jq::f16), 0);
  CHECK_CLOSE(lax::gather_fill(sample({5, 3}, jq::c64), i, p.numbers(), p.sizes, 4),
              cast(make({4., 4., 4.}, {1, 3}), jq::c64), 0);
  CHECK_CLOSE(lax::gather(sample({5, 3}), i, p.numbers(), p.sizes, index_mode::promise_in_bounds),
              lax::slice(sample({5, 3}), {4, 0}, {5, 3}), 0);
}
TEST_CASE("gather: derivatives, batching, dtypes") {
  for (const problem& p : problems)
    for (const index_mode mode : {index_mode::clip, index_mode::fill_or_drop}) {
      const function f = [&](const arrays& z) { return lax::gather(z[0], z[1], p.numbers(), p.sizes, mode); };
      const array x = sample(p.operand), ct = direction(f({x, p.indices}), 5);
      check_batching(f, {x, p.indices});
      CHECK_CLOSE(cotangents(f, {x, p.indices}, ct)[0], scatter_loop(p, mode, lax::zeros(x.aval()), ct, true),
                  1e-15);
      if (mode == index_mode::clip) {
        check_derivatives(f, {x, p.indices});
        check_moves(f, {x, p.indices});
      }
    }
  // A window out of range is constant: its tangent is 0, not NaN.
  const problem& p = problems[0];
  const array t =
      derivative([&](const arrays& z) { return lax::gather(z[0], p.indices, p.numbers(), p.sizes); },
                 {sample({5, 3})}, {sample({5, 3})});
  CHECK_CLOSE(lax::slice(t, {3, 0}, {5, 3}), lax::zeros({jq::f64, {2, 3}}), 0);
}
TEST_CASE("gather: batching an operand that has batching dimensions already") {
  const array x = sample({2, 5, 3}), i = make<int>({3, 1, 0, 9}, {2, 2, 1});
  const jq::gather_dimension_numbers n{{2}, {1}, {1}, {0}, {0}};
  const function f = [&](const arrays& z) { return lax::gather(z[0], z[1], n, {1, 1, 3}, index_mode::clip); };
  table from(x), want({2, 2, 3});
  const int clipped[] = {3, 1, 0, 4};
  each(want.dims, [&](const position& w) { want(w) = from({w[0], clipped[w[0] * 2 + w[1]], w[2]}); });
  CHECK_CLOSE(f({x, i}), want.get(), 0);
  check_batching(f, {x, i});
  check_derivatives(f, {x, i});
}
TEST_CASE("scatter_add: values, derivatives, batching") {
  for (const problem& p : problems)
    for (const index_mode mode : {index_mode::clip, index_mode::fill_or_drop}) {
      const array x = sample(p.operand), u = sample(p.windows());
      const function f = [&](const arrays& z) {
        return lax::scatter_add(z[0], z[1], z[2], p.scatter_numbers(), mode);
      };
      CHECK_CLOSE(f({x, p.indices, u}), scatter_loop(p, mode, x, u, true), 0);
      check_derivatives(f, {x, p.indices, u});
      check_batching(f, {x, p.indices, u});
    }
  const problem& p = problems[0];
  check_dtypes([&](const arrays& z) { return lax::scatter_add(z[0], p.indices, z[1], p.scatter_numbers()); },
               {make({1., 2., 3., 4., 5., 6., 7., 8., 9., 1., 2., 3., 4., 5., 6.}, {5, 3}),
                make({1., 2., 3., 4., 5., 6., 7., 8., 9., 1., 2., 3., 4., 5., 6.}, {5, 3})},
               jq::numbers);
  CHECK_CLOSE(
      lax::scatter_add(make<int>({1, 2}), make<int>({1, 1, 1}, {3, 1}), make<int>({5, 6, 7}), {{}, {0}, {0}}),
      make<int>({1, 20}), 0);
}
TEST_CASE("scatter: values, derivatives, batching") {
  for (const problem& p : problems)
    for (const index_mode mode : {index_mode::clip, index_mode::fill_or_drop}) {
      const array x = sample(p.operand), u = sample(p.windows());
      const function f = [&](const arrays& z) {
        return lax::scatter(z[0], z[1], z[2], p.scatter_numbers(), mode);
      };
      CHECK_CLOSE(f({x, p.indices, u}), scatter_loop(p, mode, x, u, false), 0);
      check_derivatives(f, {x, p.indices, u});
      check_batching(f, {x, p.indices, u});
      check_moves(f, {x, p.indices, u});
    }
  const array x = make({1., 2., 3.}), i = make<int>({2, 0}, {2, 1}), u = make({8., 9.});
  const function unique = [&](const arrays& z) {
    return lax::scatter(z[0], i, z[1], {{}, {0}, {0}}, index_mode::fill_or_drop, true);
  };
  CHECK_CLOSE(unique({x, u}), make({9., 2., 8.}), 0);
  check_derivatives(unique, {x, u});
  const auto pullback =
      jq::make_jaxpr([&](const arrays& z) { return cotangents(unique, z, x); })(arrays{x, u});
  CHECK(std::string(jq::to_string(pullback)).find("select_n") == std::string::npos);
}
TEST_CASE("scatter: of several updates of one element the last one stays, and only it has a derivative") {
  const array x = make({1., 2.}), i = make<int>({1, 1, 7}, {3, 1}), u = make({5., 6., 7.});
  const function f = [&](const arrays& z) { return lax::scatter(z[0], i, z[1], {{}, {0}, {0}}); };
  CHECK_CLOSE(f({x, u}), make({1., 6.}), 0);
  const arrays ct = cotangents(f, {x, u}, make({10., 20.}));
  CHECK_CLOSE(ct[0], make({10., 0.}), 0);
  CHECK_CLOSE(ct[1], make({0., 20., 0.}), 0);
}
TEST_CASE("gather and scatter: nothing to do") {
  const array x = sample({4, 3}), none = lax::zeros({jq::i32, {0, 1}});
  CHECK(lax::gather(x, none, {{1}, {0}, {0}}, {1, 3}).shape() == shape{0, 3});
  CHECK_CLOSE(lax::scatter_add(x, none, lax::zeros({jq::f64, {0, 3}}), {{1}, {0}, {0}}), x, 0);
  CHECK_CLOSE(lax::gather(scalar(4.0), lax::zeros({jq::i32, {2, 0}}), {}, {}), make({4., 4.}), 0);
  CHECK(lax::gather(lax::zeros({jq::f64, {0, 3}}), none, {{1}, {0}, {0}}, {1, 3}).shape() == shape{0, 3});
  CHECK(std::isnan(values<double>(lax::gather(lax::zeros({jq::f64, {0}}), make<int>({0}, {1, 1}),
                                              {{}, {0}, {0}}, {1}, index_mode::clip))[0]));
}
TEST_CASE("scatter: errors") {
  const array x = sample({4, 3}), i = make<int>({0, 1}, {2, 1});
  CHECK_THROWS_WITH_AS(lax::scatter(x, i, sample({3, 3}), {{1}, {0}, {0}}),
                       doctest::Contains("scatter: got updates of shape (3, 3), wanted (2, 3)"),
                       jq::shape_error);
  CHECK_THROWS_WITH_AS(lax::scatter_add(x, i, sample({2, 3}, jq::f32), {{1}, {0}, {0}}),
                       doctest::Contains("an operand of dtype float64 and updates of dtype float32"),
                       jq::type_error);
}
