#pragma once
// The functions of the tile interpreter: for each scalar operation and dtype a loop over one tile, in the best form that this
// processor has. Every form is compiled whatever the flags of the build: a program built for any x86-64 still runs AVX-512 where there
// is one. Deliberately knows no kernels: backends/cpu/tile_program strings these functions together.

#include <dlfcn.h>

#include <cstring>
#include <limits>
#include <string>

#include "jacquard/backends/cpu/llvm_instructions.hpp"
#include "jacquard/core/kernel.hpp"
#include "jacquard/core/math/integer.hpp"
#include "jacquard/core/math/libm.hpp"
#include "jacquard/prims/product_library.hpp"

namespace jacquard::cpu {

/// The elements of a value that is the same for a whole tile, and the fewest that a tile has room for, whatever their dtypes: no register has more.
inline constexpr std::int64_t tile_granule = 16;

/// One loop over a tile. An operand of step 0 is one granule all along, filled with one value.
struct tile_call {
  void* out = nullptr;
  const void* in[3] = {nullptr, nullptr, nullptr};
  std::int32_t step[3] = {1, 1, 1};
  std::int64_t n = 0;             ///< elements, a granule of them at least
  const void* extra = nullptr;    ///< what functions need besides
};
using tile_function = void (*)(const tile_call&);

}  // namespace jacquard::cpu

#define JACQUARD_TILE_SET plain
#define JACQUARD_TILE_TARGET
#define JACQUARD_TILE_BYTES 16
#define JACQUARD_TILE_REGISTER "x"
#if defined(__AVX__)
#define JACQUARD_TILE_ROOT "vsqrt"
#else
#define JACQUARD_TILE_ROOT "sqrt"
#endif
#include "jacquard/backends/cpu/tile_loops.hpp"
#include "jacquard/backends/cpu/tile_products.hpp"
#undef JACQUARD_TILE_SET
#undef JACQUARD_TILE_TARGET
#undef JACQUARD_TILE_BYTES
#undef JACQUARD_TILE_ROOT
#undef JACQUARD_TILE_REGISTER

#if defined(__x86_64__)
#define JACQUARD_TILE_ROOT "vsqrt"

#define JACQUARD_TILE_SET v3
#define JACQUARD_TILE_TARGET __attribute__((target("avx2,fma,f16c")))
#define JACQUARD_TILE_BYTES 32
#define JACQUARD_TILE_REGISTER "x"
#include "jacquard/backends/cpu/tile_loops.hpp"
#include "jacquard/backends/cpu/tile_products.hpp"
#undef JACQUARD_TILE_SET
#undef JACQUARD_TILE_TARGET
#undef JACQUARD_TILE_BYTES
#undef JACQUARD_TILE_REGISTER

#define JACQUARD_TILE_SET v4
#define JACQUARD_TILE_TARGET __attribute__((target("avx2,fma,f16c,avx512f,avx512vl,avx512dq,avx512bw")))
#define JACQUARD_TILE_BYTES 64
#define JACQUARD_TILE_REGISTER "v"
#include "jacquard/backends/cpu/tile_loops.hpp"
#include "jacquard/backends/cpu/tile_products.hpp"
#undef JACQUARD_TILE_SET
#undef JACQUARD_TILE_TARGET
#undef JACQUARD_TILE_BYTES
#undef JACQUARD_TILE_REGISTER
#undef JACQUARD_TILE_ROOT
#endif

