// What layers compute: normalised moments, shares of dropout, attention against loops.
#include "../numpy/numpy_testing.hpp"

#include <jacquard/nn/layers.hpp>

namespace nn = jacquard::nn;

namespace {
double at(const array& x) { return x.item<double>(); }
}  // namespace

TEST_CASE("normalisations") {
  const array x = asarray({{1.0, 2.0, 3.0, 6.0}, {-1.0, 0.0, 0.0, 1.0}});
  const array y = nn::layer_norm(x, 1.0, 0.0, 0);
  CHECK(distance(jq::mean(y, -1), jq::zeros({2})) < 1e-15);
  CHECK(distance(jq::mean(y * y, -1), jq::ones({2})) < 1e-15);
  CHECK(distance(nn::layer_norm(x, asarray({1.0, 2.0, 3.0, 4.0}), 0.5, 0), y * asarray({1.0, 2.0, 3.0, 4.0}) + 0.5) < 1e-15);
  CHECK(distance(nn::standardize(x, 0, 0), asarray({{1.0, 1.0, 1.0, 1.0}, {-1.0, -1.0, -1.0, -1.0}})) < 1e-15);
  CHECK(show(nn::rms_norm(asarray({3.0f, 4.0f}), 1.0, 0)) == "f32[2] 0.84853 1.1314");
}
TEST_CASE("squares that f16 does not hold") {
  const array x = asarray({300.0, -300.0}).astype(jq::f16), half = asarray({0.5, 0.5}).astype(jq::f16);
  CHECK(show(nn::standardize(x)) == "f16[2] 1 -1");
  CHECK(show(nn::layer_norm(x)) == "f16[2] 1 -1");
  CHECK(show(nn::layer_norm(x, half, half)) == "f16[2] 1 0");
  CHECK(show(nn::layer_norm(x, asarray({0.5f, 0.5f}))) == "f32[2] 0.5 -0.5");
  CHECK(nn::layer_norm(x, half, asarray({0.5})).dtype() == jq::f64);
  CHECK(show(nn::rms_norm(x)) == "f16[2] 1 -1");
  CHECK(show(nn::rms_norm(x, asarray({0.5, 0.5}).astype(jq::bf16))) == "f32[2] 0.5 -0.5");
}
TEST_CASE("batches are normalised by their own statistics, later by the running ones") {
  const array x = asarray({{1.0, 10.0}, {3.0, 30.0}});
  const auto [y, s] = nn::batch_norm(x, 2.0, 1.0, {jq::zeros({2}, jq::f64), jq::ones({2}, jq::f64)}, 0.9, 0);
  CHECK(show(y) == "f64[2,2] -1 -1 3 3");
  CHECK(show(s.mean) == "f64[2] 0.2 2");
  CHECK(show(s.variance) == "f64[2] 1 10.9");
  const array large = asarray({{300.f}, {-300.f}}).astype(jq::f16), zero = jq::zeros({1}, jq::f16);
  const auto narrow = nn::batch_norm(large, 1.0, 0.0, {zero, zero}, 0.5);  // squares that f16 does not hold
  CHECK(show(narrow.first) == "f16[2,1] 1 -1");
  CHECK(show(narrow.second.variance) == "f16[1] 44992");
  CHECK(nn::batch_norm(large, asarray({1.f}), 0.0, {jq::zeros({1}), jq::zeros({1})}).first.dtype() == jq::f32);
  CHECK(show(nn::batch_norm_inference(x, 1.0, 0.0, {asarray({2.0, 20.0}), asarray({1.0, 100.0})}, 0)) == "f64[2,2] -1 -1 1 1");
}
TEST_CASE("dropout") {
  const array y = nn::dropout(jq::random::key(3), jq::ones({10000}, jq::f64), 0.25);
  CHECK(std::abs(at(jq::mean(y)) - 1) < 0.03);
  CHECK(std::abs(at(jq::mean((y == 0.0).astype(jq::f64))) - 0.25) < 0.02);
  CHECK(at(jq::max(y)) == doctest::Approx(4.0 / 3));
  CHECK(show(nn::dropout(jq::random::key(3), asarray({1.0, 2.0}), 0)) == "f64[2] 1 2");
  CHECK_ERROR_ANYWHERE(jq::value_error, nn::dropout(jq::random::key(3), asarray({1.0}), 1), "dropout", "rate 1", "< 1");
}
TEST_CASE("attention") {
  const jq::shape dims{2, 3, 2, 4};
  const array q = jq::random::normal(jq::random::key(1), dims, jq::f64), k = jq::random::normal(jq::random::key(2), dims, jq::f64);
  const array v = jq::random::normal(jq::random::key(3), dims, jq::f64), y = nn::dot_product_attention(q, k, v);
  const array causal = nn::dot_product_attention(q, k, v, {.is_causal = true});
  for (int b = 0; b < 2; ++b)
    for (int h = 0; h < 2; ++h)
      for (int i = 0; i < 3; ++i) {
        for (const bool limited : {false, true}) {
          double weights[3] = {}, total = 0;
          for (int j = 0; j < (limited ? i + 1 : 3); ++j) {
            for (int d = 0; d < 4; ++d) weights[j] += at(q(b, i, h, d)) * at(k(b, j, h, d)) / 2;
            weights[j] = std::exp(weights[j]);
            total += weights[j];
          }
          double want = 0;
          for (int j = 0; j < (limited ? i + 1 : 3); ++j) want += weights[j] / total * at(v(b, j, h, 1));
          CHECK(at((limited ? causal : y)(b, i, h, 1)) == doctest::Approx(want));
        }
      }
  // Two heads of queries share one of keys; a masked key is not seen.
  const array one_k = lax::slice(k, {0, 0, 0, 0}, {2, 3, 1, 4}), one_v = lax::slice(v, {0, 0, 0, 0}, {2, 3, 1, 4});
  CHECK(distance(nn::dot_product_attention(q, one_k, one_v), nn::dot_product_attention(q, jq::repeat(one_k, 2, 2), jq::repeat(one_v, 2, 2))) < 1e-15);
  const array seen = nn::dot_product_attention(q, k, v, {.mask = asarray({true, false, false})});
  CHECK(distance(lax::slice(seen, {0, 1, 0, 0}, {2, 2, 2, 4}), lax::slice(v, {0, 0, 0, 0}, {2, 1, 2, 4})) < 1e-15);
  CHECK(distance(nn::dot_product_attention(q(0), k(0), v(0)), y(0)) < 1e-15);
  CHECK_ERROR(jq::shape_error, nn::dot_product_attention(q, k, jq::ones({2, 3})), "dot_product_attention", "(2, 3)", "heads");
}
