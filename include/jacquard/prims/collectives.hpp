#pragma once
// Collectives over a mapped axis that keep the shape: psum, pmax, pmin, ppermute and axis_index. Inside vmap they become ordinary array operations over
// the mapped dimension; inside pmap and mpi::each_rank they are communication between members. Each names one axis, and has no kernel.

#include "jacquard/prims/add.hpp"
#include "jacquard/prims/concatenate.hpp"
#include "jacquard/prims/convert_element_type.hpp"
#include "jacquard/prims/div.hpp"
#include "jacquard/prims/iota.hpp"
#include "jacquard/prims/max_min.hpp"
#include "jacquard/prims/member_exchange.hpp"
#include "jacquard/prims/mul.hpp"
#include "jacquard/prims/reduce_max_min.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array psum(const lazy<Array>& x, const name_text& axis, location where = location::current());
template <class Array = array>
constexpr array ppermute(const lazy<Array>& x, const name_text& axis, view<const std::int64_t> pairs, location where = location::current());
}  // namespace lax

namespace detail {

/// What collectives share: the effect, which keeps their order, and how they run where members run programs of their own, which
/// P::exchange_members says for one member.
template <class P>
struct collective {
  static constexpr effect_set effects = collective_effect;
  static constexpr bool not_foldable = true;
  static constexpr std::int64_t holder(std::int64_t member, const auto&) { return member; }
  static void evaluate(auto& c, const auto& p) { run_collective<P>(c, p); }
};

/// A collective whose result is a reduction over the axis. P::reduce folds the mapped dimension, P::repeat is the value
/// for an operand that is the same everywhere, and the primitive P::combining combines two.
template <class P>
struct reducing_collective : collective<P> {
  static constexpr std::int64_t holder(std::int64_t, const auto&) { return 0; }
  struct params {
    name_text axis;
    static constexpr std::string_view fields = "axis_name";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr aval abstract_eval(inference& c, const params& p) {
    if (!contains(P::accepted_types, c.in[0].type)) return elementwise_type(c, P::accepted_types);
    if (c.axis_size(p.axis) < 0) return {};
    return c.in[0];
  }
  static constexpr masked mask(auto& c, const params& p) { return {bind<P>(p, location{}, c.x[0]), c.dims[0]}; }
  static constexpr batched batch(auto& c, const params& p) {
    const array& x = c.x[0];
    if (c.axis != p.axis) return {bind<P>(p, location{}, x), c.dims[0]};
    if (c.dims[0] == not_mapped) return {P::repeat(x, c.size), not_mapped};
    return {P::reduce(x, c.dims[0]), not_mapped};
  }
  static byte_range reads(const exchange& e, const params&, std::int64_t) { return own_share(e); }
  static byte_range writes(const exchange& e, const params&) { return own_share(e); }
  /// Each member reduces its share of the elements.
  static void exchange_members(exchange& e, const params&) {
    std::vector<std::int64_t> all;
    for (std::int64_t m = 0; m < e.size(); ++m) all.push_back(m);
    fold_share(table_of<typename P::combining>(), e, all, e.member);
  }
};

}  // namespace detail

/// The sum of `x` over all members of the mapped axis, the same for each.
/// Shapes  x -> the same.
/// Errors  value_error: an axis that is not mapped here. type_error: bool, which lax::psum converts to i32 first.
/// Rules   linear; transpose = psum of the cotangent.
/// Cost    one reduction over the axis.
struct psum_p : detail::reducing_collective<psum_p> {
  using combining = add_p;
  static constexpr std::string_view name = "psum";
  static constexpr type_set accepted_types = numbers;
  static constexpr std::uint32_t linear = 1;
  static constexpr array transpose(int, const auto& ct, const auto&, const params& p) { return lax::psum(ct, p.axis); }
  static constexpr array reduce(const auto& x, int d) { return lax::reduce_sum(x, {d}); }
  static constexpr array repeat(const auto& x, std::int64_t n) {
    return lax::mul(x, array(literal(n, x.dtype(), true)));
  }
};

/// The largest `x` among all members of the mapped axis, the same for each.
/// Shapes  x -> the same.
/// Errors  value_error: an axis that is not mapped here. type_error: complex numbers.
/// Rules   no derivative.
/// Cost    one reduction over the axis.
struct pmax_p : detail::reducing_collective<pmax_p> {
  using combining = max_p;
  static constexpr std::string_view name = "pmax";
  static constexpr type_set accepted_types = ordered;
  static constexpr array reduce(const auto& x, int d) { return lax::reduce_max(x, {d}); }
  static constexpr array repeat(const auto& x, std::int64_t) { return x; }
};

/// The smallest `x` among all members of the mapped axis, the same for each.
/// Shapes  x -> the same.
/// Errors  value_error: an axis that is not mapped here. type_error: complex numbers.
/// Rules   no derivative.
/// Cost    one reduction over the axis.
struct pmin_p : detail::reducing_collective<pmin_p> {
  using combining = min_p;
  static constexpr std::string_view name = "pmin";
  static constexpr type_set accepted_types = ordered;
  static constexpr array reduce(const auto& x, int d) { return lax::reduce_min(x, {d}); }
  static constexpr array repeat(const auto& x, std::int64_t) { return x; }
};

/// Sends `x` along the mapped axis: member dst gets the x of member src for each pair (src, dst), zeros if it is no dst.
/// Shapes  x -> the same.
/// Errors  value_error: an axis that is not mapped here, sources or destinations that are repeated or out of range.
/// Rules   linear; transpose = the pairs the other way round.
/// Cost    one message per pair.
struct ppermute_p : detail::collective<ppermute_p> {
  static constexpr std::string_view name = "ppermute";
  struct params {
    name_text axis;
    std::vector<std::int64_t> pairs;  ///< source, destination, source, destination, ...
    static constexpr std::string_view fields = "axis_name perm";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr std::uint32_t linear = 1;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    const std::int64_t n = c.axis_size(p.axis);
    if (n < 0) return {};
    std::vector<char> sends(std::size_t(n), false), receives(std::size_t(n), false);
    bool ok = p.pairs.size() % 2 == 0;
    for (std::size_t i = 0; ok && i < p.pairs.size(); ++i) {
      std::vector<char>& seen = i % 2 == 0 ? sends : receives;
      ok = p.pairs[i] >= 0 && p.pairs[i] < n && !seen[std::size_t(p.pairs[i])];
      if (ok) seen[std::size_t(p.pairs[i])] = true;
    }
    if (ok) return c.in[0];
    text got;
    for (std::size_t i = 0; i < p.pairs.size(); ++i)
      got << (i % 2 ? ", " : i ? ", (" : "(") << p.pairs[i] << (i % 2 ? ")" : "");
    return c.fail(error_kind::value, " sources and destinations must be unique, got [", got,
                  "] for the axis ", p.axis.view(), " of size ", n, "; wanted pairs of members in [0, ", n,
                  "), each at most once as source and as destination");
  }
  static detail::byte_range reads(const detail::exchange& e, const params& p, std::int64_t from) {
    for (std::size_t i = 0; i + 1 < p.pairs.size(); i += 2)
      if (p.pairs[i] == from && p.pairs[i + 1] == e.member) return {0, e.type.bytes()};
    return {};
  }
  static void exchange_members(detail::exchange& e, const params& p) {
    const std::size_t bytes = std::size_t(e.type.bytes());
    for (std::size_t i = 0; i + 1 < p.pairs.size(); i += 2)
      if (p.pairs[i + 1] == e.member) {
        if (bytes != 0) std::memcpy(e.result(), e.operand(p.pairs[i]), bytes);
        return;
      }
    if (bytes != 0) std::memset(e.result(), 0, bytes);
  }
  static constexpr array transpose(int, const auto& ct, const auto&, const params& p) {
    std::vector<std::int64_t> back = p.pairs;
    for (std::size_t i = 0; i + 1 < back.size(); i += 2) std::swap(back[i], back[i + 1]);
    return lax::ppermute(ct, p.axis, back);
  }
  static constexpr masked mask(auto& c, const params& p) { return {bind<ppermute_p>(p, location{}, c.x[0]), c.dims[0]}; }
  static constexpr batched batch(auto& c, const params& p) {
    if (c.axis != p.axis) return {bind<ppermute_p>(p, location{}, c.x[0]), c.dims[0]};
    const array x = detail::batch_materialise(c.x[0], c.dims[0], c.size);
    std::vector<std::int64_t> source(std::size_t(c.size), -1);
    for (std::size_t i = 0; i + 1 < p.pairs.size(); i += 2) source[std::size_t(p.pairs[i + 1])] = p.pairs[i];
    std::vector<array> parts;  // runs of members with consecutive sources, or with none
    for (std::int64_t from = 0, to = 0; from < c.size; from = to) {
      const std::int64_t s = source[std::size_t(from)];
      for (to = from + 1; to < c.size && source[std::size_t(to)] == (s < 0 ? -1 : s + to - from);) ++to;
      if (s < 0) parts.push_back(zeros(x, to - from));
      else parts.push_back(rows(x, s, s + to - from));
    }
    return {lax::concatenate(parts, 0), 0};
  }

