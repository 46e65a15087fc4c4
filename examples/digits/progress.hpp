#pragma once
// What the training reports: a progress bar on a terminal, and the numbers that taps inside the step deliver.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

#include <unistd.h>

namespace digits {

/// Collects loss and accuracy of the running epoch and draws a bar on stderr when that is a terminal.
class meter {
 public:
  explicit meter(int total_steps) : total_(total_steps), terminal_(isatty(2) != 0) {}

  /// Called by the tap inside the training step.
  void report(float loss, float accuracy) {
    loss_ += loss;
    accuracy_ += accuracy;
    ++batches_;
    ++done_;
    if (terminal_) draw(loss);
  }
  struct means {
    double loss, accuracy;
  };
  /// Means since the last call.
  means take() {
    const double n = batches_ ? double(batches_) : 1.0;
    const means m{loss_ / n, accuracy_ / n};
    loss_ = accuracy_ = 0;
    batches_ = 0;
    return m;
  }
  /// Removes the bar.
  void finish() const {
    if (terminal_) std::fputs("\r\033[K", stderr);
  }

 private:
  void draw(float loss) const {
    constexpr int width = 32;
    const int full = total_ ? width * done_ / total_ : width;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    const double rate = done_ / std::max(elapsed.count(), 1e-9);
    std::fprintf(stderr, "\r\033[K[%s%s] %3d%%  loss %.4f  %.0f steps/s  %.1f s left", std::string(std::size_t(full), '#').c_str(),
                 std::string(std::size_t(width - full), '.').c_str(), 100 * done_ / std::max(total_, 1), double(loss), rate,
                 (total_ - done_) / rate);
    std::fflush(stderr);
  }
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  int total_, done_ = 0, batches_ = 0;
  double loss_ = 0, accuracy_ = 0;
  bool terminal_;
};

}  // namespace digits
