#pragma once
// Which convolutions oneDNN computes, in which form, each prepared once. Deliberately without any that run as fast without it: `suits` of a
// form says.

#include "jacquard/backends/cpu/onednn_convolution.hpp"
#include "jacquard/backends/cpu/onednn_gradients.hpp"
#include "jacquard/backends/forks.hpp"
#include "jacquard/backends/mutex.hpp"

namespace jacquard::cpu {

namespace detail {

/// Convolutions of one form. They are prepared under a lock, once per shape, and kept.
template <class Convolution>
struct onednn_convolutions {
  jacquard::detail::recursive_mutex lock;
  list<const Convolution*> known;

  onednn_convolutions() { jacquard::detail::forks::hold(lock); }
  const Convolution& of(const conv_plan& p) {
    const jacquard::detail::scoped_lock hold(lock);
    for (const Convolution* c : known)
      if (c->plan() == p) return *c;
    known.push_back(new Convolution(p));
    return *known.back();
  }
  /// False: this form is not for the convolution.
  static bool run(const conv_plan& p, const float* x, const float* k, float* out) {
    if (!Convolution::suits(p)) return false;
    static onednn_convolutions* const all = new onednn_convolutions;
    const Convolution& c = all->of(p);
    if (!c.usable()) return false;
    c.run(x, k, out);
    return true;
  }
};

inline bool convolve(const conv_plan& p, const float* x, const float* k, float* out) {
  return onednn_convolutions<onednn_filter_gradient>::run(p, x, k, out) || onednn_convolutions<onednn_source_gradient>::run(p, x, k, out) ||
         onednn_convolutions<onednn_convolution>::run(p, x, k, out);
}

}  // namespace detail

/// The convolutions of oneDNN, where it is installed.
inline const jacquard::detail::convolution_library* convolutions_found() {
  static constexpr jacquard::detail::convolution_library library{&detail::convolve};
  return &library;
}

}  // namespace jacquard::cpu