 private:
  static constexpr array rows(const auto& x, std::int64_t first, std::int64_t last) {
    int_list low = int_list::filled(x.ndim(), 0), high = x.shape();
    low[0] = first;
    high[0] = last;
    return lax::slice(x, low, high);
  }
  static constexpr array zeros(const auto& x, std::int64_t count) {
    const aval t = x.aval();
    return lax::zeros(t.with(shape(t.dims.without(0).with(0, count))));
  }
};

namespace lax {
template <class Array = array>
constexpr array axis_index(const name_text& axis, location where = location::current());
}

/// The position of this member on the mapped axis.
/// Shapes  () -> i32[].
/// Errors  value_error: an axis that is not mapped here.
/// Rules   no operands, so no derivative.
/// Cost    none.
struct axis_index_p : detail::collective<axis_index_p> {
  static constexpr std::string_view name = "axis_index";
  struct params {
    name_text axis;
    static constexpr std::string_view fields = "axis_name";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr aval abstract_eval(inference& c, const params& p) {
    if (c.axis_size(p.axis) < 0) return {};
    return {i32, {}};
  }
  static void evaluate(auto& c, const params& p) {
    c.out[0] = array(std::int32_t(detail::member_of(p.axis, name).index)).materialised();
  }
  static constexpr batched batch(auto& c, const params& p) {
    if (c.axis != p.axis) return {lax::axis_index(p.axis, location{}), not_mapped};
    return {lax::iota(i32, c.size), 0};
  }
};

namespace detail {
/// The axis of this name where `x` is used, which is not traced itself; else null.
template <class Array = array>
constexpr const axis_binding* axis_beside(const lazy<Array>& x, const name_text& axis) {
  const trace* const t = x.is_none() || x.is_tracer() ? nullptr : trace_of(view<const array>(&x, 1));
  const axis_binding* a = t ? t->axes : nullptr;
  while (a && !a->is_named(axis)) a = a->outer;
  return a;
}
/// Collective P; of a constant, where every member has the same, a number while the function is traced.
template <class P, class Array = array>
constexpr array over_members(const lazy<Array>& x, const name_text& axis, const location& where) {
  const axis_binding* const a = axis_beside(x, axis);
  if (a && a->size > 0 && !a->has_own_constants && contains(P::accepted_types, x.dtype())) return P::repeat(x, a->size);
  return bind<P>({axis}, where, x);
}
}  // namespace detail

namespace lax {

/// See psum_p. Booleans are counted as i32.
template <class Array>
constexpr array psum(const lazy<Array>& x, const name_text& axis, location where) {  // without `?:`, whose mixed form g++ 12 destroys twice
  if (x.is_none() || !is_boolean(x.dtype())) return detail::over_members<psum_p>(x, axis, where);
  return detail::over_members<psum_p>(convert_element_type(x, i32, false, where), axis, where);
}
/// See pmax_p.
template <class Array = array>
constexpr array pmax(const lazy<Array>& x, const name_text& axis, location where = location::current()) {
  return detail::over_members<pmax_p>(x, axis, where);
}
/// See pmin_p.
template <class Array = array>
constexpr array pmin(const lazy<Array>& x, const name_text& axis, location where = location::current()) {
  return detail::over_members<pmin_p>(x, axis, where);
}
/// See ppermute_p; pairs as source, destination, source, destination, ...
template <class Array>
constexpr array ppermute(const lazy<Array>& x, const name_text& axis, view<const std::int64_t> pairs, location where) {
  return bind<ppermute_p>({axis, std::vector<std::int64_t>(pairs.begin(), pairs.end())}, where, x);
}
/// See ppermute_p; pairs as {source, destination}.
template <class Array = array, std::integral Source, std::integral Destination>
constexpr array ppermute(const lazy<Array>& x, const name_text& axis, const std::vector<std::pair<Source, Destination>>& pairs,
                         location where = location::current()) {
  std::vector<std::int64_t> flat;
  for (const auto& [source, destination] : pairs) flat.insert(flat.end(), {std::int64_t(source), std::int64_t(destination)});
  return bind<ppermute_p>({axis, flat}, where, x);
}
template <class Array = array>
constexpr array ppermute(const lazy<Array>& x, const name_text& axis, std::initializer_list<std::pair<std::int64_t, std::int64_t>> pairs,
                         location where = location::current()) {
  return ppermute(x, axis, std::vector<std::pair<std::int64_t, std::int64_t>>(pairs), where);
}
/// See axis_index_p.
template <class Array>
constexpr array axis_index(const name_text& axis, location where) {
  return bind_list<axis_index_p>({axis}, where, {})[0];
}
/// The number of members of a mapped axis.
template <class Array = array>
constexpr array axis_size(const name_text& axis, location where = location::current()) {
  const array one(std::int32_t(1));
  if (const axis_binding* const a = detail::axis_beside(one, axis)) return psum_p::repeat(one, a->size);
  return psum(one, axis, where);
}
/// The mean over the mapped axis. Integers and booleans become f64 first.
template <class Array = array>
constexpr array pmean(const lazy<Array>& x, const name_text& axis, location where = location::current()) {
  if (!x.is_none() && !is_inexact(x.dtype())) return pmean(convert_element_type(x, f64, false, where), axis, where);
  const array sum = psum(x, axis, where);
  return div(sum, convert_element_type(axis_size(axis, where), sum.dtype(), true, where), where);
}

}  // namespace lax

}  // namespace jacquard
