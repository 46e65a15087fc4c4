#pragma once
// Kernels of small arrays as straight-line arithmetic: a kernel that only does arithmetic and takes extremes is run once by the
// compiler on numbers that write down what is done to them, and then that is done. Deliberately for primitives that say so.

#include <limits>

#include "jacquard/core/kernel_entry.hpp"
#include "jacquard/core/list.hpp"
#include "jacquard/core/math.hpp"
#include "jacquard/core/rules.hpp"

namespace jacquard {
namespace detail {

enum class arithmetic : std::uint8_t { add, multiply, max, min, subtract, divide, negate };
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
    list<arithmetic_step> steps;
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
  static constexpr recorded subtract(const recorded& a, const recorded& b) { return write(arithmetic::subtract, a, b); }
  static constexpr recorded divide(const recorded& a, const recorded& b) { return write(arithmetic::divide, a, b); }
  static constexpr recorded negate(const recorded& a) { return write(arithmetic::negate, a, a); }
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
concept recordable = !requires { P::is_elementwise; } && (requires { P::only_arithmetic; } || requires { P::is_reduction; });
/// A function of elements that is one of the operations.
template <class P>
concept arithmetic_itself = requires { P::is_elementwise; P::only_arithmetic; P::arity; };

/// More operations than this run as the kernel's loops.
inline constexpr std::size_t straight_line_steps = 256;

template <class P>
constexpr bool has_index_operands() {
  return requires { P::index_operands; } || requires { P::index_results; };
}
template <class P>
constexpr bool only_moves() {
  return requires { P::moves_data; } && !has_index_operands<P>();
}
/// Runs a kernel without index operands on arrays that lie one after the other in `elements`.
template <class P, class T>
constexpr void run_on_rows(const param_view& given, view<const aval> in, const aval& out, const T* elements, T* results) {
  std::vector<const T*> operands;
  for (const aval& a : in) {
    operands.push_back(elements);
    elements += a.elements();
  }
  const std::vector<const std::int64_t*> no_indices(in.size(), nullptr);
  T* outs[] = {results};
  std::int64_t* no_results[] = {nullptr};
  call_kernel<P>(kernel_args<T>{operands, no_indices, outs, no_results, in, view<const aval>(&out, 1)}, given);
}

/// What a kernel does on one row of recorded operands; the numbers of its results.
struct recording {
  list<arithmetic_step> steps;
  std::vector<std::int32_t> results;
};
template <class P>
constexpr recording record_kernel(const param_view& given, view<const aval> in, const aval& out) {
  recorded::tape t;
  for (const aval& a : in) t.operands += std::int32_t(a.elements());
  std::vector<recorded> operands, made(std::size_t(out.elements()), recorded());
  for (std::int32_t i = 0; i < t.operands; ++i) operands.push_back({&t, i});
  run_on_rows<P>(given, in, out, operands.data(), made.data());
  recording r{std::move(t.steps), {}};
  for (const recorded& x : made) r.results.push_back(x.number);
  return r;
}
/// Which of the operations P is.
template <arithmetic_itself P>
constexpr arithmetic arithmetic_of() {
  recorded::tape t;
  t.operands = P::arity;
  if constexpr (P::arity == 1) (void)P::apply(recorded(&t, 0));
  else (void)P::apply(recorded(&t, 0), recorded(&t, 1));
  return t.steps[0].what;
}
/// By which of them a reduction combines two elements.
template <class P>
constexpr arithmetic combination_of() {
  const param_pack p = encode(params_of<P>{{0}});
  const aval row(f64, {2});
  return record_kernel<P>(p, view<const aval>(&row, 1), aval(f64, {})).steps[0].what;
}
/// The operation itself; a negation has one operand and passes it twice.
template <arithmetic What, class T>
[[gnu::always_inline]] constexpr T computed(const T& a, const T& b) {
  if constexpr (What == arithmetic::add) return math::add(a, b);
  else if constexpr (What == arithmetic::multiply) return math::multiply(a, b);
  else if constexpr (What == arithmetic::max) return math::max(a, b);
  else if constexpr (What == arithmetic::min) return math::min(a, b);
  else if constexpr (What == arithmetic::subtract) return math::subtract(a, b);
  else if constexpr (What == arithmetic::divide) return math::divide(a, b);
  else return math::negate(a);
}
/// The same where only a run of the compiler knows which.
template <class T>
constexpr T computed(arithmetic what, const T& a, const T& b) {
  switch (what) {
    case arithmetic::add: return computed<arithmetic::add>(a, b);
    case arithmetic::multiply: return computed<arithmetic::multiply>(a, b);
    case arithmetic::max: return computed<arithmetic::max>(a, b);
    case arithmetic::min: return computed<arithmetic::min>(a, b);
    case arithmetic::subtract: return computed<arithmetic::subtract>(a, b);
    case arithmetic::divide: return computed<arithmetic::divide>(a, b);
    default: return computed<arithmetic::negate>(a, b);
  }
}

}  // namespace detail
}  // namespace jacquard

template <>
class std::numeric_limits<jacquard::detail::recorded> {
 public:
  static constexpr bool is_specialized = true, has_infinity = true;
  static constexpr jacquard::detail::recorded infinity() { return {}; }
};
