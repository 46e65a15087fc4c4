#pragma once
// Initial values of parameters: jq::nn::initializers. An initialiser is a function of a key, a shape and a dtype; those here are small
// objects, so that they can be kept and passed; they are compiled where they are called. Orthogonal
// matrices are in orthogonal.hpp.

#include "jacquard/numpy/random.hpp"

namespace jacquard::nn::initializers {

/// The same number everywhere; the key is not looked at.
struct constant {
  double value = 0;
  template <class = void>
  constexpr array operator()(const array&, const shape& dims, dtype t = f32, location where = location::current()) const {
    return full(dims, value, t, where);
  }
};
inline constexpr constant zeros{0}, ones{1};

/// Uniform in [0, scale).
struct uniform {
  double scale = 1e-2;
  template <class = void>
  constexpr array operator()(const array& key, const shape& dims, dtype t = f32, location where = location::current()) const {
    return random::uniform(operand(key, where), dims, t) * scale;
  }
};
/// Normal with mean 0.
struct normal {
  double deviation = 1e-2;
  template <class = void>
  constexpr array operator()(const array& key, const shape& dims, dtype t = f32, location where = location::current()) const {
    return random::normal(operand(key, where), dims, t) * deviation;
  }
};
/// Normal with mean 0, of which only what lies within [low, high] standard deviations is drawn. The deviation is that before.
struct truncated_normal {
  double deviation = 1e-2, low = -2, high = 2;
  template <class = void>
  constexpr array operator()(const array& key, const shape& dims, dtype t = f32, location where = location::current()) const {
    constexpr double root_half = 0.70710678118654752440, root_two = 1.41421356237309504880;
    const rule_location_scope here(where);
    const array u = random::uniform(operand(key, where), dims, t, math::erf(low * root_half), math::erf(high * root_half));
    return clip(erf_inv(u) * root_two, low, high) * deviation;
  }
};

/// What the variance is divided by: how many inputs an output has, outputs an input, or their mean.
enum class fan { in, out, average };
enum class distribution { uniform, normal, truncated_normal };

/// Values of variance scale / n, where n is a fan of a matrix or of the kernel of a convolution: the last two axes are inputs and
/// outputs, those before a receptive field.
/// Errors: shape_error for a shape of fewer than two axes.
struct variance_scaling {
  double scale = 1;
  fan mode = fan::in;
  distribution kind = distribution::truncated_normal;
  template <class = void>
  constexpr array operator()(const array& key, const shape& dims, dtype t = f32, location where = location::current()) const {
    const rule_location_scope here(where);
    if (dims.rank() < 2)
      return jacquard::detail::bad_operand(operand(key, where), error_kind::shape, "variance_scaling: got the shape ", dims,
                                           "; wanted at least two axes, the last two of inputs and outputs");
    double field = 1;
    for (int d = 0; d + 2 < dims.rank(); ++d) field *= double(dims[d]);
    const double in = field * double(dims[dims.rank() - 2]), out = field * double(dims[dims.rank() - 1]);
    const double n = mode == fan::in ? in : mode == fan::out ? out : (in + out) / 2, variance = scale / (n > 1 ? n : 1);
    if (kind == distribution::normal) return normal{math::sqrt(variance)}(key, dims, t, where);
    // The truncation takes variance away; the quotient is the deviation of what remains.
    if (kind == distribution::truncated_normal) return truncated_normal{math::sqrt(variance) / 0.87962566103423978}(key, dims, t, where);
    const double limit = math::sqrt(3 * variance);
    return random::uniform(operand(key, where), dims, t, -limit, limit);
  }
};

/// Glorot and Bengio (2010), for functions that are linear near 0; Xavier is Glorot's first name.
inline constexpr variance_scaling glorot_uniform{1, fan::average, distribution::uniform};
inline constexpr variance_scaling glorot_normal{1, fan::average, distribution::truncated_normal};
/// He et al. (2015), for relu; Kaiming is He's first name.
inline constexpr variance_scaling he_uniform{2, fan::in, distribution::uniform}, he_normal{2, fan::in, distribution::truncated_normal};
/// LeCun et al. (1998), for selu.
inline constexpr variance_scaling lecun_uniform{1, fan::in, distribution::uniform}, lecun_normal{1, fan::in, distribution::truncated_normal};
inline constexpr variance_scaling xavier_uniform = glorot_uniform, xavier_normal = glorot_normal;
inline constexpr variance_scaling kaiming_uniform = he_uniform, kaiming_normal = he_normal;

}  // namespace jacquard::nn::initializers
