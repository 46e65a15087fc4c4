// Random programs partitioned: sharded_jit against jit, for arguments, results and values within that are cut in random ways. Integers, so that the order of
// sums does not matter and all must agree. A run of ctest tries a few thousand programs; JACQUARD_FUZZ="count seed" in the environment tries that many
// from that seed on.
#include "../laws/random_trials.hpp"

#include <jacquard/jacquard.hpp>
#include <jacquard/testing/comparison.hpp>
#include <jacquard/testing/sample.hpp>

namespace {

namespace jq = jacquard;
namespace lax = jq::lax;
using jq::array;
using jq::int_list;
using jq::shape;
using jq::testing::report;
using jq::testing::sampler;
using leaves = std::vector<array>;

/// A random way to cut an array of these dimensions into so many pieces, if one is found.
std::optional<int_list> random_cut(sampler& s, const shape& dims, std::int64_t pieces) {
  for (int tries = 0; tries < 8 && dims.rank() > 0 && dims.rank() <= 4; ++tries) {
    int_list cut = int_list::filled(dims.rank(), 1);
    for (std::int64_t left = pieces; left > 1;) {
      const std::int64_t factor = left % 2 == 0 ? 2 : left % 3 == 0 ? 3 : left;
      cut[int(s.below(dims.rank()))] *= factor;
      left /= factor;
    }
    bool fits = true;
    for (int d = 0; d < dims.rank(); ++d) fits = fits && dims[d] % cut[d] == 0;
    if (fits) return cut;
  }
  return {};
}
jq::partition_spec spec_of(const int_list& cut) {
  if (cut.size() == 1) return jq::partition_spec(cut[0]);
  if (cut.size() == 2) return jq::partition_spec(cut[0], cut[1]);
  if (cut.size() == 3) return jq::partition_spec(cut[0], cut[1], cut[2]);
  return jq::partition_spec(cut[0], cut[1], cut[2], cut[3]);
}

/// A program of so many random steps over integers. It makes the same choices each time, which depend on nothing but types.
class random_program {
 public:
  random_program(std::uint64_t seed, int steps, std::int64_t partitions, bool shows_all) : seed_(seed), steps_(steps), partitions_(partitions), shows_all_(shows_all) {}

  leaves operator()(const leaves& cut, const leaves& whole) const {
    sampler s(seed_);
    leaves pool = cut;
    pool.insert(pool.end(), whole.begin(), whole.end());
    for (int n = 0; n < steps_; ++n) {
      sampler own(s.bits());
      try {
        const array made = step(own, pool);
        if (made.aval().elements() <= 4096) pool.push_back(made);
      } catch (const jq::error&) {  // not for these types; the same in every run
      }
    }
    if (shows_all_) return pool;
    leaves out{pool.back()};
    for (std::int64_t n = s.below(3); n > 0; --n) out.push_back(pick(s, pool));
    return out;
  }

