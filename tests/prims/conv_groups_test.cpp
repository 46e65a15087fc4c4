// Factors of dimensions that move, against their definition, element by element.
#include "reference.hpp"

using namespace prim_testing;
using jq::detail::folded;
using jq::detail::regroup;
using jq::detail::unfolded;

TEST_CASE("conv groups: a dimension becomes a factor of another one, below its groups, and comes out again") {
  const shape dims{2, 6, 3, 4};
  for (int from = 0; from < 4; ++from)
    for (int to = 0; to < 3; ++to)
      for (const std::int64_t groups : {1, 2, 3}) {
        const shape rest(dims.without(from));
        if (rest[to] % groups != 0) continue;
        const array x = sample(dims), y = folded(x, from, to, groups);
        const table tx(x), ty(y);
        const std::int64_t part = rest[to] / groups;
        bool same = true;
        each(dims, [&](const position& i) {
          position j = i;
          j.erase(j.begin() + from);
          std::int64_t& at = j[std::size_t(to)];
          at = (at / part * dims[from] + i[std::size_t(from)]) * part + at % part;
          same = same && tx(i) == ty(j);
        });
        CHECK(same);
        const array back = unfolded(y, to, groups, dims[from]);
        CHECK_CLOSE(jq::detail::move_axis(back, to, from), x, 0);
      }
}
TEST_CASE("conv groups: the outermost factor of a dimension becomes that of another one") {
  const array x = sample({6, 2, 4});
  const table tx(x), forward(regroup(x, {0, 1}, {2, 1}, 3)), backward(regroup(x, {2, 1}, {0, 1}, 2));
  CHECK(forward.dims == shape{2, 2, 12});
  CHECK(backward.dims == shape{12, 2, 2});
  each({6, 2, 4}, [&](const position& i) {
    CHECK(forward({i[0] % 2, i[1], i[0] / 2 * 4 + i[2]}) == tx(i));
    CHECK(backward({i[2] / 2 * 6 + i[0], i[1], i[2] % 2}) == tx(i));
  });
}
TEST_CASE("conv groups: arrays of the largest rank") {
  const shape dims{2, 2, 1, 2, 1, 2, 1, 4};
  const array x = sample(dims);
  CHECK_CLOSE(regroup(regroup(x, {7, 1}, {1, 1}, 2), {1, 1}, {7, 1}, 2), x, 0);
  CHECK(regroup(x, {7, 1}, {1, 1}, 2).shape() == shape{2, 4, 1, 2, 1, 2, 1, 2});
  const array y = folded(x, 0, 6, 2);
  CHECK_CLOSE(unfolded(lax::reshape(y, {2, 1, 2, 1, 2, 1, 8}), 6, 2, 2), jq::detail::move_axis(x, 0, 6), 0);
}
TEST_CASE("conv groups: one reshape where the order of elements stays") {
  const auto p = jq::make_jaxpr([](const array& x) { return folded(x, 0, 0, 1); })(sample({2, 3, 4}));
  CHECK(p->equations.size() == 1);
  CHECK(folded(sample({0, 3, 4}), 0, 1, 2).shape() == shape{3, 0});
}
