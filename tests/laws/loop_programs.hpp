#pragma once
// Random loops that change what they carry: bodies that read and write windows and elements of carries, before and after each other, branches
// and inner loops that do so, carries that change places, begin as one array or as constants, and come back twice, stacked or not at all; and
// loops that carry nothing. Deliberately of
// few shapes, so that values may lie over each other, and of operations that round alike everywhere, so that they can be compared bit by bit.

#include <jacquard/jacquard.hpp>
#include <jacquard/testing/sample.hpp>

#include <utility>

namespace laws {

namespace jq = jacquard;
namespace lax = jacquard::lax;
using leaves = std::vector<jq::array>;

/// Makes the same choices each time, which depend on nothing but types.
class loop_program {
 public:
  using array = jq::array;
  using shape = jq::shape;
  using sampler = jq::testing::sampler;

  enum class numbers { any, inexact, whole };
  explicit loop_program(std::uint64_t seed, numbers of = numbers::any) : seed_(seed), of_(of) {}

  /// Arrays of few types, some twice, and a list of whole numbers behind them.
  leaves arguments() const {
    sampler s(seed_);
    const facts f(s, of_);
    leaves r;
    for (std::int64_t n = 1 + s.below(4); n > 0; --n) {
      const jq::aval t{f.types[s.below(2)], f.shapes[s.below(2)]};
      if (s.below(6) == 0 && !r.empty()) r.push_back(r[0]);
      else if (s.below(5) == 0 && jq::is_inexact(t.type)) r.push_back(jq::testing::picked(t, s.bits(), odd));
      else r.push_back(jq::testing::sample(t, s.bits(), -3, 3));
    }
    r.push_back(jq::testing::sample({jq::i32, {7}}, s.bits(), -4, 12));
    return r;
  }
  /// The shape of so many arrays of one shape.
  static shape many_of(std::int64_t n, const shape& each) {
    shape r{n};
    for (int d = 0; d < each.rank(); ++d) r.push_back(each[d]);
    return r;
  }
  leaves operator()(const leaves& given) const {
    sampler s(seed_ ^ 0x5bd1e995);
    sampler of_types(seed_);
    const facts f(of_types, of_);
    state all{given, {}};
    const array positions = given.back();
    all.values.pop_back();
    for (int n = 0; n < 3; ++n) all.places.push_back(positions(n));
    all.values.push_back(lax::full(f.shapes[0], jq::literal(1.0, f.types[0], false)));
    for (std::int64_t n = s.below(3); n > 0; --n) step(s, f, all, 2);
    leaves out;
    for (std::int64_t n = 1 + s.below(2); n > 0; --n)
      for (const array& x : looped(s, f, all, 0)) {
        all.values.push_back(x);
        if (out.empty() || s.below(3) != 0) out.push_back(x);  // what is left out need not be computed
      }
    for (std::int64_t n = s.below(3); n > 0; --n) out.push_back(pick(s, all.values));
    return out;
  }

 private:
  static constexpr double odd[] = {0.0, -0.0, 1, -1, 0.5, 2.5, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()};

  /// What values of a program mostly are.
  struct facts {
    jq::dtype types[2];
    shape shapes[2];
    facts(sampler& s, numbers of) {
      static constexpr jq::dtype often[] = {jq::f32, jq::f64, jq::i32, jq::f32}, whole[] = {jq::i32, jq::i32, jq::i64, jq::u32, jq::u8, jq::i8, jq::bool_}, all[] = {jq::bool_, jq::i8, jq::f16, jq::bf16, jq::c64, jq::u32, jq::i64, jq::u8};
      for (jq::dtype& t : types) t = of == numbers::inexact ? (s.below(2) ? jq::f32 : jq::f64) : of == numbers::whole ? whole[s.below(7)] : s.below(3) ? often[s.below(4)] : all[s.below(8)];
      if (s.below(2)) types[1] = types[0];
      static constexpr std::int64_t sizes[] = {1, 2, 3, 4, 5, 6, 8, 9, 16, 17, 40, 100};
      for (shape& dims : shapes)
        for (std::int64_t rank = s.below(10) == 0 ? 0 : 1 + s.below(s.below(4) ? 2 : 3); rank > 0; --rank) {
          const std::int64_t n = s.below(60) == 0 ? 0 : sizes[s.below(12)];
          if (dims.elements() * n <= 3000) dims.push_back(n);
        }
      if (s.below(2)) shapes[1] = shapes[0];
    }
  };
  /// What may be read, and numbers that say where.
  struct state {
    leaves values, places;
  };

