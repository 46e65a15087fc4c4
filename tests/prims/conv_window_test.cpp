// The arithmetic of windows against counting, and phases against the definition.
#include "prim_testing.hpp"

using jacquard::detail::window_dim;
using jacquard::detail::window_phase;

namespace {
/// Calls f with windows of many sizes.
template <class F>
void for_each_window(F f) {
  for (const std::int64_t size : {0, 1, 2, 5, 6})
    for (const std::int64_t taps : {1, 2, 3})
      for (const std::int64_t stride : {1, 2, 3, 4})
        for (const std::int64_t dilation : {1, 2, 3, 6})
          for (const std::int64_t tap_dilation : {1, 2, 4})
            for (const std::int64_t low : {-1, 0, 2}) {
              window_dim w{size, taps, stride, low, 1, dilation, tap_dilation, 0};
              if (w.padded() < 0) continue;
              w.out = w.places();
              f(w);
            }
}
}  // namespace

TEST_CASE("conv window: places are counted") {
  for_each_window([](const window_dim& w) {
    std::int64_t n = 0;
    for (std::int64_t start = 0; start + w.dilated_taps() <= w.padded(); start += w.stride) ++n;
    CHECK(w.places() == n);
  });
}
TEST_CASE("conv window: same has ceil(size / stride) places") {
  for (const std::int64_t size : {0, 1, 2, 5, 8})
    for (const std::int64_t taps : {1, 2, 3, 4})
      for (const std::int64_t stride : {1, 2, 3}) {
        window_dim w{size, taps, stride};
        w.pad_to_same(false);
        CHECK(w.out == (size + stride - 1) / stride);
        CHECK(w.places() == w.out);
        CHECK((w.high == w.low || w.high == w.low + 1));
        window_dim lower{size, taps, stride};
        lower.pad_to_same(true);
        CHECK(lower.low == w.high);
        CHECK(lower.high == w.low);
      }
}
TEST_CASE("conv window: transposes have as many places as the operand has elements, and the filter taps") {
  for_each_window([](const window_dim& w) {
    if (w.size == 0 || w.out == 0) return;
    CHECK(w.transposed().places() == w.size);
    CHECK(w.transposed_to_taps().places() == w.taps);
  });
}
TEST_CASE("conv window: phases give each output its taps and elements") {
  for_each_window([](const window_dim& w) {
    std::vector<std::int64_t> got(std::size_t(w.out * w.taps), -1), want = got;
    const auto entry = [&](std::vector<std::int64_t>& v, std::int64_t o, std::int64_t tap) -> std::int64_t& { return v[std::size_t(o * w.taps + tap)]; };
    for (std::int64_t o = 0; o < w.out; ++o)
      for (std::int64_t tap = 0; tap < w.taps; ++tap) {
        const std::int64_t at = o * w.stride + tap * w.tap_dilation - w.low;
        if (at >= 0 && at % w.dilation == 0 && at / w.dilation < w.size) entry(want, o, tap) = at / w.dilation;
      }
    std::int64_t outs = 0;
    for (std::int64_t r = 0; r < jacquard::detail::phase_count(w); ++r) {
      const window_phase p = jacquard::detail::phase_of(w, r);
      outs += p.outs;
      for (std::int64_t t = 0; t < p.outs; ++t) {
        const window_phase::range taps = p.taps_of(t);
        for (std::int64_t j = 0; j < p.taps; ++j) {
          const window_phase::range met = p.outs_of(j);
          const bool inside = j >= taps.begin && j < taps.end;
          CHECK(inside == (t >= met.begin && t < met.end));
          if (inside) entry(got, p.first_out + t * p.out_step, p.first_tap + j * p.tap_step) = p.x + t * p.x_step + j * p.x_tap_step;
        }
      }
    }
    CHECK(outs == w.out);
    CHECK(got == want);
  });
}
