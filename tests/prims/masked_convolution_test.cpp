// Convolutions of padded arrays: every size symbolic, in padding that holds garbage; values, tangents and cotangents against the
// convolution of the logical parts.
#include "prim_testing.hpp"

#include <jacquard/testing/masking.hpp>

using namespace prim_testing;
using jq::int_list;
using jq::testing::leaves;
using jq::testing::size_list;

namespace {

/// Checks a program of two operands for all the given sizes. Their padding is infinite where they are used.
void check(const std::string& name, const std::function<array(const leaves&)>& f, const std::vector<std::string>& specs,
           const std::vector<shape>& padded, const std::vector<size_list>& sizes) {
  leaves x;
  const auto of_inverse = [&](const leaves& v) { return leaves{f({lax::div(1.0, v[0]), lax::div(1.0, v[1])})}; };
  for (std::size_t k = 0; k < padded.size(); ++k) x.push_back(jq::testing::distinct(jq::aval(jq::f64, padded[k]), 17 + k));
  for (const size_list& s : sizes) {
    std::string at;
    for (const auto& [letter, n] : s) at += " " + letter + "=" + std::to_string(n);
    INFO(name << ":" << at);
    jq::testing::report r;
    try {
      r = jq::testing::check_mask(of_inverse, specs, x, s);
    } catch (const std::exception& e) {
      r.fail("threw: ", std::string_view(e.what()));
    }
    INFO(r.text);
    CHECK(r.ok);
  }
}
std::function<array(const leaves&)> conv(const int_list& strides, const jq::conv_padding& padding, const jq::conv_options& options = {}) {
  return [=](const leaves& x) { return lax::conv_general_dilated(x[0], x[1], strides, padding, options); };
}
std::vector<size_list> each_n(std::int64_t from, std::int64_t to) {
  std::vector<size_list> r;
  for (std::int64_t n = from; n <= to; ++n) r.push_back({{"n", n}});
  return r;
}
std::int64_t dim(const array& x, int d) { return x.shape()[d]; }

}  // namespace

