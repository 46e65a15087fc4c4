#pragma once
// transpose: permutes dimensions.

#include "jacquard/core/bind.hpp"
#include "jacquard/core/strided.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array transpose(const lazy<Array>& x, const int_list& permutation, location where = location::current());
}  // namespace lax

namespace detail {

/// `x` with dimension `from` moved to position `to`.
template <class Array = array>
constexpr array move_axis(const lazy<Array>& x, int from, int to) {
  if (from == to) return x;
  int_list order;
  for (int d = 0; d < x.ndim(); ++d)
    if (d != from) order.push_back(d);
  return lax::transpose(x, order.with(to, from));
}
/// `x` with its batch dimension first; unmapped operands unchanged.
template <class Array = array>
constexpr array batch_to_front(const lazy<Array>& x, int dim) {
  if (dim == not_mapped) return x;  // not `?:`, whose result g++ 12 destroys twice in constant evaluation
  return move_axis(x, dim, 0);
}

}  // namespace detail

/// Dimension i of the result is dimension permutation[i] of `x`.
/// Errors  shape_error: not a permutation of the dimensions of x.
/// Rules   linear; transpose = the inverse permutation.
/// Cost    copies x once.
struct transpose_p {
  static constexpr std::string_view name = "transpose";
  struct params {
    int_list permutation;
    static constexpr std::string_view fields = "permutation";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr std::uint32_t linear = 1;
  static constexpr bool moves_data = true;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    const aval& x = c.in[0];
    shape out;
    bool ok = p.permutation.size() == x.rank();
    for (int i = 0; ok && i < x.rank(); ++i) {
      ok = p.permutation.contains(i);
      if (ok && p.permutation[i] >= 0 && p.permutation[i] < x.rank()) out.push_back(x.dims[int(p.permutation[i])]);
    }
    if (!ok)
      return c.fail(error_kind::shape, ": permutation ", p.permutation, " is not a permutation of the ", x.rank(),
                    " dimensions of an operand of shape ", x.dims);
    return x.with(out);
  }
  static constexpr array transpose(int, const auto& ct, const auto&, const params& p) {
    int_list inverse = p.permutation;
    for (int i = 0; i < inverse.size(); ++i) inverse[int(p.permutation[i])] = i;
    return lax::transpose(ct, inverse);
  }
  static constexpr batched batch(auto& c, const params& p) {
    int_list shifted{c.dims[0]};
    for (std::int64_t d : p.permutation) shifted.push_back(d >= c.dims[0] ? d + 1 : d);
    return {lax::transpose(c.x[0], shifted), 0};
  }
  static constexpr masked mask(auto& c, const params& p) {
    return {lax::transpose(c.x[0], p.permutation), detail::permuted(c.dims[0], p.permutation)};
  }
  static constexpr void indices(view_call& c, const params& p) {
    for (int d = 0; d < c.in.rank(); ++d) c.from.push_back({p.permutation.index_of(d), 0, 1});
  }
};

namespace lax {
/// See transpose_p. The identity permutation returns x.
template <class Array>
constexpr array transpose(const lazy<Array>& x, const int_list& permutation, location where) {
  if (permutation == int_list::iota(x.ndim())) return x;
  return bind<transpose_p>({permutation}, where, x);
}
}  // namespace lax

}  // namespace jacquard
