#pragma once
// Learning rates that depend on the number of the step: jq::optim. A schedule is a function of the count, an array of whole numbers,
// and gives f64, which optimizers convert to the dtype of each parameter. Compiled where it is called. Deliberately without state: the count is all they know.

#include "jacquard/numpy/elementary.hpp"

#include <vector>

namespace jacquard::optim {

namespace detail {
template <class Array = array>
constexpr array step_of(const lazy<Array>& count) { return count.astype(f64); }
/// The share of `steps` that is over, in [0, 1]; of none everything is.
template <class Array = array>
constexpr array progress(const lazy<Array>& count, double steps) {
  if (steps == 0) return step_of(count) * 0.0 + 1.0;
  return clip(step_of(count) / steps, 0.0, 1.0);
}
}  // namespace detail

/// Always the same.
struct constant_schedule {
  double value;
  template <class = void>
  constexpr array operator()(const array& count) const { return detail::step_of(count) * 0.0 + value; }
};
/// From `initial` to `final` in a straight line over `steps`, then constant.
struct linear_schedule {
  double initial, final;
  double steps;
  template <class = void>
  constexpr array operator()(const array& count) const { return initial + (final - initial) * detail::progress(count, steps); }
};
/// initial rate^(count / steps); in whole powers if `staircase`. Over no steps it does not decay.
struct exponential_decay {
  double initial, steps, rate;
  bool staircase = false;
  template <class = void>
  constexpr array operator()(const array& count) const {
    array powers = steps == 0 ? detail::step_of(count) * 0.0 : detail::step_of(count) / steps;
    if (staircase) powers = floor(powers);
    return initial * power(rate, powers);
  }
};
/// Half a cosine from `initial` down to alpha initial over `steps` (Loshchilov and Hutter, 2017).
struct cosine_decay {
  double initial, steps;
  double alpha = 0;
  template <class = void>
  constexpr array operator()(const array& count) const {
    const array falling = 0.5 * (1.0 + cos(3.14159265358979323846 * detail::progress(count, steps)));
    return initial * ((1 - alpha) * falling + alpha);
  }
};
/// A line from `initial` to `peak` over `warmup` steps, then half a cosine to `final` until step `steps`.
struct warmup_cosine_decay {
  double initial, peak, warmup, steps;
  double final = 0;
  template <class = void>
  constexpr array operator()(const array& count) const {
    const array rising = linear_schedule{initial, peak, warmup}(count);
    const array falling = cosine_decay{1, steps - warmup}(count - std::int64_t(warmup));
    return where(detail::step_of(count) < warmup, rising, final + (peak - final) * falling);
  }
};
/// `initial`, multiplied by the factor of each boundary that the count has reached.
struct piecewise_constant {
  double initial;
  std::vector<std::pair<std::int64_t, double>> factors;
  template <class = void>
  constexpr array operator()(const array& count) const {
    array value = constant_schedule{initial}(count);
    for (const auto& [boundary, factor] : factors) value = value * where(count >= boundary, factor, 1.0);
    return value;
  }
};

}  // namespace jacquard::optim
