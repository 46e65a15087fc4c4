#pragma once
// From scalar functions and index loops to interpreter kernels. A primitive writes `apply` for any value type, or `kernel`
// as a template over the element type; the functions here run them over dense buffers of any dtype. Narrow types compute
// in a wider one (f16, bf16 in f32; integers in 64 bits; c64 in c128), so that a primitive costs six instantiations, not
// fifteen; core/kernel_frame does that for whole operands. Deliberately plain: no fusion, no threads; speed is the business of other backends.

#include <cstring>

#include "jacquard/core/primitive.hpp"

namespace jacquard {

/// Sets of dtypes a primitive accepts.
enum type_set : std::uint8_t {
  booleans = 1,
  signed_integers = 2,
  unsigned_integers = 4,
  floats = 8,
  complexes = 16,
  integers = signed_integers | unsigned_integers,
  bits = booleans | integers,
  inexact = floats | complexes,
  reals = integers | floats,
  numbers = integers | inexact,
  ordered = booleans | reals,
  any_type = 31
};
constexpr type_set operator|(type_set a, type_set b) { return type_set(int(a) | int(b)); }
constexpr type_set type_set_of(dtype t) {
  switch (category_of(t)) {
    case category::boolean: return booleans;
    case category::integer: return is_signed_integer(t) ? signed_integers : unsigned_integers;
    case category::floating: return floats;
    default: return complexes;
  }
}
constexpr bool contains(type_set s, dtype t) { return (s & type_set_of(t)) != 0; }

namespace detail {
/// The buffer of a concrete array, checked to be alive; scalar literals are materialised into `scratch`.
inline tensor_ref operand_ref(const array& x, complex128& scratch, aval& type) {
  if (buffer* b = x.as_buffer()) {
    b->check_alive();
    return {b->data, &b->type};
  }
  const literal l = x.as_literal();
  type = l.aval();
  l.store_to(&scratch);
  return {&scratch, &type};
}
}  // namespace detail

/// The types in which the interpreter computes.
enum class compute : std::uint8_t { boolean, signed_, unsigned_, single, double_, complex };
inline constexpr int compute_count = 6;

namespace detail {
/// Of each dtype, and the dtype of each: looked up in every call of a kernel.
inline constexpr compute compute_table[dtype_count] = {
    compute::boolean,   compute::signed_,   compute::signed_,   compute::signed_, compute::signed_, compute::unsigned_, compute::unsigned_, compute::unsigned_,
    compute::unsigned_, compute::single,    compute::single,    compute::single,  compute::double_, compute::complex,   compute::complex};
inline constexpr dtype storage_table[compute_count] = {bool_, i64, u64, f32, f64, c128};
}  // namespace detail

constexpr compute compute_of(dtype t) { return detail::compute_table[int(t)]; }
constexpr dtype storage_of(compute c) { return detail::storage_table[int(c)]; }
/// Calls f with std::type_identity of the C++ type of a compute kind.
template <class F>
constexpr decltype(auto) visit_compute(compute c, F&& f) {
  switch (c) {
    case compute::boolean: return f(std::type_identity<bool>{});
    case compute::signed_: return f(std::type_identity<std::int64_t>{});
    case compute::unsigned_: return f(std::type_identity<std::uint64_t>{});
    case compute::single: return f(std::type_identity<float>{});
    case compute::double_: return f(std::type_identity<double>{});
    default: return f(std::type_identity<complex128>{});
  }
}
template <class T>
constexpr compute compute_of_type() {
  return compute_of(dtype_of<T>());
}
/// The compute type of the elements T.
template <class T>
using compute_t = std::conditional_t<
    std::is_same_v<T, bool>, bool,
    std::conditional_t<std::is_integral_v<T>, std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>,
                       std::conditional_t<is_complex_v<T>, complex128,
                                          std::conditional_t<std::is_same_v<T, double>, double, float>>>>;

/// Pointers of one call of a `kernel` template: data operands as T, index operands and results as 64-bit integers.
template <class T>
struct kernel_args {
  view<const T* const> in;                 ///< null where the operand is an index operand
  view<const std::int64_t* const> index;   ///< null where the operand is data
  view<T* const> out;                      ///< null where the result is an index
  view<std::int64_t* const> index_out;
  view<const aval> in_types, out_types;
};

namespace detail {

/// Elements that loops take at a time where they need memory of their own.
inline constexpr std::int64_t tile = 512;

template <class From, class To>
constexpr To convert_element(From v) {
  if constexpr (std::is_same_v<From, To>) return v;
  else if constexpr (std::is_same_v<To, bool>) return !(v == From(0));
  else if constexpr (is_complex_v<From> && is_complex_v<To>) {
    using part = typename To::value_type;
    return To(part(v.real()), part(v.imag()));
  } else if constexpr (is_complex_v<From>) return convert_element<typename From::value_type, To>(v.real());
  else if constexpr (is_complex_v<To>) return To(convert_element<From, typename To::value_type>(v), 0);
  else if constexpr (std::is_same_v<From, float16> || std::is_same_v<From, bfloat16>)
    return convert_element<float, To>(float(v));
  else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if (v != v) return To(0);
    if (v <= From(std::numeric_limits<To>::lowest())) return std::numeric_limits<To>::lowest();
    if (v >= From(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
    return To(v);
  } else return To(v);
}

template <class From, class To>
void convert_loop(const void* src, void* dst, std::int64_t n) {
  const From* s = static_cast<const From*>(src);
  To* d = static_cast<To*>(dst);
  for (std::int64_t i = 0; i < n; ++i) d[i] = convert_element<From, To>(s[i]);
}

/// Converts n elements between dtypes; numpy's casts (float to integer saturates). Goes through the compute type of
/// `from`, which holds all its values: a hundred loops instead of one per pair of dtypes. Complex numbers, which every equation
/// of them converts, go the shortest way.
template <class Memory = void>
void convert_elements(dtype from, const lazy<Memory>* src, dtype to, void* dst, std::int64_t n) {
  if (from == to) {
    if (n) std::memcpy(dst, src, std::size_t(n) * size_of(from));
    return;
  }
  if (from == c64 && to == c128) return convert_loop<complex64, complex128>(src, dst, n);
  if (from == c128 && to == c64) return convert_loop<complex128, complex64>(src, dst, n);
  const compute kind = compute_of(from);
  const auto narrow = [&](const void* wide, void* out, std::int64_t count) {
    visit_compute(kind, [&]<class Wide>(std::type_identity<Wide>) {
      visit_dtype(to, [&]<class To>(std::type_identity<To>) { convert_loop<Wide, To>(wide, out, count); });
    });
  };
  if (from == storage_of(kind)) return narrow(src, dst, n);
  const auto widen = [&](const void* in, void* wide, std::int64_t count) {
    visit_dtype(from, [&]<class From>(std::type_identity<From>) {
      convert_loop<From, compute_t<From>>(in, wide, count);
    });
  };
  if (to == storage_of(kind)) return widen(src, dst, n);
  alignas(16) unsigned char wide[tile * 16];
  for (std::int64_t at = 0; at < n; at += tile) {
    const std::int64_t count = n - at < tile ? n - at : tile;
    widen(static_cast<const char*>(src) + std::size_t(at) * size_of(from), wide, count);
    narrow(wide, static_cast<char*>(dst) + std::size_t(at) * size_of(to), count);
  }
}

struct sixteen_bytes {
  std::uint64_t part[2];
};
/// Calls f(std::type_identity<T>{}) with a type of so many bytes, for elements that are moved and not looked at.
template <class F>
void visit_size(std::size_t bytes, F&& f) {
  switch (bytes) {
    case 1: return f(std::type_identity<std::uint8_t>{});
    case 2: return f(std::type_identity<std::uint16_t>{});
    case 4: return f(std::type_identity<std::uint32_t>{});
    case 8: return f(std::type_identity<std::uint64_t>{});
    default: return f(std::type_identity<sixteen_bytes>{});
  }
}
/// Makes n elements of so many bytes equal to the first of them.
inline void repeat_first(void* first, std::size_t bytes, std::int64_t n) {
  visit_size(bytes, [&]<class T>(std::type_identity<T>) { std::fill_n(static_cast<T*>(first), n, T(*static_cast<const T*>(first))); });
}

/// One elementwise loop over at most `tile` elements, all operands of the compute type.
using tile_loop = void (*)(const void* const* in, void* out, std::int64_t n, const param_view& p);
struct tile_entry {
  tile_loop run = nullptr;
  compute out = compute::boolean;
};
/// An elementwise primitive on few complex numbers of the narrower type, on the spot: a loop that carries one spends no time on tiles. False:
/// these are no such.
template <class Call>
bool run_few_complex(const Call& c, const tile_entry& entry, std::int64_t n) {
  constexpr std::int64_t most = 8, operands = 3;
  if (n > most || c.in.size() > operands || entry.out != compute::complex || c.out[0].type->type != c64) return false;
  alignas(complex128) unsigned char memory[operands + 1][most * sizeof(complex128)];
  const void* in[operands];
  for (std::size_t k = 0; k < c.in.size(); ++k) {
    if (c.in[k].type->type != c64) return false;
    convert_loop<complex64, complex128>(c.in[k].data, memory[k], c.in[k].type->rank() == 0 ? 1 : n);
    if (c.in[k].type->rank() == 0) repeat_first(memory[k], sizeof(complex128), n);
    in[k] = memory[k];
  }
  entry.run(in, memory[operands], n, c.params);
  convert_loop<complex128, complex64>(memory[operands], c.out[0].data, n);
  return true;
}
/// Runs an elementwise primitive tile by tile, converting to and from the compute type where dtypes are narrower.
template <class Call>
void run_elementwise(const Call& c, const tile_entry* table) {
  const compute kind = compute_of(c.in[0].type->type);
  const tile_entry& entry = table[int(kind)];
  const dtype work = storage_of(kind), result = storage_of(entry.out);
  const std::int64_t n = c.out[0].type->elements();
  if (kind == compute::complex && run_few_complex(c, entry, n)) return;
  const dtype out_type = c.out[0].type->type;
  alignas(64) static thread_local unsigned char scratch[4][tile * 16];
  alignas(64) unsigned char out_scratch[tile * 16];
  const void* operands[4];
  const std::size_t arity = c.in.size();
  bool direct[4];
  for (std::size_t k = 0; k < arity; ++k) {
    const aval& t = *c.in[k].type;
    direct[k] = t.type == work && t.elements() == n;
    if (direct[k] || (t.rank() != 0 && t.elements() == n && n != 1)) continue;
    convert_elements(t.type, c.in[k].data, work, scratch[k], 1);  // a scalar operand: the same tile serves the whole loop
    repeat_first(scratch[k], size_of(work), std::min(n, tile));
  }
  for (std::int64_t at = 0; at < n; at += tile) {
    const std::int64_t count = std::min(tile, n - at);
    for (std::size_t k = 0; k < arity; ++k) {
      const aval& t = *c.in[k].type;
      const char* data = static_cast<const char*>(c.in[k].data);
      operands[k] = direct[k] ? static_cast<const void*>(data + std::size_t(at) * size_of(work)) : scratch[k];
      if (!direct[k] && t.rank() != 0 && n != 1)
        convert_elements(t.type, data + std::size_t(at) * size_of(t.type), work, scratch[k], count);
    }
    char* out = static_cast<char*>(c.out[0].data) + std::size_t(at) * size_of(out_type);
    if (out_type == result) {
      entry.run(operands, out, count, c.params);
    } else {
      entry.run(operands, out_scratch, count, c.params);
      convert_elements(result, out_scratch, out_type, out, count);
    }
  }
}

}  // namespace detail
}  // namespace jacquard
