// conv_general_dilated: values against a direct loop for every kind of stride, padding, dilation, group and layout, published
// examples, dtypes, derivatives, batching, errors.
#include "reference.hpp"

#include <algorithm>

using namespace prim_testing;
using jq::int_list;

namespace {

std::size_t at(const int_list& spec, int i) { return std::size_t(spec[i]); }

/// The definition, one product after the other.
array conv_loop(const array& lhs, const array& rhs, const int_list& strides, const int_list& low, const int_list& high,
                const jq::conv_options& o) {
  const table x(lhs), k(rhs);
  const int rank = lhs.ndim(), spatial = rank - 2;
  const jq::conv_dimension_numbers n = o.dimension_numbers.or_default(rank);
  const auto size = [](const shape& s, const int_list& spec, int i) { return s[int(spec[i])]; };
  const std::int64_t f = o.feature_group_count, b = o.batch_group_count, ins = size(k.dims, n.rhs, 1),
                     outs = size(k.dims, n.rhs, 0) / (f * b), batch = size(x.dims, n.lhs, 0) / b;
  shape dims(int_list::filled(rank, 0)), taps;
  dims[int(n.out[0])] = batch;
  dims[int(n.out[1])] = outs * f * b;
  for (int d = 0; d < spatial; ++d) {
    const std::int64_t l = o.lhs_dilation.empty() ? 1 : o.lhs_dilation[d], r = o.rhs_dilation.empty() ? 1 : o.rhs_dilation[d];
    std::int64_t room = low[d] + high[d], window = 0;
    for (std::int64_t i = 0; i < size(x.dims, n.lhs, d + 2); ++i) room += i == 0 ? 1 : l;
    taps.push_back(size(k.dims, n.rhs, d + 2));
    for (std::int64_t i = 0; i < taps[d]; ++i) window += i == 0 ? 1 : r;
    for (std::int64_t start = 0; start + window <= room; start += strides[d]) ++dims[int(n.out[d + 2])];
  }
  table out(dims);
  each(dims, [&](const position& y) {
    const std::int64_t group = y[at(n.out, 1)] / outs;
    position i(std::size_t(rank), 0), j(std::size_t(rank), 0);
    i[at(n.lhs, 0)] = y[at(n.out, 0)] + (b > 1 ? group * batch : 0);
    j[at(n.rhs, 0)] = y[at(n.out, 1)];
    double sum = 0;
    for (std::int64_t c = 0; c < ins; ++c)
      each(taps, [&](const position& t) {
        bool inside = true;
        for (int d = 0; d < spatial; ++d) {
          const std::size_t s = std::size_t(d);
          const std::int64_t l = o.lhs_dilation.empty() ? 1 : o.lhs_dilation[d], r = o.rhs_dilation.empty() ? 1 : o.rhs_dilation[d];
          const std::int64_t p = y[at(n.out, d + 2)] * strides[d] + t[s] * r - low[d];
          inside = inside && p >= 0 && p % l == 0 && p / l < size(x.dims, n.lhs, d + 2);
          i[at(n.lhs, d + 2)] = p / l;
          j[at(n.rhs, d + 2)] = t[s];
        }
        i[at(n.lhs, 1)] = c + (f > 1 ? group * ins : 0);
        j[at(n.rhs, 1)] = c;
        if (inside) sum += x(i) * k(j);
      });
    out(y) = sum;
  });
  return out.get();
}
struct convolution {
  std::string name;
  shape lhs, rhs;
  int_list strides, low, high;
  jq::conv_options options{};

