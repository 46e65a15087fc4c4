// dot_general: values against loops for every choice of dimensions, all dtypes, derivatives, transposes, batching, errors.
#include "reference.hpp"

using namespace prim_testing;
using jq::int_list;

namespace {

int_list free_of(const array& x, const int_list& a, const int_list& b) {
  int_list r;
  for (int d = 0; d < x.ndim(); ++d)
    if (!a.contains(d) && !b.contains(d)) r.push_back(d);
  return r;
}
array dot_loop(const array& x, const array& y, const jq::dot_dimension_numbers& n) {
  const int_list xf = free_of(x, n.lhs_contracting, n.lhs_batch),
                 yf = free_of(y, n.rhs_contracting, n.rhs_batch);
  table tx(x), ty(y);
  shape dims, sum;
  for (std::int64_t d : n.lhs_batch) dims.push_back(tx.dims[int(d)]);
  for (std::int64_t d : xf) dims.push_back(tx.dims[int(d)]);
  for (std::int64_t d : yf) dims.push_back(ty.dims[int(d)]);
  for (std::int64_t d : n.lhs_contracting) sum.push_back(tx.dims[int(d)]);
  table out(dims);
  each(dims, [&](const position& o) {
    position i(std::size_t(x.ndim())), j(std::size_t(y.ndim()));
    std::size_t at = 0;
    for (int b = 0; b < n.lhs_batch.size(); ++b)
      i[std::size_t(n.lhs_batch[b])] = j[std::size_t(n.rhs_batch[b])] = o[at++];
    for (std::int64_t d : xf) i[std::size_t(d)] = o[at++];
    for (std::int64_t d : yf) j[std::size_t(d)] = o[at++];
    each(sum, [&](const position& s) {
      for (int c = 0; c < n.lhs_contracting.size(); ++c)
        i[std::size_t(n.lhs_contracting[c])] = j[std::size_t(n.rhs_contracting[c])] = s[std::size_t(c)];
      out(o) += tx(i) * ty(j);
    });
  });
  return out.get();
}
struct product {
  shape lhs, rhs;
  jq::dot_dimension_numbers numbers;
};
const product products[] = {
    {{2, 3}, {3, 4}, {{1}, {0}, {}, {}}},                            // matrices
    {{3, 2}, {4, 3}, {{0}, {1}, {}, {}}},                            // both transposed
    {{3}, {3}, {{0}, {0}, {}, {}}},                                  // inner product
    {{2}, {3}, {}},                                                  // outer product
    {{}, {3}, {}},                                                   // a scalar
    {{2, 3, 4}, {4, 2, 5}, {{2}, {0}, {0}, {1}}},                    // batch dimensions in different places
    {{2, 3, 4}, {4, 5, 3}, {{1, 2}, {2, 0}, {}, {}}},                // two contractions
    {{2, 3, 4, 2}, {3, 2, 2, 4}, {{2, 0}, {3, 1}, {3, 1}, {2, 0}}},  // everything
    {{2, 3}, {2, 3}, {{}, {}, {0, 1}, {0, 1}}},                      // elementwise
    {{2, 0}, {0, 3}, {{1}, {0}, {}, {}}}                             // an empty sum
};

}  // namespace

static_assert(constant_kernel<jq::dot_general_p>({{1}, {0}, {}, {}}, {2}, {{2, 2}, {1, 2, 3, 4}},
                                                 {{2}, {5, 6}}) == std::vector<double>{17, 39});

