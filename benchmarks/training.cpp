// Question: what does a step of training cost, with its gradient by jq::grad, compared with the same step written out by hand?
// Tasks: logistic regression on 4096 examples of 64 features; a network 64-256-256-10 with tanh and cross entropy on a batch of 256.
// By hand these are calls of OpenBLAS with loops around them. f32 and f64, one thread and two. Everybody updates weights in place; ours are
// donated.
// Unit: nanoseconds per step, ratios to each baseline. Bar: 1.1 of the one by hand.

#include <jacquard/nn/losses.hpp>

#include "contest.hpp"

namespace {

using namespace contest;

struct weights {
  array w0, b0, w1, b1, w2, b2;
};

array network_loss(const weights& p, const array& x, const array& labels) {
  const array h0 = jq::tanh(jq::matmul(x, p.w0) + p.b0), h1 = jq::tanh(jq::matmul(h0, p.w1) + p.b1);
  return jq::mean(jq::nn::softmax_cross_entropy(jq::matmul(h1, p.w2) + p.b2, labels));
}
weights network_step(const weights& p, const array& x, const array& labels) {
  const weights g = jq::grad(network_loss)(p, x, labels);
  return jq::tree::map([](const array& w, const array& d) { return w - 0.1 * d; }, p, g);
}
array regression_step(const array& w, const array& x, const array& y) {
  const auto loss = [&](const array& v) { return jq::mean(jq::nn::sigmoid_binary_cross_entropy(jq::matmul(x, v), y)); };
  return w - 0.1 * jq::grad(loss)(w);
}

/// Times `ours`, a step of our own weights, against `step(library, values)` on weights that each library has for itself, from `start`.
/// `after` are our weights after one step.
template <class T, class Ours, class Member, class Step>
void race(const std::string& name, Ours& ours, const std::vector<T>& start, const std::vector<T>& after, Member member, Step step) {
  times_alone alone;
  for (int threads = 1; threads <= most_threads(); ++threads) {
    jq::cpu::set_threads(threads);
    const auto stepper = [&](const peers::library<T>& l, std::vector<T>& values) {
      return [&, threads] {
        with_threads(l, threads, [&] { step(l.*member, values.data()); });
        interleaved::observe(values.data());
      };
    };
    using stepper_type = decltype(stepper(std::declval<const peers::library<T>&>(), std::declval<std::vector<T>&>()));
    std::deque<std::vector<T>> values;
    std::deque<stepper_type> steppers;
    std::vector<interleaved::contender> baselines;
    for (const peers::library<T>& l : peers::libraries<T>()) {
      if (!(l.*member) || (threads > 1 && !l.set_threads)) continue;
      std::vector<T>& own = values.emplace_back(start);
      const auto& run = steppers.emplace_back(stepper(l, own));
      run();
      const bool by_hand = std::string_view(l.name) == "by hand";
      baselines.emplace_back(l.name, run, interleaved::relative_error(own.data(), after.data(), after.size()), by_hand ? 1.1 : 1.0);
    }
    measure(name, threads, tolerance<T>, {"ours", ours}, std::move(baselines), alone);
  }
}

template <class T>
void regression() {
  constexpr std::int64_t n = 4096, d = 64;
  const array x = uniform<T>(1, {n, d}), y = (uniform<T>(2, {n}, 0, 1) > 0.5).astype(number<T>), start = uniform<T>(3, {d}, -0.1, 0.1);
  const auto step = jq::jit(regression_step, jq::backend("cpu"), jq::donate_argnums<0>);
  const std::vector<T> before = elements<T>(start);
  array w = step(start + 0.0, x, y);
  const std::vector<T> after = elements<T>(w);
  const auto ours = [&] {
    w = step(w, x, y);
    interleaved::observe(read<T>(w));
  };
  race(std::string("logistic regression, ") + number_name<T>, ours, before, after, &peers::library<T>::logistic_step,
       [&](auto function, T* own) { function(read<T>(x), read<T>(y), own, std::size_t(n), std::size_t(d)); });
}

template <class T>
void network() {
  const auto size = [](int k) { return std::int64_t(peers::widths[k]); };
  const std::int64_t batch = std::int64_t(peers::batch);
  const auto matrix = [&](int k) { return uniform<T>(10 + k, {size(k), size(k + 1)}, -0.1, 0.1); };
  const auto bias = [&](int k) { return uniform<T>(20 + k, {size(k + 1)}, -0.1, 0.1); };
  const auto flat = [](const weights& p) { return elements<T>(std::tuple{p.w0, p.b0, p.w1, p.b1, p.w2, p.b2}); };
  const array x = uniform<T>(1, {batch, size(0)}), classes = jq::arange(batch) % size(3);
  const array labels = (jq::expand_dims(classes, 1) == jq::expand_dims(jq::arange(size(3)), 0)).astype(number<T>);
  const auto step = jq::jit(network_step, jq::backend("cpu"), jq::donate_argnums<0>);
  weights p{matrix(0), bias(0), matrix(1), bias(1), matrix(2), bias(2)};
  const std::vector<T> before = flat(p);
  p = step(p, x, labels);
  const std::vector<T> after = flat(p);
  const auto ours = [&] {
    p = step(p, x, labels);
    interleaved::observe(read<T>(p.w0));
  };
  race(std::string("network 64-256-256-10, ") + number_name<T>, ours, before, after, &peers::library<T>::mlp_step, [&](auto function, T* own) {
    peers::network<T> theirs{};
    for (std::size_t k = 0; k < 3; ++k) {
      theirs.w[k] = own, own += peers::widths[k] * peers::widths[k + 1];
      theirs.b[k] = own, own += peers::widths[k + 1];
    }
    function(theirs, read<T>(x), read<T>(labels));
  });
}

}  // namespace

int main(int argc, char** argv) {
  begin(argc, argv);
  regression<float>();
  network<float>();
  regression<double>();
  network<double>();
}
