// Chapter 25: learning
//
// jq::nn and jq::optim are functions of arrays and trees, in headers of their own. A network is a struct of its
// parameters; what makes it learn is value_and_grad, and an optimizer whose state is a tree like any other.

#include <iostream>

#include <jacquard/jacquard.hpp>
#include <jacquard/nn/nn.hpp>
#include <jacquard/optim/optim.hpp>

namespace jq = jacquard;
namespace nn = jacquard::nn;
namespace optim = jacquard::optim;

struct network {
  jq::array w1, b1, w2, b2;
};

jq::array logits(const network& n, const jq::array& x) {
  return jq::matmul(nn::gelu(jq::matmul(x, n.w1) + n.b1), n.w2) + n.b2;
}

int main() {
  // Two classes that no line separates: points within a circle and around it.
  const jq::array points = jq::random::uniform(jq::random::key(1), {256, 2}, jq::f32, -1.0, 1.0);
  const jq::array inside = (jq::sum(points * points, 1) < 0.5).astype(jq::i32);

  const jq::array keys = jq::random::split(jq::random::key(2));
  network n{nn::initializers::he_normal(keys(0), {2, 16}), jq::zeros({16}), nn::initializers::he_normal(keys(1), {16, 2}), jq::zeros({2})};

  const auto optimizer = optim::adamw(optim::warmup_cosine_decay{0, 0.05, 20, 300}, 1e-4);
  auto state = optimizer.init(n);

  const auto loss = [](const network& at, const jq::array& x, const jq::array& labels) {
    return jq::mean(nn::softmax_cross_entropy_with_integer_labels(logits(at, x), labels));
  };
  const auto step = jq::jit([=](const network& at, const decltype(state)& s, const jq::array& x, const jq::array& labels) {
    const auto [value, gradients] = jq::value_and_grad(loss)(at, x, labels);
    const auto [updates, next] = optimizer.update(optim::clip_by_global_norm(gradients, 1), s, at);
    return std::tuple{optim::apply_updates(at, updates), next, value};
  });

  jq::array value;
  for (int i = 0; i < 300; ++i) std::tie(n, state, value) = step(n, state, points, inside);
  const jq::array right = jq::mean((jq::argmax(logits(n, points), 1) == inside).astype(jq::f32));
  std::cout << "learnt: " << (right.item<float>() > 0.97f && value.item<float>() < 0.1f ? "yes" : "no") << '\n';

  // A smooth function of few parameters is better served by a quasi-Newton method.
  const auto rosenbrock = [](const jq::array& x) {
    const jq::array a = x(0), b = x(1);
    return 100.0 * jq::square(b - a * a) + jq::square(1.0 - a);
  };
  const auto found = optim::lbfgs(rosenbrock, jq::asarray({-1.2, 1.0}));
  std::cout << "minimum at " << jq::round(found.params, 4) << ", converged: " << found.converged << '\n';
}

// output:
// learnt: yes
// minimum at [1. 1.], converged: True
