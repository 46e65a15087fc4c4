#pragma once
// Random programs of the shapes that kernels are made of: matrices read twice, several reductions of one array, softmaxes, lookups, puts,
// windows, broadcasts along either dimension, and loops around all of these. Their numbers stay near one, and what is made of them is
// continuous but for measure zero, so that they can be compared within the error of rounding: a program is evaluated in its own types,
// or in f64, or in f64 with as much noise after each step as rounding makes. Deliberately not the programs of fuzz_test.cpp, which take every
// primitive and every number and are compared bit by bit.

#include <jacquard/jacquard.hpp>
#include <jacquard/testing/gradients.hpp>
#include <jacquard/testing/sample.hpp>

#include <cmath>

namespace laws {

namespace jq = jacquard;
namespace lax = jacquard::lax;
using leaves = std::vector<jq::array>;

/// What distinguishes one random program from another, beside its seed.
struct cluster_options {
  jq::dtype type = jq::f32;
  int steps = 8;
  bool shows_all = false;      ///< returns whatever it computed
  bool is_smooth = false;      ///< without maxima, comparisons and sorting
  bool is_reversible = false;  ///< without loops that have no derivative in reverse mode
};
/// How a program is evaluated: as it is, or widened to f64, with noise of that relative size, and of that size at least.
struct evaluation {
  bool is_widened = false;
  double relative = 0, smallest = 0;
  std::uint64_t seed = 0;
};

/// A program of random steps. Its choices depend on nothing but shapes, so that all evaluations make the same.
class cluster_program {
 public:
  using array = jq::array;
  using shape = jq::shape;
  using sampler = jq::testing::sampler;

  cluster_program(std::uint64_t seed, cluster_options o, evaluation e = {}) : seed_(seed), options_(o), how_(e) {}

  /// Arguments of its types: numbers in (-2, 2), and two lists of whole numbers behind them.
  static leaves arguments(std::uint64_t seed, jq::dtype type, std::uint64_t values) {
    sampler s(seed);
    leaves r;
    const auto add = [&](const shape& dims) {
      if (dims.elements() <= largest) r.push_back(jq::testing::sample({type, dims}, values + 31 * r.size()));
    };
    static constexpr std::int64_t many[] = {1, 2, 3, 8, 17, 64, 256, 257, 300, 512, 1030, 2100}, few[] = {1, 2, 3, 4, 7, 8, 16, 17, 32, 33, 64, 130};
    const std::int64_t m = many[s.below(12)], n = few[s.below(12)], k = few[s.below(12)];
    add({m, n});
    if (s.below(2)) add({n});
    if (s.below(2)) add({m});
    if (s.below(2)) add({n, k});
    if (s.below(4) == 0) add({k, m});
    if (s.below(6) == 0) add({few[s.below(6)], few[s.below(8)], n});
    if (s.below(8) == 0) add({2, few[s.below(4)], few[s.below(4)], few[s.below(4)], few[s.below(3)], 3});
    if (s.below(30) == 0) add({0, n});
    if (s.below(3) == 0) add({});
    if (r.empty()) add({m});
    if (s.below(6) == 0) r.push_back(r[0]);  // one array twice
    for (int i = 0; i < 2; ++i) r.push_back(jq::testing::sample({jq::i32, {1 + s.below(40)}}, values + 77 + std::uint64_t(i), 0, 1000));
    return r;
  }
  /// A shape with another dimension before dimension `at`.
  static shape with_dimension(const shape& dims, int at, std::int64_t size) {
    shape r;
    for (int d = 0; d <= dims.rank(); ++d) {
      if (d == at) r.push_back(size);
      if (d < dims.rank()) r.push_back(dims[d]);
    }
    return r;
  }
  /// Arguments as an evaluation wants them.
  static leaves widened(const leaves& x) {
    leaves r;
    for (const array& a : x)
      if (jq::is_inexact(a.dtype())) r.push_back(jq::testing::detail::fill({jq::f64, a.shape()}, [v = jq::testing::elements(a)](std::int64_t i) { return v[std::size_t(i)]; }));
      else r.push_back(a);
    return r;
  }