 private:
  static const array& pick(sampler& s, const leaves& pool) {
    const std::int64_t n = std::int64_t(pool.size());
    return pool[std::size_t(s.below(2) ? n - 1 - s.below(std::min<std::int64_t>(n, 3)) : s.below(n))];
  }
  /// Another value of these dimensions: one that has them, or one made so.
  static array other(sampler& s, const leaves& pool, const shape& dims) {
    for (int tries = 0; tries < 4; ++tries)
      if (const array& y = pick(s, pool); y.shape() == dims) return y;
    return fitted(pick(s, pool), dims);
  }
  static array fitted(const array& x, const shape& dims) {
    if (x.shape() == dims) return x;
    const std::int64_t have = x.aval().elements(), want = dims.elements();
    if (have == 0 || want == 0) return lax::full(dims, jq::literal(std::int32_t(3)));
    const std::int64_t times = (want + have - 1) / have;
    const array flat = lax::reshape(x, {have}), many = lax::reshape(lax::broadcast_in_dim(flat, {times, have}, {1}), {times * have});
    return lax::reshape(lax::slice(many, {0}, {want}), dims);
  }
  array step(sampler& s, const leaves& pool) const {
    const array& x = pick(s, pool);
    const std::int64_t kind = s.below(100);
    if (kind < 12) {
      const auto cut = random_cut(s, x.shape(), partitions_);
      if (s.below(6) == 0) return jq::with_sharding_constraint(x, jq::none);
      return cut ? jq::with_sharding_constraint(x, spec_of(*cut)) : x;
    }
    if (kind < 40) return elementwise(s, pool, x);
    if (kind < 55) return reduced(s, x);
    if (kind < 65) return product(s, pool, x);
    if (kind < 92) return moved(s, pool, x);
    return whole(s, x);
  }
  static array elementwise(sampler& s, const leaves& pool, const array& x) {
    const array y = s.below(5) == 0 ? fitted(pick(s, pool), {}) : other(s, pool, x.shape());
    switch (s.below(7)) {
      case 0: return lax::neg(x);
      case 1: return jq::add(x, y);
      case 2: return jq::multiply(x, y);
      case 3: return jq::maximum(x, y);
      case 4: return jq::where(lax::lt(x, jq::broadcast_to(y, x.shape())), x, jq::subtract(y, x));
      case 5: return jq::subtract(x, jq::array(std::int32_t(s.below(5))));
      default: return (x > 0).astype(jq::i32);
    }
  }
  static int_list some_axes(sampler& s, int rank) {
    int_list r;
    for (int d = 0; d < rank; ++d)
      if (s.below(2)) r.push_back(d);
    return r;
  }
  static array reduced(sampler& s, const array& x) {
    const int_list axes = some_axes(s, x.ndim());
    switch (s.below(6)) {
      case 0: return lax::reduce_max(x, axes);
      case 1: return lax::reduce_min(x, axes);
      case 2: return lax::reduce_prod(x, axes);
      case 3: return lax::reduce_or(x > 1, axes).astype(jq::i32);
      default: return lax::reduce_sum(x, axes);
    }
  }
  /// The sums of x along all dimensions but one, whose pieces only some members have.
  static array profile(sampler& s, const array& x) {
    int_list axes;
    const int kept = int(s.below(std::max(x.ndim(), 1)));
    for (int d = 0; d < x.ndim(); ++d)
      if (d != kept) axes.push_back(d);
    return lax::reduce_sum(x, axes);
  }
  static array product(sampler& s, const leaves& pool, const array& x) {
    const array& y = pick(s, pool);
    jq::dot_dimension_numbers n;
    if (s.below(3) == 0) return lax::dot_general(profile(s, x), profile(s, y), n);
    for (int a = 0; a < x.ndim(); ++a)
      for (int b = 0; b < y.ndim(); ++b) {
        const bool taken = n.lhs_contracting.contains(a) || n.lhs_batch.contains(a) || n.rhs_contracting.contains(b) || n.rhs_batch.contains(b);
        if (taken || x.shape()[a] != y.shape()[b] || s.below(2)) continue;
        const bool sums = s.below(3) != 0;
        (sums ? n.lhs_contracting : n.lhs_batch).push_back(a);
        (sums ? n.rhs_contracting : n.rhs_batch).push_back(b);
      }
    return lax::dot_general(x, y, n);
  }
  static shape another_shape(sampler& s, std::int64_t elements) {
    shape dims;
    while (elements > 1 && dims.rank() < 4) {
      std::int64_t n = 1;
      do n *= elements / n % 2 == 0 ? 2 : elements / n;
      while (n < elements && s.below(2));
      dims.push_back(n);
      elements /= n;
      if (s.below(4) == 0 && dims.rank() < 4) dims.push_back(1);
    }
    if (elements != 1) dims.push_back(elements);
    return dims;
  }
  static array moved(sampler& s, const leaves& pool, const array& x) {
    const int rank = x.ndim();
    const shape dims = x.shape();
    const int d = rank == 0 ? 0 : int(s.below(rank));
    switch (s.below(9)) {
      case 0: {
        int_list order;
        for (int k = 0; k < rank; ++k) order.push_back(k);
        for (int k = rank; k > 1; --k) std::swap(order[k - 1], order[int(s.below(k))]);
        return lax::transpose(x, order);
      }
      case 1:
      case 2: return lax::reshape(x, another_shape(s, dims.elements()));
      case 3: {
        shape wide;
        int_list where;
        for (int k = 0; k < rank; ++k) {
          if (s.below(3) == 0 && rank < 4) wide.push_back(1 << s.below(4));
          where.push_back(wide.rank());
          wide.push_back(dims[k] == 1 && s.below(2) ? 4 : dims[k]);
        }
        if (s.below(3) == 0) wide.push_back(std::int64_t(1) << s.below(4));
        return lax::broadcast_in_dim(x, wide, where);
      }
      case 4: return lax::rev(x, some_axes(s, rank));
      case 5: {
        int_list from = int_list::filled(rank, 0), to = dims, by = int_list::filled(rank, 1);
        if (rank == 0) return x;
        from[d] = s.below(dims[d] / 2 + 1), to[d] = dims[d] - s.below((dims[d] - from[d]) / 2 + 1), by[d] = 1 + s.below(2);
        return lax::slice(x, from, to, by);
      }
      case 6: {
        if (rank == 0) return x;
        leaves all{x};
        for (std::int64_t n = 1 + s.below(2); n > 0; --n) all.push_back(other(s, pool, s.below(3) ? dims : shape(dims.with(d, 0 + s.below(9)))));
        return s.below(2) ? jq::concatenate(all, d) : lax::concatenate(jq::view<const array>(all), d);
      }
      case 7: {
        int_list low = int_list::filled(rank, 0), high = low, between = low;
        if (rank == 0) return x;
        low[d] = s.below(5) - 1, high[d] = s.below(4) - 1, between[d] = s.below(3) == 0;
        return lax::pad(x, fitted(pick(s, pool), {}), low, high, between);
      }
      default: {
        leaves start;
        shape size = dims;
        for (int k = 0; k < rank; ++k) start.push_back(s.below(2) ? jq::array(std::int32_t(0)) : fitted(pick(s, pool), {}));
        if (rank != 0) size[d] = s.below(dims[d] + 1);
        if (s.below(2)) return lax::dynamic_slice(x, jq::view<const array>(start), size);
        return lax::dynamic_update_slice(x, other(s, pool, size), jq::view<const array>(start));
      }
    }
  }
  /// What runs whole on each member.
  static array whole(sampler& s, const array& x) {
    const int d = x.ndim() == 0 ? 0 : int(s.below(x.ndim()));
    if (x.ndim() == 0) return lax::fori_loop(0, 2, [](const array&, const array& c) { return c * 3 + 1; }, x);
    switch (s.below(4)) {
      case 0: return jq::cumsum(x, d).astype(jq::i32);
      case 1: return jq::argmax(x, d).astype(jq::i32);
      case 2: return jq::sort(x, d);
      default: return lax::fori_loop(0, 2, [](const array& i, const array& c) { return c * 2 + i.astype(jq::i32); }, x);
    }
  }

