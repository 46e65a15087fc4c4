#pragma once
// prefix_mask: which elements of an axis come before a number that is known when the program runs. Masking asks that of every
// padded axis, so that it is one operation, which writes one byte an element, instead of a comparison of repeated indices with a
// repeated size.

#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array prefix_mask(const lazy<Array>& x, std::int64_t size, location where = location::current());
}  // namespace lax

/// For each number in `x` a mask of so many leading elements of `size`.
/// Shapes  x [d...] -> bool [d..., size]: whether the last index is below the number at the others.
/// Errors  type_error: x is no integer; shape_error: a negative size.
/// Rules   no derivative.
/// Cost    writes the result once.
struct prefix_mask_p {
  static constexpr std::string_view name = "prefix_mask";
  struct params {
    std::int64_t size = 0;
    static constexpr std::string_view fields = "size";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr bool no_derivative = true;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    const aval& x = c.in[0];
    if (!is_integer(x.type))
      return c.fail(error_kind::type, ": got numbers of dtype ", long_name(x.type), ", wanted integers; convert them with x.astype(jq::i64)");
    const shape out(x.dims.with(x.rank(), p.size));
    if (p.size < 0 || out.overflowed())
      return c.fail(error_kind::shape, ": got the size ", p.size, " for numbers of shape ", x.dims, "; wanted one that is not negative, and at most ",
                    max_rank, " dimensions");
    return {bool_, out};
  }
  static constexpr batched batch(auto& c, const params& p) {
    return {lax::prefix_mask(detail::batch_to_front(c.x[0], c.dims[0]), p.size), 0};
  }
  static constexpr masked mask(auto& c, const params& p) {
    c.reads_sizes = true;
    dimension_list dims = c.dims[0];
    dims.push_back(c.scope.decode(p.size, decode<params>(c.twin).size));
    return {lax::prefix_mask(c.x[0], c.scope.padded(dims.back())), dims};
  }
  /// Numbers of 32 bits, so that a vector takes as many of them as of f32.
  static constexpr void record(record_call& c, const params& p) {
    if (p.size > std::numeric_limits<std::int32_t>::max()) return;
    const index_source& last = c.at.back();
    const auto constant = [&](std::int64_t v) { return c.to.constant(literal(v)); };
    std::int32_t n = c.in[0];
    if (c.to.steps[std::size_t(n)].type == u64) n = c.to.apply(scalar_op::min, n, c.to.constant(literal(std::uint64_t(p.size))));
    n = c.to.apply(scalar_op::min, c.to.apply(scalar_op::max, c.to.convert(n, i64), constant(0)), constant(p.size));
    c.result = c.to.apply(scalar_op::less, c.to.convert(c.to.index_at(last.loop, last.start, last.step), i32), c.to.convert(n, i32));
  }
  /// In the compile-time lane: numbers, or vector lanes of them.
  template <class X, class Bool>
  static constexpr void kernel_of_each(const std::tuple<const X*>& in, const std::tuple<Bool*>& out, const shape& dims, const params& p) {
    Bool* to = std::get<0>(out);
    for (std::int64_t r = 0; r < dims.elements(); ++r)
      for (std::int64_t i = 0; i < p.size; ++i) *to++ = X(i) < std::get<0>(in)[r];
  }
  static void run(const auto& c, const params& p) {
    bool* to = static_cast<bool*>(c.out[0].data);
    visit_dtype(c.in[0].type->type, [&]<class X>(std::type_identity<X>) {
      if constexpr (std::is_integral_v<X>) {  // nvcc 13 wants the braces
        for (std::int64_t r = 0, rows = c.in[0].type->elements(); r < rows; ++r) {
          const X x = static_cast<const X*>(c.in[0].data)[r];
          const std::int64_t n = x < X(1) ? 0 : std::uint64_t(x) > std::uint64_t(p.size) ? p.size : std::int64_t(x);
          for (std::int64_t i = 0; i < n; ++i) *to++ = true;
          for (std::int64_t i = n; i < p.size; ++i) *to++ = false;
        }
      }
    });
  }
};

namespace lax {
/// See prefix_mask_p.
template <class Array>
constexpr array prefix_mask(const lazy<Array>& x, std::int64_t size, location where) {
  return bind<prefix_mask_p>({size}, where, x);
}
}  // namespace lax

}  // namespace jacquard
