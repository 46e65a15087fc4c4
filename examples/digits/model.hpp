#pragma once
// The network and its training step: 64 - n - 10 with relu, cross entropy, and Adam. Everything here is an ordinary
// function of arrays; main.cpp decides what is differentiated, vectorised and compiled.

#include <cmath>

#include "dataset.hpp"

namespace digits {

/// Parameters of the network. Any plain struct of arrays is a tree.
struct parameters {
  jq::array w1, b1, w2, b2;
};

/// Adam's state: parameters, first and second moments, number of steps taken.
struct state {
  parameters weights, mean, variance;
  jq::array steps;
};

inline parameters initialise(const jq::array& key, int hidden) {
  const jq::array keys = jq::random::split(key, 2);
  const auto layer = [](const jq::array& k, int from, int to) {
    return jq::random::normal(k, {from, to}) * std::sqrt(2.0 / from);  // He et al. 2015, eq. 10
  };
  return {layer(keys[0], pixels, hidden), jq::zeros({hidden}), layer(keys[1], hidden, classes), jq::zeros({classes})};
}

inline state start(const parameters& p) {
  const auto zero = [](const jq::array& x) { return jq::zeros_like(x); };
  return {p, jq::tree::map(zero, p), jq::tree::map(zero, p), jq::asarray(0)};
}

/// Log-probabilities of the classes, for one image (64) or a batch (n, 64).
inline jq::array log_probabilities(const parameters& p, const jq::array& image) {
  const jq::array hidden = jq::relu(jq::matmul(image, p.w1) + p.b1);
  return jq::log_softmax(jq::matmul(hidden, p.w2) + p.b2);
}

/// Mean cross entropy, and the share of right answers as auxiliary data.
inline std::pair<jq::array, jq::array> loss_and_accuracy(const parameters& p, const jq::array& images, const jq::array& labels) {
  const jq::array logp = log_probabilities(p, images);
  const jq::array loss = -jq::mean(jq::sum(jq::one_hot(labels, classes) * logp, -1));
  const jq::array right = jq::argmax(logp, -1) == labels;
  return {loss, jq::mean(right.astype(jq::f32))};
}

/// One step of Adam (Kingma and Ba 2015, algorithm 1).
inline state adam(const state& s, const parameters& gradient, double rate) {
  constexpr double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  const jq::array steps = s.steps + 1;
  const jq::array t = steps.astype(jq::f32);
  const jq::array correction1 = 1.0 - jq::exp(t * std::log(beta1)), correction2 = 1.0 - jq::exp(t * std::log(beta2));
  const auto decay = [](double beta) {
    return [beta](const jq::array& old, const jq::array& g) { return beta * old + (1.0 - beta) * g; };
  };
  const parameters mean = jq::tree::map(decay(beta1), s.mean, gradient);
  const parameters variance = jq::tree::map(decay(beta2), s.variance, jq::tree::map([](const jq::array& g) { return g * g; }, gradient));
  const parameters weights = jq::tree::map(
      [&](const jq::array& w, const jq::array& m, const jq::array& v) {
        return w - rate * (m / correction1) / (jq::sqrt(v / correction2) + epsilon);
      },
      s.weights, mean, variance);
  return {weights, mean, variance, steps};
}

/// Gradients of single examples, each clipped to a Euclidean norm, then averaged.
inline parameters clipped_mean(const parameters& per_example, double limit) {
  jq::array squares = jq::zeros({per_example.b2.shape()[0]});
  jq::for_each_leaf(per_example, [&](const jq::array& g) {
    squares = squares + jq::sum(jq::reshape(g * g, {g.shape()[0], -1}), 1);
  });
  const jq::array scale = jq::minimum(1.0, limit / (jq::sqrt(squares) + 1e-12));
  return jq::tree::map([&](const jq::array& g) { return jq::tensordot(scale, g, 1) / double(g.shape()[0]); }, per_example);
}

}  // namespace digits
