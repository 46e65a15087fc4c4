// Chapter 23: convolutions
//
// lax::conv_general_dilated is a primitive like any other: it is differentiated, mapped, masked and compiled. Here a small
// network of convolutions learns to read the handwritten digits of examples/digits, on the same split of the same images.

#include <cmath>
#include <cstdio>

#include <jacquard/jacquard.hpp>

#include "digits/dataset.hpp"

#ifndef JACQUARD_DIGITS_CSV  // the build says where it lies
#define JACQUARD_DIGITS_CSV "examples/data/digits.csv"
#endif

namespace jq = jacquard;

namespace {

struct layer {
  jq::array filter, bias;
};
struct network {
  layer first, second, last;
};

layer make_layer(const jq::array& key, const jq::shape& dims, double inputs) {
  return {jq::random::normal(key, dims) * std::sqrt(2.0 / inputs), jq::zeros({dims.back()})};
}
network make_network(const jq::array& key) {
  const jq::array keys = jq::random::split(key, 3);
  return {make_layer(keys[0], {3, 3, 1, 24}, 9), make_layer(keys[1], {3, 3, 24, 48}, 9 * 24), make_layer(keys[2], {4 * 4 * 48, 10}, 4 * 4 * 48)};
}

/// Images and features lie as (image, row, column, feature), filters as (row, column, from, to): letters say so.
jq::array convolved(const layer& l, const jq::array& x, std::int64_t stride) {
  return jq::relu(jq::lax::conv_general_dilated(x, l.filter, {stride, stride}, "SAME", {.dimension_numbers = {"NHWC", "HWIO", "NHWC"}}) + l.bias);
}
jq::array log_probabilities(const network& n, const jq::array& images) {
  const jq::array x = jq::reshape(images, {images.shape()[0], 8, 8, 1});
  const jq::array features = convolved(n.second, convolved(n.first, x, 1), 2);
  return jq::log_softmax(jq::matmul(jq::reshape(features, {images.shape()[0], -1}), n.last.filter) + n.last.bias);
}
/// Each image moved by at most one pixel in each direction: a window of the image within zeros, at a place of its own.
jq::array moved(const jq::array& key, const jq::array& images) {
  const std::int64_t n = images.shape()[0];
  const jq::array wide = jq::lax::pad(jq::reshape(images, {n, 8, 8}), 0.f, {0, 1, 1}, {0, 1, 1});
  const auto window = [](const jq::array& image, const jq::array& at) { return jq::lax::dynamic_slice(image, {at[0], at[1]}, {8, 8}); };
  return jq::vmap(window)(wide, jq::sum(jq::random::randint(key, {n, 2, 2}, 0, 2), 2));
}
jq::array loss(const network& n, const jq::array& images, const jq::array& labels) {
  return -jq::mean(jq::sum(jq::one_hot(labels, 10) * log_probabilities(n, images), -1));
}
double accuracy(const network& n, const digits::samples& s) {
  const jq::array right = jq::argmax(jq::jit(log_probabilities)(n, s.images), -1) == s.labels;
  return jq::mean(right.astype(jq::f64)).item<double>();
}

constexpr int epochs = 60, batch = 48, batches = 1438 / batch;

/// The weights and Adam's moments (Kingma and Ba 2015, algorithm 1).
struct state {
  network weights, mean, variance;
  jq::array steps;
};
state step(const state& s, const jq::array& key, const jq::array& images, const jq::array& labels) {
  const network gradient = jq::grad(loss)(s.weights, moved(key, images), labels);
  const jq::array steps = s.steps + 1.f;
  const auto decay = [](double beta) { return [beta](const jq::array& old, const jq::array& g) { return beta * old + (1 - beta) * g; }; };
  const network mean = jq::tree::map(decay(0.9), s.mean, gradient);
  const network variance = jq::tree::map(decay(0.999), s.variance, jq::tree::map([](const jq::array& g) { return g * g; }, gradient));
  const jq::array rate = 0.003 * (1 - steps / double(epochs * batches)) * jq::sqrt(1 - jq::pow(0.999, steps)) / (1 - jq::pow(0.9, steps));
  const auto next = [&](const jq::array& w, const jq::array& m, const jq::array& v) { return w - rate * m / (jq::sqrt(v) + 1e-8); };
  return {jq::tree::map(next, s.weights, mean, variance), mean, variance, steps};
}

}  // namespace

int main(int argc, char** argv) {
  const digits::samples all = digits::read(argc > 1 ? argv[1] : JACQUARD_DIGITS_CSV);
  const jq::array keys = jq::random::split(jq::random::key(1), 3);
  const auto [training, test] = digits::hold_out_fifth(all, keys[0]);
  const std::int64_t n = training.labels.size();
  std::printf("%lld images to learn from, %lld held out\n", static_cast<long long>(n), static_cast<long long>(test.labels.size()));

  const network start = make_network(keys[1]);
  const auto zero = [](const jq::array& x) { return jq::zeros_like(x); };
  state s{start, jq::tree::map(zero, start), jq::tree::map(zero, start), jq::asarray(0.f)};
  const auto compiled = jq::jit(step, jq::donate_argnums<0>);
  for (int epoch = 0; epoch < epochs; ++epoch) {
    const jq::array key = jq::random::fold_in(keys[2], epoch);
    const digits::samples shuffled = digits::pick(training, jq::random::permutation(key, n));
    for (std::int64_t i = 0; i + batch <= n; i += batch)
      s = compiled(s, jq::random::fold_in(key, int(i)), shuffled.images(jq::slice(i, i + batch)), shuffled.labels(jq::slice(i, i + batch)));
  }
  std::printf("at least 98.5 %% of those read rightly: %s\n", accuracy(s.weights, test) >= 0.985 ? "yes" : "no");
}

// output:
// 1438 images to learn from, 359 held out
// at least 98.5 % of those read rightly: yes
