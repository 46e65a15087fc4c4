// The services on padded arrays, on concrete arrays: sizes, filling, windows, reading in logical order, requirements.
#include "prim_testing.hpp"

#include <jacquard/prims/padded_arrays.hpp>

using namespace prim_testing;
using jq::dimension;

namespace {

/// What needs an interpreter is not asked for here.
struct services final : jq::padded_arrays<array> {
  services(std::int64_t n, std::int64_t m, jq::list<dimension> loops = {})
      : padded_arrays({{"n", 4, array(n), true, n}, {"m", 3, array(m), true, m}}, std::move(loops)) {}
  dimension decode(std::int64_t first, std::int64_t) override { return dimension(first); }
  void fail(const jq::error_record& e) override { jq::throw_error(e); }
  std::vector<jq::masked> evaluate(const jq::jaxpr&, const jq::jaxpr&, jq::view<const array>, jq::view<const array>,
                                   jq::view<const jq::dimension_list>, const dimension&) override {
    return {};
  }
  jq::function_ref context() const override { return {}; }
};
const dimension n = dimension::named("n"), m = dimension::named("m");
std::int64_t value(const array& x) { return x.item<std::int64_t>(); }

}  // namespace

TEST_CASE("padded arrays: sizes as values and their bounds") {
  services s(3, 2);
  CHECK(value(s.size(dimension(5))) == 5);
  CHECK(value(s.size(n)) == 3);
  CHECK(value(s.size(n * m + dimension(2) * n - dimension(1))) == 11);
  CHECK(value(s.size(dimension::floor_div(n + dimension(2), 2))) == 2);
  CHECK(value(s.size(dimension::positive_part(m - n))) == 0);
  CHECK(s.padded(n * m + dimension(1)) == 13);
  CHECK(s.padded(m - n) == 3);
  CHECK((s.padded(jq::dimension_list{n, dimension(2)}) == shape{4, 2}));
  CHECK_CLOSE(s.shape_of({n, dimension(7), m}), make<std::int64_t>({3, 7, 2}), 0);
  CHECK(s.shape_of({}).shape() == shape{0});
}
TEST_CASE("padded arrays: filling, and filling again without the first time") {
  services s(3, 2);
  const array x = make({1.0, 2.0, 3.0, not_a_number});
  const array zeros = s.filled(x, {n}, {0}, array(0.0));
  CHECK_CLOSE(zeros, make({1.0, 2.0, 3.0, 0.0}), 0);
  CHECK(s.filled(zeros, {n}, {0}, array(0.0)).same_as(zeros));
  CHECK_CLOSE(s.filled(zeros, {n}, {0}, array(9.0)), make({1.0, 2.0, 3.0, 9.0}), 0);
  CHECK(s.filled(x, {n}, {}, array(0.0)).same_as(x));
  CHECK(s.filled(x, {dimension(4)}, {0}, array(0.0)).same_as(x));
  const array two = make({1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0}, {4, 3});
  CHECK_CLOSE(s.filled(two, {n, m}, {0, 1}, array(0.0)), make({1.0, 2.0, 0.0, 4.0, 5.0, 0.0, 7.0, 8.0, 0.0, 0.0, 0.0, 0.0}, {4, 3}), 0);
}
TEST_CASE("padded arrays: windows") {
  services s(3, 2);
  const array x = make({1.0, 2.0, 3.0, 4.0});
  CHECK_CLOSE(s.window(x, 0, 1, 2), make({2.0, 3.0}), 0);
  CHECK_CLOSE(s.window(x, 0, 3, 3), make({4.0, 0.0, 0.0}), 0);
  CHECK(s.window(x, 0, 0, 4).same_as(x));
  CHECK_CLOSE(s.window(x, 0, array(std::int64_t(3)), 4, 2), make({4.0, 0.0}), 0);
  CHECK_CLOSE(static_cast<jq::mask_scope&>(s).window(x, 0, m, 3), make({3.0, 4.0, 0.0}), 0);
  CHECK_CLOSE(s.placed(x, make({8.0, 9.0}), 0, array(std::int64_t(1))), make({1.0, 8.0, 9.0, 4.0}), 0);
  CHECK(s.fitted(x, {m}).shape() == shape{3});
}
TEST_CASE("padded arrays: logical order under other dimensions") {
  services s(3, 2);  // logical (2, 3) within (3, 4)
  const array x = make({1.0, 2.0, 3.0, 0.0, 4.0, 5.0, 6.0, 0.0, 0.0, 0.0, 0.0, 0.0}, {3, 4});
  const array flat = s.reindexed(x, {m, n}, {m * n});
  CHECK(flat.shape() == shape{12});
  CHECK_CLOSE(lax::slice(flat, {0}, {6}, {1}), make({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}), 0);
  CHECK_CLOSE(lax::slice(s.reindexed(flat, {m * n}, {n, m}), {0, 0}, {3, 2}, {1, 1}), make({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, {3, 2}), 0);
}
TEST_CASE("padded arrays: requirements are checked where sizes are known") {
  services s(3, 2);
  s.require_at_least(n, m);
  s.require_at_least(n + dimension(1), dimension(1));
  CHECK_THROWS_WITH_AS(s.require_at_least(m, n), "mask: the function needs m >= n, which does not hold for these sizes; pass others", jq::value_error);
  CHECK_THROWS_WITH_AS(s.require_at_least(n, dimension(5)), "mask: the function needs n >= 5, which does not hold for any sizes; pass others",
                       jq::value_error);
}
TEST_CASE("padded arrays: whether the loops around run") {
  const jq::list<dimension> both{n, m - dimension(1)};
  CHECK(services(3, 2).loops_run().is_none());
  CHECK(services(3, 2, both).loops_run().item<bool>());
  CHECK_FALSE(services(0, 2, both).loops_run().item<bool>());
  CHECK_FALSE(services(3, 1, both).loops_run().item<bool>());
}
