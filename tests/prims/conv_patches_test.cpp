// The kernel of large convolutions: against the plain loops in every layout, and that its products go to the library in use.
#include "reference.hpp"

#include <algorithm>

using namespace prim_testing;
using namespace jacquard::detail;

namespace {

int calls = 0;
void counted(const product_sizes& s, const dense_factor<double>& x, const dense_factor<double>& y, double* out) {
  ++calls;
  const auto at = [](const dense_factor<double>& f, std::int64_t i, std::int64_t k) {
    return f.data[f.transposed ? k * f.leading + i : i * f.leading + k];
  };
  for (std::int64_t i = 0; i < s.rows; ++i)
    for (std::int64_t j = 0; j < s.columns; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < s.depth; ++k) sum += at(x, i, k) * at(y, k, j);
      out[i * s.columns + j] = sum;
    }
}
constexpr product_library library{nullptr, &counted};
constexpr kernel_libraries found{.products = []() -> const product_library* { return &library; }};

struct large {
  std::string name;
  shape x, k;
  jq::conv_params p;
};
const jq::int_list first{0, 1, 2, 3}, last{0, 3, 1, 2}, io{3, 2, 0, 1};
const large convolutions[] = {
    {"features first", {2, 4, 20, 20}, {17, 4, 3, 3}, {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, first, first, first, 1, 1, {}}},
    {"features last", {2, 20, 20, 4}, {3, 3, 4, 17}, {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, last, io, last, 1, 1, {}}},
    {"features last, filter first", {2, 20, 20, 4}, {17, 4, 3, 3}, {{2, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, last, first, last, 1, 1, {}}},
    {"features first, filter last", {2, 4, 20, 20}, {3, 3, 4, 17}, {{1, 2}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, first, io, last, 1, 1, {}}},
    {"view", {2, 20, 20, 20}, {18, 20, 1, 1}, {{1, 1}, {0, 0}, {0, 0}, {1, 1}, {1, 1}, first, first, first, 1, 1, {}}},
    {"view, features last", {2, 20, 20, 20}, {1, 1, 20, 18}, {{1, 1}, {0, 0}, {0, 0}, {1, 1}, {1, 1}, last, io, last, 1, 1, {}}},
    {"dilated", {2, 4, 9, 9}, {17, 4, 3, 3}, {{1, 1}, {1, 1}, {1, 1}, {2, 2}, {1, 1}, first, first, first, 1, 1, {}}},
};

}  // namespace

TEST_CASE("conv patches: the sums of the plain loops, by the products of a library") {
  for (const large& c : convolutions) {
    INFO(c.name);
    const jq::aval in[] = {{jq::f64, c.x}, {jq::f64, c.k}};
    jq::inference types{"conv", jq::view<const jq::aval>(in, 2), {}};
    const jq::aval type = conv_type(types, c.p, jq::numbers);
    const array x = sample(c.x), k = sample(c.k);
    const std::vector<double> xs = values<double>(x), ks = values<double>(k);
    std::vector<double> want(std::size_t(type.elements()), -1), got = want;
    convolve_elements(plan_convolution(c.p, c.x, c.k, type.dims), xs.data(), ks.data(), want.data());
    const double* const data[] = {xs.data(), ks.data()};
    const std::int64_t* const no_index[] = {nullptr, nullptr};
    double* out[] = {got.data()};
    std::int64_t* const no_out[] = {nullptr};
    const jq::kernel_args<double> a{data, no_index, out, no_out, in, {&type, 1}};
    patch_convolution::kernel(a, c.p);
    CHECK(got == want);
    std::fill(got.begin(), got.end(), -1.0);
    calls = 0;
    {
      const library_scope scope(&found);
      patch_convolution::kernel(a, c.p);
    }
    CHECK(got == want);
    CHECK(calls > 0);
  }
}
TEST_CASE("conv patches: one product for each image of a view, without copies") {
  const large& c = convolutions[4];
  const shape out{2, 18, 20, 20};
  const std::vector<double> xs = values<double>(sample(c.x)), ks = values<double>(sample(c.k));
  std::vector<double> got(std::size_t(out.elements()), 0.0);
  const conv_plan plan = plan_convolution(c.p, c.x, c.k, out);
  const library_scope scope(&found);
  patch_memory<double> memory;
  calls = 0;
  for_each_phase(plan, [&](const conv_phases& phases) { patch_product<double>(plan, phases, memory).run(xs.data(), ks.data(), got.data()); });
  CHECK(calls == 2);
  CHECK(memory.patches.is_none());
  CHECK(memory.block.is_none());
}
