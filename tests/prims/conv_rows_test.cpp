// Rows added up: against the plain loops, and long sums in parts.
#include "reference.hpp"

using namespace prim_testing;
using namespace jacquard::detail;

TEST_CASE("conv rows: the sums of the plain loops") {
  struct row {
    shape x, k, out;
    jq::conv_params p;
  };
  const row rows[] = {
      {{2, 3, 6, 700}, {6, 1, 2, 3}, {2, 6, 5, 351}, {{1, 2}, {0, 1}, {0, 3}, {1, 1}, {1, 1}, {0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}, 3, 1, {}}},
      {{2, 5, 4, 300}, {2, 3, 1, 300}, {2, 5, 2, 300}, {{1, 2}, {0, 1}, {1, 1}, {1, 1}, {1, 1}, {0, 3, 1, 2}, {3, 2, 0, 1}, {0, 3, 1, 2}, 300, 1, {}}},
      {{1, 1, 40}, {1, 1, 200}, {1, 1, 239}, {{1}, {199}, {199}, {1}, {1}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2}, 1, 1, {}}},
      {{4, 1, 9}, {2, 1, 4}, {2, 2, 13}, {{1}, {1}, {-2}, {2}, {1}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2}, 1, 2, {}}},
  };
  for (const row& r : rows) {
    const std::vector<double> x = values<double>(sample(r.x)), k = values<double>(sample(r.k));
    std::vector<double> got(std::size_t(r.out.elements()), -1), want = got;
    const conv_plan plan = plan_convolution(r.p, r.x, r.k, r.out);
    convolve_elements(plan, x.data(), k.data(), want.data());
    for_each_phase(plan, [&](const conv_phases& phases) { row_convolution<double>(plan, phases).run(x.data(), k.data(), got.data()); });
    CHECK(got == want);
  }
}
TEST_CASE("conv rows: long sums of floats in parts") {
  row_sum<float> s;
  s.start(2);
  const float x[] = {0.1f, 0.1f}, one = 1;
  for (int i = 0; i < 1000000; ++i) s.add(0, 2, x, 1, &one, 0);
  float out[2] = {};
  s.put(out, 1);
  CHECK(std::abs(out[1] - 100000.f) < 0.2f);
}
