// The steps that batching rules share: moving, adding and lining up batch dimensions.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
const array m = make({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, {2, 3});
std::vector<array> aligned(const arrays& x, const std::vector<int>& dims, std::int64_t size) {
  std::vector<array> r;
  jq::detail::align_batch(jq::batch_call{x, dims, size, {}, {}, {}}, r);
  return r;
}
}  // namespace

TEST_CASE("batching: moving and adding dimensions") {
  CHECK_CLOSE(jq::detail::move_axis(m, 1, 0), lax::transpose(m, {1, 0}), 0);
  CHECK(jq::detail::move_axis(m, 1, 1).same_as(m));
  CHECK(jq::detail::batch_to_front(m, jq::not_mapped).same_as(m));
  CHECK_CLOSE(jq::detail::batch_broadcast(make({1, 2}), 2), make({1, 2, 1, 2}, {2, 2}), 0);
  CHECK(jq::detail::batch_materialise(m, 1, 3).shape() == shape{3, 2});
  CHECK(jq::detail::batch_materialise(m, jq::not_mapped, 4).shape() == shape{4, 2, 3});
}
TEST_CASE("batching: operands are lined up along the first dimension") {
  std::vector<array> x = aligned({m, make({1.0, 2.0, 3.0})}, {0, jq::not_mapped}, 2);
  CHECK(x[0].same_as(m));
  CHECK(x[1].shape() == shape{2, 3});
  x = aligned({m, scalar(1.0)}, {1, jq::not_mapped}, 3);  // an unmapped scalar stays one
  CHECK(x[0].shape() == shape{3, 2});
  CHECK(x[1].ndim() == 0);
  x = aligned({make({1.0, 2.0}), make({4.0, 5.0, 6.0})}, {0, jq::not_mapped}, 2);  // a mapped scalar is repeated
  CHECK_CLOSE(x[0], make({1.0, 1.0, 1.0, 2.0, 2.0, 2.0}, {2, 3}), 0);
  CHECK_CLOSE(x[1], make({4.0, 5.0, 6.0, 4.0, 5.0, 6.0}, {2, 3}), 0);
  x = aligned({make({1.0, 2.0}), make({4.0, 5.0})}, {0, 0}, 2);
  CHECK(x[0].ndim() == 1);
}
TEST_CASE("batching: reductions keep the batch dimension where it is") {
  const auto sum = [](const array& y, const jq::int_list& axes) { return lax::reduce_sum(y, axes); };
  const array cube = lax::reshape(lax::broadcast_in_dim(m, {2, 3, 4}, {0, 1}), {2, 3, 4});
  for (const int dim : {0, 1, 2}) {
    const arrays x{cube};
    const std::vector<int> dims{dim};
    const jq::batched y = jq::detail::batch_reduction(jq::batch_call{x, dims, cube.shape()[dim], {}, {}, {}}, {0}, sum);
    CHECK(y.value.ndim() == 2);
    CHECK(y.value.shape()[y.dim] == cube.shape()[dim]);
  }
}
