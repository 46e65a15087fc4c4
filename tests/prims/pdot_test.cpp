// pdot inside vmap: values against sums of products of the members, derivatives of the member's own operand, batching, errors.
#include "reference.hpp"

using namespace prim_testing;

namespace {
constexpr auto over_i = jq::axis_name<"i">;
}  // namespace

TEST_CASE("pdot: the sum over members of their products") {
  const array x = sample({3, 2, 4}), y = sample({3, 4, 2});
  const array want = lax::reduce_sum(lax::dot_general(x, y, {{2}, {1}, {0}, {0}}), {0});
  const auto f = [](const array& a, const array& b) { return lax::pdot(a, b, "i", {{1}, {0}, {}, {}}); };
  CHECK_CLOSE(jq::vmap(f, over_i, jq::out_axes<jq::none>)(x, y), want, 1e-12);
  CHECK_CLOSE(jq::vmap(f, over_i, jq::in_axes<1, 2>, jq::out_axes<jq::none>)(lax::transpose(x, {1, 0, 2}), lax::transpose(y, {1, 2, 0})), want, 1e-12);
  CHECK_CLOSE(jq::vmap(f, over_i, jq::in_axes<0, jq::none>, jq::out_axes<jq::none>)(x, sample({4, 2})), lax::dot(lax::reduce_sum(x, {0}), sample({4, 2})), 1e-12);
  CHECK_CLOSE(jq::vmap(f, over_i, jq::in_axes<jq::none, 0>, jq::out_axes<jq::none>)(sample({2, 4}), y), lax::dot(sample({2, 4}), lax::reduce_sum(y, {0})), 1e-12);
  const array fourfold = jq::vmap([&](const array&) { return lax::pdot(sample({2}), sample({2}), "i", {{0}, {0}, {}, {}}); }, over_i, jq::out_axes<jq::none>)(jq::zeros({4}));
  CHECK_CLOSE(fourfold, lax::mul(lax::dot(sample({2}), sample({2})), 4.0), 1e-12);
}
TEST_CASE("pdot: one product, not one for each member") {
  const auto f = jq::vmap([](const array& a, const array& b) { return lax::pdot(a, b, "i", {{0}, {0}, {}, {}}); }, over_i, jq::out_axes<jq::none>);
  CHECK(jq::to_string(jq::make_jaxpr(f)(jq::zeros({3, 2}), jq::zeros({3, 2}))) ==
        "{ lambda ; a:f32[3,2] b:f32[3,2]. let\n"
        "    c:f32[] = dot_general[\n"
        "      lhs_batch=()\n"
        "      lhs_contracting=(1, 0)\n"
        "      rhs_batch=()\n"
        "      rhs_contracting=(1, 0)\n"
        "    ] a b\n"
        "  in (c,) }");
}
TEST_CASE("pdot: examples of another axis, and batch dimensions") {
  const array x = sample({3, 5, 2, 4}), y = sample({3, 5, 2, 4});
  const auto f = [](const array& a, const array& b) { return lax::pdot(a, b, "i", {{1}, {1}, {0}, {0}}); };
  const auto inside = jq::vmap(jq::vmap(f), over_i, jq::out_axes<jq::none>);
  const auto outside = jq::vmap(jq::vmap(f, over_i, jq::out_axes<jq::none>), jq::in_axes<1, 1>);
  const array want = lax::reduce_sum(lax::mul(x, y), {0, 3});
  CHECK_CLOSE(inside(x, y), want, 1e-12);
  CHECK_CLOSE(outside(x, y), want, 1e-12);
  CHECK_CLOSE(jq::vmap(jq::vmap(f, jq::in_axes<0, jq::none>), over_i, jq::out_axes<jq::none>)(x, sample({3, 2, 4})),
              lax::reduce_sum(lax::mul(x, lax::broadcast_in_dim(sample({3, 2, 4}), {3, 5, 2, 4}, {0, 2, 3})), {0, 3}), 1e-12);
}
TEST_CASE("pdot: its derivative is that of the member's own product") {
  const array x = sample({3, 2}), y = sample({3, 2});
  const auto f = [](const array& a, const array& b) { return lax::pdot(a, b, "i", {{0}, {0}, {}, {}}); };
  CHECK_CLOSE(jq::vmap(jq::grad(f), over_i)(x, y), y, 0);
  CHECK_CLOSE(jq::vmap(jq::grad(f, jq::argnums<1>), over_i)(x, y), x, 0);
  check_derivatives([&](const arrays& z) { return jq::vmap(f, over_i, jq::out_axes<jq::none>)(z[0], z[1]); }, {x, y});
}
TEST_CASE("pdot: errors") {
  const auto over = [](const array& a, const array& b) { return jq::vmap([](const array& v, const array& w) { return lax::pdot(v, w, "i", {{0}, {0}, {}, {}}); }, over_i)(a, b); };
  CHECK_THROWS_WITH_AS((void)over(jq::zeros({3, 2}), jq::zeros({3, 4})), doctest::Contains("requires contracting dimensions of equal sizes"), jq::shape_error);
  CHECK_THROWS_WITH_AS((void)over(jq::zeros({3, 2}, jq::bool_), jq::zeros({3, 2}, jq::bool_)), doctest::Contains("pdot"), jq::type_error);
  CHECK_THROWS_WITH_AS((void)lax::pdot(jq::zeros({2}), jq::zeros({2}), "j"), doctest::Contains("unbound axis name: j"), jq::value_error);
}
