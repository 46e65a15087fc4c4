// The programs as tensors of libtorch, by its own operations: one kernel each, gradients by its autograd. Results are copied to the caller's
// memory where an operation has no form that writes there.

#include "peers.hpp"

#include <torch/torch.h>

namespace peers {
namespace {

template <class T>
constexpr at::ScalarType number = sizeof(T) == 4 ? at::kFloat : at::kDouble;
using at::Tensor;
using sizes = std::vector<std::int64_t>;

/// A tensor on memory of others.
template <class T>
Tensor on(const T* p, const sizes& s) {
  return torch::from_blob(const_cast<T*>(p), s, torch::dtype(number<T>));
}
template <class T>
Tensor on(const T* p, size_t n) {
  return on(p, sizes{std::int64_t(n)});
}
void set_threads(int n) { at::set_num_threads(n); }

Tensor polynomial(const Tensor& x) { return ((x * x + 0.5) * x - 0.25 * x + 1).clamp_min(0) * x; }
template <class T>
void poly8(const T* x, T* y, size_t n) {
  const torch::NoGradGuard no_grad;
  on(y, n).copy_(polynomial(on(x, n)));
}
template <class T>
void update(T* p, size_t n) {
  const torch::NoGradGuard no_grad;
  on(p, n).copy_(polynomial(on(p, n)));
}
template <class T>
void gelu(const T* from, T* to, size_t n) {
  const torch::NoGradGuard no_grad;
  const Tensor x = on(from, n);
  on(to, n).copy_(torch::gelu(x, "tanh"));
}
Tensor price_of(const Tensor& s, const Tensor& k, const Tensor& t, const Tensor& v) {
  const Tensor deviation = v * t.sqrt(), d1 = ((s / k).log() + (0.02 + 0.5 * v * v) * t) / deviation;
  const auto distribution = [](const Tensor& x) { return 0.5 * (1 + torch::erf(x * 0.70710678118654752440)); };
  return s * distribution(d1) - k * (-0.02 * t).exp() * distribution(d1 - deviation);
}
template <class T>
void black_scholes(const options<T>& in, T* price, size_t n) {
  const torch::NoGradGuard no_grad;
  on(price, n).copy_(price_of(on(in.spot, n), on(in.strike, n), on(in.time, n), on(in.volatility, n)));
}
template <class T>
void greeks(const options<T>& in, T* delta, T* theta, T* vega, size_t n) {
  const Tensor s = on(in.spot, n).requires_grad_(), t = on(in.time, n).requires_grad_(), v = on(in.volatility, n).requires_grad_();
  const auto g = torch::autograd::grad({price_of(s, on(in.strike, n), t, v).sum()}, {s, t, v});
  on(delta, n).copy_(g[0]), on(theta, n).copy_(g[1]), on(vega, n).copy_(g[2]);
}
template <class T>
void softmax(const T* x, T* y, size_t rows, size_t columns) {
  const torch::NoGradGuard no_grad;
  const sizes s{std::int64_t(rows), std::int64_t(columns)};
  on(y, s).copy_(torch::softmax(on(x, s), 1));
}
template <class T>
void layer_norm(const T* x, T* y, size_t rows, size_t columns) {
  const torch::NoGradGuard no_grad;
  const sizes s{std::int64_t(rows), std::int64_t(columns)};
  on(y, s).copy_(torch::layer_norm(on(x, s), {s[1]}, {}, {}, 1e-5));
}
template <class T>
void heat(const T* from, T* to, size_t n) {
  const torch::NoGradGuard no_grad;
  const std::int64_t m = std::int64_t(n) - 2;
  const Tensor u = on(from, sizes{m + 2, m + 2});
  const auto part = [&](std::int64_t i, std::int64_t j) { return u.narrow(0, i, m).narrow(1, j, m); };
  on(to, sizes{m, m}).copy_(part(1, 1) + 0.1 * (part(0, 1) + part(2, 1) + part(1, 0) + part(1, 2) - 4 * part(1, 1)));
}
template <class T>
void n_body(const T* at, const T* mass, T* out, size_t n) {
  const torch::NoGradGuard no_grad;
  const sizes s{3, std::int64_t(n)};
  const Tensor p = on(at, s), d = p.unsqueeze(1) - p.unsqueeze(2), square = (d * d).sum(0) + 1e-3;
  on(out, s).copy_((on(mass, n).unsqueeze(0) / (square * square.sqrt()) * d).sum(2));
}
template <class T>
void logistic_step(const T* from, const T* labels, T* weights, size_t n, size_t d) {
  const Tensor x = on(from, sizes{std::int64_t(n), std::int64_t(d)}), w = on(weights, d).requires_grad_();
  const Tensor loss = torch::binary_cross_entropy_with_logits(torch::mv(x, w), on(labels, n));
  const Tensor g = torch::autograd::grad({loss}, {w})[0];
  const torch::NoGradGuard no_grad;
  on(weights, d).sub_(g, 0.1);
}
/// The tensors of these shapes that lie one after the other from p on, to be differentiated by.
template <class T>
std::vector<Tensor> parameters_at(T* p, const std::vector<sizes>& shapes) {
  std::vector<Tensor> r;
  for (const sizes& s : shapes) r.push_back(on(p, s).requires_grad_()), p += r.back().numel();
  return r;
}
void descend(const Tensor& loss, std::vector<Tensor>& parameters) {
  const auto g = torch::autograd::grad({loss}, parameters);
  const torch::NoGradGuard no_grad;
  for (size_t k = 0; k < parameters.size(); ++k) parameters[k].sub_(g[k], 0.1);
}
template <class T>
void mlp_step(const network<T>& p, const T* from, const T* labels) {
  std::vector<Tensor> parameters;
  for (size_t k = 0; k < 3; ++k) {
    parameters.push_back(on(p.w[k], sizes{std::int64_t(widths[k]), std::int64_t(widths[k + 1])}).requires_grad_());
    parameters.push_back(on(p.b[k], widths[k + 1]).requires_grad_());
  }
  Tensor h = on(from, sizes{std::int64_t(batch), std::int64_t(widths[0])});
  for (size_t k = 0; k < 3; ++k) {
    h = torch::addmm(parameters[2 * k + 1], h, parameters[2 * k]);
    if (k < 2) h = h.tanh();
  }
  descend(torch::cross_entropy_loss(h, on(labels, sizes{std::int64_t(batch), std::int64_t(widths[3])})), parameters);
}
template <class T>
void convolutional_step(T* weights, const T* images, const T* labels) {
  auto p = parameters_at(weights, {{3, 3, 1, 16}, {16}, {3, 3, 16, 32}, {32}, {7 * 7 * 32, 10}, {10}});
  const auto part = [&](const Tensor& x, size_t k) {
    return torch::max_pool2d(torch::relu(torch::conv2d(x, p[k].permute({3, 2, 0, 1}), p[k + 1], 1, 1)), 2);
  };
  const Tensor h = part(part(on(images, sizes{64, 28, 28, 1}).permute({0, 3, 1, 2}), 0), 2);  // channels lie together, as torch::channels_last says
  descend(torch::cross_entropy_loss(torch::addmm(p[5], h.permute({0, 2, 3, 1}).reshape({64, 7 * 7 * 32}), p[4]), on(labels, sizes{64, 10})), p);
}
template <class T>
void transformer_step(T* weights, const T* from, const T* to) {
  constexpr std::int64_t n = 8, t = 128, d = 128, heads = 4, inner = 512;
  auto p = parameters_at(weights, {{d, d}, {d, d}, {d, d}, {d, d}, {d}, {d}, {d, inner}, {inner}, {inner, d}, {d}, {d}, {d}});
  const Tensor x = on(from, sizes{n, t, d}), a = torch::layer_norm(x, {d}, p[4], p[5]);
  const auto split = [&](size_t k) { return torch::matmul(a, p[k]).view({n, t, heads, d / heads}).transpose(1, 2); };
  const Tensor scores = torch::matmul(split(0) / std::sqrt(double(d / heads)), split(1).transpose(2, 3));
  static const Tensor later = torch::ones({t, t}, torch::kBool).triu(1);
  const Tensor seen = torch::matmul(torch::softmax(scores.masked_fill(later, -2e38), 3), split(2));
  const Tensor h = x + torch::matmul(seen.transpose(1, 2).reshape({n, t, d}), p[3]);
  const Tensor wide = torch::gelu(torch::addmm(p[7], torch::layer_norm(h, {d}, p[10], p[11]).view({n * t, d}), p[6]), "tanh");
  descend(torch::mse_loss(h + torch::addmm(p[9], wide, p[8]).view({n, t, d}), on(to, sizes{n, t, d})), p);
}
template <class T>
void lstm_step(T* weights, const T* from, const T* to) {
  constexpr std::int64_t steps = 64, n = 32, in = 64, units = 128;
  auto p = parameters_at(weights, {{in, 4 * units}, {units, 4 * units}, {4 * units}});
  const Tensor zero = torch::zeros({1, n, units}, torch::dtype(number<T>)), no_bias = torch::zeros({4 * units}, torch::dtype(number<T>));
  const auto r = torch::lstm(on(from, sizes{steps, n, in}), {zero, zero}, {p[0].t(), p[1].t(), p[2], no_bias}, true, 1, 0.0, true, false, false);
  descend(torch::mse_loss(std::get<1>(r)[0], on(to, sizes{n, units})), p);
}
template <class T>
void product(const T* a, const T* b, T* out, size_t n) {
  const torch::NoGradGuard no_grad;
  const sizes s{std::int64_t(n), std::int64_t(n)};
  Tensor to = on(out, s);
  torch::mm_out(to, on(a, s), on(b, s));
}
template <class T>
void layers(const T* weights, const T* from, T* out, size_t count, size_t d) {
  const torch::NoGradGuard no_grad;
  const std::int64_t m = std::int64_t(d);
  const Tensor w = on(weights, sizes{m, m}).t();
  Tensor to = on(out, sizes{std::int64_t(count), m});
  torch::mm_out(to, torch::mm(on(from, sizes{std::int64_t(count), m}), w).tanh_(), w);
}

template <class T>
library<T> table() {
  at::set_num_threads(1);
  library<T> l{"libtorch"};
  l.set_threads = set_threads;
  l.poly8 = poly8<T>, l.update = update<T>, l.gelu = gelu<T>, l.black_scholes = black_scholes<T>, l.greeks = greeks<T>;
  l.softmax = softmax<T>, l.layer_norm = layer_norm<T>, l.heat = heat<T>, l.n_body = n_body<T>;
  l.logistic_step = logistic_step<T>, l.mlp_step = mlp_step<T>, l.convolutional_step = convolutional_step<T>;
  l.transformer_step = transformer_step<T>, l.lstm_step = lstm_step<T>, l.product = product<T>, l.layers = layers<T>;
  return l;
}
const registration registered(table<float>(), table<double>());

}  // namespace
}  // namespace peers
