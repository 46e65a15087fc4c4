// Question: what does a step of training cost, with its gradient by jq::grad, compared with the same step written out by hand?
// Tasks: logistic regression on 4096 examples of 64 features; a network 64-256-256-10 with tanh and cross entropy on a batch of 256.
// By hand these are calls of OpenBLAS with loops around them. f32 and f64, one thread and two. Next to libtorch alone, f32: a network of two
// convolutions on 64 images, a block of a transformer on 8 sequences of 128, an LSTM over 64 steps. Everybody updates weights in place; ours
// are donated.
// Unit: nanoseconds per step, ratios to each baseline. Bar: 1.1 of the one by hand.

#include <cmath>

#include <jacquard/nn/nn.hpp>

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
struct filters {
  array w0, b0, w1, b1, w2, b2;
};
array convolutional_loss(const filters& p, const array& images, const array& labels) {
  const auto part = [](const array& x, const array& w, const array& b) {
    const array y = jq::lax::conv_general_dilated(x, w, {1, 1}, "SAME", {.dimension_numbers = {"NHWC", "HWIO", "NHWC"}}) + b;
    return jq::max_pool(jq::relu(y), {2, 2}, {2, 2});
  };
  const array h = part(part(images, p.w0, p.b0), p.w1, p.b1), flat = jq::reshape(h, {images.shape()[0], p.w2.shape()[0]});
  return jq::mean(jq::nn::softmax_cross_entropy(jq::matmul(flat, p.w2) + p.b2, labels));
}
struct block {
  array queries, keys, values, results, scale0, bias0, w1, b1, w2, b2, scale1, bias1;
};
array transformer_loss(const block& p, const array& x, const array& y) {
  const jq::shape s = x.shape();
  const array a = jq::nn::layer_norm(x, p.scale0, p.bias0);
  const auto heads = [&](const array& w) { return jq::reshape(jq::matmul(a, w), {s[0], s[1], 4, s[2] / 4}); };
  const array seen = jq::nn::dot_product_attention(heads(p.queries), heads(p.keys), heads(p.values), {.is_causal = true});
  const array h = x + jq::matmul(jq::reshape(seen, s), p.results);
  const array wide = jq::nn::gelu(jq::matmul(jq::nn::layer_norm(h, p.scale1, p.bias1), p.w1) + p.b1);
  return jq::mean(jq::square(h + jq::matmul(wide, p.w2) + p.b2 - y));
}
struct cell {
  array input, recurrent, bias;
};
array lstm_loss(const cell& p, const array& x, const array& y) {
  const std::int64_t units = y.shape()[1];
  const auto step = [&](const std::pair<array, array>& state, const array& now) {
    const array gates = jq::matmul(now, p.input) + jq::matmul(state.first, p.recurrent) + p.bias;
    const auto gate = [&](int k) { return gates(jq::ellipsis, jq::slice(k * units, (k + 1) * units)); };
    const array c = jq::nn::sigmoid(gate(1)) * state.second + jq::nn::sigmoid(gate(0)) * jq::tanh(gate(2));
    const array h = jq::nn::sigmoid(gate(3)) * jq::tanh(c);
    return std::pair{std::pair{h, c}, h};
  };
  const array zero = jq::zeros_like(y);
  return jq::mean(jq::square(jq::lax::scan(step, std::pair{zero, zero}, x).first.first - y));
}
array regression_step(const array& w, const array& x, const array& y) {
  const auto loss = [&](const array& v) { return jq::mean(jq::nn::sigmoid_binary_cross_entropy(jq::matmul(x, v), y)); };
  return w - 0.1 * jq::grad(loss)(w);
}

/// The largest difference of two lists of numbers; NaN if there is one.
template <class T>
double apart(const std::vector<T>& a, const std::vector<T>& b) {
  double r = 0;
  for (std::size_t i = 0; i < a.size() && !std::isnan(r); ++i) {
    const double d = std::fabs(double(a[i]) - double(b[i]));
    r = d > r || std::isnan(d) ? d : r;
  }
  return r;
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
      // Next to the step: a mean has gradients so small that the weights hardly tell whether there was one.
      baselines.emplace_back(l.name, run, apart(own, after) / apart(start, after), by_hand ? 1.1 : 1.0);
    }
    measure(name, threads, 10 * tolerance<T>, {"ours", ours}, std::move(baselines), alone);
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

/// A step of size 0.1 on parameters that libtorch has one after the other.
template <class Parameters, class Loss, class Member>
void large_network(const std::string& name, Loss loss, Parameters p, const array& x, const array& y, Member member) {
  const auto flat = [](const Parameters& q) {
    std::vector<float> r;
    (void)jq::tree::map([&](const array& a) { return r.insert(r.end(), read<float>(a), read<float>(a) + a.size()), a; }, q);
    return r;
  };
  const auto step = jq::jit(
      [loss](const Parameters& q, const array& a, const array& b) {
        return jq::tree::map([](const array& w, const array& d) { return w - 0.1 * d; }, q, jq::grad(loss)(q, a, b));
      },
      jq::backend("cpu"), jq::donate_argnums<0>);
  const std::vector<float> before = flat(p);
  p = step(p, x, y);
  const std::vector<float> after = flat(p);
  const auto ours = [&] {
    p = step(p, x, y);
    (void)jq::tree::map([](const array& a) { return interleaved::observe(read<float>(a)), a; }, p);
  };
  race(name, ours, before, after, member, [&](auto function, float* own) { function(own, read<float>(x), read<float>(y)); });
}
void large_networks() {
  int seed = 30;
  const auto random = [&](const jq::shape& s, double a) { return uniform<float>(seed++, s, -a, a); };
  const array labels = (jq::expand_dims(jq::arange(64) % 10, 1) == jq::expand_dims(jq::arange(10), 0)).astype(jq::f32);
  large_network("two convolutions, 64 images of 28 x 28, f32", convolutional_loss,
                filters{random({3, 3, 1, 16}, 0.3), random({16}, 0.1), random({3, 3, 16, 32}, 0.1), random({32}, 0.1), random({1568, 10}, 0.05), random({10}, 0.1)},
                random({64, 28, 28, 1}, 1), labels, &peers::library<float>::convolutional_step);
  const auto square = [&] { return random({128, 128}, 0.1); };
  const auto row = [&](double a) { return random({128}, a); };
  large_network("transformer, 8 x 128 x 128, f32", transformer_loss,
                block{square(), square(), square(), square(), row(1), row(0.1), random({128, 512}, 0.1), random({512}, 0.1), random({512, 128}, 0.1), row(0.1), row(1), row(0.1)},
                random({8, 128, 128}, 1), random({8, 128, 128}, 1), &peers::library<float>::transformer_step);
  large_network("LSTM of 128, 64 steps of 32 x 64, f32", lstm_loss, cell{random({64, 512}, 0.1), random({128, 512}, 0.1), random({512}, 0.1)},
                random({64, 32, 64}, 1), random({32, 128}, 1), &peers::library<float>::lstm_step);
}

}  // namespace

int main(int argc, char** argv) {
  begin(argc, argv);
  regression<float>();
  network<float>();
  regression<double>();
  network<double>();
  large_networks();
}
