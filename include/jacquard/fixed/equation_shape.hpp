#pragma once
// One equation of a frozen program as a type: its primitive, atoms, types and parameters, all constants. Deliberately without code:
// equation_step and loop_step run it.

#include "jacquard/core/kernel_entry.hpp"
#include "jacquard/fixed/value_stores.hpp"

namespace jacquard {
namespace detail {

template <const auto& Code, std::size_t I>
struct equation_shape {
  static constexpr frozen_equation e = Code.equations[I];
  using P = primitive_of<e.op>;

  static constexpr std::size_t inputs = e.in.count, outputs = e.out.count;
  static constexpr atom input(std::size_t k) { return Code.atoms[e.in.first + k]; }
  static constexpr variable output(std::size_t k) { return Code.atoms[e.out.first + k].index(); }
  // Copies: a reference into the program would put it into the object file, and with it every rule of its primitives.
  static constexpr auto in_types = [] {
    std::array<aval, inputs> r{};
    for (std::size_t k = 0; k < inputs; ++k) r[k] = Code.type_of(input(k));
    return r;
  }();
  static constexpr auto out_types = [] {
    std::array<aval, outputs> r{};
    for (std::size_t k = 0; k < outputs; ++k) r[k] = Code.type_of_variable(output(k));
    return r;
  }();

  static constexpr const aval& input_type(std::size_t k) { return in_types[k]; }
  static constexpr const aval& output_type(std::size_t k) { return out_types[k]; }

  static constexpr param_view parameter_view() { return Code.params(e); }
  static constexpr auto make_params() { return decode<params_of<P>>(parameter_view()); }
  /// Parameters as a constant, if their type allows one.
  JACQUARD_INLINE static constexpr decltype(auto) params() {
#ifdef __CUDA_ARCH__  // device code has no addresses of the host's constants
    constexpr auto p = make_params();
    return p;
#else
    if constexpr (std::is_trivially_destructible_v<params_of<P>>) return (constant_params);
    else return make_params();
#endif
  }
  static constexpr auto constant_params = [] {
    if constexpr (std::is_trivially_destructible_v<params_of<P>>) return make_params();
    else return 0;
  }();
};

}  // namespace detail
}  // namespace jacquard
