// Boxes cover index spaces; blocks of patches hold what the windows read, or zero.
#include "reference.hpp"

using namespace prim_testing;
using jq::int_list;
using namespace jacquard::detail;

TEST_CASE("conv copies: boxes cover an index space once and are not too large") {
  for (const shape& dims : {shape{3, 4, 5}, shape{7}, shape{1, 1, 9}, shape{2, 1, 3, 2}, shape{0, 3}})
    for (const std::int64_t most : {1, 2, 5, 7, 20, 1000}) {
      table seen(dims);
      for_each_box(dims, most, [&](const patch_box& b) {
        CHECK(b.elements() <= most);
        each(shape(b.sizes), [&](const position& i) {
          position j = i;
          for (std::size_t d = 0; d < j.size(); ++d) j[d] += b.first[int(d)];
          seen(j) += 1;
        });
      });
      for (const double n : seen.v) CHECK(n == 1);
    }
}
TEST_CASE("conv copies: each element of a block is what its window reads there") {
  const window_dim windows[] = {{5, 3, 2, 1, 2, 1, 1, 3}, {4, 2, 1, 2, 1, 1, 2, 5}};
  for (const bool features_inside : {false, true})
    for (const bool rows_are_places : {false, true}) {
      // The operand is (batch 2, feature 3, 5, 4), or with features last.
      const int_list xs = features_inside ? int_list{60, 1, 12, 3} : int_list{60, 20, 4, 1};
      const array data = sample({120});
      const std::vector<double> x = values<double>(data);
      conv_phases phases{};
      patch_space places, depth;
      places.add(-1, 2, xs[0], 0);
      if (!features_inside) depth.add(-1, 3, xs[1], 0);
      std::int64_t start = 0;
      for (int d = 0; d < 2; ++d) {
        phases[std::size_t(d)] = phase_of(windows[d], 0);
        const window_phase& w = phases[std::size_t(d)];
        places.add(d, w.outs, w.x_step * xs[d + 2], 0);
        depth.add(d, w.taps, w.x_tap_step * xs[d + 2], 0);
        start += w.x * xs[d + 2];
      }
      if (features_inside) depth.add(-1, 3, xs[1], 0);
      const int feature = features_inside ? 2 : 0, tap = features_inside ? 0 : 1;
      for_each_box(places.sizes, 4, [&](const patch_box& place) {
        for_each_box(depth.sizes, 5, [&](const patch_box& box) {
          const std::int64_t m = place.elements(), n = box.elements();
          std::vector<double> got(std::size_t(m * n), -1), want;
          if (rows_are_places) patch_copy<double>(phases, places, place, depth, box, true).run(x.data() + start, got.data());
          else patch_copy<double>(phases, depth, box, places, place, false).run(x.data() + start, got.data());
          const auto read = [&](const position& p, const position& q) {
            std::int64_t at = (p[0] + place.first[0]) * xs[0] + (q[std::size_t(feature)] + box.first[feature]) * xs[1];
            for (int d = 0; d < 2; ++d) {
              const window_dim& w = windows[d];
              const std::int64_t i = (p[std::size_t(d + 1)] + place.first[d + 1]) * w.stride +
                                     (q[std::size_t(d + tap)] + box.first[d + tap]) * w.tap_dilation - w.low;
              if (i < 0 || i >= w.size) return 0.0;
              at += i * xs[d + 2];
            }
            return x[std::size_t(at)];
          };
          if (rows_are_places)
            each(shape(place.sizes), [&](const position& p) { each(shape(box.sizes), [&](const position& q) { want.push_back(read(p, q)); }); });
          else each(shape(box.sizes), [&](const position& q) { each(shape(place.sizes), [&](const position& p) { want.push_back(read(p, q)); }); });
          CHECK(got == want);
        });
      });
    }
}
