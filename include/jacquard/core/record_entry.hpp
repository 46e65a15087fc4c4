#pragma once
// The record rule of a primitive, made from what its struct provides: `apply` is run on numbers that write down what is done to them, complex
// ones on pairs of such; a rule of its own is taken as it is. Deliberately nothing for what cannot be written down: that stays unrecorded.

#include "jacquard/core/kernel_entry.hpp"
#include "jacquard/core/recorded_complex.hpp"

namespace jacquard::detail {

/// Whether `apply` can run on recorded numbers: it takes real ones and gives such.
template <class P>
constexpr bool has_scalar_apply() {
  if constexpr (requires { P::is_elementwise; P::arity; P::domain; })
    return (P::domain & ordered) != 0 && !requires { P::makes_complex; };
  else return false;
}
/// Whether it can run on pairs of them.
template <class P>
constexpr bool has_complex_apply() {
  if constexpr (requires { P::is_elementwise; P::arity; P::domain; }) return (P::domain & complexes) != 0;
  else return false;
}
template <class P>
concept has_record_rule = requires(record_call& c, const params_of<P>& p) { P::record(c, p); } ||
                          requires(record_call& c) { P::record(c); };
template <class P>
constexpr bool has_record() { return has_scalar_apply<P>() || has_complex_apply<P>() || has_record_rule<P>; }

/// `apply` on operands x(k).
template <class P, class X>
constexpr auto recorded_apply(const record_call& c, X&& x) {
  const auto call = [&](const auto&... p) {
    if constexpr (P::arity == 1) return P::apply(x(0), p...);
    else if constexpr (P::arity == 2) return P::apply(x(0), x(1), p...);
    else return P::apply(x(0), x(1), x(2), p...);
  };
  if constexpr (has_params<P>) return call(decode<params_of<P>>(c.params));
  else return call();
}
constexpr void set_recorded(record_call& c, const recorded_scalar& x) { c.result = x.number(); }
constexpr void set_recorded(record_call& c, const recorded_complex& z) { c.result = z.re.number(), c.imaginary = z.im.number(); }

/// Rules of a primitive's own know of complex numbers where it says so.
template <class P>
constexpr bool records_complex() {
  if constexpr (requires { P::records_complex; }) return P::records_complex;
  else return false;
}
template <class P>
constexpr void record_entry(record_call& c) {
  if constexpr (has_record_rule<P>) {
    if ((c.any_complex() || is_complex(c.out.type)) && !records_complex<P>()) return;
    if constexpr (requires { P::record(c, decode<params_of<P>>(c.params)); }) P::record(c, decode<params_of<P>>(c.params));
    else P::record(c);
  } else if (c.any_complex()) {
    if constexpr (has_complex_apply<P>())
      set_recorded(c, recorded_apply<P>(c, [&](std::size_t k) { return recorded_complex({c.to, c.in[k]}, {c.to, c.in_imaginary[k]}); }));
  } else if constexpr (has_scalar_apply<P>())
    set_recorded(c, recorded_scalar(recorded_apply<P>(c, [&](std::size_t k) { return recorded_scalar(c.to, c.in[k]); })));
  if (c.to.refused || (c.imaginary >= 0) != is_complex(c.out.type)) c.result = -1;
}

}  // namespace jacquard::detail