TEST_CASE("dot_general: values, derivatives, batching") {
  for (const product& p : products) {
    INFO("shapes of rank " << p.lhs.rank() << " and " << p.rhs.rank());
    const array x = sample(p.lhs), y = lax::neg(sample(p.rhs));
    const function f = [&](const arrays& z) { return lax::dot_general(z[0], z[1], p.numbers); };
    CHECK_CLOSE(f({x, y}), dot_loop(x, y, p.numbers), 0);
    const arrays small{lax::mul(x, 0.01), lax::mul(y, 0.01)};
    check_derivatives(f, small);
    check_batching(f, {x, y});
    const array zx = lax::mul(cast(small[0], jq::c128), jq::complex128(1, 2)), zy = cast(small[1], jq::c128);
    check_derivatives(f, {zx, zy});
    CHECK_CLOSE(f({zx, zy}), lax::mul(cast(f(small), jq::c128), jq::complex128(1, 2)), 1e-14);
  }
}
TEST_CASE("dot_general: large products in tiles") {
  const product large[] = {{{37, 150}, {150, 45}, {{1}, {0}, {}, {}}},
                           {{150, 37}, {45, 150}, {{0}, {1}, {}, {}}},
                           {{5, 7, 10, 9}, {9, 33, 10}, {{2, 3}, {2, 0}, {}, {}}},
                           {{2, 20, 30}, {30, 2, 33}, {{2}, {0}, {0}, {1}}},
                           {{3, 500}, {500, 2}, {{1}, {0}, {}, {}}}};
  for (const product& p : large) {
    const array x = sample(p.lhs), y = sample(p.rhs), want = dot_loop(x, y, p.numbers);
    CHECK_CLOSE(lax::dot_general(x, y, p.numbers), want, 0);
    for (const jq::dtype t : {jq::f32, jq::i32, jq::i64, jq::c64, jq::c128})
      CHECK_CLOSE(cast(lax::dot_general(cast(x, t), cast(y, t), p.numbers), jq::f64), want, 0);
    const array ux = cast(lax::abs(x), jq::u32), uy = cast(lax::abs(y), jq::u32);
    CHECK_CLOSE(cast(lax::dot_general(ux, uy, p.numbers), jq::f64),
                dot_loop(lax::abs(x), lax::abs(y), p.numbers), 0);
  }
}
TEST_CASE("dot_general: dtypes") {
  const auto f = binary([](const array& x, const array& y) { return lax::dot(x, y); });
  const array x = make({1., 0., 3., 4., 0., 6.}, {2, 3}), y = make({0., 2., 1.});
  for (int i = 0; i < jq::dtype_count; ++i) {
    const jq::dtype t = jq::dtype(i);
    CHECK_CLOSE(f({cast(x, t), cast(y, t)}), cast(make({3., 6.}), t), 0);
  }
  // Half floats accumulate in single precision, and long sums of floats in parts.
  const array ones = lax::full({4096}, jq::literal(jq::float16(1.0f)));
  CHECK_CLOSE(lax::dot(ones, ones), scalar(jq::float16(4096.f)), 0);
  const array tenth = lax::full({1 << 20}, jq::literal(0.1f)), one = lax::full({1 << 20}, jq::literal(1.0f));
  CHECK_CLOSE(lax::dot(tenth, one), scalar(0.1f * (1 << 20)), 2e-6);
  CHECK_CLOSE(lax::dot(make<std::int8_t>({100, 100}), make<std::int8_t>({2, 2})), scalar(std::int8_t(-112)),
              0);
}
TEST_CASE("dot: matrices and vectors") {
  const array m = make({1., 2., 3., 4.}, {2, 2}), v = make({5., 6.});
  CHECK_CLOSE(lax::dot(m, m), make({7., 10., 15., 22.}, {2, 2}), 0);
  CHECK_CLOSE(lax::dot(m, v), make({17., 39.}), 0);
  CHECK_CLOSE(lax::dot(v, m), make({23., 34.}), 0);
  CHECK_CLOSE(lax::dot(v, v), scalar(61.0), 0);
  CHECK_CLOSE(lax::dot(2.0, v), make({10., 12.}), 0);
  const auto p = jq::make_jaxpr([](const array& x, const array& y) { return lax::dot(x, y); })(m, v);
  CHECK(!jq::check_jaxpr(*p));
}
TEST_CASE("dot_general: one equation per derivative and per batch") {
  const array m = make({1., 2., 3., 4.}, {2, 2});
  const auto f = [](const array& x, const array& y) { return lax::dot(x, y); };
  const auto p = jq::make_jaxpr(jq::vmap(f))(sample({3, 2, 2}), sample({3, 2, 2}));
  CHECK(p->equations.size() == 1);
  const auto q = jq::make_jaxpr(jq::vmap(f, jq::in_axes<0, jq::none>))(sample({3, 2, 2}), m);
  CHECK(q->equations.size() == 1);
}
TEST_CASE("dot_general: errors") {
  const array x = sample({2, 3}), y = sample({4, 5});
  CHECK_THROWS_WITH_AS(
      lax::dot(x, y),
      doctest::Contains(
          "dot_general requires contracting dimensions of equal sizes, got (1,) of shape (2, 3) "
          "and (0,) of shape (4, 5)"),
      jq::shape_error);
  CHECK_THROWS_WITH_AS(lax::dot_general(x, x, {{}, {}, {0}, {1}}),
                       doctest::Contains("requires batch dimensions of equal sizes"), jq::shape_error);
  CHECK_THROWS_AS(lax::dot_general(x, x, {{0, 0}, {0, 0}, {}, {}}), jq::shape_error);
  CHECK_THROWS_AS(lax::dot_general(x, x, {{2}, {0}, {}, {}}), jq::shape_error);
  CHECK_THROWS_AS(lax::dot_general(x, x, {{0}, {}, {}, {}}), jq::shape_error);
  CHECK_THROWS_WITH_AS(lax::dot_general(x, x, {{0}, {0}, {0}, {0}}),
                       doctest::Contains("must not be contracted as well"), jq::shape_error);
  CHECK_THROWS_WITH_AS(lax::dot(x, sample({3, 4}, jq::f32)),
                       doctest::Contains("same dtypes, got float64, float32"), jq::type_error);
  const array wide = sample({1, 1, 1, 1, 1});
  CHECK_THROWS_WITH_AS(lax::dot_general(wide, wide, {}), doctest::Contains("more than 8 dimensions"),
                       jq::shape_error);
}