  array operator()(const array& x, const array& k) const { return lax::conv_general_dilated(x, k, strides, {low, high}, options); }
  function on_list() const {
    return [*this](const arrays& z) { return (*this)(z[0], z[1]); };
  }
};
const jq::conv_dimension_numbers nhwc{"NHWC", "HWIO", "NHWC"}, mixed{"CHNW", "WOHI", "HCWN"};
const std::vector<convolution> convolutions{
    {"plain", {2, 3, 5, 4}, {4, 3, 3, 2}, {1, 1}, {0, 0}, {0, 0}},
    {"strides", {2, 3, 7, 6}, {2, 3, 3, 2}, {2, 3}, {0, 0}, {0, 0}},
    {"padding", {1, 2, 4, 5}, {3, 2, 3, 3}, {1, 1}, {1, 2}, {3, 0}},
    {"padding wider than the window", {1, 1, 2}, {1, 1, 2}, {1}, {4}, {5}},
    {"negative padding", {1, 2, 6, 7}, {2, 2, 2, 2}, {1, 2}, {-1, -2}, {1, -1}},
    {"negative padding at both ends of a dilated operand", {1, 2, 4}, {2, 2, 2}, {1}, {-2}, {-1}, {.lhs_dilation = {3}}},
    {"dilated operand", {2, 2, 4, 3}, {3, 2, 3, 2}, {1, 1}, {2, 1}, {2, 1}, {.lhs_dilation = {2, 3}}},
    {"dilated operand with strides", {1, 2, 5, 4}, {2, 2, 3, 3}, {2, 3}, {1, 2}, {2, 2}, {.lhs_dilation = {3, 2}}},
    {"dilated filter", {2, 2, 7, 6}, {2, 2, 3, 2}, {1, 2}, {1, 0}, {1, 0}, {.rhs_dilation = {2, 3}}},
    {"both dilated", {1, 2, 4, 5}, {2, 2, 3, 2}, {1, 2}, {3, 2}, {2, 3}, {.lhs_dilation = {2, 4}, .rhs_dilation = {3, 2}}},
    {"feature groups", {2, 4, 5}, {6, 2, 2}, {1}, {1}, {0}, {.feature_group_count = 2}},
    {"a filter for each feature", {2, 3, 4, 4}, {6, 1, 2, 2}, {1, 1}, {0, 1}, {1, 0}, {.feature_group_count = 3}},
    {"batch groups", {4, 2, 5}, {6, 2, 3}, {2}, {1}, {1}, {.batch_group_count = 2}},
    {"features last", {2, 4, 5, 3}, {3, 2, 3, 4}, {1, 2}, {1, 0}, {1, 1}, {.dimension_numbers = nhwc}},
    {"features last in groups", {2, 4, 5, 4}, {2, 2, 2, 6}, {1, 1}, {0, 0}, {0, 0}, {.dimension_numbers = nhwc, .feature_group_count = 2}},
    {"any order", {2, 5, 3, 4}, {2, 4, 3, 2}, {2, 1}, {1, 1}, {0, 1}, {.dimension_numbers = mixed}},
    {"no spatial dimension", {3, 4}, {2, 4}, {}, {}, {}},
    {"no spatial dimension, groups", {3, 4}, {4, 2}, {}, {}, {}, {.feature_group_count = 2}},
    {"three spatial dimensions", {1, 2, 3, 4, 3}, {2, 2, 2, 3, 2}, {1, 2, 1}, {0, 1, 0}, {1, 0, 0}},
    {"one place", {2, 3, 3, 3}, {2, 3, 3, 3}, {1, 1}, {0, 0}, {0, 0}},
    {"a window that does not fit", {1, 2, 2}, {2, 2, 3}, {1}, {0}, {0}},
    {"no batch", {0, 2, 4}, {3, 2, 2}, {1}, {0}, {0}},
    {"no features", {2, 0, 4}, {3, 0, 2}, {1}, {0}, {0}},
    {"no output features", {2, 2, 4}, {0, 2, 2}, {1}, {0}, {0}},
    {"no elements", {1, 2, 0}, {2, 2, 2}, {1}, {1}, {2}},
    {"no taps", {1, 2, 3}, {2, 2, 0}, {2}, {0}, {0}},
};

array image(std::initializer_list<double> v, std::int64_t side) { return make(v, {1, 1, side, side}); }

}  // namespace

static_assert(constant_kernel<jq::conv_general_dilated_p>({{1}, {0}, {0}, {1}, {1}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2}, 1, 1, {}}, {1, 1, 2},
                                                          {{1, 1, 3}, {1, 2, 3}}, {{1, 1, 2}, {10, 1}}) == std::vector<double>{12, 23});