TEST_CASE("mask of convolutions: places of every stride and padding, for all sizes") {
  for (const std::int64_t stride : {1, 2, 3})
    for (const std::int64_t taps : {1, 3, 4}) {
      const std::string name = "stride " + std::to_string(stride) + ", taps " + std::to_string(taps);
      const std::vector<std::string> specs{"(1, 2, n)", "(2, 2, " + std::to_string(taps) + ")"};
      const std::vector<shape> padded{{1, 2, 8}, {2, 2, taps}};
      check("VALID, " + name, conv({stride}, "VALID"), specs, padded, each_n(0, 8));
      check("SAME, " + name, conv({stride}, "SAME"), specs, padded, each_n(0, 8));
      check("SAME_LOWER, " + name, conv({stride}, "SAME_LOWER"), specs, padded, each_n(0, 8));
      check("explicit, " + name, conv({stride}, {{1, 4}}), specs, padded, each_n(0, 8));
      check("dilated operand, " + name, conv({stride}, {{2, 3}}, {.lhs_dilation = {2}}), specs, padded, each_n(0, 8));
      check("dilated filter, " + name, conv({stride}, "SAME", {.rhs_dilation = {2}}), specs, padded, each_n(0, 8));
    }
  check("negative paddings", conv({2}, {{-1, -2}}), {"(1, 2, n)", "(2, 2, 2)"}, {{1, 2, 8}, {2, 2, 2}}, each_n(3, 8));
}
TEST_CASE("mask of convolutions: batch, features and two spatial sizes") {
  const std::vector<size_list> sizes{{{"b", 2}, {"c", 3}, {"h", 4}, {"w", 3}, {"o", 2}}, {{"b", 3}, {"c", 1}, {"h", 5}, {"w", 6}, {"o", 3}},
                                     {{"b", 0}, {"c", 2}, {"h", 3}, {"w", 2}, {"o", 1}}, {{"b", 1}, {"c", 0}, {"h", 3}, {"w", 2}, {"o", 1}}};
  for (const char* padding : {"VALID", "SAME"})
    check(padding, conv({1, 2}, padding), {"(b, c, h, w)", "(o, c, 3, 2)"}, {{3, 4, 5, 6}, {3, 4, 3, 2}}, sizes);
  check("features last", conv({2, 1}, "SAME", {.dimension_numbers = {"NHWC", "HWIO", "NHWC"}}), {"(b, h, w, c)", "(3, 2, c, o)"},
        {{3, 5, 6, 4}, {3, 2, 4, 3}}, sizes);
}
TEST_CASE("mask of convolutions: filters of symbolic size") {
  const std::vector<size_list> sizes{{{"n", 6}, {"k", 3}}, {{"n", 8}, {"k", 4}}, {{"n", 5}, {"k", 1}}, {{"n", 2}, {"k", 4}}, {{"n", 7}, {"k", 2}}};
  const std::vector<std::string> specs{"(1, 2, n)", "(2, 2, k)"};
  const std::vector<shape> padded{{1, 2, 8}, {2, 2, 4}};
  for (const std::int64_t stride : {1, 2, 3}) {
    check("VALID", conv({stride}, "VALID"), specs, padded, sizes);
    check("SAME", conv({stride}, "SAME"), specs, padded, sizes);
    check("SAME_LOWER, dilated", conv({stride}, "SAME_LOWER", {.rhs_dilation = {2}}), specs, padded, sizes);
    check("explicit", conv({stride}, {{2, 3}}, {.lhs_dilation = {2}}), specs, padded, sizes);
  }
}
TEST_CASE("mask of convolutions: paddings that are sizes") {
  const auto full = [](const leaves& x) {
    const std::int64_t k = dim(x[1], 2);
    return lax::conv(x[0], x[1], {1}, {{k - 1, k - 1}});
  };
  const std::vector<size_list> sizes{{{"n", 6}, {"k", 3}}, {{"n", 8}, {"k", 4}}, {{"n", 5}, {"k", 1}}, {{"n", 2}, {"k", 4}}};
  check("full", full, {"(1, 2, n)", "(2, 2, k)"}, {{1, 2, 8}, {2, 2, 4}}, sizes);
  const auto dilated = [](const leaves& x) {
    const std::int64_t k = dim(x[1], 2);
    return lax::conv_general_dilated(x[0], x[1], {2}, {{k, 1}}, {.lhs_dilation = {3}});
  };
  check("in front of a dilated operand", dilated, {"(1, 2, n)", "(2, 2, k)"}, {{1, 2, 8}, {2, 2, 4}}, sizes);
}
TEST_CASE("mask of convolutions: groups") {
  const std::vector<size_list> sizes{{{"i", 2}, {"o", 3}, {"n", 4}}, {{"i", 3}, {"o", 1}, {"n", 5}}, {{"i", 1}, {"o", 2}, {"n", 2}}};
  check("feature groups of symbolic size", conv({1}, "SAME", {.feature_group_count = 2}), {"(2, 2*i, n)", "(2*o, i, 3)"}, {{2, 6, 5}, {6, 3, 3}}, sizes);
  check("batch groups of symbolic size", conv({1}, "SAME", {.batch_group_count = 2}), {"(2*i, 2, n)", "(2*o, 2, 3)"}, {{6, 2, 5}, {6, 2, 3}}, sizes);
  const auto depthwise = [](const leaves& x) {
    return lax::conv_general_dilated(x[0], x[1], {1}, "SAME", {.feature_group_count = dim(x[0], 1)});
  };
  check("a filter for each of n features", depthwise, {"(2, n, m)", "(2*n, 1, 3)"}, {{2, 4, 5}, {8, 1, 3}},
        {{{"n", 3}, {"m", 4}}, {{"n", 1}, {"m", 5}}, {{"n", 4}, {"m", 2}}});
  const auto mapped = [](const leaves& x) {
    return jq::vmap([](const array& a, const array& b) { return lax::conv(a, b, {1}, "SAME"); })(x[0], x[1]);
  };
  check("a map within, over examples and filters", mapped, {"(b, 2, i, n)", "(b, o, i, 3)"}, {{3, 2, 3, 5}, {3, 3, 3, 3}},
        {{{"b", 2}, {"i", 2}, {"o", 2}, {"n", 4}}, {{"b", 3}, {"i", 1}, {"o", 3}, {"n", 5}}, {{"b", 1}, {"i", 3}, {"o", 1}, {"n", 2}}});
  const auto images = [](const leaves& x) {
    const auto one = [](const array& a, const array& b) {
      return lax::conv_general_dilated(a, b, {2, 1}, "SAME", {.dimension_numbers = {"NHWC", "HWIO", "NHWC"}});
    };
    return jq::vmap(one)(x[0], x[1]);
  };
  check("a map within, every size symbolic", images, {"(b, n, h, w, c)", "(b, p, q, c, o)"}, {{3, 2, 4, 3, 3}, {3, 3, 2, 3, 3}},
        {{{"b", 2}, {"n", 1}, {"h", 3}, {"w", 2}, {"c", 2}, {"p", 2}, {"q", 2}, {"o", 2}},
         {{"b", 3}, {"n", 2}, {"h", 4}, {"w", 1}, {"c", 1}, {"p", 3}, {"q", 1}, {"o", 3}}});
}
TEST_CASE("mask of convolutions: one after the other") {
  const auto net = [](const leaves& x) {
    const array y = lax::conv(lax::tanh(lax::conv(x[0], x[1], {1}, "VALID")), x[1], {2}, "SAME");
    return lax::conv(y, x[1], {1}, "VALID");
  };
  check("three", net, {"(1, 2, n)", "(2, 2, 3)"}, {{1, 2, 9}, {2, 2, 3}}, each_n(0, 9));
}
TEST_CASE("mask of convolutions: specified shapes") {
  const array x = lax::full({1, 1, 6}, jq::literal(1.0)), k = lax::full({1, 1, 3}, jq::literal(1.0));
  const auto twice = [&](const array& v) { return lax::conv(lax::conv(v, k, {1}, "VALID"), k, {1}, "VALID"); };
  const auto f = jq::mask(twice, jq::in_shapes<"(1, 1, n)">, jq::out_shape<"(1, 1, n-4)">);
  CHECK_CLOSE(f(jq::args(x), jq::dims{{"n", 5}}), make({9., 0.}, {1, 1, 2}), 0);
  CHECK_CLOSE(f(jq::args(x), jq::dims{{"n", 3}}), make({0., 0.}, {1, 1, 2}), 0);
  const auto half = [&](const array& v) { return lax::conv(v, k, {2}, "SAME"); };
  const auto g = jq::mask(half, jq::in_shapes<"(1, 1, 2*n)">, jq::out_shape<"(1, 1, n)">);
  CHECK_CLOSE(g(jq::args(x), jq::dims{{"n", 2}}), make({3., 2., 0.}, {1, 1, 3}), 0);
}
TEST_CASE("mask of convolutions: each example of a map has its own size") {
  const array x = direction(lax::zeros({jq::f64, {3, 1, 2, 7}}), 3), k = direction(lax::zeros({jq::f64, {2, 2, 3}}), 5);
  const auto f = [&](const array& v) { return lax::conv(v, k, {2}, "SAME"); };
  const array sizes = make<std::int64_t>({3, 7, 4});
  const auto ragged = [&](const array& v, const array& n) { return jq::mask(f, jq::in_shapes<"(1, 2, n)">)(jq::args(v), jq::dims{{"n", n}}).first; };
  const array y = jq::vmap(ragged)(x, sizes);
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::int64_t n = values<std::int64_t>(sizes)[std::size_t(i)];
    const array want = f(lax::slice(example(x, 0, i), {0, 0, 0}, {1, 2, n})), got = example(y, 0, i);
    CHECK_CLOSE(lax::slice(got, {0, 0, 0}, want.shape()), want, 1e-14);
  }
}
TEST_CASE("mask of convolutions: what is not implemented says so") {
  const array x = lax::full({1, 6, 4}, jq::literal(1.0)), k = lax::full({6, 1, 3}, jq::literal(1.0));
  const auto strided = [](const array& a, const array& b) { return lax::conv(a, b, {a.shape()[2]}, "VALID"); };
  CHECK_THROWS_WITH_AS(jq::mask(strided, jq::in_shapes<"(1, 6, n)", "(6, 6, 3)">)(jq::args(x, lax::full({6, 6, 3}, jq::literal(1.0))), jq::dims{{"n", 3}}),
                       doctest::Contains("strides that depend on a size"), jq::not_implemented);
}