namespace jacquard::cpu {

/// A function of a tile and what it is given besides.
struct tile_operation {
  tile_function run = nullptr;
  const void* extra = nullptr;
};

namespace detail {

/// The loops of one instruction set.
struct tile_set {
  const char* name;
  tile_function (*loop_of)(scalar_op, dtype);
  tile_function (*fold_loop)(scalar_op, dtype);
  tile_function (*products_loop)(dtype);
  tile_function (*conversion_loop)(dtype, dtype);
  tile_function (*map_loop)(int operands, dtype);
  tile_function (*pair_loop)(scalar_op first, scalar_op second, bool swapped, dtype);
  tile_function (*quotient_loop)(dtype);
  void (*small_f32)(const jacquard::detail::strided_product<float>&);
  void (*small_f64)(const jacquard::detail::strided_product<double>&);
  void (*taps_f32)(const jacquard::detail::tap_sum<float>&);
  void (*taps_f64)(const jacquard::detail::tap_sum<double>&);
  char isa;  ///< letter of the vector functions of libmvec
  int bytes;
  /// Whether products and sums of vectors are one rounding.
  bool has_fused() const { return isa != 'b'; }
};
#define JACQUARD_TILE_ENTRY(set, isa) tile_set{#set, &set::loop_of, &set::fold_loop, &set::products_loop, &set::conversion_loop, &set::map_loop, &set::pair_loop, &set::quotient_loop, \
  &set::small_product<float>, &set::small_product<double>, &set::add_taps<float>, &set::add_taps<double>, isa, set::register_bytes}
/// The sets that this processor runs, the best one last. Returns their number.
inline int tile_sets(tile_set (&sets)[3]) {
  int n = 0;
  sets[n++] = JACQUARD_TILE_ENTRY(plain, 'b');
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return n;
  sets[n++] = JACQUARD_TILE_ENTRY(v3, 'd');
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
    sets[n++] = JACQUARD_TILE_ENTRY(v4, 'e');
#endif
  return n;
}
#undef JACQUARD_TILE_ENTRY
inline const tile_set& best_tile_set() {
  static const tile_set best = [] {
    tile_set sets[3];
    return sets[tile_sets(sets) - 1];
  }();
  return best;
}

/// Calls a function of single numbers, given as `extra`.
template <class T, int Operands>
void each(const tile_call& t) {
  const T *x = static_cast<const T*>(t.in[0]), *y = static_cast<const T*>(t.in[1]);
  T* r = static_cast<T*>(t.out);
  for (std::int64_t i = 0; i < t.n; ++i) {
    if constexpr (Operands == 1) r[i] = reinterpret_cast<T (*)(T)>(const_cast<void*>(t.extra))(x[t.step[0] * i]);
    else r[i] = reinterpret_cast<T (*)(T, T)>(const_cast<void*>(t.extra))(x[t.step[0] * i], y[t.step[1] * i]);
  }
}
/// Quotients of whole numbers, or what they leave. Dividing by one number takes a product and shifts.
template <class T, bool Remainder>
void whole_division(const tile_call& t) {
  const T *x = static_cast<const T*>(t.in[0]), *y = static_cast<const T*>(t.in[1]);
  T* r = static_cast<T*>(t.out);
  if (t.step[1] == 0 && *y != 0) return math::divide_all_by<Remainder>(x, t.step[0], *y, r, t.n);
  for (std::int64_t i = 0; i < t.n; ++i) {
    const T a = x[t.step[0] * i], b = y[t.step[1] * i];
    r[i] = Remainder ? math::int_rem(a, b) : math::int_div(a, b);
  }
}
template <bool Remainder>
tile_function whole_division_of(dtype t) {
  switch (t) {
    case i8: return &whole_division<std::int8_t, Remainder>;
    case i16: return &whole_division<std::int16_t, Remainder>;
    case i32: return &whole_division<std::int32_t, Remainder>;
    case i64: return &whole_division<std::int64_t, Remainder>;
    case u8: return &whole_division<std::uint8_t, Remainder>;
    case u16: return &whole_division<std::uint16_t, Remainder>;
    case u32: return &whole_division<std::uint32_t, Remainder>;
    case u64: return &whole_division<std::uint64_t, Remainder>;
    default: return nullptr;
  }
}
/// The conversion of the interpreter; `extra` holds the dtypes.
inline void convert_any(const tile_call& t) {
  const auto pair = static_cast<const dtype*>(t.extra);
  jacquard::detail::convert_elements(pair[0], t.in[0], pair[1], t.out, t.n);
}
/// The two dtypes, kept as long as the process.
inline const dtype* dtype_pair(dtype from, dtype to) {
  struct table {
    dtype pairs[dtype_count][dtype_count][2];
    table() {
      for (int i = 0; i < dtype_count; ++i)
        for (int j = 0; j < dtype_count; ++j) pairs[i][j][0] = dtype(i), pairs[i][j][1] = dtype(j);
    }
  };
  static const table t;
  return t.pairs[int(from)][int(to)];
}

/// A function of the C library: its vector form where there is one and it may be used, else number by number; empty without either.
inline tile_operation function_of(const tile_set& set, scalar_op op, dtype t, bool strict) {
  static void* const vectors = dlopen("libmvec.so.1", RTLD_NOW | RTLD_GLOBAL);
  const int operands = operand_count(op);
  const std::string scalar = std::string(function_name(op)) + (t == f64 ? "" : "f");
  if (!strict && vectors) {
    const std::string name = std::string("_ZGV") + set.isa + "N" + std::to_string(set.bytes / int(size_of(t))) + (operands == 2 ? "vv_" : "v_") + scalar;
    if (const void* found = dlsym(RTLD_DEFAULT, name.c_str())) return {set.map_loop(operands, t), found};
  }
  const void* const found = dlsym(RTLD_DEFAULT, scalar.c_str());
  if (!found) return {};
  if (t == f64) return {operands == 2 ? &each<double, 2> : &each<double, 1>, found};
  return {operands == 2 ? &each<float, 2> : &each<float, 1>, found};
}

/// The dtype in which elements are computed: those of 16 bits in 32.
inline dtype computed_in(dtype t) { return is_inexact(t) && size_of(t) == 2 ? f32 : t; }

}  // namespace detail

/// What computes an operation on operands of dtype `t`; empty where there is nothing. Conversions: see tile_conversion.
inline tile_operation tile_operation_of(scalar_op op, dtype t, bool strict, const detail::tile_set& set = detail::best_tile_set()) {
  t = detail::computed_in(t);
  if (is_complex(t)) return {};
  if (op == scalar_op::rem && !is_inexact(t)) return {detail::whole_division_of<true>(t), nullptr};
  if (op == scalar_op::divide && !is_inexact(t)) return {detail::whole_division_of<false>(t), nullptr};
  if (!detail::function_name(op).empty()) return is_inexact(t) ? detail::function_of(set, op, t, strict) : tile_operation{};
  return {set.loop_of(op, t), nullptr};
}
/// What converts elements between dtypes as they lie in memory.
inline tile_operation tile_conversion(dtype from, dtype to, const detail::tile_set& set = detail::best_tile_set()) {
  if (const tile_function f = set.conversion_loop(from, to)) return {f, nullptr};
  return {&detail::convert_any, detail::dtype_pair(from, to)};
}
/// What can be computed within loops here: what both the compiler and the tile interpreter know.
inline bool can_run(scalar_op op, dtype t) {
  if (!can_emit(op, t)) return false;
  if (op == scalar_op::load || op == scalar_op::index || op == scalar_op::constant || op == scalar_op::convert || op == scalar_op::lookup) return true;
  if (op == scalar_op::logistic) return tile_operation_of(scalar_op::exp, t, true).run != nullptr;
  return tile_operation_of(op, t, true).run != nullptr;
}

}  // namespace jacquard::cpu
