// check_transpose finds functions that are not linear and transposes that are not theirs.
#include "wrong_prims.hpp"

#include <jacquard/testing/transposition.hpp>

namespace jq = jacquard;
using jq::array;
using jq::asarray;
using jq::testing::check_transpose;

TEST_CASE("linear functions of one and several arguments") {
  const array a = asarray({{1.0, 2.0}, {3.0, 4.0}, {5.0, 6.0}});
  CHECK_REPORT(check_transpose([&](const array& x) { return jq::matmul(a, x); }, std::tuple{asarray({1.0, -1.0})}));
  CHECK_REPORT(check_transpose([](const array& x, const array& y) { return std::pair{jq::sum(x) + y, 3.f * y}; },
                               std::tuple{asarray({1.f, 2.f}), asarray(3.f)}));
  using c = jq::complex128;
  CHECK_REPORT(check_transpose([](const array& z) { return jq::conj(z) * c(0, 1); }, std::tuple{asarray({c(1, 2)})}));
}
TEST_CASE("a function that is not linear is found") {
  CHECK_FINDS("linearity: element ()", check_transpose([](const array& x) { return x + 1.0; }, std::tuple{asarray(1.0)}));
}
TEST_CASE("a wrong transpose is found") {
  const auto f = [](const array& x) { return wrong::call<wrong::transpose_p>(x); };
  CHECK_FINDS("transpose: linear_transpose: <cotangent", check_transpose(f, std::tuple{asarray({1.0, 2.0})}));
}
