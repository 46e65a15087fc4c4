#pragma once
// Debugging switches of a thread: checks of computed values for NaN and infinity, and running jitted functions as they are written.
// Deliberately scopes: what is switched on inside one is off again after it.

#include <bit>

#include "jacquard/core/array.hpp"
#include "jacquard/core/complex.hpp"
#include "jacquard/core/half.hpp"

namespace jacquard {

namespace detail {

/// What the evaluator of equations looks for in floating point results.
struct value_checks {
  int nan = 0, infinity = 0;  ///< how many scopes ask for it
  bool in_parallel = false;   ///< the thread runs one member of several
  bool any() const { return nan + infinity != 0; }
};
inline constinit thread_local value_checks checked_values{};
inline constinit thread_local int disabled_jits = 0;

// By bits: whatever the compiler was allowed to assume of floating point numbers.
inline bool is_nan_bits(double v) { return (std::bit_cast<std::uint64_t>(v) << 1) > (std::uint64_t(0x7FF) << 53); }
inline bool is_infinity_bits(double v) { return (std::bit_cast<std::uint64_t>(v) << 1) == (std::uint64_t(0x7FF) << 53); }

template <class T>
bool has_bad_value(const buffer& b, bool (*bad)(double)) {
  const T* x = static_cast<const T*>(b.data);
  for (std::int64_t i = 0; i < b.type.elements(); ++i) {
    if constexpr (std::is_same_v<T, complex64> || std::is_same_v<T, complex128>) {
      if (bad(double(x[i].re)) || bad(double(x[i].im))) return true;
    } else if (bad(double(x[i]))) return true;
  }
  return false;
}
inline bool has_bad_value(const array& x, bool (*bad)(double)) {
  if (!is_inexact(x.dtype())) return false;
  if (x.kind() == array_kind::literal) {
    const complex128 z = x.as_literal().get<complex128>();
    return bad(z.re) || bad(z.im);
  }
  const buffer* b = x.as_buffer();
  if (!b || !b->is_ready()) return false;
  return visit_dtype(b->type.type, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_integral_v<T>) return false;
    else return has_bad_value<T>(*b, bad);
  });
}
/// Checks what an equation computed. Errors: value_error that names the operation and the user's line.
inline void check_values(std::string_view operation, view<const array> results, const location& where) {
  const auto look_for = [&](std::string_view what, bool (*bad)(double)) {
    for (const array& x : results)
      if (has_bad_value(x, bad)) {
        error_record e = make_error(error_kind::value, "invalid value (", what, ") encountered in ", checked_values.in_parallel ? "parallel computation, by " : "", operation);
        e.where = where;
        throw_error(e);
      }
  };
  if (checked_values.nan) look_for("nan", &is_nan_bits);
  if (checked_values.infinity) look_for("inf", &is_infinity_bits);
}

/// Counts a switch up while it lives.
class switch_scope {
 public:
  explicit switch_scope(int& counter) : counter_(counter) {
    ++counter_;
    __atomic_fetch_add(&unusual, one_scope, __ATOMIC_RELAXED);
  }
  switch_scope(const switch_scope&) = delete;
  switch_scope& operator=(const switch_scope&) = delete;
  ~switch_scope() {
    --counter_;
    __atomic_fetch_sub(&unusual, one_scope, __ATOMIC_RELAXED);
  }

 private:
  int& counter_;
};

}  // namespace detail

/// While one lives, the first operation of this thread that computes a NaN throws value_error, with its name and the user's line;
/// within compiled functions, loops and branches too, where the interpreter runs them.
class debug_nans : detail::switch_scope {
 public:
  debug_nans() : switch_scope(detail::checked_values.nan) {}
};
/// The same for infinities.
class debug_infs : detail::switch_scope {
 public:
  debug_infs() : switch_scope(detail::checked_values.infinity) {}
};
/// While one lives, functions made by jit run as they are written, operation by operation, and nothing is compiled.
class disable_jit : detail::switch_scope {
 public:
  disable_jit() : switch_scope(detail::disabled_jits) {}
};

}  // namespace jacquard
