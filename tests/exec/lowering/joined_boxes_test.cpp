// Boxes of one value that go through the same loops: which of them are one kernel. Oracle: the loops a person would write.
#include <jacquard/exec/lowering/lowering.hpp>

#include "../../show.hpp"

using jq::array;

namespace {

bool everything(jq::scalar_op, jq::dtype) { return true; }

template <class F, class... A>
std::string lowered(F f, const A&... x) {
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(x...));
  return std::string(jq::lowering::to_text(*p, jq::lowering::lower(*p, &everything)).view());
}
std::size_t kernels_in(const std::string& t) {
  std::size_t n = 0;
  for (std::size_t at = t.find("kernel "); at != std::string::npos; at = t.find("kernel ", at + 1)) ++n;
  return n;
}
const array pairs = jq::ones({100, 2}), row = jq::ones({1000});

}  // namespace

TEST_CASE("joined boxes: columns of one value are written by one kernel, which computes once what they share") {
  const auto columns = [](array x) {
    const array a = x(jq::all, 0), b = x(jq::all, 1), c = a * b;
    return jq::stack({c + a, c - b}, 1);
  };
  CHECK(lowered(columns, pairs) ==
        "kernel 0: 2 of 2 parts, loops 100 1\n"
        "  %0:f32 = v0[0 + 2*i0]\n"
        "  %1:f32 = v0[1 + 2*i0]\n"
        "  %2:f32 = mul %0 %1\n"
        "  %3:f32 = add %2 %0\n"
        "  %4:f32 = sub %2 %1\n"
        "  v10[0 + 2*i0 + i1] = %3\n"
        "  v10[1 + 2*i0 + i1] = %4\n");
}
TEST_CASE("joined boxes: what several boxes are made of is computed once") {
  const std::string t = lowered([](array x) { const array c = x * x * x - x; return jq::concatenate({c + 1, c * c}); }, row);
  CHECK(kernels_in(t) == 1);
  CHECK(t.find("sub") == t.rfind("sub"));
}
TEST_CASE("joined boxes: boxes far from each other that share nothing but what they read stay kernels of their own") {
  CHECK(kernels_in(lowered([](array x) { return jq::concatenate({jq::sin(x), x * 2}); }, row)) == 2);
  CHECK(kernels_in(lowered([](array x) { return lax::pad(x * x, 0, {1}, {1}); }, row)) == 3);
}
