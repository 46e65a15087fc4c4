// check_vmap finds wrong batching rules and accepts right ones.
#include "wrong_prims.hpp"

#include <jacquard/testing/batching.hpp>

namespace jq = jacquard;
using jq::array;
using jq::asarray;
using jq::testing::check_vmap;

namespace {
array dot(const array& x, const array& y) { return jq::dot(x, y); }
const array m = asarray({{1.0, 2.0}, {3.0, 4.0}, {5.0, 6.0}});
}  // namespace

TEST_CASE("vmap over first, last and no axes, of trees") {
  CHECK_REPORT(check_vmap(dot, {0, 0}, std::tuple{m, m}));
  CHECK_REPORT(check_vmap(dot, {1, -1}, std::tuple{m, m}));
  CHECK_REPORT(check_vmap(dot, {0, jq::none}, std::tuple{m, asarray({1.0, -1.0})}));
  const auto f = [](const std::pair<array, array>& p, const array& x) { return std::tuple{p.first * x, jq::sum(p.second)}; };
  CHECK_REPORT(check_vmap(f, {1, jq::none}, std::tuple{std::pair{m, m}, asarray({1.0, 2.0, 3.0})}));
}
TEST_CASE("a wrong batching rule is found") {
  const auto f = [](const array& x) { return wrong::call<wrong::batch_p>(x); };
  const array square = asarray({{1.0, 2.0}, {3.0, 4.0}});
  CHECK_REPORT(check_vmap(f, {0}, std::tuple{square}));
  CHECK_FINDS("example 0 of result 0: element (1,): got 6.0:f64[], wanted 9.0:f64[]", check_vmap(f, {1}, std::tuple{square}));
}
TEST_CASE("one axis per argument") {
  CHECK_FINDS("got 1 axes for 2 arguments; wanted one each", check_vmap(dot, {0}, std::tuple{m, m}));
}
TEST_CASE("examples") {
  CHECK(jq::testing::example(m, -1, 1).shape() == jq::shape{3});
  CHECK(jq::testing::example(m, 0, 2).data<double>()[1] == 6);
}