  leaves operator()(const leaves& arguments) const {
    sites_ = 0;
    sampler s(seed_);
    leaves pool(arguments.begin(), arguments.end() - 2);
    const leaves places(arguments.end() - 2, arguments.end());
    for (int n = 0; n < options_.steps; ++n) {
      sampler own(s.bits());
      take(pool, step(own, pool, places, true));
    }
    if (options_.shows_all) return pool;
    leaves out{pool.back()};
    for (std::int64_t n = s.below(3); n > 0; --n) out.push_back(pick(s, pool));
    return out;
  }

 private:
  static constexpr std::int64_t largest = 80000;

  static void take(leaves& pool, const leaves& made) {
    for (const array& x : made)
      if (x.aval().elements() <= largest && x.ndim() <= 6) pool.push_back(x);
  }
  static const array& pick(sampler& s, const leaves& pool) {
    const std::int64_t n = std::int64_t(pool.size());
    return pool[std::size_t(s.below(2) ? n - 1 - s.below(n < 3 ? n : 3) : s.below(n))];
  }
  /// A matrix, one that is read again and again where there is one.
  static array matrix(sampler& s, const leaves& pool) {
    leaves all;
    for (const array& x : pool)
      if (x.ndim() == 2 && x.aval().elements() > 0) all.push_back(x);
    if (all.empty() || s.below(6) == 0) return fitted(pick(s, pool), {3 + s.below(40), 1 + s.below(20)});
    return s.below(2) ? all[0] : all[std::size_t(s.below(std::int64_t(all.size())))];
  }
  /// `x`, as inexact as rounding makes it.
  array noisy(const array& x, double factor = 1) const {
    if (how_.relative == 0 || !jq::is_inexact(x.dtype())) return x;
    sampler s(how_.seed + 977 * ++sites_);
    const jq::aval t{jq::f64, x.shape()};
    const array by = jq::testing::detail::fill(t, [&](std::int64_t) { return jq::complex128(1 + factor * how_.relative * s.between(-1, 1), 0); });
    const array more = jq::testing::detail::fill(t, [&](std::int64_t) { return jq::complex128(how_.smallest * s.between(-1, 1), 0); });
    return x * by + more;
  }
  /// A sum of so many numbers.
  array summed(const array& x, double count) const { return noisy(x, 1 + std::sqrt(count) / 4) * (1 / std::sqrt(count < 1 ? 1 : count)); }
  array cast(const array& x, jq::dtype t) const { return how_.is_widened ? noisy(x) : x.astype(t); }
  array like(const array& x, const array& y) const { return how_.is_widened ? x : x.astype(y.dtype()); }

  /// The elements of x, repeated or cut off to fill a shape.
  static array fitted(const array& x, const shape& dims) {
    if (x.shape() == dims) return x;
    const std::int64_t have = x.aval().elements(), want = dims.elements();
    if (have == 0 || want == 0) return lax::full(dims, jq::literal(1.0, jq::f32, false)).astype(x.dtype());
    const std::int64_t times = (want + have - 1) / have;
    const array flat = lax::reshape(x, {have}), repeated = lax::reshape(lax::broadcast_in_dim(flat, {times, have}, {1}), {times * have});
    return lax::reshape(lax::slice(repeated, {0}, {want}), dims);
  }
  /// Some value at that shape: broadcast along whichever dimensions fit, or its elements laid out anew.
  static array at_shape(sampler& s, const leaves& pool, const shape& dims) {
    for (int tries = 0; tries < 6; ++tries) {
      const array& x = pick(s, pool);
      const bool last_first = s.below(2) != 0;
      jq::int_list where = jq::int_list::filled(x.ndim(), 0);
      int d = last_first ? dims.rank() - 1 : 0, matched = 0;
      for (; matched < x.ndim() && d >= 0 && d < dims.rank(); last_first ? --d : ++d) {
        const int own = last_first ? x.ndim() - 1 - matched : matched;
        if (x.shape()[own] != dims[d]) continue;
        where[own] = d;
        ++matched;
      }
      if (matched == x.ndim()) return lax::broadcast_in_dim(x, dims, where);
    }
    return fitted(pick(s, pool), dims);
  }

