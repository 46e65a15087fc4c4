#pragma once
// Random numbers without state: a function of a key and a shape, by the threefry2x32 hash of the position of each element
// in row-major order. The same key gives the same numbers everywhere; keys are u32[2] arrays, made by key, split and
// fold_in. Values agree with JAX's partitionable threefry.

#include "jacquard/control/composite.hpp"
#include "jacquard/numpy/indexing.hpp"
#include "jacquard/numpy/manipulation.hpp"
#include "jacquard/numpy/sorting.hpp"
#include "jacquard/prims/random_bits.hpp"
#include "jacquard/prims/threefry2x32.hpp"

namespace jacquard::random {

namespace detail {
using namespace jacquard::detail;

/// Checks that `k` is a key and `dims` a shape that arrays can have.
template <class Operand = operand>
constexpr array check(std::string_view operation, const lazy<Operand>& k, const shape& dims = {}) {
  const aval t = k.value.is_none() ? aval() : k.value.aval();
  if (t.type != u32 || !(t.dims == shape{2}))
    return bad_operand(k, error_kind::type, "random::", operation, ": got a key of type ", t,
                       "; wanted u32[2], made by jq::random::key(seed) and split (index the result of split)");
  bool ok = !dims.overflowed();
  for (std::int64_t d : dims) ok = ok && d >= 0;
  if (ok) return {};
  return bad_operand(k, error_kind::shape, "random::", operation, ": got the shape ", dims, "; wanted at most ", max_rank,
                     " non-negative dimensions");
}

struct words {
  array first, second;
};
/// The two words of a key, as scalars.
template <class Operand = operand>
constexpr words words_of(const lazy<Operand>& k) {
  const array k1 = lax::squeeze(lax::slice(k.value, {0}, {1}, {}, k.where), {0}, k.where);
  const array k2 = lax::squeeze(lax::slice(k.value, {1}, {2}, {}, k.where), {0}, k.where);
  return {k1, k2};
}
template <class Operand = operand, class Array = array>
constexpr words hash(const lazy<Operand>& k, const lazy<Array>& high, const lazy<Array>& low) {
  const words key = words_of(k);
  const array_list w = lax::threefry2x32(key.first, key.second, high, low, k.where);
  return {w[0], w[1]};
}
/// The two words of each element: the hash of its position as a 64-bit number.
template <class Operand = operand>
constexpr words hash_positions(const lazy<Operand>& k, const shape& dims) {
  const shape flat{dims.elements()};
  array high(literal(0, u32, false));
  if (flat[0] > (std::int64_t(1) << 32)) {
    const array above = lax::div(lax::iota(u64, flat, 0, k.where), array(literal(std::uint64_t(1) << 32)), k.where);
    high = lax::reshape(as_type(above, {u32, false}, k.where), dims, k.where);
  }
  return hash(k, high, lax::reshape(lax::iota(u32, flat, 0, k.where), dims, k.where));
}
/// Uniform bits in an unsigned dtype, or as many as the mantissa has in [0, 1): see random_bits_p.
template <class Operand = operand>
constexpr array bits_of(const lazy<Operand>& k, const shape& dims, dtype t) {
  const words key = words_of(k);
  const array flat = lax::random_bits(key.first, key.second, dims.elements(), t, k.where);
  if (dims.rank() == 1) return flat;
  return lax::reshape(flat, dims, k.where);
}
/// A key from two scalars u32.
template <class Array = array>
constexpr array key_of(const lazy<Array>& high, const lazy<Array>& low, const location& where) {
  const shape one{1};
  return lax::concatenate({lax::broadcast_in_dim(high, one, {}, where), lax::broadcast_in_dim(low, one, {}, where)}, 0, where);
}

constexpr dtype unsigned_of_size(std::size_t bytes) { return bytes == 1 ? u8 : bytes == 2 ? u16 : bytes == 4 ? u32 : u64; }

/// Uniform floats in [0, 1): as many random bits as the mantissa has, divided by a power of two.
template <class Operand = operand>
constexpr array unit_uniform(const lazy<Operand>& k, const shape& dims, dtype t) { return bits_of(k, dims, t); }
/// `high - low`, rounded as t rounds.
template <class Array = array>
constexpr array width(const lazy<Array>& low, const lazy<Array>& high, dtype t, const location& where) {
  if (low.kind() != array_kind::literal || high.kind() != array_kind::literal) return lax::sub(high, low, where);
  return visit_dtype(t, [&]<class T>(std::type_identity<T>) -> array {
    if constexpr (math::real_scalar<T>)
      return array(literal(math::subtract(high.as_literal().template get<T>(), low.as_literal().template get<T>())));
    else return array(0.0f);
  });
}
/// A literal of dtype t computed from a function of its C++ type.
template <class F>
constexpr array float_literal(dtype t, F&& f) {
  return visit_dtype(t, [&]<class T>(std::type_identity<T>) -> array {
    if constexpr (math::real_scalar<T>) return array(literal(f(T(0))));
    else return array(0.0f);
  });
}
template <class Array = array>
constexpr bool is_literal(const lazy<Array>& x, double value) {
  return x.kind() == array_kind::literal && x.as_literal().template get<double>() == value;
}
/// Numbers of [0, 1) stretched to [low, high).
template <class Operand = operand, class Array = array>
constexpr array stretched(const lazy<Array>& unit, const lazy<Operand>& low, const lazy<Operand>& high, const location& where) {
  if (is_literal(low.value, 0) && is_literal(high.value, 1)) return unit;
  const dtype t = unit.dtype();
  const array from = broadcast_operand(as_type(low.value, {t, false}, where), unit.shape(), true, where);
  const array to = broadcast_operand(as_type(high.value, {t, false}, where), unit.shape(), true, where);
  const array scaled = lax::mul(unit, width(from, to, t, where), where);
  return lax::max(from, lax::add(scaled, from, where), where);
}
/// Exponential numbers, from numbers of [0, 1): these are multiples of 2^-n, so that 1 less them is exact, and its logarithm fast. The magnitude
/// of that, as 0 shall not be -0.
template <class Array = array>
constexpr array exponential_of(const lazy<Array>& unit, const location& where) {
  return lax::abs(lax::log(lax::sub(1.0, unit, where), where), where);
}
/// Normal numbers, from numbers of [0, 1) by the inverse of their distribution function.
template <class Array = array>
constexpr array normal_of(const lazy<Array>& unit, const location& where) {
  constexpr double root_2 = 1.41421356237309504880;
  const array low = float_literal(unit.dtype(), [](auto zero) { return math::nextafter(decltype(zero)(-1), zero); });
  const array u = stretched(unit, operand(low, where), operand(1.0, where), where);
  return lax::mul(lax::erf_inv(u, where), root_2, where);
}
template <class Operand = operand>
constexpr array check_floating(std::string_view operation, const lazy<Operand>& k, const shape& dims, dtype t) {
  if (is_floating(t)) return check(operation, k, dims);
  return bad_operand(k, error_kind::type, "random::", operation, ": got the dtype ", long_name(t),
                     "; wanted a floating point one, e.g. jq::f32");
}

}  // namespace detail

// --- keys ------------------------------------------------------------------------------------------------------------

/// The key of a seed. Errors: type_error for a seed that is no scalar or no integer.
template <class Operand = operand>
constexpr array key(const lazy<Operand>& seed) {
  const array& s = seed.value;
  if (s.is_none() || s.ndim() != 0)
    return detail::bad_operand(seed, error_kind::type, "PRNG key seed must be a scalar; got an array of shape ", s.shape(),
                               "; index it first, or map key over it with vmap");
  if (!is_integer(s.dtype()))
    return detail::bad_operand(seed, error_kind::type, "PRNG key seed must be an integer; got dtype ", long_name(s.dtype()),
                               "; convert it with x.astype(jq::i64)");
  if (s.kind() == array_kind::literal) {
    const std::uint64_t bits = s.as_literal().low;
    return detail::key_of(array(literal(std::uint32_t(bits >> 32))), array(literal(std::uint32_t(bits))), seed.where);
  }
  array high(literal(std::uint32_t(0)));
  if (size_of(s.dtype()) == 8) {
    const array whole = detail::as_type(s, {u64, false}, seed.where);
    const array above = lax::div(whole, array(literal(std::uint64_t(1) << 32)), seed.where);
    high = detail::as_type(above, {u32, false}, seed.where);
  }
  return detail::key_of(high, detail::as_type(s, {u32, false}, seed.where), seed.where);
}
/// `count` new keys, u32[count, 2]; index the result to get them. The old key should not be used again.
/// Errors: type_error for something that is no key; shape_error for a negative count.
template <class Operand = operand>
constexpr array split(const lazy<Operand>& k, std::int64_t count = 2) {
  const shape dims{count};
  const array bad = detail::check("split", k, dims);
  if (!bad.is_none()) return bad;
  const detail::words w = detail::hash_positions(k, dims);
  const shape column{count, 1};
  return lax::concatenate({lax::reshape(w.first, column, k.where), lax::reshape(w.second, column, k.where)}, 1, k.where);
}
/// A new key from a key and an integer, such as the number of a step. The same as split(k, n)[data].
/// Errors: type_error for something that is no key, or data that is no integer scalar.
template <class Operand = operand>
constexpr array fold_in(const lazy<Operand>& k, const lazy<Operand>& data) {
  const array bad = detail::check("fold_in", k);
  if (!bad.is_none()) return bad;
  if (data.value.is_none() || data.value.ndim() != 0 || !is_integer(data.value.dtype()))
    return detail::bad_operands(data, k, error_kind::type, "random::fold_in: got data of type ", data.value.aval(),
                               "; wanted an integer scalar");
  const array low = detail::as_type(data.value, {u32, false}, data.where);
  const detail::words w = detail::hash(k, array(literal(std::uint32_t(0))), low);
  return detail::key_of(w.first, w.second, k.where);
}

/// The two words of a key, u32[2]: keys are these words, so that they can be kept in files like any array.
/// Errors: type_error for something that is no key.
template <class Operand = operand>
constexpr array key_data(const lazy<Operand>& k) {
  const array bad = detail::check("key_data", k);
  if (!bad.is_none()) return bad;
  return k.value;
}
/// The key of two words, as key_data gives them. Errors: type_error for anything but u32[2].
template <class Operand = operand>
constexpr array wrap_key_data(const lazy<Operand>& words) {
  const array bad = detail::check("wrap_key_data", words);
  if (!bad.is_none()) return bad;
  return words.value;
}

// --- distributions ---------------------------------------------------------------------------------------------------

/// Uniform bits of dtype u8, u16, u32 or u64. Errors: type_error for another dtype or something that is no key.
template <class Operand = operand>
constexpr array bits(const lazy<Operand>& k, const shape& dims = {}, dtype t = u32) {
  const array bad = detail::check("bits", k, dims);
  if (!bad.is_none()) return bad;
  if (!is_unsigned_integer(t))
    return detail::bad_operand(k, error_kind::type, "random::bits: got the dtype ", long_name(t),
                               "; wanted an unsigned integer one, e.g. jq::u32");
  return detail::bits_of(k, dims, t);
}
/// Uniform in [low, high). Errors: type_error for a dtype that is not floating point or something that is no key;
/// shape_error for bounds that do not broadcast to `dims`.
template <class Operand = operand>
constexpr array uniform(const lazy<Operand>& k, const shape& dims = {}, dtype t = f32, const lazy<Operand>& low = 0.0,
                        const lazy<Operand>& high = 1.0) {
  const array bad = detail::check_floating("uniform", k, dims, t);
  if (!bad.is_none()) return bad;
  shape a, b;
  if (!detail::broadcast_shapes(low.value.shape(), dims, a) || !detail::broadcast_shapes(high.value.shape(), dims, b) ||
      !(a == dims) || !(b == dims))
    return detail::bad_operands(low, high, error_kind::shape, "random::uniform: got bounds of shapes ", low.value.shape(),
                                " and ", high.value.shape(), "; wanted ones that broadcast to the shape ", dims);
  return detail::stretched(detail::unit_uniform(k, dims, t), low, high, k.where);
}
/// Normal with mean 0 and standard deviation 1; for a complex dtype with independent parts of variance 1/2.
/// Errors: type_error for a dtype that is not inexact or something that is no key.
template <class Operand = operand>
constexpr array normal(const lazy<Operand>& k, const shape& dims = {}, dtype t = f32) {
  constexpr double root_2 = 1.41421356237309504880;
  if (is_complex(t)) {
    const array bad = detail::check("normal", k);
    if (!bad.is_none()) return bad;
    const array keys = random::split(k);
    const array re = normal(operand(keys(0), k.where), dims, real_dtype(t));
    const array im = normal(operand(keys(1), k.where), dims, real_dtype(t));
    return lax::div(lax::complex(re, im, k.where), root_2, k.where);
  }
  const array bad = detail::check_floating("normal", k, dims, t);
  if (!bad.is_none()) return bad;
  return detail::normal_of(detail::unit_uniform(k, dims, t), k.where);
}
/// Exponential with rate 1. Errors: as uniform.
template <class Operand = operand>
constexpr array exponential(const lazy<Operand>& k, const shape& dims = {}, dtype t = f32) {
  const array bad = detail::check_floating("exponential", k, dims, t);
  if (!bad.is_none()) return bad;
  return detail::exponential_of(detail::unit_uniform(k, dims, t), k.where);
}
/// Gumbel: -log(-log(uniform)). Errors: as uniform.
template <class Operand = operand>
constexpr array gumbel(const lazy<Operand>& k, const shape& dims = {}, dtype t = f32) {
  const array bad = detail::check_floating("gumbel", k, dims, t);
  if (!bad.is_none()) return bad;
  const double smallest = t == f64 ? 0x1p-1022 : t == f16 ? 0x1p-14 : 0x1p-126;
  const array low(literal(smallest, t, false));
  const array u = uniform(k, dims, t, operand(low, k.where), operand(1.0, k.where));
  return lax::neg(lax::log(lax::neg(lax::log(u, k.where), k.where), k.where), k.where);
}
/// true with probability p; of the shape of p unless given. Errors: as uniform; type_error for p that is an integer array.
template <class Operand = operand>
constexpr array bernoulli(const lazy<Operand>& k, const lazy<Operand>& p, const shape& dims) {
  const dtype t = p.value.kind() == array_kind::literal ? f32 : p.value.dtype();
  const array bad = detail::check_floating("bernoulli", k, dims, t);
  if (!bad.is_none()) return bad;
  return operand(uniform(k, dims, t), k.where) < p;
}
template <class Operand = operand>
constexpr array bernoulli(const lazy<Operand>& k, const lazy<Operand>& p = 0.5) { return bernoulli(k, p, p.value.shape()); }

namespace detail {
/// Whether a bound of randint fits the dtype; `one_above` is set for a high one that is one above its largest number.
template <class Operand = operand>
constexpr array check_bound(const lazy<Operand>& k, const lazy<Operand>& bound, dtype t, bool* one_above) {
  if (bound.value.is_none() || !is_integer(bound.value.dtype()))
    return bad_operands(k, bound, error_kind::type, "random::randint: got a bound of dtype ", long_name(bound.value.dtype()),
                        "; wanted integers, convert it with x.astype(jq::i64)");
  if (bound.value.kind() != array_kind::literal) return {};
  const auto is_negative = [](const literal& l) { return is_signed_integer(l.type) && std::int64_t(l.low) < 0; };
  const auto holds = [&](const literal& l) {
    const literal held = l.as(t);
    return held.as(l.type) == l && is_negative(held) == is_negative(l);  // i64 and u64 have the same bits for other numbers
  };
  literal given = bound.value.as_literal();
  if (holds(given)) return {};
  --given.low;
  if (one_above && holds(given)) {
    *one_above = true;
    return {};
  }
  return bad_operands(k, bound, error_kind::value, "random::randint: got a bound that dtype ", long_name(t),
                      " cannot hold; choose a larger dtype");
}

/// How many integers there are to choose from, modulo 2^bits: 0 stands for all of them, and a remainder by 0 changes nothing. And 2^bits modulo that.
struct interval {
  array size, carry;
};
template <class Operand = operand>
constexpr interval interval_of(const lazy<Operand>& low, const lazy<Operand>& high, dtype u, dtype t, bool one_above) {
  const location& where = low.where;
  const array half(literal(std::uint64_t(1) << (4 * size_of(t)), u, false));
  if (low.value.kind() == array_kind::literal && high.value.kind() == array_kind::literal) {  // numbers are divided by faster
    const literal from = low.value.as_literal().as(t), to = high.value.as_literal().as(t);
    const bool is_empty = is_signed_integer(t) ? std::int64_t(to.low) <= std::int64_t(from.low) : to.low <= from.low;
    const literal n = literal(is_empty && !one_above ? std::uint64_t(1) : to.low - from.low).as(u);
    const std::uint64_t root = math::int_rem(half.as_literal().low, n.low), square = literal(root * root).as(u).low;
    return {array(n), array(literal(math::int_rem(square, n.low)).as(u))};
  }
  const operand from(as_type(low.value, {t, false}, where), where), to(as_type(high.value, {t, false}, where), where);
  array size = as_type(to - from, {u, false}, where);
  if (!one_above) size = jacquard::where(to <= from, operand(array(literal(1, u, false)), where), operand(size, where));
  const operand n(size, where), root(operand(half, where) % n, where);
  return {size, operand(root * root, where) % n};
}
/// The numbers of randint, whose arguments are right.
template <class Operand = operand>
constexpr array integers(const lazy<Operand>& k, const shape& dims, const lazy<Operand>& low, const lazy<Operand>& high, dtype t, bool one_above) {
  const location& where = k.where;
  // In 8 and 16 bits the product below wraps for intervals that are no longer small next to 2^bits, and remainders favour the first numbers.
  if (size_of(t) < 4) return as_type(integers(k, dims, low, high, i32, false), {t, false}, where);
  const dtype u = unsigned_of_size(size_of(t));
  const operand from(as_type(low.value, {t, false}, where), where);
  const interval span = interval_of(low, high, u, t, one_above);
  const operand n(span.size, where);
  const array keys = random::split(k);
  const operand second(bits_of(operand(keys(1), where), dims, u), where);
  // Twice as many bits as the dtype has, modulo n: (first * 2^bits + second) % n.
  array offset = second % n;
  if (!is_literal(span.carry, 0)) {
    const operand first(bits_of(operand(keys(0), where), dims, u), where);
    const operand large(operand(first % n, where) * operand(span.carry, where), where);
    offset = operand(large + operand(offset, where), where) % n;
  }
  return from + operand(as_type(offset, {t, false}, where), where);
}
/// From how many elements on tracing randint takes little time next to drawing them.
inline constexpr std::int64_t composite_worth = 1 << 15;
}  // namespace detail

/// Uniform integers in [low, high); low where that is empty. `high` may be one above the largest number of the dtype.
/// Errors: type_error for a dtype or bounds that are no integers, or something that is no key; value_error for a bound that
/// the dtype cannot hold; shape_error for bounds that do not broadcast to `dims`.
template <class Operand = operand>
constexpr array randint(const lazy<Operand>& k, const shape& dims, const lazy<Operand>& low, const lazy<Operand>& high, dtype t = i64) {
  array bad = detail::check("randint", k, dims);
  if (!bad.is_none()) return bad;
  if (!is_integer(t))
    return detail::bad_operand(k, error_kind::type, "random::randint: got the dtype ", long_name(t), "; wanted an integer one");
  bool one_above = false;
  if (bad = detail::check_bound(k, low, t, nullptr); !bad.is_none()) return bad;
  if (bad = detail::check_bound(k, high, t, &one_above); !bad.is_none()) return bad;
  const bool known = low.value.kind() == array_kind::literal && high.value.kind() == array_kind::literal;
  if (!known || dims.elements() < detail::composite_worth) return detail::integers(k, dims, low, high, t, one_above);
  const auto drawn = [](view<const array> x, const location& where, const shape& d, dtype type, const literal& from, const literal& to, bool above) {
    return detail::integers(operand(x[0], where), d, operand(array(from), where), operand(array(to), where), type, above);
  };
  const array keys[] = {k.value};
  return detail::composite("randint", drawn, keys, k.where, dims, t, low.value.as_literal(), high.value.as_literal(), one_above);
}

namespace detail {
/// Vectors along dimension d, each in a random order of its own: sorted by random keys, often enough that equal keys do not matter.
template <class Operand = operand, class Array = array>
constexpr array shuffled(const lazy<Operand>& k, lazy<Array> x, int d = 0) {
  const std::int64_t n = x.size();
  const double rounds = 3 * math::log(double(n < 1 ? 1 : n)) / math::log(4294967295.0);
  array rest = k.value;
  for (int round = 0; round < rounds; ++round) {
    const array keys = random::split(operand(rest, k.where));
    rest = keys(0);
    const array operands[] = {bits_of(operand(keys(1), k.where), x.shape(), u32), x};
    x = lax::sort(operands, d, 1, true, k.where)[1];
  }
  return x;
}
}  // namespace detail

/// The numbers 0 ... n-1 in random order, i64. Errors: type_error for something that is no key.
template <class Operand = operand>
constexpr array permutation(const lazy<Operand>& k, std::int64_t n) {
  const array bad = detail::check("permutation", k);
  if (!bad.is_none()) return bad;
  return detail::shuffled(k, arange(n, i64, k.where));
}
/// x with its entries along an axis in random order; the same for all of an entry, or, if `independent`, for each vector along the axis another.
/// Errors: type_error for something that is no key; value_error for an axis out of range.
template <class Operand = operand>
constexpr array permutation(const lazy<Operand>& k, const lazy<Operand>& x, int axis = 0, bool independent = false) {
  const array bad = detail::check("permutation", k);
  if (!bad.is_none()) return bad;
  int d = 0;
  const array bad_axis = detail::resolve_one_axis("random::permutation", operand(x.value, k.where), axis, x.value.ndim(), d);
  if (!bad_axis.is_none()) return bad_axis;
  if (independent || x.value.ndim() == 1) return detail::shuffled(k, x.value, d);
  return take(operand(x.value, k.where), operand(permutation(k, x.value.shape()[d]), k.where), d);
}
/// Numbers 0 ... n-1 drawn with replacement, or without. Errors: value_error for more draws without replacement than n.
template <class Operand = operand>
constexpr array choice(const lazy<Operand>& k, std::int64_t n, const shape& dims = {}, bool replace = true) {
  const array bad = detail::check("choice", k, dims);
  if (!bad.is_none()) return bad;
  if (n < 1 || (!replace && dims.elements() > n))
    return detail::bad_operand(k, error_kind::value, "random::choice: got ", dims.elements(), " draws from ", n, " entries",
                               replace ? "; wanted at least one entry" : " without replacement; wanted at most as many");
  if (replace) return randint(k, dims, operand(0, k.where), operand(n, k.where));
  const array order = permutation(k, n);
  return lax::reshape(lax::slice(order, {0}, {dims.elements()}, {}, k.where), dims, k.where);
}
/// Entries of x along its first axis drawn with replacement, or without. Errors: as above.
template <class Operand = operand>
constexpr array choice(const lazy<Operand>& k, const lazy<Operand>& x, const shape& dims = {}, bool replace = true) {
  if (x.value.ndim() == 0)
    return detail::bad_operands(k, x, error_kind::value, "random::choice: got a scalar array; wanted an integer or rank 1");
  return take(operand(x.value, k.where), operand(choice(k, x.value.shape()[0], dims, replace), k.where), 0);
}
/// Indices drawn with probabilities softmax(logits) along an axis, i64, of shape `dims`, which ends in the other dimensions.
/// Errors: type_error for something that is no key; value_error for an axis out of range; shape_error for other dims.
template <class Operand = operand>
constexpr array categorical(const lazy<Operand>& k, const lazy<Operand>& logits, int axis, const shape& dims) {
  const array bad = detail::check("categorical", k);
  if (!bad.is_none()) return bad;
  const array l = detail::as_inexact(logits);
  int d = 0;
  const array bad_axis = detail::resolve_one_axis("random::categorical", operand(l, k.where), axis, l.ndim(), d);
  if (!bad_axis.is_none()) return bad_axis;
  const shape batch(l.shape().without(d));
  shape joined;
  if (!detail::broadcast_shapes(batch, dims, joined) || !(joined == dims))
    return detail::bad_operands(k, logits, error_kind::shape, "random::categorical: got the shape ", dims,
                                " for logits of shape ", l.shape(), "; wanted one that ends in ", batch);
  const int at = dims.rank() - batch.rank() + d;
  const array noise = gumbel(k, shape(dims.with(at, l.shape()[d])), l.dtype());
  return argmax(operand(operand(noise, k.where) + operand(l, k.where), k.where), at);
}
template <class Operand = operand>
constexpr array categorical(const lazy<Operand>& k, const lazy<Operand>& logits, int axis = -1) {
  const int d = resolve_axis(axis, logits.value.ndim());
  return categorical(k, logits, axis, d < 0 ? shape() : shape(logits.value.shape().without(d)));
}

}  // namespace jacquard::random
