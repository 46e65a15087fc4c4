// Gradients of convolutions on the cpu backend, by oneDNN where it is installed, against the interpreter's sums: layouts, strides that leave
// elements over, dilations, groups, one to three dimensions; which of them go to the library; the same bits for any number of threads.
#include <jacquard/backends/cpu/onednn_convolutions.hpp>

#include <jacquard/testing/comparison.hpp>

#include "convolution_task.hpp"

using namespace convolution_testing;

namespace {

auto gradients(const task& t) {
  return jq::grad([t](const array& x, const array& k) { return jq::sum(jq::square(convolved(t, x, k))); }, jq::argnums<0, 1>);
}

/// How many of the convolutions of a program the library takes as gradients of a source, and of a filter.
std::pair<int, int> counted(const jq::closed_jaxpr& program) {
  std::pair<int, int> r;
  const jq::jaxpr& p = *program;
  for (const jq::equation& e : p.equations) {
    if (e.op->name != "conv_general_dilated") continue;
    const auto dims = [&](int i) { return p.type_of(p.inputs(e)[std::size_t(i)]).dims; };
    const auto plan = jq::detail::plan_convolution(jq::decode<jq::conv_params>(p.params(e)), dims(0), dims(1), p.avals[p.outputs(e)[0]].dims);
    namespace d = jq::cpu::detail;
    r.first += d::onednn_source_gradient(plan).usable();
    r.second += d::onednn_filter_gradient(plan).usable();
    CHECK(d::onednn_source_gradient::suits(plan) == d::onednn_source_gradient(plan).usable());  // else it would be asked for, under a lock, in vain
    CHECK(d::onednn_filter_gradient::suits(plan) == d::onednn_filter_gradient(plan).usable());
  }
  return r;
}
void check(const task& t, std::pair<int, int> by_library) {
  const array x = numbers(t.x), k = numbers(t.k, 2) * 0.1f;
  INFO("images ", t.x[0], " ", t.x[1], " ", t.x[2], ", filters ", t.k[0], " ", t.k[1], " ", t.k[2]);
  if (jq::cpu::detail::onednn_calls()) {
    const auto [sources, filters] = counted(jq::make_jaxpr(gradients(t))(x, k));
    CHECK(sources == by_library.first);
    CHECK(filters == by_library.second);
  }
  same_within(1e-3, gradients(t), x, k);
}
conv_options last(std::int64_t groups = 1, const int_list& dilation = {1, 1}) {
  return {.rhs_dilation = dilation, .dimension_numbers = {"NHWC", "HWIO", "NHWC"}, .feature_group_count = groups};
}

}  // namespace

TEST_CASE("gradients of filters") {
  check({{4, 6, 16, 16}, {12, 6, 3, 3}, {1, 1}, "SAME"}, {0, 1});
  check({{4, 16, 17, 6}, {3, 2, 6, 12}, {1, 1}, "SAME", last()}, {0, 1});
  check({{4, 16, 16, 1}, {5, 5, 1, 8}, {1, 1}, "SAME", last()}, {0, 1});
  check({{4, 16, 16, 6}, {3, 3, 6, 12}, {1, 1}, "SAME", last(1, {2, 3})}, {0, 1});
  check({{4, 20, 19, 24}, {3, 3, 1, 24}, {1, 1}, "SAME", last(24)}, {0, 1});
  check({{2, 24, 20, 19}, {24, 6, 3, 3}, {1, 1}, "SAME", {.feature_group_count = 4}}, {0, 1});
  check({{2, 20, 19, 24}, {3, 3, 6, 16}, {1, 1}, "SAME", last(4)}, {0, 1});
  check({{4, 16, 300}, {24, 16, 5}, {1}, "SAME"}, {0, 1});
  check({{2, 4, 9, 10, 11}, {8, 4, 3, 2, 3}, {1, 1, 1}, "SAME"}, {0, 1});
  check({{2, 14, 5, 15}, {5, 3, 3, 12}, {1, 1}, "SAME", {.dimension_numbers = {"NHCW", "IHWO", "WNHC"}}}, {0, 1});
}
TEST_CASE("gradients of sources of convolutions with strides, of elements that no place meets") {
  check({{8, 16, 16, 6}, {3, 3, 6, 12}, {2, 2}, "SAME", last()}, {1, 1});
  check({{8, 6, 17, 22}, {12, 6, 3, 4}, {2, 3}, "VALID"}, {1, 1});
  check({{4, 22, 18, 6}, {1, 1, 6, 24}, {2, 2}, "VALID", last()}, {1, 0});
  check({{4, 22, 18, 6}, {3, 2, 6, 12}, {3, 1}, {{2, 1}, {0, 1}}, last(1, {1, 2})}, {1, 1});
  check({{2, 24, 20, 19}, {24, 6, 3, 3}, {2, 2}, "SAME", {.feature_group_count = 4}}, {1, 1});
  check({{8, 30, 29, 24}, {3, 3, 1, 24}, {2, 2}, "SAME", last(24)}, {1, 1});
  check({{4, 16, 300}, {24, 16, 5}, {2}, "SAME"}, {1, 1});
  check({{2, 4, 9, 10, 11}, {8, 4, 3, 2, 3}, {1, 2, 2}, "SAME"}, {1, 1});
}
TEST_CASE("transposed convolutions and their gradients") {
  const array x = numbers({2, 9, 10, 16}), k = numbers({3, 3, 16, 8}, 2) * 0.1f;
  const auto enlarged = [](const array& a, const array& b) { return jq::lax::conv_transpose(a, b, {2, 2}, "SAME"); };
  same_within(1e-3, enlarged, x, k);
  same_within(1e-3, jq::grad([=](const array& a, const array& b) { return jq::sum(jq::square(enlarged(a, b))); }, jq::argnums<0, 1>), x, k);
}
TEST_CASE("what stays with our loops: products, elements that are cut off, few operations") {
  check({{4, 16, 16, 32}, {1, 1, 32, 24}, {1, 1}, "VALID", last()}, {0, 0});
  check({{4, 16, 16, 6}, {3, 3, 6, 12}, {1, 1}, {{-1, 1}, {1, 1}}, last()}, {0, 0});
  check({{2, 6, 6, 2}, {3, 3, 2, 2}, {2, 2}, "SAME", last()}, {0, 0});
}
TEST_CASE("the same bits for any number of threads") {
  const int before = jq::cpu::threads();
  for (const int stride : {1, 2}) {
    const task t{{6, 40, 40, 32}, {3, 3, 32, 64}, {stride, stride}, "SAME", last()};
    const array x = numbers(t.x), k = numbers(t.k, 2);
    const auto f = jq::jit(gradients(t), jq::backend("cpu"));
    jq::cpu::set_threads(1);
    const auto [x1, k1] = f(x, k);
    for (int n : {2, 3, 7}) {
      jq::cpu::set_threads(n);
      const auto [xn, kn] = f(x, k);
      CHECK(jq::testing::identical(xn, x1).ok);
      CHECK(jq::testing::identical(kn, k1).ok);
    }
    jq::cpu::set_threads(before);
  }
}
