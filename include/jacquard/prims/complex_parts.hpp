#pragma once
// real, imag, conj and complex: between complex numbers and their parts. One family: their transposes need each other.
// Transposition is linear, without conjugation: the transpose of z -> c z is z -> c z.

#include "jacquard/prims/neg.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array real(const lazy<Array>& z, location where = location::current());
template <class Array = array>
constexpr array imag(const lazy<Array>& z, location where = location::current());
template <class Array = array>
constexpr array conj(const lazy<Array>& z, location where = location::current());
template <class Array = array>
constexpr array complex(const lazy<Array>& re, const lazy<Array>& im, location where = location::current());
}  // namespace lax

/// The real part of a complex array, elementwise.
/// Errors  type_error: not complex.
/// Rules   linear over the reals; transpose: ct -> complex(ct, 0).
struct real_p : elementwise<real_p, complexes, 1> {
  static constexpr std::string_view name = "real";
  static constexpr std::uint32_t linear = 1;

  static constexpr aval abstract_eval(inference& c) {
    const aval t = detail::elementwise_type(c, domain);
    return t.with(real_dtype(t.type));
  }
  template <class T>
  static constexpr auto apply(T z) {
    return z.real();
  }
  static constexpr array transpose(int, const auto& ct, const auto&) {
    return lax::complex(ct, detail::scalar_like(ct, 0));
  }
};

/// The imaginary part of a complex array, elementwise.
/// Errors  type_error: not complex.
/// Rules   linear over the reals; transpose: ct -> complex(0, -ct).
struct imag_p : elementwise<imag_p, complexes, 1> {
  static constexpr std::string_view name = "imag";
  static constexpr std::uint32_t linear = 1;

  static constexpr aval abstract_eval(inference& c) {
    const aval t = detail::elementwise_type(c, domain);
    return t.with(real_dtype(t.type));
  }
  template <class T>
  static constexpr auto apply(T z) {
    return z.imag();
  }
  static constexpr array transpose(int, const auto& ct, const auto&) {
    return lax::complex(detail::scalar_like(ct, 0), lax::neg(ct));
  }
};

/// The complex conjugate of a complex array, elementwise.
/// Errors  type_error: not complex.
/// Rules   linear over the reals; transpose = conj.
struct conj_p : elementwise<conj_p, complexes, 1> {
  static constexpr std::string_view name = "conj";
  static constexpr std::uint32_t linear = 1;
  template <class T>
  static constexpr T apply(T z) {
    return math::conj(z);
  }
  static constexpr array transpose(int, const auto& ct, const auto&) { return lax::conj(ct); }
};

/// The complex numbers re + i im, elementwise, of two arrays of dtype f32 or f64.
/// Errors  type_error: another dtype, or different ones.
/// Rules   linear in both together; transpose: ct -> real(ct) and -imag(ct).
struct complex_p : elementwise<complex_p, floats, 2> {
  static constexpr std::string_view name = "complex";
  static constexpr bool makes_complex = true;
  static constexpr std::uint32_t linear = 0b11;
  static constexpr bool jointly_linear = true;

  static constexpr aval abstract_eval(inference& c) {
    const aval t = detail::elementwise_type(c, domain);
    if (!c.problem && size_of(t.type) == 2)
      return c.fail(error_kind::type, " does not accept dtype ", long_name(t.type),
                    "; there are only 64 and 128 bit complex numbers, convert the operands to jq::f32");
    return t.with(complex_dtype(t.type));
  }
  template <class T>
  static constexpr auto apply(T re, T im) {
    return jacquard::complex<T>(re, im);
  }
  static constexpr bool records_complex = true;
  static constexpr void record(record_call& c) { c.result = c.in[0], c.imaginary = c.in[1]; }
  static constexpr array transpose(int k, const auto& ct, const auto&) {
    if (k == 0) return lax::real(ct);
    return lax::neg(lax::imag(ct));
  }
};

namespace lax {
/// See real_p. Of a real array: itself.
template <class Array>
constexpr array real(const lazy<Array>& z, location where) {
  if (!z.is_none() && !is_complex(z.dtype())) return z;
  return bind<real_p>({}, where, z);
}
/// See imag_p.
template <class Array>
constexpr array imag(const lazy<Array>& z, location where) { return bind<imag_p>({}, where, z); }
/// See conj_p. Of a real array: itself.
template <class Array>
constexpr array conj(const lazy<Array>& z, location where) {
  if (!z.is_none() && !is_complex(z.dtype())) return z;
  return bind<conj_p>({}, where, z);
}
/// See complex_p.
template <class Array>
constexpr array complex(const lazy<Array>& re, const lazy<Array>& im, location where) {
  return bind<complex_p>({}, where, detail::match_literal(re, im), detail::match_literal(im, re));
}
}  // namespace lax

}  // namespace jacquard
