// convolution_library: convolutions of f32 are offered to the library that is in use on this thread; what it refuses runs by our loops.
#include <jacquard/prims/convolution_library.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
using namespace jq::detail;

namespace {

int offers = 0;
bool accepts = false;
bool counting(const conv_plan& p, const float*, const float*, float* out) {
  ++offers;
  if (accepts)
    for (std::int64_t i = 0; i < p.batch.count * p.outs.count * p.places(); ++i) out[i] = 5;
  return accepts;
}
const convolution_library* found() {
  static constexpr convolution_library r{&counting};
  return &r;
}

}  // namespace

TEST_CASE("a library is asked first, for f32 and what is computed in it") {
  static constexpr kernel_libraries all{.convolutions = &found};
  const jq::array x = jq::ones({1, 3, 20, 20}), k = jq::ones({4, 3, 3, 3});
  const library_scope scope(&all);
  for (bool a : {false, true}) {
    accepts = a;
    offers = 0;
    CHECK(jq::max(jq::lax::conv(x, k, {1, 1}, "VALID")).item<float>() == (a ? 5 : 27));
    CHECK(offers == 1);
    CHECK(jq::max(jq::lax::conv(x.astype(jq::bf16), k.astype(jq::bf16), {1, 1}, "VALID").astype(jq::f32)).item<float>() == (a ? 5 : 27));
    CHECK(offers == 2);
    CHECK(jq::max(jq::lax::conv(x.astype(jq::f64), k.astype(jq::f64), {1, 1}, "VALID")).item<double>() == 27);
    jq::lax::conv(jq::ones({1, 1, 4, 4}), jq::ones({1, 1, 2, 2}), {1, 1}, "VALID");  // too small to ask
    CHECK(offers == 2);
  }
}
