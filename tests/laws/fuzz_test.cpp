// Differential fuzzing: random programs over the primitives of all rows, run by the interpreter, by the tile interpreter and by compiled
// code. With jq::precision::strict all three must agree in every bit, but for which NaN a NaN is. A run of ctest tries a few hundred
// programs; JACQUARD_FUZZ="count seed" in the environment tries that many from that seed on.
#include "bits.hpp"
#include "random_trials.hpp"
#include "row.hpp"

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/testing/comparison.hpp>

using namespace laws;
using jq::testing::report;
using jq::testing::sampler;

namespace {

/// A program of so many random steps. It makes the same choices each time, which depend on nothing but types.
class random_program {
 public:
  static constexpr std::int64_t many = 20000, few = 64;  ///< elements that a value has at most; so few may lie in registers
  random_program(std::uint64_t seed, int steps, bool shows_all, std::int64_t largest = many) : seed_(seed), steps_(steps), shows_all_(shows_all), largest_(largest) {}

  leaves operator()(const leaves& arguments) const {
    sampler s(seed_);
    leaves pool = arguments;
    for (int n = 0; n < steps_; ++n) {
      sampler own(s.bits());
      try {
        const leaves made = step(own, pool);
        for (const array& x : made)
          if (x.aval().elements() <= largest_) pool.push_back(x);
      } catch (const jq::error&) {  // not for these types; the same in every run
      }
    }
    if (shows_all_) return pool;
    leaves out{pool.back()};
    for (std::int64_t n = s.below(3); n > 0; --n) out.push_back(pick(s, pool));
    return out;
  }
  static leaves arguments(std::uint64_t seed, std::int64_t largest = many) {
    sampler s(seed);
    leaves r;
    for (std::int64_t n = 1 + s.below(4); n > 0; --n) r.push_back(argument(s, r.empty() ? shape() : r.back().shape(), largest));
    return r;
  }

 private:
  static const array& pick(sampler& s, const leaves& pool) {
    const std::size_t n = pool.size();  // the latest ones more often
    return pool[s.below(2) ? n - 1 - std::size_t(s.below(std::int64_t(n < 3 ? n : 3))) : std::size_t(s.below(std::int64_t(n)))];
  }
  static dtype some_dtype(sampler& s) {
    const dtype often[] = {jq::f32, jq::f32, jq::f64, jq::bf16, jq::f16, jq::i32};
    return s.below(3) ? often[s.below(6)] : dtype(s.below(jq::dtype_count));
  }
  static array argument(sampler& s, const shape& before, std::int64_t largest) {
    static constexpr std::int64_t sizes[] = {0, 1, 2, 3, 4, 5, 8, 16, 17, 33, 130, 700};
    shape dims = before;
    if (s.below(2)) {
      dims = {};
      for (std::int64_t rank = s.below(s.below(4) ? 4 : 7); rank > 0; --rank) {
        const std::int64_t n = sizes[s.below(40) ? 1 + s.below(11) : 0];
        if (dims.elements() * n <= largest / 4) dims.push_back(n);
      }
    }
    const jq::aval t{some_dtype(s), dims};
    const std::uint64_t seed = s.bits();
    if (s.below(4) == 0) {
      constexpr double odd[] = {0.0, -0.0, 1, -1, 0.5, 2.5, -3.5, 1e-40, 1e-310, 1e30, -1e30, 65504, 3e9, 1e19, -129, 256,
                                std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()};
      return jq::testing::picked(t, seed, std::span<const double>(odd, jq::is_inexact(t.type) ? std::size(odd) : 16));
    }
    return s.below(4) ? jq::testing::sample(t, seed, -4, 4) : jq::testing::sample(t, seed, -1000, 1000);
  }

