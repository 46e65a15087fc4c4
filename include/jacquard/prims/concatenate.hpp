#pragma once
// concatenate: arrays one after the other along one dimension. Deliberately strict: equal dtypes and ranks, at least one
// operand; numpy's stack and the promotion of dtypes are built on it elsewhere.

#include "jacquard/prims/slice.hpp"

namespace jacquard {

/// The operands one after the other along `dimension`.
/// Shapes  x_k [.., n_k, ..] -> [.., n_0 + n_1 + ..., ..]; the other dimensions are equal.
/// Errors  type_error: no operands, different dtypes. shape_error: dimensions that differ, a dimension out of range.
/// Rules   linear in all operands together; transpose = slice.
/// Cost    copies each operand once.
struct concatenate_p {
  static constexpr std::string_view name = "concatenate";
  struct params {
    std::int64_t dimension;
    static constexpr std::string_view fields = "dimension";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr std::uint32_t linear = 0xffffffff;
  static constexpr bool jointly_linear = true;
  static constexpr bool moves_data = true;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    if (c.in.empty()) return c.fail(error_kind::type, ": got no operands; wanted at least one array");
    aval out = c.in[0];
    text shapes, types;
    detail::put_shapes(shapes, c.in);
    detail::put_dtypes(types, c.in);
    const int d = int(p.dimension);
    if (p.dimension < 0 || p.dimension >= out.rank())
      return c.fail(error_kind::shape, ": got dimension ", p.dimension, " for operands of shapes ", shapes,
                    "; wanted a dimension in [0, ", out.rank(), ")");
    for (std::size_t k = 1; k < c.in.size(); ++k) {
      const aval& x = c.in[k];
      if (x.type != out.type)
        return c.fail(error_kind::type, " requires arguments to have the same dtypes, got ", types,
                      "; convert them with x.astype(...)");
      if (x.rank() != out.rank() || !(x.dims.without(d) == out.dims.without(d)))
        return c.fail(error_kind::shape, ": cannot concatenate arrays of shapes ", shapes,
                      " along dimension ", d, "; they must be equal in every other dimension");
      out.dims[d] += x.dims[d];
      out.weak = out.weak && x.weak;
    }
    return out;
  }
  static constexpr array transpose(int k, const auto& ct, const auto& c, const params& p) {
    const int d = int(p.dimension);
    int_list start = int_list::filled(ct.ndim(), 0), limit = ct.shape();
    for (int j = 0; j < k; ++j) start[d] += c.in[std::size_t(j)].dims[d];
    limit[d] = start[d] + c.in[std::size_t(k)].dims[d];
    return lax::slice(ct, start, limit);
  }
  static constexpr batched batch(auto& c, const params& p) {
    std::vector<array> operands;
    for (std::size_t k = 0; k < c.x.size(); ++k)
      operands.push_back(detail::batch_materialise(c.x[k], c.dims[k], c.size));
    return {bind_list<own<concatenate_p, decltype(c)>>({p.dimension + 1}, location{}, operands)[0], 0};
  }
  /// Each operand is written where the logical part of the one before ends, so that no padding remains between them.
  static constexpr masked mask(auto& c, const params& p) {
    const std::size_t d = std::size_t(p.dimension), n = c.x.size();
    dimension_list dims = c.dims[0];
    std::vector<array> operands;
    bool dense = true;
    dimension total;
    for (std::size_t k = 0; k < n; ++k) {
      dims[d] = c.dims[k][d];
      operands.push_back(c.scope.fitted(c.x[k], dims));
      total = total + c.dims[k][d];
      dense = dense && (k + 1 == n || c.dims[k][d].is_constant());
    }
    dims[d] = total;
    if (dense) return {bind_list<own<concatenate_p, decltype(c)>>(p, location{}, operands)[0], dims};
    std::int64_t room = 0;
    for (const array& x : operands) room += x.shape()[int(d)];
    array y = c.scope.window(operands[0], int(d), 0, room);
    dimension at = c.dims[0][d];
    for (std::size_t k = 1; k < n; ++k) {
      y = c.scope.placed(y, operands[k], int(d), c.scope.size(at));
      at = at + c.dims[k][d];
    }
    return {y, dims};
  }
  static constexpr void parts(parts_call& c, const params& p) {
    const int d = int(p.dimension);
    std::int64_t at = 0;
    for (std::size_t k = 0; k < c.in.size(); ++k) {
      result_part part{std::uint32_t(k), int_list::filled(c.out.rank(), 0), c.out.dims, int_list::filled(c.out.rank(), 0)};
      part.begin[d] = at;
      part.end[d] = at + c.in[k].dims[d];
      part.shift[d] = -at;
      at = part.end[d];
      c.parts.push_back(part);
    }
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    const int d = int(p.dimension);
    std::int64_t inner = 1, outer = 1;
    const shape& out = a.out_types[0].dims;
    for (int i = 0; i < out.rank(); ++i) (i < d ? outer : inner) *= i == d ? 1 : out[i];
    std::int64_t at = 0;
    for (std::size_t k = 0; k < a.in.size(); ++k) {
      const std::int64_t block = a.in_types[k].dims[d] * inner;
      for (std::int64_t o = 0; o < outer; ++o) {
        T* const to = a.out[0] + (o * out[d] * inner + at);
        const T* const from = a.in[k] + o * block;
        if (std::is_trivially_copyable_v<T> && block >= 64 && !__builtin_is_constant_evaluated())
          __builtin_memcpy(static_cast<void*>(to), from, std::size_t(block) * sizeof(T));
        else
          for (std::int64_t i = 0; i < block; ++i) to[i] = from[i];
      }
      at += block;
    }
  }
};

namespace lax {
/// See concatenate_p. A single operand is returned as it is.
template <class Array = array>
constexpr array concatenate(view<const lazy<Array>> operands, std::int64_t dimension,
                            location where = location::current()) {
  if (operands.size() == 1 && dimension >= 0 && dimension < operands[0].ndim()) return operands[0];
  return bind_list<concatenate_p>({dimension}, where, operands)[0];
}
template <class Array = array>
constexpr array concatenate(std::initializer_list<lazy<Array>> operands, std::int64_t dimension,
                            location where = location::current()) {
  return concatenate(view<const array>(operands.begin(), operands.size()), dimension, where);
}
}  // namespace lax

}  // namespace jacquard