TEST_CASE("conv: values, derivatives, batching") {
  for (const convolution& c : convolutions) {
    INFO(c.name);
    const array x = sample(c.lhs), k = lax::neg(sample(c.rhs));
    CHECK_CLOSE(c(x, k), conv_loop(x, k, c.strides, c.low, c.high, c.options), 0);
    const arrays small{lax::mul(x, 0.01), lax::mul(k, 0.01)};
    check_derivatives(c.on_list(), small);
    check_batching(c.on_list(), {x, k});
    const array zx = lax::mul(cast(small[0], jq::c128), jq::complex128(1, 2)), zk = cast(small[1], jq::c128);
    check_derivatives(c.on_list(), {zx, zk});
    CHECK_CLOSE(c(zx, zk), lax::mul(cast(c(small[0], small[1]), jq::c128), jq::complex128(1, 2)), 1e-14);
  }
}
TEST_CASE("conv: vmap of no examples gives none") {
  const array k = sample({2, 3, 2});
  const auto one = [&](const array& x) { return lax::conv_general_dilated(x, k, {1}, "VALID"); };
  CHECK(jq::vmap(one)(sample({0, 4, 3, 5})).shape() == shape{0, 4, 2, 4});
}
TEST_CASE("conv: published examples") {
  // Zhang, Lipton, Li, Smola, Dive into Deep Learning, chapters 7 and 14.10.
  const array x = image({0, 1, 2, 3, 4, 5, 6, 7, 8}, 3), k = image({0, 1, 2, 3}, 2);
  CHECK_CLOSE(lax::conv(x, k, {1, 1}, "VALID"), image({19, 25, 37, 43}, 2), 0);
  CHECK_CLOSE(lax::conv(x, k, {1, 1}, {{1, 1}, {1, 1}}), image({0, 3, 8, 4, 9, 19, 25, 10, 21, 37, 43, 16, 6, 7, 8, 0}, 4), 0);
  CHECK_CLOSE(lax::conv(x, k, {3, 2}, {{1, 1}, {1, 1}}), image({0, 8, 6, 8}, 2), 0);
  const array x2 = lax::concatenate({x, lax::add(x, 1.0)}, 1), k2 = lax::concatenate({k, lax::add(k, 1.0)}, 1);
  CHECK_CLOSE(lax::conv(x2, k2, {1, 1}, "VALID"), image({56, 72, 104, 120}, 2), 0);
  const array small = image({0, 1, 2, 3}, 2);
  const jq::conv_transpose_options o{.dimension_numbers = {"NCHW", "OIHW", "NCHW"}, .transpose_kernel = true};
  CHECK_CLOSE(lax::conv_transpose(small, k, {1, 1}, "VALID", o), image({0, 0, 1, 0, 4, 6, 4, 12, 9}, 3), 0);
  CHECK_CLOSE(lax::conv_transpose(small, k, {2, 2}, "VALID", o), image({0, 0, 0, 1, 0, 0, 2, 3, 0, 2, 0, 3, 4, 6, 6, 9}, 4), 0);
}
TEST_CASE("conv: sizes of the guide to convolution arithmetic") {
  const auto places = [](std::int64_t i, std::int64_t k, std::int64_t s, std::int64_t p, std::int64_t d = 1) {
    return lax::conv_with_general_padding(sample({1, 1, i}), sample({1, 1, k}), {s}, {{p, p}}, {1}, {d}).shape()[2];
  };
  CHECK(places(4, 3, 1, 0) == 2);
  CHECK(places(5, 4, 1, 2) == 6);
  CHECK(places(5, 3, 1, 1) == 5);
  CHECK(places(5, 3, 1, 2) == 7);
  CHECK(places(5, 3, 2, 0) == 2);
  CHECK(places(5, 3, 2, 1) == 3);
  CHECK(places(6, 3, 2, 1) == 3);
  CHECK(places(7, 3, 1, 0, 2) == 3);
}
TEST_CASE("conv: paddings by words are those of numbers") {
  const array x = sample({1, 2, 7}), even = sample({2, 2, 4}), odd = sample({2, 2, 3});
  const auto is = [&](const array& k, std::int64_t stride, const char* word, std::int64_t low, std::int64_t high) {
    CHECK_CLOSE(lax::conv(x, k, {stride}, word), lax::conv(x, k, {stride}, {{low, high}}), 0);
  };
  is(even, 1, "VALID", 0, 0);
  is(even, 1, "SAME", 1, 2);
  is(even, 1, "SAME_LOWER", 2, 1);
  is(odd, 1, "SAME", 1, 1);
  is(odd, 2, "SAME", 1, 1);
  is(even, 2, "SAME", 1, 2);
  is(even, 3, "SAME", 1, 2);
  is(odd, 5, "SAME", 0, 1);
  CHECK(lax::conv(x, odd, {5}, "SAME").shape()[2] == 2);
  CHECK_CLOSE(lax::conv_general_dilated(x, odd, {1}, "SAME", {.rhs_dilation = {2}}),
              lax::conv_general_dilated(x, odd, {1}, {{2, 2}}, {.rhs_dilation = {2}}), 0);
}
TEST_CASE("conv_transpose: each size of window and stride") {
  for (const std::int64_t k : {1, 2, 3, 4, 5})
    for (const std::int64_t s : {1, 2, 3, 4}) {
      const array x = sample({2, 5, 3}), w = sample({k, 3, 2});
      CHECK(lax::conv_transpose(x, w, {s}, "SAME").shape() == shape{2, 5 * s, 2});
      const array full = lax::conv_transpose(x, w, {s}, "VALID");
      CHECK(full.shape() == shape{2, 4 * s + std::max(k, s), 2});
      // It is the transpose of the convolution with the same filter, whose features are exchanged.
      const jq::conv_dimension_numbers n{"NHC", "HIO", "NHC"};
      const auto forward = [&](const arrays& z) { return lax::conv_general_dilated(z[0], w, {s}, "VALID", {.dimension_numbers = n}); };
      const array big = lax::zeros({jq::f64, {2, 4 * s + std::max(k, s), 3}}), ct = sample({2, 5, 2});
      const array back = lax::conv_transpose(ct, w, {s}, "VALID", {.transpose_kernel = true});
      if (forward({big}).shape() == ct.shape()) CHECK_CLOSE(back, cotangents(forward, {big}, ct)[0], 0);
    }
}
TEST_CASE("conv: large ones, in patches, views and rows") {
  const convolution large[] = {
      {"channels first", {2, 5, 17, 19}, {20, 5, 3, 3}, {1, 1}, {1, 1}, {1, 1}},
      {"channels last", {2, 17, 19, 5}, {3, 3, 5, 20}, {1, 1}, {1, 1}, {1, 1}, {.dimension_numbers = nhwc}},
      {"few features, last", {2, 17, 19, 5}, {3, 3, 5, 3}, {2, 1}, {1, 1}, {1, 1}, {.dimension_numbers = nhwc}},
      {"a window of one element", {3, 20, 9, 9}, {33, 20, 1, 1}, {1, 1}, {0, 0}, {0, 0}},
      {"a window of one element, features last", {3, 9, 9, 20}, {1, 1, 20, 33}, {1, 1}, {0, 0}, {0, 0}, {.dimension_numbers = nhwc}},
      {"a window of one element with strides", {3, 20, 9, 9}, {33, 20, 1, 1}, {2, 2}, {0, 0}, {0, 0}},
      {"a window of one element with padding", {3, 20, 9, 9}, {7, 20, 1, 1}, {1, 1}, {1, 0}, {0, 1}},
      {"long sums", {1, 300, 3, 3}, {17, 300, 3, 3}, {1, 1}, {1, 1}, {1, 1}},
      {"long sums, few places", {1, 2, 40, 40}, {17, 2, 38, 39}, {1, 1}, {0, 0}, {0, 0}},
      {"long rows", {1, 2, 9000}, {3, 2, 5}, {1}, {2}, {2}},
      {"one feature, a long filter", {1, 1, 700}, {1, 1, 150}, {1}, {149}, {149}},
      {"dilated operand", {2, 6, 9, 8}, {18, 6, 4, 3}, {1, 1}, {3, 2}, {3, 2}, {.lhs_dilation = {2, 3}}},
      {"dilated operand that no tap meets", {2, 6, 9, 8}, {18, 6, 1, 2}, {1, 1}, {3, 2}, {3, 2}, {.lhs_dilation = {2, 3}}},
      {"groups", {2, 12, 9, 8}, {18, 4, 3, 3}, {1, 1}, {1, 1}, {1, 1}, {.feature_group_count = 3}},
      {"batch groups", {6, 12, 9, 8}, {18, 12, 3, 3}, {2, 1}, {1, 1}, {1, 1}, {.batch_group_count = 3}},
      {"a filter for each feature", {2, 24, 9, 8}, {24, 1, 3, 3}, {1, 1}, {1, 1}, {1, 1}, {.feature_group_count = 24}},
      {"a filter for each feature, last", {2, 9, 8, 300}, {3, 3, 1, 300}, {2, 1}, {1, 1}, {1, 1}, {.dimension_numbers = nhwc, .feature_group_count = 300}},
      {"two filters for each feature", {2, 9, 8, 24}, {3, 3, 1, 48}, {1, 1}, {1, 1}, {1, 1}, {.dimension_numbers = nhwc, .feature_group_count = 24}},
      {"batch last", {9, 8, 12, 40}, {3, 12, 3, 20}, {1, 1}, {1, 1}, {1, 1}, {.dimension_numbers = {"HWCN", "HIWO", "NHWC"}}},
      {"no spatial dimension", {40, 30}, {20, 30}, {}, {}, {}},
      {"no spatial dimension, single features", {400, 30}, {30, 1}, {}, {}, {}, {.feature_group_count = 30}},
  };
  for (const convolution& c : large) {
    INFO(c.name);
    const array x = sample(c.lhs), k = lax::neg(sample(c.rhs)), want = conv_loop(x, k, c.strides, c.low, c.high, c.options);
    CHECK_CLOSE(c(x, k), want, 0);
    for (const jq::dtype t : {jq::f32, jq::i32, jq::i64, jq::c64, jq::c128}) CHECK_CLOSE(cast(c(cast(x, t), cast(k, t)), jq::f64), want, 0);
    CHECK_CLOSE(cast(c(cast(lax::abs(x), jq::u32), cast(lax::abs(k), jq::u32)), jq::f64),
                conv_loop(lax::abs(x), lax::abs(k), c.strides, c.low, c.high, c.options), 0);
    const array ct = direction(want, 5);
    const arrays t = directions({x, k}, 7), back = cotangents(c.on_list(), {x, k}, ct);
    CHECK(close(pairing(back[0], t[0]), pairing(ct, c(t[0], k)), 1e-9));
    CHECK(close(pairing(back[1], t[1]), pairing(ct, c(x, t[1])), 1e-9));
  }
}
TEST_CASE("conv: dtypes") {
  const array x = make({1., 0., 3., 4.}, {1, 2, 2}), k = make({2., 1., 0., 1.}, {1, 2, 2});
  const function f = binary([](const array& a, const array& b) { return lax::conv(a, b, {1}, {{1, 0}}); });
  for (int i = 0; i < jq::dtype_count; ++i) {
    const jq::dtype t = jq::dtype(i);
    INFO("dtype " << std::string(jq::long_name(t)));
    if (t == jq::bool_) CHECK_THROWS_WITH_AS(f({cast(x, t), cast(k, t)}), doctest::Contains("does not accept dtype bool"), jq::type_error);
    else CHECK_CLOSE(f({cast(x, t), cast(k, t)}), cast(make({4., 6.}, {1, 1, 2}), t), 0);
  }
  // Half floats accumulate in single precision, and long sums of floats in parts.
  const array ones = lax::full({1, 4096, 1}, jq::literal(jq::float16(1.0f)));
  CHECK_CLOSE(lax::conv(ones, ones, {1}, "VALID"), make({jq::float16(4096.f)}, {1, 1, 1}), 0);
  const array tenth = lax::full({1, 1, 1 << 20}, jq::literal(0.1f)), one = lax::full({1, 1, 1 << 20}, jq::literal(1.0f));
  CHECK_CLOSE(lax::conv(tenth, one, {1}, "VALID"), make({0.1f * (1 << 20)}, {1, 1, 1}), 2e-6);
  CHECK_CLOSE(lax::conv(make<std::int8_t>({100, 100}, {1, 1, 2}), make<std::int8_t>({2, 2}, {1, 1, 2}), {1}, "VALID"),
              make<std::int8_t>({-112}, {1, 1, 1}), 0);
}
TEST_CASE("conv: one equation per derivative and per batch along the outermost dimension") {
  const array x = sample({2, 3, 5, 5}), k = sample({4, 3, 3, 3});
  const auto f = [](const array& a, const array& b) { return lax::conv(a, b, {1, 1}, "SAME"); };
  const auto count = [](const jq::closed_jaxpr& p) {
    int n = 0;
    for (const jq::equation& e : p->equations) n += e.op->name == "conv_general_dilated";
    return n;
  };
  CHECK(count(jq::make_jaxpr(jq::vmap(f))(sample({3, 2, 3, 5, 5}), sample({3, 4, 3, 3, 3}))) == 1);
  CHECK(jq::make_jaxpr(jq::vmap(f, jq::in_axes<0, jq::none>))(sample({3, 2, 3, 5, 5}), k)->equations.size() == 3);  // and two reshapes
  CHECK(count(jq::make_jaxpr([&](const array& a, const array& b) { return jq::vjp(f, a, b).second(f(a, b)); })(x, k)) == 4);
}
TEST_CASE("conv: errors") {
  const array x = sample({2, 4, 5, 5}), k = sample({6, 4, 3, 3});
  const auto conv = [&](const array& a, const array& b, const int_list& s, const jq::conv_padding& p, const jq::conv_options& o = {}) {
    return lax::conv_general_dilated(a, b, s, p, o);
  };
  const auto fails = [](auto f, const char* words) {
    INFO(words);
    CHECK_THROWS_WITH_AS(f(), doctest::Contains(words), jq::shape_error);
  };
  const auto invalid = [](auto f, const char* words) {
    INFO(words);
    CHECK_THROWS_WITH_AS(f(), doctest::Contains(words), jq::value_error);
  };
  fails([&] { conv(x, sample({6, 4, 3}), {1, 1}, "VALID"); }, "the same number of dimensions");
  fails([&] { conv(sample({3}), sample({3}), {}, "VALID"); }, "at least a batch and a feature one");
  fails([&] { conv(x, sample({6, 3, 3, 3}), {1, 1}, "VALID"); },
        "conv_general_dilated: the features of lhs (4) must be those of rhs (3) times feature_group_count (1)");
  fails([&] { conv(x, k, {1}, "VALID"); }, "got window_strides (1,), wanted 2 numbers of at least 1");
  fails([&] { conv(x, k, {1, 0}, "VALID"); }, "got window_strides (1, 0)");
  fails([&] { conv(x, k, {1, 1}, {{1, 1}}); }, "got low paddings (1,), wanted 2 numbers");
  fails([&] { conv(x, k, {1, 1}, {{-3, -3}, {0, 0}}); }, "paddings (-3, -3) take more elements than spatial dimension 0 has (5)");
  fails([&] { conv(x, k, {1, 1}, "VALID", {.rhs_dilation = {0, 1}}); }, "got rhs_dilation (0, 1)");
  fails([&] { conv(x, k, {1, 1}, "VALID", {.feature_group_count = 3}); }, "times feature_group_count (3)");
  fails([&] { conv(x, sample({5, 2, 3, 3}), {1, 1}, "VALID", {.feature_group_count = 2}); }, "the output features of rhs (5) must be a multiple");
  fails([&] { conv(sample({3, 4, 5, 5}), k, {1, 1}, "VALID", {.batch_group_count = 2}); }, "the batch size of lhs (3) must be a multiple");
  fails([&] { conv(x, k, {1, 1}, "VALID", {.feature_group_count = 0}); }, "got feature_group_count 0");
  fails([&] { conv(x, k, {1, 1}, "VALID", {.feature_group_count = 2, .batch_group_count = 2}); }, "one of them 1");
  fails([&] { conv(x, k, {1, 1}, {{std::int64_t(1) << 40, 0}, {0, 0}}); }, "got low paddings");
  invalid([&] { conv(x, k, {1, 1}, "FULL"); }, "got the padding \"FULL\", wanted \"VALID\", \"SAME\", \"SAME_LOWER\"");
  invalid([&] { conv(x, k, {1, 1}, "SAME", {.lhs_dilation = {2, 1}}); }, "use lax::conv_transpose");
  invalid([&] { conv(x, k, {1, 1}, "VALID", {.dimension_numbers = {"NHWW", "OIHW", "NCHW"}}); }, "the letters of lhs must be N and C");
  invalid([&] { conv(x, k, {1, 1}, "VALID", {.dimension_numbers = {"NCHW", "OIHW", "NCH"}}); }, "W is missing");
  invalid([&] { conv(x, k, {1, 1}, "VALID", {.dimension_numbers = {"NCHWD", "OIHW", "NCHW"}}); }, "D is missing, repeated or none of them");
  invalid([&] { conv(x, k, {1, 1}, "VALID", {.dimension_numbers = {{0, 1, 2, 2}, {0, 1, 2, 3}, {0, 1, 2, 3}}}); }, "the dimension numbers of lhs");
  CHECK_THROWS_WITH_AS(conv(x, sample({6, 4, 3, 3}, jq::f32), {1, 1}, "VALID"), doctest::Contains("same dtypes, got float64, float32"),
                       jq::type_error);
}
