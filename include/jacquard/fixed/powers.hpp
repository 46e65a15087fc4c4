#pragma once
// Which products are powers of one value, but for constants, and how high these rise in a program: what is multiplied in another order should
// not rise higher, where it may leave the range of numbers while the program does not. Deliberately knows no steps, and no powers of products.

#include <cstdint>

#include "jacquard/core/jaxpr.hpp"
#include "jacquard/core/table.hpp"

namespace jacquard {
namespace detail {

class powers {
 public:
  constexpr explicit powers(std::size_t values) : of_(values) {}

  /// The program multiplies a by b.
  constexpr void multiply(std::uint32_t a, std::uint32_t b, std::uint32_t product) {
    if (is_constant(a) && is_constant(b)) return;
    if (is_constant(a) || is_constant(b)) {
      const std::uint32_t x = is_constant(a) ? b : a;
      set(product, base(x), of_[x].exponent);
    } else if (base(a) == base(b)) set(product, base(a), of_[a].exponent + of_[b].exponent);
  }
  /// Whether both are powers of one value, or one constant.
  constexpr bool have_one_base(std::uint32_t a, std::uint32_t b) const { return a == b || (!is_constant(a) && !is_constant(b) && base(a) == base(b)); }
  /// Whether one of the factors before number k has the base of that one.
  constexpr bool meet_one_base(const std::uint32_t* factors, std::uint32_t k) const {
    for (std::uint32_t j = 0; j < k; ++j)
      if (have_one_base(factors[j], factors[k])) return true;
    return false;
  }
  /// Whether a b would be a higher power than there is.
  constexpr bool rise_too_high(std::uint32_t a, std::uint32_t b) const {
    return !is_constant(a) && !is_constant(b) && base(a) == base(b) && of_[a].exponent + of_[b].exponent > of_[base(a)].highest;
  }

 private:
  struct facts {
    std::uint32_t base = 0, exponent = 1;  ///< what it is a power of, + 1; none: of itself
    std::uint32_t highest = 1;             ///< the highest power of it that the program makes
  };
  static constexpr bool is_constant(std::uint32_t code) { return (code & atom::literal_bit) != 0; }
  constexpr std::uint32_t base(std::uint32_t x) const { return of_[x].base == 0 ? x : of_[x].base - 1; }
  constexpr void set(std::uint32_t x, std::uint32_t base, std::uint32_t exponent) {
    constexpr std::uint32_t most = 1u << 30;
    if (exponent > most) exponent = most;
    of_[x].base = base + 1, of_[x].exponent = exponent;
    if (of_[base].highest < exponent) of_[base].highest = exponent;
  }

  table<facts> of_;
};

}  // namespace detail
}  // namespace jacquard