  static leaves step(sampler& s, const leaves& pool, bool in_loop = false) {
    const std::int64_t kind = s.below(100);
    if (kind < 8 && !in_loop) return looped(s, pool);
    if (kind < 45) return elementwise(s, pool);
    if (kind < 75) return movement(s, pick(s, pool), pool);
    return anything(s, pool, in_loop);
  }
  /// A loop of one kind or another, or a choice in a loop, of a few steps on few elements.
  static leaves looped(sampler& s, const leaves& pool) {
    const auto few = [](const array& x) { return x.size() >= 1 && x.size() <= 100 ? x : fitted(x, {3}); };
    leaves start{few(pick(s, pool))};
    if (s.below(2)) start.push_back(few(pick(s, pool)));
    const std::uint64_t seed = s.bits();
    const auto trip = [seed](const leaves& carry, const leaves& others, std::uint64_t which) {
      sampler own(seed + which);
      leaves values = others;
      values.insert(values.end(), carry.begin(), carry.end());
      for (std::int64_t n = 1 + own.below(4); n > 0; --n) {
        sampler inner(own.bits());
        const leaves made = step(inner, values, true);
        values.insert(values.end(), made.begin(), made.end());
      }
      leaves next;
      for (const array& x : carry) next.push_back(fitted(pick(own, values), x.shape()).astype(x.dtype()));
      return next;
    };
    const std::int64_t trips = 1 + s.below(4), kind = s.below(4);
    if (kind == 0) return lax::fori_loop(0, trips, [&](const array& i, const leaves& c) { return trip(c, {i}, 0); }, start);
    if (kind == 1) {
      array stack = few(pick(s, pool));
      stack = fitted(stack, {trips, stack.size()});
      const auto [last, stacked] = lax::scan([&](const leaves& c, const array& e) {
        const leaves next = trip(c, {e}, 0);
        return std::pair{next, next};
      }, start, stack, {.reverse = s.below(2) == 1});
      leaves all = last;
      all.insert(all.end(), stacked.begin(), stacked.end());
      return all;
    }
    if (kind == 2)
      return lax::while_loop([&](const std::pair<array, leaves>& c) { return c.first < trips; },
                             [&](const std::pair<array, leaves>& c) { return std::pair{array(c.first + 1), trip(c.second, {c.first}, 0)}; }, std::pair{array(0), start}).second;
    return lax::fori_loop(0, trips, [&](const array& i, const leaves& c) {
      return lax::cond(i % 2 == 0, [&](const leaves& x) { return trip(x, {i}, 0); }, [&](const leaves& x) { return trip(x, {}, 1); }, c);
    }, start);
  }
  static const row& some_row(sampler& s) { return all_rows()[std::size_t(s.below(std::int64_t(all_rows().size())))]; }

