#pragma once
// Optimizers of the first order: jq::optim::{sgd, momentum, adam, adamw, rmsprop, adagrad, lion}. Each makes a small object with
//   state = o.init(params);  [updates, state] = o.update(gradients, state, params);  params = apply_updates(params, updates).
// States are trees, so that they pass through jit, scan and donation like parameters. A learning rate is a number or a schedule, a
// function of the count of steps. For complex parameters the averages of squares are those of |g|^2, and g is what is stepped against: the
// conjugate of what grad gives (dL/dx - i dL/dy). Averages of 16-bit gradients are kept in f32: their squares, and a thousandth of an average,
// vanish next to what 16 bits hold; updates are of the parameters' dtype. Deliberately no classes that hold parameters and no registry of names.

#include <utility>

#include "jacquard/optim/gradients.hpp"
#include "jacquard/optim/schedules.hpp"

namespace jacquard::optim {

/// State of optimizers that only count their steps.
struct count_state {
  array count;
};
/// State of those with one number per parameter.
template <class P>
struct moment_state {
  array count;
  P moment;
};
/// State of those with two.
template <class P>
struct moments_state {
  array count;
  P first, second;
};

namespace detail {
template <class Array = array>
constexpr Array no_steps() {
  return zeros({}, i32);
}
/// Nothing, or an error. Errors: type_error for whole numbers, which no small step changes.
template <class Array = array>
constexpr array check_inexact(const lazy<Array>& x) {
  if (is_inexact(x.dtype())) return {};
  return jacquard::detail::bad_operand(operand(x), error_kind::type, "optim: got a parameter or gradient of dtype ", long_name(x.dtype()),
                                       "; wanted a floating point or complex one, convert it with x.astype(jq::f32)");
}
/// A gradient in the dtype of its averages.
template <class Array = array>
constexpr array widened(const lazy<Array>& g) {
  if (is_short(g)) return g.astype(f32);
  return g;
}
/// An update in the dtype of its parameter.
template <class Array = array>
constexpr array narrowed(const lazy<Array>& update, const lazy<Array>& p) {
  if (is_short(p)) return update.astype(p.dtype());
  return update;
}
/// An average of gradients before the first step.
template <class P>
constexpr rebind_t<P> zeros_of(const P& params) {
  return tree::map([](const array& p) {
    const array bad = check_inexact(p);
    if (!bad.is_none()) return bad;
    if (is_short(p)) return zeros(p.shape(), f32);
    return zeros_like(p);
  }, params);
}
/// An average of squares before the first step: real, of complex parameters too.
template <class P>
constexpr rebind_t<P> squares_of(const P& params, double initial = 0) {
  return tree::map([&](const array& p) {
    const array bad = check_inexact(p);
    if (!bad.is_none()) return bad;
    if (is_complex(p.dtype())) return full(p.shape(), initial, real_dtype(p.dtype()));
    if (is_short(p)) return full(p.shape(), initial, f32);
    return full_like(p, initial);
  }, params);
}
/// The learning rate at a step, in the dtype of a gradient.
template <class Rate>
constexpr array rate_at(const Rate& rate, const array& count, const array& g) {
  const array bad = check_inexact(g);
  if (!bad.is_none()) return bad;
  if constexpr (std::is_arithmetic_v<Rate>) {
    (void)count;
    return array(literal(double(rate)).as(g.dtype()));
  } else return array(rate(count)).astype(g.dtype());
}
/// 1 - decay^(count + 1), which undoes the bias of an average that began at 0.
template <class Array = array>
constexpr array correction(double decay, const lazy<Array>& count, const lazy<Array>& g) {
  return (1.0 - exp(math::log(decay) * (count + 1).astype(f64))).astype(g.dtype());
}
/// decay old + (1 - decay) value.
template <class Array = array>
constexpr array averaged(double decay, const lazy<Array>& old, const lazy<Array>& value) {
  return decay * old + (1 - decay) * value;
}
}  // namespace detail

// --- gradient descent ---------------------------------------------------------------------------------------------------

template <class Rate>
struct sgd_optimizer {
  Rate rate;
  template <class P>
  constexpr count_state init(const P&) const { return {detail::no_steps()}; }
  template <class G, class P>
  constexpr std::pair<rebind_t<P>, count_state> update(const G& gradients, const count_state& s, const P& params) const {
    return {tree::map([&](const array&, const array& g) { return -detail::rate_at(rate, s.count, g) * g; }, params, gradients),
            {s.count + 1}};
  }
};
/// Steps against the gradient: -rate g.
template <class Rate>
constexpr sgd_optimizer<Rate> sgd(Rate rate) { return {rate}; }

template <class Rate>
struct momentum_optimizer {
  Rate rate;
  double decay;
  bool nesterov;
  template <class P>
  constexpr moment_state<rebind_t<P>> init(const P& params) const { return {detail::no_steps(), detail::zeros_of(params)}; }
  template <class G, class P>
  constexpr std::pair<rebind_t<P>, moment_state<rebind_t<P>>> update(const G& gradients, const moment_state<rebind_t<P>>& s, const P& params) const {
    const rebind_t<P> moment = tree::map([&](const array&, const array& m, const array& g) { return decay * m + detail::widened(g); }, params, s.moment, gradients);
    return {tree::map([&](const array& p, const array& m, const array& given) {
              const array g = detail::widened(given), rate_now = -detail::rate_at(rate, s.count, g);
              if (nesterov) return detail::narrowed(rate_now * (decay * m + g), p);
              return detail::narrowed(rate_now * m, p);
            }, params, moment, gradients),
            {s.count + 1, moment}};
  }
};
/// m = decay m + g; steps -rate m, or -rate (decay m + g) after Nesterov.
template <class Rate>
constexpr momentum_optimizer<Rate> momentum(Rate rate, double decay = 0.9, bool nesterov = false) { return {rate, decay, nesterov}; }
template <class Rate>
constexpr momentum_optimizer<Rate> nesterov(Rate rate, double decay = 0.9) { return {rate, decay, true}; }

// --- adaptive steps ---------------------------------------------------------------------------------------------------------

struct adam_options {
  double first_decay = 0.9, second_decay = 0.999, epsilon = 1e-8;
  double weight_decay = 0;  ///< of the parameters themselves, times the learning rate (Loshchilov and Hutter, 2019)
};
template <class Rate>
struct adam_optimizer {
  Rate rate;
  adam_options options;
  template <class P>
  constexpr moments_state<rebind_t<P>> init(const P& params) const { return {detail::no_steps(), detail::zeros_of(params), detail::squares_of(params)}; }
  template <class G, class P>
  constexpr std::pair<rebind_t<P>, moments_state<rebind_t<P>>> update(const G& gradients, const moments_state<rebind_t<P>>& s, const P& params) const {
    const adam_options& o = options;
    const rebind_t<P> first = tree::map([&](const array&, const array& m, const array& g) { return detail::averaged(o.first_decay, m, detail::widened(g)); },
                                        params, s.first, gradients);
    const rebind_t<P> second = tree::map([&](const array&, const array& v, const array& g) { return detail::averaged(o.second_decay, v, detail::squared_size(detail::widened(g))); },
                                         params, s.second, gradients);
    const auto step = [&](const array& p, const array& m, const array& v) {
      const array mean = m / detail::correction(o.first_decay, s.count, m);
      const array size = jacquard::detail::root_of_squares(v / detail::correction(o.second_decay, s.count, v), location{});
      array direction = mean / (size + o.epsilon);
      if (o.weight_decay != 0) direction = direction + o.weight_decay * p;
      return detail::narrowed(-detail::rate_at(rate, s.count, m) * direction, p);
    };
    return {tree::map(step, params, first, second), {s.count + 1, first, second}};
  }
};
/// Kingma and Ba (2015): steps of the averaged gradient over the root of its averaged square, without the bias of their start.
template <class Rate>
constexpr adam_optimizer<Rate> adam(Rate rate, adam_options options = {}) { return {rate, options}; }
/// The same with decay of the parameters.
template <class Rate>
constexpr adam_optimizer<Rate> adamw(Rate rate, double weight_decay = 1e-4, adam_options options = {}) {
  options.weight_decay = weight_decay;
  return {rate, options};
}

template <class Rate>
struct rmsprop_optimizer {
  Rate rate;
  double decay, epsilon;
  template <class P>
  constexpr moment_state<rebind_t<P>> init(const P& params) const { return {detail::no_steps(), detail::squares_of(params)}; }
  template <class G, class P>
  constexpr std::pair<rebind_t<P>, moment_state<rebind_t<P>>> update(const G& gradients, const moment_state<rebind_t<P>>& s, const P& params) const {
    const rebind_t<P> moment = tree::map([&](const array&, const array& v, const array& g) { return detail::averaged(decay, v, detail::squared_size(detail::widened(g))); },
                                         params, s.moment, gradients);
    const auto step = [&](const array& p, const array& v, const array& given) {
      const array g = detail::widened(given);
      return detail::narrowed(-detail::rate_at(rate, s.count, g) * g * rsqrt(v + epsilon), p);
    };
    return {tree::map(step, params, moment, gradients),
            {s.count + 1, moment}};
  }
};
/// -rate g / sqrt(v + epsilon), where v averages |g|^2 (Tieleman and Hinton, 2012).
template <class Rate>
constexpr rmsprop_optimizer<Rate> rmsprop(Rate rate, double decay = 0.9, double epsilon = 1e-8) { return {rate, decay, epsilon}; }

template <class Rate>
struct adagrad_optimizer {
  Rate rate;
  double initial, epsilon;
  template <class P>
  constexpr moment_state<rebind_t<P>> init(const P& params) const {
    return {detail::no_steps(), detail::squares_of(params, initial)};
  }
  template <class G, class P>
  constexpr std::pair<rebind_t<P>, moment_state<rebind_t<P>>> update(const G& gradients, const moment_state<rebind_t<P>>& s, const P& params) const {
    const rebind_t<P> moment = tree::map([&](const array&, const array& v, const array& g) { return v + detail::squared_size(detail::widened(g)); }, params, s.moment, gradients);
    const auto step = [&](const array& p, const array& v, const array& given) {
      const array any = v > 0.0, g = detail::widened(given);
      return detail::narrowed(where(any, -detail::rate_at(rate, s.count, g) * g * rsqrt(where(any, v, 1.0) + epsilon), 0.0), p);
    };
    return {tree::map(step, params, moment, gradients), {s.count + 1, moment}};
  }
};
/// -rate g / sqrt(v + epsilon), where v sums |g|^2 from `initial` on (Duchi, Hazan and Singer, 2011).
template <class Rate>
constexpr adagrad_optimizer<Rate> adagrad(Rate rate, double initial = 0.1, double epsilon = 1e-7) { return {rate, initial, epsilon}; }

template <class Rate>
struct lion_optimizer {
  Rate rate;
  double first_decay, second_decay, weight_decay;
  template <class P>
  constexpr moment_state<rebind_t<P>> init(const P& params) const { return {detail::no_steps(), detail::zeros_of(params)}; }
  template <class G, class P>
  constexpr std::pair<rebind_t<P>, moment_state<rebind_t<P>>> update(const G& gradients, const moment_state<rebind_t<P>>& s, const P& params) const {
    const auto step = [&](const array& p, const array& m, const array& given) {
      const array g = detail::widened(given);
      return detail::narrowed(-detail::rate_at(rate, s.count, g) * (sign(detail::averaged(first_decay, m, g)) + weight_decay * p), p);
    };
    return {tree::map(step, params, s.moment, gradients),
            {s.count + 1, tree::map([&](const array&, const array& m, const array& g) { return detail::averaged(second_decay, m, detail::widened(g)); },
                                    params, s.moment, gradients)}};
  }
};
/// Steps of one size, by the sign of an average of the gradient (Chen et al., 2023).
template <class Rate>
constexpr lion_optimizer<Rate> lion(Rate rate, double first_decay = 0.9, double second_decay = 0.99, double weight_decay = 0) {
  return {rate, first_decay, second_decay, weight_decay};
}

}  // namespace jacquard::optim
