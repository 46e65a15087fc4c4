// transform_library: what a library is asked for, and that transforms go to the one in use here, unless it declines.
#include <jacquard/prims/transform_library.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>
#include <jacquard/prims/fft.hpp>

namespace jq = jacquard;
using namespace jq::detail;

namespace {
transform_sizes asked;
bool accepts = true;
/// Ones instead of transforms.
bool ones(const transform_sizes& s, const void*, void* out) {
  asked = s;
  if (!accepts) return false;
  for (std::int64_t i = 0; i < 2 * s.count * jq::shape(s.lengths).elements(); ++i) static_cast<float*>(out)[i] = 1;
  return true;
}
const transform_library* find() {
  static constexpr transform_library library{&ones};
  return &library;
}
constexpr kernel_libraries found{.transforms = &find};
}  // namespace

TEST_CASE("transforms go to the library, with their sizes; the factor of the inverse does not") {
  const jq::array x = jq::zeros({3, 4, 8}, jq::c64);
  const library_scope scope(&found);
  accepts = true;
  const jq::array y = jq::lax::fft(x, jq::fft_type::ifft, {4, 8});
  CHECK((asked == transform_sizes{jq::fft_type::ifft, {4, 8}, 3, true}));
  CHECK(y.data<jq::complex64>()[95] == jq::complex64(1.f / 32, 1.f / 32));
}
TEST_CASE("what it declines, and short transforms, are our own") {
  const library_scope scope(&found);
  accepts = false;
  CHECK(jq::lax::fft(jq::ones({8}, jq::c64), jq::fft_type::fft, {8}).data<jq::complex64>()[0] == jq::complex64(8, 0));
  asked.count = 77;
  CHECK(jq::lax::fft(jq::ones({4}, jq::c64), jq::fft_type::fft, {4}).data<jq::complex64>()[0] == jq::complex64(4, 0));
  CHECK(asked.count == 77);
}
