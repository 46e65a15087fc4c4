#pragma once
// cumlogsumexp: running log(sum(exp(x))) along an axis, forwards or backwards, without overflow.

#include "jacquard/prims/exp.hpp"
#include "jacquard/prims/is_finite.hpp"
#include "jacquard/prims/linear_recurrence.hpp"
#include "jacquard/prims/select_n.hpp"
#include "jacquard/prims/sub.hpp"

namespace jacquard {

/// Element i along `axis` is log(exp(x_0) + ... + exp(x_i)); of elements i ... n-1 if `reverse`.
/// Shapes  kept; dtype kept.
/// Errors  type_error: anything but real floating point; shape_error: an axis outside [0, rank).
/// Rules   derivative: dy_i = exp(y_(i-1) - y_i) dy_(i-1) + exp(x_i - y_i) t_i, whose weights add up to 1.
/// Cost    O(size), its derivative too. The sum is carried relative to the largest element so far (Milakov, Gimelshein, "Online
///         normalizer calculation for softmax", 2018, algorithm 3).
struct cumlogsumexp_p : detail::cumulative<cumlogsumexp_p, floats> {
  static constexpr std::string_view name = "cumlogsumexp";

  static constexpr void cost(auto& c) { c.cost.flops = 4 * double(c.in[0].elements()); }
  static constexpr array jvp(const auto& t, const auto& x, const auto& y, const params& p) {
    const array zero(literal(0.0, x.dtype(), x.weak_type()));
    const array shift = lax::select(lax::is_finite(y), y, zero);  // -inf - -inf would be NaN
    const array before = detail::moved_on(y, p, -std::numeric_limits<double>::infinity());
    const array kept = lax::exp(lax::sub(before, shift)), added = lax::exp(lax::sub(x, shift));
    return lax::linear_recurrence(kept, lax::mul(added, t), p.axis, p.reverse);
  }
  static constexpr literal neutral(const aval& t) { return detail::extreme_literal(t, false); }
  /// exp(largest) times sum.
  template <class T>
  struct state {
    double largest = 0, sum = 0;
  };
  template <class T>
  static constexpr state<T> begin(T x) {
    return {double(x), 1};
  }
  template <class S, class T>
  static constexpr void advance(S& s, T given) {
    const double x = double(given);
    if (x == s.largest) s.sum += 1;  // infinities, too
    else if (x < s.largest) s.sum += math::exp(x - s.largest);
    else {
      s.sum = s.sum * math::exp(s.largest - x) + 1;
      s.largest = x;
    }
  }
  template <class S>
  static constexpr double value(const S& s) {
    return s.largest + math::log(s.sum);
  }
};

namespace lax {
/// See cumlogsumexp_p.
template <class Array = array>
constexpr array cumlogsumexp(const lazy<Array>& x, std::int64_t axis, bool reverse = false, location where = location::current()) {
  return bind<cumlogsumexp_p>({axis, reverse}, where, x);
}
}  // namespace lax

}  // namespace jacquard
