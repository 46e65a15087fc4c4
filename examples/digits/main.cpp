// Trains a two-layer network on 1797 real images of handwritten digits: `grad` for the gradient (or `vmap(grad)` for one
// gradient per example), `jit` for the whole step, whose state is donated, and a tap that carries loss and accuracy out of
// the compiled step. Prints test accuracy and a confusion matrix.

#include <algorithm>
#include <iostream>

#include "model.hpp"
#include "options.hpp"
#include "progress.hpp"

namespace digits {

/// The training step: new state from old state and one batch. Reports through `m` from inside the compiled program.
inline auto make_step(const options& o, meter& m) {
  return [&m, rate = o.rate, per_example = o.per_example](const state& s, const jq::array& images, const jq::array& labels) {
    const auto loss = [&](const parameters& p) { return loss_and_accuracy(p, images, labels); };
    auto [value, gradient] = jq::value_and_grad(loss, jq::has_aux)(s.weights);
    if (per_example) {
      const auto one = [](const parameters& p, const jq::array& image, const jq::array& label) {
        return loss_and_accuracy(p, image, label).first;
      };
      gradient = clipped_mean(jq::vmap(jq::grad(one), jq::in_axes<jq::none, 0, 0>)(s.weights, images, labels), 2.0);
    }
    const auto report = [&m](const std::pair<jq::array, jq::array>& v) { m.report(float(v.first), float(v.second)); };
    // The tap returns the gradient, so that it runs whenever the step does.
    return adam(s, jq::id_tap(report, value, jq::result(gradient)), rate);
  };
}

inline void print_confusion(const jq::array& truth, const jq::array& guess) {
  int table[classes][classes] = {};
  for (std::size_t i = 0; i < truth.data<int>().size(); ++i) ++table[truth.data<int>()[i]][guess.data<std::int64_t>()[i]];
  std::cout << "confusion matrix (rows: truth, columns: answer)\n    ";
  for (int c = 0; c < classes; ++c) std::printf("%4d", c);
  for (int r = 0; r < classes; ++r) {
    std::printf("\n%4d", r);
    for (int c = 0; c < classes; ++c) table[r][c] ? std::printf("%4d", table[r][c]) : std::printf("   .");
  }
  std::printf("\n");
}

inline int train(const options& o) {
  const samples all = read(o.data);
  const jq::array keys = jq::random::split(jq::random::key(std::uint64_t(o.seed)), 3);
  const auto [training, test] = hold_out_fifth(all, keys[0]);
  const std::int64_t n = training.labels.size(), batch = std::min<std::int64_t>(o.batch, n), batches = n / batch;

  meter m(int(o.epochs * batches));
  const auto step = make_step(o, m);
  const auto compiled = jq::jit(step, jq::donate_argnums<0>);
  state s = start(initialise(keys[1], o.hidden));
  if (o.print_jaxpr) {
    std::cout << compiled.lower(s, training.images(jq::slice(0, batch)), training.labels(jq::slice(0, batch))).as_text() << '\n';
    return 0;
  }

  std::printf("%lld training images, %lld test images, %d-%d-%d network, batches of %lld\n", static_cast<long long>(n),
              static_cast<long long>(test.labels.size()), pixels, o.hidden, classes, static_cast<long long>(batch));
  for (int epoch = 1; epoch <= o.epochs; ++epoch) {
    const jq::array order = jq::random::permutation(jq::random::fold_in(keys[2], epoch), n);
    const samples shuffled = pick(training, order);
    for (std::int64_t b = 0; b < batches; ++b) {
      const auto rows = jq::slice(b * batch, (b + 1) * batch);
      s = compiled(s, shuffled.images(rows), shuffled.labels(rows));
    }
    jq::barrier_wait();
    const meter::means means = m.take();
    m.finish();
    if (epoch == 1 || epoch % 5 == 0 || epoch == o.epochs)
      std::printf("epoch %3d  loss %.4f  accuracy %.4f\n", epoch, means.loss, means.accuracy);
  }

  const auto answer = jq::jit([](const parameters& p, const jq::array& images) { return jq::argmax(log_probabilities(p, images), -1); });
  const jq::array guess = answer(s.weights, test.images);
  const double accuracy = jq::mean((guess == test.labels).astype(jq::f64)).item<double>();
  std::printf("test accuracy %.4f\n", accuracy);
  print_confusion(test.labels, guess);
  return 0;
}

}  // namespace digits

int main(int argc, char** argv) {
  try {
    return digits::train(digits::parse(argc, argv, JACQUARD_DIGITS_CSV));
  } catch (const digits::usage_error& e) {
    std::fprintf(stderr, "digits: %s\n%s", e.what(), digits::usage);
    return 2;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "digits: %s\n", e.what());
    return 1;
  }
}