  /// An elementwise primitive on values of any shape.
  static leaves elementwise(sampler& s, const leaves& pool) {
    const row* r = nullptr;
    for (int tries = 0; tries < 100 && (!r || !r->op->elementwise); ++tries) r = &some_row(s);
    const std::size_t number = std::size_t(s.below(std::int64_t(r->samples.size())));
    array x = pick(s, pool);
    for (int tries = 0; tries < 20 && !has(r->types & r->samples[number].types, x.dtype()); ++tries) x = x.astype(some_dtype(s));
    const instance i{r, &r->samples[number], x.dtype(), number};
    leaves operands;
    for (const operand& o : i.at->operands) {
      array y = x;
      if (s.below(3)) y = fitted(pick(s, pool), x.shape());
      if (s.below(8) == 0) y = fitted(y, {});
      operands.push_back(of_one_nan(*r, y.astype(o.type.value_or(x.dtype()))));
    }
    if (r->op->effects != 0) return {};
    return primitive_of(i)(operands);
  }
  /// Any primitive, on the shapes of its samples; numbers come from other values where they may.
  static leaves anything(sampler& s, const leaves& pool, bool in_loop) {
    const row& r = some_row(s);
    if (r.op->effects != 0 || (in_loop && is_collective(r))) return {};
    const std::size_t number = std::size_t(s.below(std::int64_t(r.samples.size())));
    dtype t = some_dtype(s);
    for (int tries = 0; tries < 100 && !has(r.types & r.samples[number].types, t); ++tries) t = dtype(s.below(jq::dtype_count));
    if (!has(r.types & r.samples[number].types, t)) return {};
    const instance i{&r, &r.samples[number], t, number};
    leaves x = operands_of(i);
    for (std::size_t k = 0; k < x.size(); ++k)
      if (!i.at->operands[k].type && !is_collective(r) && s.below(4)) x[k] = of_one_nan(r, fitted(pick(s, pool), x[k].shape()).astype(t));
    return function_of(i)(x);
  }
  /// What bits are asked of has no NaN: which of the NaNs a number is, nobody promises.
  static array of_one_nan(const row& r, const array& x) {
    if (r.op != &jq::table_of<jq::bitcast_convert_type_p>() || !jq::is_inexact(x.dtype()) || jq::is_complex(x.dtype())) return x;
    return lax::select(lax::ne(x, x), lax::full(x.shape(), jq::literal(1.0, x.dtype(), false)), x);
  }
  /// The elements of x, repeated or cut off to fill a shape.
  static array fitted(const array& x, const shape& dims) {
    if (x.shape() == dims) return x;
    const std::int64_t have = x.aval().elements(), want = dims.elements();
    if (have == 0 || want == 0) return lax::full(dims, jq::literal(1.0, jq::is_complex(x.dtype()) ? jq::f32 : x.dtype(), false)).astype(x.dtype());
    const std::int64_t times = (want + have - 1) / have;
    const array flat = lax::reshape(x, {have}), many = lax::reshape(lax::broadcast_in_dim(flat, {times, have}, {1}), {times * have});
    return lax::reshape(lax::slice(many, {0}, {want}), dims);
  }
  static leaves movement(sampler& s, const array& x, const leaves& pool) {
    const int rank = x.ndim();
    jq::int_list order, axes;
    for (int d = 0; d < rank; ++d) {
      order.push_back(d);
      if (s.below(2)) axes.push_back(d);
    }
    for (int d = rank; d > 1; --d) std::swap(order[d - 1], order[int(s.below(d))]);
    const bool numbers = !jq::is_boolean(x.dtype()), real = !jq::is_complex(x.dtype());
    switch (s.below(12)) {
      case 0: return {lax::transpose(x, order)};
      case 1: return {lax::rev(x, axes)};
      case 2: {
        jq::int_list from, to, by;
        for (int d = 0; d < rank; ++d) {
          const std::int64_t n = x.shape()[d];
          from.push_back(s.below(n / 2 + 1));
          to.push_back(n - s.below((n - from[d]) / 2 + 1));
          by.push_back(1 + s.below(3) / 2);
        }
        return {lax::slice(x, from, to, by)};
      }
      case 3: return {lax::reshape(x, {x.aval().elements()})};
      case 4: {
        shape dims;
        jq::int_list where;
        for (int d = 0; d < rank; ++d) {
          if (s.below(3) == 0 && rank < 5) dims.push_back(1 + s.below(4));
          where.push_back(dims.rank());
          dims.push_back(x.shape()[d]);
        }
        return {lax::broadcast_in_dim(x, dims, where)};
      }
      case 5: return {numbers ? lax::reduce_sum(x, axes) : x};
      case 6: return {real ? lax::reduce_max(x, axes) : x};
      case 7: return {real ? lax::reduce_min(x, axes) : x};
      case 8: {  // sometimes cut off, sometimes with gaps
        jq::int_list low, high, between;
        for (int d = 0; d < rank; ++d) {
          const std::int64_t most = x.shape()[d] < 2 ? 0 : x.shape()[d] / 2;
          low.push_back(s.below(4) - (s.below(6) == 0 ? s.below(most + 1) : 0));
          high.push_back(s.below(3) * s.below(40) - (s.below(6) == 0 ? s.below(most + 1) : 0));
          between.push_back(s.below(12) == 0);
        }
        const array with = s.below(3) ? array(jq::literal(0.0, x.dtype(), false)) : fitted(pick(s, pool), {}).astype(x.dtype());
        return {lax::pad(x, with, low, high, between)};
      }
      case 9: {  // what shifted parts contribute to, as derivatives have it
        if (rank == 0 || !numbers || x.aval().elements() == 0) return {x};
        const int d = int(s.below(rank));
        array sum;
        for (std::int64_t n = 2 + s.below(3); n > 0; --n) {
          const std::int64_t from = s.below(x.shape()[d] < 4 ? x.shape()[d] : 4), to = x.shape()[d] - s.below((x.shape()[d] - from) / 4 + 1);
          jq::int_list first = jq::int_list::filled(rank, 0), last = x.shape(), high = first;
          first[d] = from, last[d] = to, high[d] = x.shape()[d] - to;
          const array part = lax::slice(fitted(pick(s, pool), x.shape()).astype(x.dtype()), first, last);
          const array one = lax::pad(lax::mul(part, part), array(jq::literal(0.0, x.dtype(), false)), first, high);
          sum = sum.is_none() ? one : lax::add(sum, one);
        }
        return {sum};
      }
      case 10: {
        if (rank == 0) return {x};
        const int d = int(s.below(rank));
        leaves all;
        for (std::int64_t n = 1 + s.below(4); n > 0; --n) {
          const std::int64_t size = s.below(10) ? x.shape()[d] : s.below(2 * x.shape()[d] + 2);
          all.push_back(fitted(pick(s, pool), x.shape().with(d, size)).astype(x.dtype()));
        }
        return {lax::concatenate(jq::view<const array>(all), d)};
      }
      default: return {fitted(pick(s, pool), x.shape()).astype(x.dtype())};
    }
  }