  leaves step(sampler& s, const leaves& pool, const leaves& places, bool may_loop) const {
    const std::int64_t kind = s.below(may_loop ? 100 : 92);
    if (kind < 18) return {noisy(unary(s, pick(s, pool)))};
    if (kind < 34) return {noisy(binary(s, pick(s, pool), pool))};
    if (kind < 44) return reductions(s, pick(s, pool));
    if (kind < 54) return {chain(s, pick(s, pool), pool)};
    if (kind < 66) return products(s, pool);
    if (kind < 76) return {moved(s, pick(s, pool), pool)};
    if (kind < 84) return {noisy(looked_up(s, pick(s, pool), pool, places))};
    if (kind < 90) return {windowed(s, pick(s, pool), pool)};
    if (kind < 92) {
      static constexpr jq::dtype types[] = {jq::f64, jq::f32, jq::bf16, jq::f16};  // none less exact than what noise stands for
      const std::int64_t other = s.below(12);
      return {cast(pick(s, pool), types[other % (options_.type == jq::f64 ? 1 : options_.type == jq::f32 ? 2 : 4)])};
    }
    return looped(s, pool, places);
  }
  array unary(sampler& s, const array& x) const {
    switch (s.below(options_.is_smooth ? 12 : 15)) {
      case 0: return jq::tanh(x);
      case 1: return jq::sin(x);
      case 2: return jq::exp(jq::tanh(x));
      case 3: return jq::exp(-(x * x));
      case 4: return jq::log1p(x * x);
      case 5: return jq::sqrt(x * x + 1.0);
      case 6: return x * lax::logistic(x);
      case 7: return lax::erf(x);
      case 8: return -0.5 * x;
      case 9: return 1.0 / (x * x + 1.0);
      case 10: return x * 0.25 + 0.5;
      case 11: return jq::cos(x) * 0.75;
      case 12: return jq::abs(x);
      case 13: return jq::maximum(x, 0.0);
      default: return jq::clip(x, -1.0, 1.5);
    }
  }
  array binary(sampler& s, const array& x, const leaves& pool) const {
    const array y = like(at_shape(s, pool, x.shape()), x);
    switch (s.below(options_.is_smooth ? 6 : 10)) {
      case 0: return (x + y) * 0.5;
      case 1: return (x - y) * 0.5;
      case 2: return jq::tanh(x) * y;
      case 3: return x / (y * y + 1.0);
      case 4: return (y - x) * 0.5;
      case 5: return lax::atan2(x, y * y + 1.0);
      case 6: return jq::maximum(x, y);
      case 7: return jq::minimum(x, y);
      case 8: return jq::where(x > y, 0.5 * x, y);
      default: return jq::where((y < 0.0) & (x < 1.0), y, -x);
    }
  }
  static jq::int_list some_axes(sampler& s, int rank) {
    jq::int_list r;
    const std::int64_t one = rank == 0 ? 0 : s.below(rank), several = s.below(3) == 0;
    for (int d = 0; d < rank; ++d)
      if (d == one || (several && s.below(2))) r.push_back(d);
    return r;
  }
  static double count_along(const array& x, const jq::int_list& axes) {
    double n = 1;
    for (std::int64_t d : axes) n *= double(x.shape()[int(d)]);
    return n;
  }
  /// One to three reductions of one array, or of things made of it.
  leaves reductions(sampler& s, const array& x) const {
    leaves r;
    const jq::int_list axes = some_axes(s, x.ndim());
    const double n = count_along(x, axes);
    for (std::int64_t each = 1 + s.below(3); each > 0; --each) {
      const jq::int_list own = s.below(3) == 0 ? some_axes(s, x.ndim()) : axes;
      const double count = count_along(x, own);
      switch (s.below(options_.is_smooth || n == 0 || count == 0 ? 3 : 5)) {
        case 0: r.push_back(summed(lax::reduce_sum(x, own), count)); break;
        case 1: r.push_back(summed(lax::reduce_sum(noisy(x * x), own), count) * 0.5); break;
        case 2: r.push_back(summed(lax::reduce_sum(noisy(jq::exp(jq::tanh(x))), own), count)); break;
        case 3: r.push_back(lax::reduce_max(x, own)); break;
        default: r.push_back(lax::reduce_min(noisy(jq::sin(x)), own)); break;
      }
    }
    return r;
  }
  static array spread(const array& reduced, const array& x, const jq::int_list& axes) {
    jq::int_list kept;
    for (int d = 0; d < x.ndim(); ++d)
      if (!axes.contains(d)) kept.push_back(d);
    return lax::broadcast_in_dim(reduced, x.shape(), kept);
  }
  /// Reductions whose results go back to the rows that they come from.
  array chain(sampler& s, const array& x, const leaves& pool) const {
    const jq::int_list axes = some_axes(s, x.ndim());
    const double n = count_along(x, axes);
    if (n == 0) return x;
    const auto sum = [&](const array& v) { return noisy(lax::reduce_sum(v, axes), 1 + std::sqrt(n) / 4); };
    const array top = options_.is_smooth ? sum(x) * (1 / n) : lax::reduce_max(x, axes);
    switch (s.below(7)) {
      case 0: {
        const array e = noisy(jq::exp(noisy(x - spread(top, x, axes))));
        return noisy(e / spread(sum(e), x, axes));
      }
      case 1: {
        const array centred = noisy(x - spread(sum(x) * (1 / n), x, axes));
        const array variance = sum(noisy(centred * centred)) * (1 / n);
        return noisy(centred * spread(noisy(lax::rsqrt(variance + 0.125)), x, axes));
      }
      case 2: return noisy(top + jq::log(sum(noisy(jq::exp(noisy(x - spread(top, x, axes)))))));
      case 3: {
        const array e = noisy(jq::exp(noisy(x - spread(top, x, axes)))), total = sum(e);
        return noisy(sum(noisy(e * x)) / total);
      }
      case 4:
      case 5: {  // a sum that is linear in what there is before, with factors that are sums; sometimes of parts that nearly cancel
        const array y = noisy(jq::tanh(like(at_shape(s, pool, x.shape()), x)));
        const array first = noisy(lax::rsqrt(sum(noisy(x * x)) * (1 / n) + 0.25)), second = sum(noisy(x * y)) * (1 / n);
        array u = x, v = y;
        if (!options_.is_smooth && s.below(2)) u = noisy(jq::where(y < 0.0, 0.25 * x, x));
        if (s.below(3) == 0) v = noisy(u + 0.0625 * y);
        const array a = noisy(u * spread(s.below(2) ? first : second, x, axes)), b = noisy(v * spread(s.below(3) ? first : second, x, axes));
        return noisy(0.5 * x + spread(noisy(sum(noisy(s.below(4) ? a - b : a + b)) * (1 / n)), x, axes));
      }
      default: return noisy(x / spread(noisy(jq::sqrt(sum(noisy(x * x)) + 1.0)), x, axes));
    }
  }
  array product(const array& x, const array& y, const jq::dot_dimension_numbers& n) const {
    const double count = count_along(x, n.lhs_contracting);
    return summed(lax::dot_general(x, like(y, x), n), count);
  }
  /// Products of matrices with vectors and matrices: a matrix is often read a second time, in the other direction.
  leaves products(sampler& s, const leaves& pool) const {
    const array x = matrix(s, pool);
    const std::int64_t m = x.shape()[0], n = x.shape()[1];
    switch (s.below(8)) {
      case 0:
      case 1:
      case 2: {
        const array first = product(x, at_shape(s, pool, {n}), {{1}, {0}, {}, {}});
        array r = noisy(binary(s, first, pool));
        if (s.below(2)) r = noisy(unary(s, r));
        return {first, s.below(2) ? product(x, r, {{0}, {0}, {}, {}}) : product(r, like(x, r), {{0}, {0}, {}, {}})};
      }
      case 3: {
        const array first = product(x, at_shape(s, pool, {m}), {{0}, {0}, {}, {}});
        return {first, product(x, noisy(unary(s, first)), {{1}, {0}, {}, {}})};
      }
      case 4: return {product(x, at_shape(s, pool, {n, 1 + s.below(40)}), {{1}, {0}, {}, {}})};
      case 5: return {product(x, s.below(2) ? x : array(noisy(unary(s, x))), {{0}, {0}, {}, {}})};
      case 6: return {product(at_shape(s, pool, {1 + s.below(20), n}), x, {{1}, {1}, {}, {}})};
      default: {
        const std::int64_t b = 1 + s.below(5), rows = 1 + s.below(9), inner = 1 + s.below(9);
        return {product(at_shape(s, pool, {b, rows, inner}), at_shape(s, pool, {b, inner, 1 + s.below(18)}), {{2}, {1}, {0}, {0}})};
      }
    }
  }
  array moved(sampler& s, const array& x, const leaves& pool) const {
    const int rank = x.ndim();
    if (rank == 0 || x.aval().elements() == 0) return at_shape(s, pool, {1 + s.below(20), 1 + s.below(20)});
    const int d = int(s.below(rank));
    const std::int64_t n = x.shape()[d];
    switch (s.below(9)) {
      case 0:
      case 1: {
        jq::int_list order;
        for (int i = 0; i < rank; ++i) order.push_back(i);
        for (int i = rank; i > 1; --i) std::swap(order[i - 1], order[int(s.below(i))]);
        return lax::transpose(x, order);
      }
      case 2: return lax::rev(x, some_axes(s, rank));
      case 3: {
        jq::int_list from = jq::int_list::filled(rank, 0), to = x.shape(), by = jq::int_list::filled(rank, 1);
        from[d] = s.below(n / 2 + 1);
        to[d] = n - s.below((n - from[d]) / 2 + 1);
        by[d] = 1 + s.below(3);
        return s.below(2) ? lax::slice(x, from, to, by) : lax::rev(lax::slice(x, from, to, by), {d});
      }
      case 4: return lax::reshape(x, {x.aval().elements()});
      case 5: {
        jq::int_list low = jq::int_list::filled(rank, 0), high = low, between = low;
        low[d] = s.below(5) - s.below(n < 4 ? 1 : n / 2);
        high[d] = s.below(30) - (low[d] < 0 ? 0 : s.below(n < 4 ? 1 : n / 2));
        between[d] = s.below(4) == 0;
        return lax::pad(x, array(jq::literal(0.0, x.dtype(), false)), low, high, between);
      }
      case 6: {  // what shifted parts contribute to, as derivatives have it
        const std::int64_t by = s.below(n);
        jq::int_list from = jq::int_list::filled(rank, 0), to = x.shape(), low = from, high = from;
        from[d] = by, low[d] = by, to[d] = n;
        const array part = noisy(unary(s, lax::slice(x, from, to)));
        return noisy((lax::pad(part, array(jq::literal(0.0, x.dtype(), false)), low, high, jq::int_list::filled(rank, 0)) + x) * 0.5);
      }
      case 7: {
        const array y = like(at_shape(s, pool, x.shape()), x);
        return lax::concatenate({x, s.below(2) ? y : array(noisy(unary(s, y)))}, d);
      }
      default: {
        if (rank > 5) return x;
        return at_shape(s, {x}, with_dimension(x.shape(), int(s.below(rank + 1)), 1 + s.below(4)));
      }
    }
  }
  /// Elements looked up and put at places that are computed, some of them outside.
  array looked_up(sampler& s, const array& x, const leaves& pool, const leaves& places) const {
    if (x.ndim() == 0 || x.aval().elements() == 0) return x;
    const int d = int(s.below(x.ndim()));
    const std::int64_t n = x.shape()[d];
    const array any = places[std::size_t(s.below(2))], within = any % int(n), i = s.below(2) ? within : array(any % int(n + 4) - 2);
    shape rows = x.shape();
    rows[0] = i.size();
    const array at0 = any % int(x.shape()[0] + 2);
    switch (s.below(6)) {
      case 0: return jq::take(x, within, d);
      case 1: return x.at(at0).add(like(at_shape(s, pool, rows), x) * 0.25);
      case 2: return x.at(at0).multiply(jq::tanh(like(at_shape(s, pool, rows), x)) * 0.5 + 1.0);
      case 3: {
        const std::int64_t size = 1 + s.below(n);
        return lax::dynamic_slice_in_dim(x, i(0), size, d);
      }
      case 4: {
        const std::int64_t size = 1 + s.below(n);
        return lax::dynamic_update_slice_in_dim(x, like(at_shape(s, pool, x.shape().without(d).with(d, size)), x), i(0), d);
      }
      default: return x.at(any(0) % int(x.shape()[0])).set(like(at_shape(s, pool, shape(x.shape().without(0))), x));
    }
  }
  array windowed(sampler& s, const array& x, const leaves& pool) const {
    if (x.ndim() == 0 || x.aval().elements() == 0) return x;
    const int d = int(s.below(x.ndim()));
    const std::int64_t n = x.shape()[d];
    const bool backwards = s.below(2) != 0;
    jq::int_list window = jq::int_list::filled(x.ndim(), 1), strides = window;
    window[d] = 1 + s.below(n < 5 ? n : 5);
    strides[d] = 1 + s.below(2);
    switch (s.below(options_.is_smooth ? 4 : 7)) {
      case 0: return summed(lax::cumsum(x, d, backwards), double(n));
      case 1: return noisy(lax::linear_recurrence(noisy(jq::tanh(like(at_shape(s, pool, x.shape()), x)) * 0.75), x, d, backwards), 4) * 0.5;
      case 2: return summed(lax::reduce_window_sum(x, window, strides, s.below(2) ? "SAME" : "VALID"), double(window[d]));
      case 3: {
        const std::int64_t in = 1 + s.below(4), side = 3 + s.below(12), out = 1 + s.below(9), reach = 1 + s.below(3);
        const array image = at_shape(s, pool, {1 + s.below(2), in, side, side}), filter = like(at_shape(s, pool, {out, in, reach, reach}), image);
        return summed(lax::conv(image, filter, {1 + s.below(2), 1}, s.below(2) ? "SAME" : "VALID"), double(in * reach * reach));
      }
      case 4: return lax::cummax(x, d, backwards);
      case 5: return lax::reduce_window_max(x, window, strides, s.below(2) ? "SAME" : "VALID");
      default: return s.below(2) ? lax::sort(x, d) : jq::where(lax::iota(jq::i32, x.shape(), d) == spread(lax::argmax(x, d, jq::i32), x, {d}), x, 0.5 * x);
    }
  }
  /// Some steps around and around. What they read from outside is captured.
  leaves looped(sampler& s, const leaves& pool, const leaves& places) const {
    const auto small = [](const array& x) { return x.aval().elements() <= 8000 ? x : fitted(x, {40, 30}); };
    leaves start{small(pick(s, pool))}, outside;
    if (s.below(2)) start.push_back(small(pick(s, pool)));
    for (int n = 0; n < 2; ++n) outside.push_back(small(pick(s, pool)));
    const std::uint64_t seed = s.bits();
    const auto trip = [&](const leaves& carry, const leaves& others, const array& i, std::uint64_t which) {
      sampler own(seed + which);
      leaves values = outside;
      values.insert(values.end(), others.begin(), others.end());
      values.insert(values.end(), carry.begin(), carry.end());
      for (std::int64_t n = 1 + own.below(4); n > 0; --n) {
        sampler inner(own.bits());
        take(values, step(inner, values, {places[0], places[1] + i}, false));
      }
      leaves next;
      for (const array& x : carry) {
        array y = like(at_shape(own, values, x.shape()), x);
        if (own.below(3) == 0 && x.ndim() > 0 && x.shape()[0] > 0) y = x.at(i % int(x.shape()[0])).set(lax::index_in_dim(y, 0, 0, false));
        next.push_back(own.below(2) ? y : array(noisy((x + y) * 0.5)));
      }
      return next;
    };
    const std::int64_t trips = 1 + s.below(5), kind = s.below(options_.is_reversible ? 3 : 4);
    if (kind == 0) return lax::fori_loop(0, trips, [&](const array& i, const leaves& c) { return trip(c, {}, i, 0); }, start);
    if (kind == 1) {
      const array stack = at_shape(s, pool, {trips, 1 + s.below(30)});
      const auto [last, stacked] = lax::scan([&](const leaves& c, const array& e) {
        const leaves next = trip(c, {e}, array(0), 0);
        return std::pair{next, next};
      }, start, stack, {.reverse = s.below(2) == 1});
      leaves all = last;
      all.insert(all.end(), stacked.begin(), stacked.end());
      return all;
    }
    if (kind == 2)
      return lax::fori_loop(0, trips, [&](const array& i, const leaves& c) {
        return lax::cond(i % 2 == 0, [&](const leaves& x) { return trip(x, {}, i, 0); }, [&](const leaves& x) { return trip(x, {}, i, 1); }, c);
      }, start);
    return lax::while_loop([&](const std::pair<array, leaves>& c) { return c.first < trips; },
                           [&](const std::pair<array, leaves>& c) { return std::pair{array(c.first + 1), trip(c.second, {}, c.first, 0)}; }, std::pair{array(0), start}).second;
  }

  std::uint64_t seed_;
  cluster_options options_;
  evaluation how_;
  mutable std::uint64_t sites_ = 0;
};

}  // namespace laws
