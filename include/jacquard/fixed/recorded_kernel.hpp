#pragma once
// Kernels of small arrays as straight-line arithmetic: a kernel that only adds, multiplies and takes extremes is run once by the
// compiler on numbers that write down what is done to them, and then that is done. Deliberately for primitives that say so.

#include <limits>

#include "jacquard/fixed/equation_facts.hpp"

namespace jacquard {
namespace detail {

enum class arithmetic : std::uint8_t { add, multiply, max, min };
/// One operation on earlier numbers: those of the operands come first, then one for each operation.
struct arithmetic_step {
  arithmetic what = arithmetic::add;
  std::int32_t a = 0, b = 0;
};
inline constexpr std::int32_t zero_number = -1;

/// A number that writes down what is done to it.
struct recorded {
  using lane_element = double;
  struct tape {
    std::vector<arithmetic_step> steps;
    std::int32_t operands = 0;
  };
  tape* to = nullptr;
  std::int32_t number = zero_number;

  constexpr recorded() = default;
  /// Kernels start from zero only.
  constexpr explicit recorded(double) {}
  constexpr recorded(tape* t, std::int32_t n) : to(t), number(n) {}

  static constexpr recorded write(arithmetic what, const recorded& a, const recorded& b) {
    tape* t = a.to ? a.to : b.to;
    if (!t) return {};
    t->steps.push_back({what, a.number, b.number});
    return {t, t->operands + std::int32_t(t->steps.size()) - 1};
  }
  static constexpr recorded add(const recorded& a, const recorded& b) {
    if (a.number == zero_number) return b;
    if (b.number == zero_number) return a;
    return write(arithmetic::add, a, b);
  }
  static constexpr recorded multiply(const recorded& a, const recorded& b) { return write(arithmetic::multiply, a, b); }
  // An extreme of nothing yet is the other number.
  static constexpr recorded max(const recorded& a, const recorded& b) {
    return a.number == zero_number ? b : write(arithmetic::max, a, b);
  }
  static constexpr recorded min(const recorded& a, const recorded& b) {
    return a.number == zero_number ? b : write(arithmetic::min, a, b);
  }
  friend constexpr recorded operator-(const recorded& a) { return a; }  // of infinity, where an extreme starts
  friend constexpr recorded operator+(const recorded& a, const recorded& b) { return add(a, b); }
};

template <class P>
concept recordable = requires { P::only_arithmetic; } || requires { P::is_reduction; };

/// More operations than this run as the kernel's loops.
inline constexpr std::size_t straight_line_steps = 256;

/// What the kernel of P does on one row of recorded operands; the numbers of its results.
template <class P>
struct recording {
  std::vector<arithmetic_step> steps;
  std::vector<std::int32_t> results;

  constexpr recording(const param_view& given, view<const aval> in, const aval& out) {
    recorded::tape t;
    for (const aval& a : in) t.operands += std::int32_t(a.elements());
    std::vector<recorded> operands, made(std::size_t(out.elements()), recorded());
    for (std::int32_t i = 0; i < t.operands; ++i) operands.push_back({&t, i});
    run_on_rows<P>(given, in, out, operands, made.data());
    steps = t.steps;
    for (const recorded& r : made) results.push_back(r.number);
  }
};

}  // namespace detail
}  // namespace jacquard

template <>
class std::numeric_limits<jacquard::detail::recorded> {
 public:
  static constexpr bool is_specialized = true, has_infinity = true;
  static constexpr jacquard::detail::recorded infinity() { return {}; }
};