  std::uint64_t seed_;
  int steps_;
  bool shows_all_;
  std::int64_t largest_;
};

const jq::compile_at ways[] = {jq::compile_at::never, jq::compile_at::first_call};
const char* const names[] = {"tiles", "compiled"};

report compared(const random_program& f, const leaves& x, bool donates) {
  report r;
  const leaves want = jq::jit(f, jq::backend("interpreter"))(x);
  for (int way = 0; way < 2; ++way) {
    const auto plain = jq::jit(f, jq::backend("cpu"), jq::precision::strict, ways[way]);
    const auto donating = jq::jit(f, jq::backend("cpu"), jq::precision::strict, ways[way], jq::donate_argnums<0>);
    const leaves given = copies(x);
    r.add(names[way], same_bits(donates ? donating(given) : plain(given), want));
    if (!donates) r.add("arguments afterwards", same_bits(given, x));
  }
  return r;
}
/// Compares one program; of one that differs the shortest beginning that does.
report tried(std::uint64_t seed, std::int64_t largest) {
  sampler s(seed);
  const int steps = int(1 + s.below(14));
  const bool donates = s.below(3) == 0;
  const leaves x = random_program::arguments(seed, largest);
  report r = compared(random_program(seed, steps, false, largest), x, donates);
  if (r.ok) return r;
  report shortest;
  for (int n = 1; n <= steps; ++n) {
    const random_program f(seed, n, true, largest);
    report part = compared(f, x, donates);
    if (part.ok) continue;
    return shortest.fail("seed ", seed, ", ", n, donates ? " steps, donating:\n" : " steps:\n", part.text, '\n', jq::to_text(jq::make_jaxpr(f)(x)));
  }
  return shortest.fail("seed ", seed, ", all steps:\n", r.text, '\n', jq::to_text(jq::make_jaxpr(random_program(seed, steps, false, largest))(x)));
}

}  // namespace

TEST_CASE("random programs give the same bits on the interpreter, on tiles and compiled") {
  laws::try_seeds([](std::uint64_t seed) { return tried(seed, random_program::many); }, 150);
}
TEST_CASE("random programs on few elements, which lie in registers, give the same bits") {
  laws::try_seeds([](std::uint64_t seed) { return tried(seed, random_program::few); }, 60);
}