  std::uint64_t seed_;
  int steps_;
  std::int64_t partitions_;
  bool shows_all_;
};

/// Arguments, of which the first ones are cut.
struct trial {
  leaves cut, whole;
  std::vector<jq::partition_spec> specs;
  std::int64_t partitions;
};
trial trial_of(std::uint64_t seed, bool powers_of_two) {
  static const shape squares[] = {{8, 8}, {4, 4, 4}, {8}, {2, 4, 8}, {64}, {8, 1, 8}, {16, 4}, {}};
  static const shape others[] = {{12, 12}, {6, 12}, {12}, {3, 4, 6}, {36}, {6, 6}, {12, 24}, {}};
  static constexpr std::int64_t counts[] = {2, 4, 8}, odd_counts[] = {3, 6, 12};
  sampler s(seed);
  trial t{{}, {}, {}, powers_of_two ? counts[s.below(3)] : odd_counts[s.below(3)]};
  for (std::int64_t n = 1 + s.below(3); n > 0; --n) {
    const shape dims = (powers_of_two ? squares : others)[s.below(8)];
    const array x = jq::testing::sample({jq::i32, dims}, s.bits(), -4, 4);
    const auto cut = random_cut(s, dims, t.partitions);
    if (cut && s.below(5)) t.cut.push_back(x), t.specs.push_back(spec_of(*cut));
    else t.whole.push_back(x);
  }
  return t;
}

report same(const leaves& got, const leaves& want) {
  report r;
  if (got.size() != want.size()) return r.fail("got ", std::int64_t(got.size()), " results, wanted ", std::int64_t(want.size()));
  for (std::size_t i = 0; i < got.size(); ++i) {
    const report one = jq::testing::identical(got[i], want[i]);
    if (!one.ok) r.fail("result ", std::int64_t(i), ": ", one.text);
  }
  return r;
}
report compared(const random_program& f, const trial& t, sampler s) {
  const leaves want = jq::jit(f)(t.cut, t.whole);
  std::vector<jq::partition_spec> out;
  for (const array& y : want)
    if (const auto cut = random_cut(s, y.shape(), t.partitions)) out.push_back(spec_of(*cut));
  const jq::num_partitions n(t.partitions);
  if (out.size() == want.size() && s.below(2)) return same(jq::sharded_jit(f, jq::in_parts(t.specs, jq::none), jq::out_parts(out), n)(t.cut, t.whole), want);
  return same(jq::sharded_jit(f, jq::in_parts(t.specs, jq::none), n)(t.cut, t.whole), want);
}
template <bool powers_of_two>
report tried(std::uint64_t seed) {
  jq::set_host_device_count(12);
  sampler s(seed);
  const int steps = int(1 + s.below(12));
  const trial t = trial_of(seed, powers_of_two);
  const auto run = [&](int n, bool shows_all) {
    try {
      return compared(random_program(seed, n, t.partitions, shows_all), t, s);
    } catch (const std::exception& e) {
      report r;
      r.fail(std::string_view(e.what()));
      return r;
    }
  };
  const report r = run(steps, false);
  if (r.ok) return r;
  report shortest;
  for (int n = 1; n <= steps; ++n)
    for (const bool shows_all : {false, true})
      if (const report part = run(n, shows_all); !part.ok) {
        jq::text specs;
        for (const auto& p : t.specs) p.put(specs);
        return shortest.fail("seed ", seed, ", ", n, " steps, ", t.partitions, " partitions, ", specs, ":\n", part.text, '\n',
                             jq::to_text(jq::make_jaxpr(random_program(seed, n, t.partitions, shows_all))(t.cut, t.whole)));
      }
  return shortest.fail("seed ", seed, ", all steps:\n", r.text, '\n', jq::to_text(jq::make_jaxpr(random_program(seed, steps, t.partitions, false))(t.cut, t.whole)));
}

}  // namespace

TEST_CASE("random programs give the same partitioned over 2, 4 and 8 devices") { laws::try_seeds(tried<true>, 4000); }
TEST_CASE("random programs give the same partitioned over 3, 6 and 12 devices") { laws::try_seeds(tried<false>, 3000); }
// What such programs seldom come to: number % 3 and number / 4 % 3 say which pieces members have, and one cannot be changed without the other.
TEST_CASE("pieces that digits of different bases tell apart") {
  jq::set_host_device_count(12);
  const array x = jq::testing::sample({jq::i32, {12, 12}}, 1, -4, 4), y = jq::testing::sample({jq::i32, {12, 12}}, 2, -4, 4);
  const auto f = [](const array& a, const array& b) { return leaves{lax::dot_general(jq::sum(a, 1), jq::sum(b, 0), {})}; };
  const report r = same(jq::sharded_jit(f, jq::in_parts(jq::partition_spec(3, 4), jq::partition_spec(4, 3)))(x, y), jq::jit(f)(x, y));
  CHECK_MESSAGE(r.ok, r.text);
}