  bool is_inexact() const { return of_ == numbers::inexact; }
  static const array& pick(sampler& s, const leaves& pool) {
    const std::int64_t n = std::int64_t(pool.size());
    return pool[std::size_t(s.below(2) ? n - 1 - s.below(n < 3 ? n : 3) : s.below(n))];
  }
  static array fitted(const array& x, const shape& dims) {
    if (x.shape() == dims) return x;
    const std::int64_t have = x.aval().elements(), want = dims.elements();
    if (have == 0 || want == 0) return lax::full(dims, jq::literal(1.0, jq::f32, false)).astype(x.dtype());
    if (have == want) return lax::reshape(x, dims);
    const std::int64_t times = (want + have - 1) / have;
    const array flat = lax::reshape(x, {have}), many = lax::reshape(lax::broadcast_in_dim(flat, {times, have}, {1}), {times * have});
    return lax::reshape(lax::slice(many, {0}, {want}), dims);
  }
  static array cast(const array& x, jq::dtype t) {
    if (x.dtype() == t) return x;
    if (jq::is_complex(x.dtype()) && !jq::is_complex(t)) return jq::real(x).astype(t);
    return (jq::is_integer(t) && jq::is_inexact(x.dtype()) ? jq::clip(jq::where(x == x, x, 0), 0, 3) : x).astype(t);
  }
  static array like(sampler& s, const leaves& pool, const array& x) {
    for (int tries = 0; tries < 4; ++tries)
      if (const array& y = pick(s, pool); y.shape() == x.shape() && y.dtype() == x.dtype()) return y;
    return cast(fitted(pick(s, pool), x.shape()), x.dtype());
  }
  /// A number that says where, often outside.
  static array place(sampler& s, const leaves& places, std::int64_t n) {
    const array i = pick(s, places);
    const int size = n < 1 ? 1 : int(n);
    switch (s.below(8)) {
      case 0: return i * 0 + int(s.below(size + 4) - 2);
      case 1: return i;
      case 2: return (i + 1) % size;
      case 3: return i - 3;
      case 4: return i * 2 + 1;
      case 5: return (i % 7).astype(jq::i8);
      case 6: return size - 1 - i;
      default: return i % size;
    }
  }
  static leaves starts(sampler& s, const leaves& places, const array& x) {
    leaves r;
    const bool alike = s.below(2) != 0;
    for (int d = 0; d < x.ndim(); ++d)
      if (d == 0 || !alike || s.below(2) == 0) r.push_back(place(s, places, x.shape()[d]).astype(jq::i32));
      else r.push_back(array(0));
    return r;
  }
  static shape window(sampler& s, const shape& of) {
    shape r;
    for (int d = 0; d < of.rank(); ++d) r.push_back(s.below(3) == 0 ? of[d] : s.below(2) ? (of[d] < 1 ? of[d] : 1) : s.below(of[d] + 1));
    return r;
  }
  array sum(const array& x, const array& y) const {
    if (jq::is_boolean(x.dtype())) return lax::bitwise_xor(x, y);
    return lax::add(x, y);
  }
  array changed(sampler& s, const array& x, const leaves& pool) const {
    const array y = like(s, pool, x);
    if (jq::is_boolean(x.dtype())) return s.below(2) ? lax::bitwise_xor(x, y) : lax::bitwise_not(x);
    switch (s.below(5)) {
      case 0: return lax::sub(y, x);
      case 1: return cast(x * 0.5, x.dtype());
      case 2: return lax::add(x, y);
      case 3: return lax::neg(x);
      default: return jq::is_complex(x.dtype()) ? lax::mul(x, y) : jq::array(jq::where(x < y, x, 1 - y)).astype(x.dtype());
    }
  }
  array written(sampler& s, const array& x, const state& now) const {
    const shape dims = window(s, x.shape());
    array part = fitted(cast(pick(s, now.values), x.dtype()), dims);
    const leaves at = starts(s, now.places, x);
    if (s.below(2)) {
      const array old = lax::dynamic_slice(x, jq::view<const array>(s.below(2) ? at : starts(s, now.places, x)), dims);
      part = s.below(2) ? sum(part, old) : changed(s, old, now.values);
    }
    return lax::dynamic_update_slice(x, part, jq::view<const array>(at));
  }
  array scattered(sampler& s, const array& x, const state& now) const {
    if (x.ndim() == 0 || x.aval().elements() == 0) return x;
    const std::int64_t n = x.shape()[0];
    shape row(x.shape().without(0));
    array i = place(s, now.places, n);
    if (s.below(3) == 0) {
      const std::int64_t many = 1 + s.below(4);
      row = many_of(many, row);
      i = (lax::iota(jq::i32, {many}, 0) * int(s.below(3)) + i.astype(jq::i32)) % int(n + s.below(2));
    }
    const array part = fitted(cast(pick(s, now.values), x.dtype()), row);
    if (s.below(2) || jq::is_boolean(x.dtype())) return x.at(i).set(part);
    return s.below(3) ? x.at(i).add(part) : x.at(i).multiply(part);
  }
  /// One step: what it makes joins the values.
  void step(sampler& s, const facts& f, state& now, int depth) const {
    const array x = pick(s, now.values);
    const std::int64_t kind = s.below(depth < 2 ? 20 : 14);
    if (kind < 5) now.values.push_back(written(s, x, now));
    else if (kind < 8) now.values.push_back(scattered(s, x, now));
    else if (kind < 10) now.values.push_back(changed(s, x, now.values));
    else if (kind == 10) {
      const shape dims = window(s, x.shape());
      now.values.push_back(lax::dynamic_slice(x, jq::view<const array>(starts(s, now.places, x)), dims));
    } else if (kind == 11 && x.ndim() > 0 && !jq::is_boolean(x.dtype())) {
      now.values.push_back(s.below(2) ? lax::rev(x, {int(s.below(x.ndim()))}) : jq::is_complex(x.dtype()) || is_inexact() ? lax::cumsum(x, 0) : lax::sort(x, int(s.below(x.ndim()))));
    } else if (kind == 12) {
      const array key = jq::random::fold_in(jq::random::key(3), pick(s, now.places).astype(jq::u32));
      now.values.push_back(cast(jq::random::uniform(key, x.shape(), jq::f32), x.dtype()));
    } else if (kind == 13) {
      now.places.push_back(s.below(2) || x.aval().elements() == 0 || is_inexact() ? array(pick(s, now.places) + 1) : cast(lax::reshape(lax::slice(lax::reshape(x, {x.aval().elements()}), {0}, {1}), {}), jq::i32));
    } else if (kind < 17) {
      for (const array& made : chosen(s, f, now, depth)) now.values.push_back(made);
    } else if (kind >= 17) {
      for (const array& made : looped(s, f, now, depth)) now.values.push_back(made);
    }
  }
  /// What one trip or branch makes of what it carries.
  leaves made_of(std::uint64_t seed, const facts& f, const leaves& carry, state now, int depth) const {
    sampler s(seed);
    for (const array& x : carry) now.values.push_back(x);
    for (std::int64_t n = s.below(4); n > 0; --n) step(s, f, now, depth);
    leaves next;
    const bool swaps = s.below(5) == 0;
    for (std::size_t k = 0; k < carry.size(); ++k) {
      const array& x = swaps ? carry[carry.size() - 1 - k] : carry[k];
      const array y = x.shape() == carry[k].shape() && x.dtype() == carry[k].dtype() ? x : carry[k];
      switch (s.below(8)) {
        case 0: next.push_back(y); break;
        case 1: next.push_back(like(s, now.values, carry[k])); break;
        case 2: next.push_back(changed(s, y, now.values)); break;
        case 3: next.push_back(scattered(s, y, now)); break;
        case 4:
        case 5: next.push_back(written(s, y, now)); break;
        case 6: next.push_back(written(s, scattered(s, y, now), now)); break;
        default: {
          array last = y;  // the latest of its type
          for (const array& v : now.values)
            if (v.shape() == y.shape() && v.dtype() == y.dtype()) last = v;
          next.push_back(last);
        }
      }
    }
    return next;
  }
  leaves begun(sampler& s, const facts& f, const state& now) const {
    leaves start;
    for (std::int64_t n = 1 + s.below(3); n > 0; --n) {
      if (s.below(8) == 0) start.push_back(lax::full(f.shapes[s.below(2)], jq::literal(0.0, f.types[0], false)));
      else if (s.below(8) == 0 && !start.empty()) start.push_back(start[0]);
      else start.push_back(pick(s, now.values));
      if (start.back().aval().elements() > 3000) start.back() = fitted(start.back(), f.shapes[0]);
    }
    return start;
  }
  leaves chosen(sampler& s, const facts& f, const state& now, int depth) const {
    const leaves start = begun(s, f, now);
    const std::uint64_t seed = s.bits();
    const array i = pick(s, now.places);
    const bool captures = s.below(2) != 0;
    const auto branch = [=, this](std::uint64_t which, bool does) {
      return [=, this](const leaves& x) {
        state inner = now;
        if (!captures) inner.values = {};
        return does ? made_of(seed + which, f, x, inner, depth + 1) : x;
      };
    };
    if (s.below(5) == 0) return jq::jit(branch(0, true))(start);
    const bool both = s.below(3) != 0;
    if (s.below(4) == 0) return lax::switch_(i % 3, std::tuple{branch(0, true), branch(1, both), branch(2, true)}, start);
    return lax::cond(i % 2 == 0, branch(0, true), branch(1, both), start);
  }
  leaves looped(sampler& s, const facts& f, const state& now, int depth) const {
    const leaves start = begun(s, f, now);
    const std::uint64_t seed = s.bits();
    const std::int64_t trips = s.below(12) == 0 ? 0 : 1 + s.below(depth == 0 ? 6 : 3), kind = s.below(is_inexact() ? 3 : 4);
    const bool captures = s.below(2) != 0;
    const auto trip = [&](const array& i, const leaves& c, const leaves& others) {
      state inner = now;
      if (!captures) inner.values = {};
      inner.places = {i, i};
      if (captures) inner.places.push_back(now.places[0]);
      inner.values.insert(inner.values.end(), others.begin(), others.end());
      return made_of(seed, f, c, inner, depth + 1);
    };
    if (kind < 2) return lax::fori_loop(0, trips, [&](const array& i, const leaves& c) { return trip(i, c, {}); }, start);
    if (kind == 2) {
      array rows = pick(s, now.values);
      rows = fitted(rows, rows.aval().elements() < 400 ? many_of(trips, rows.shape()) : shape{trips, 3});
      if (s.below(6) == 0) {  // trips that do not depend on each other
        const std::uint64_t of_trip = s.bits();
        return lax::map([&](const array& e) {
          sampler own(of_trip);
          const leaves pool{e, fitted(cast(pick(own, now.values), e.dtype()), e.shape())};
          const array x = changed(own, e, pool);
          return leaves{x, changed(own, x, {e, x, pool[1]})};
        }, rows);
      }
      const std::uint64_t of_results = s.bits();
      const auto [last, stacked] = lax::scan([&](const std::pair<array, leaves>& c, const array& e) {
        const leaves next = trip(c.first, c.second, {e});
        sampler own(of_results);
        leaves out;
        for (std::int64_t n = own.below(3); n > 0; --n) out.push_back(own.below(2) ? pick(own, next) : own.below(3) ? pick(own, c.second) : e);
        return std::pair{std::pair{array(c.first + 1), next}, out};
      }, std::pair{array(0), start}, rows, {.reverse = s.below(2) == 1});
      leaves all = last.second;
      for (const array& x : stacked)
        if (x.ndim() < 5) all.push_back(x);
      return all;
    }
    return lax::while_loop([&](const std::pair<array, leaves>& c) { return c.first < trips; },
                           [&](const std::pair<array, leaves>& c) { return std::pair{array(c.first + 1), trip(c.first, c.second, {})}; }, std::pair{array(0), start}).second;
  }

  std::uint64_t seed_;
  numbers of_;
};

}  // namespace laws
