// vector_phases: the turned tangent leaves the largest element of each column real, and real tangents alone.
#include <jacquard/prims/vector_phases.hpp>

#include "prim_testing.hpp"

using namespace prim_testing;
using number = jq::complex128;

TEST_CASE("phases: the largest elements stay real") {
  const array v = make<number>({{0.1, 0.2}, {0.9, 0}, {0.8, 0}, {0.1, -0.3}}, {2, 2}), dv = make<number>({{1, 2}, {3, 4}, {5, 6}, {7, 8}}, {2, 2});
  const std::vector<c128> y = numbers(jq::detail::with_phases_kept(v, dv));
  CHECK(std::abs(y[1].imag()) < 1e-15);  // largest of column 1
  CHECK(std::abs(y[2].imag()) < 1e-15);  // of column 0
  const std::vector<c128> f = numbers(jq::detail::turns_of_phases(v, dv));
  CHECK(f[0] == c128(0, -6 / 0.8));
  CHECK(f[1] == c128(0, -4 / 0.9));
}
TEST_CASE("phases: real vectors and none at all") {
  const array v = make({1.0, 2.0}, {2, 1}), dv = make({3.0, 4.0}, {2, 1});
  CHECK_CLOSE(jq::detail::with_phases_kept(v, dv), dv, 0);
  const array none = make<number>({}, {0, 0});
  CHECK_CLOSE(jq::detail::with_phases_kept(none, none), none, 0);
}
