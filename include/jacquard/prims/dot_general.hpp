#pragma once
// dot_general: the product of two arrays, summed over some dimensions and element by element in others. Every matrix product
// and most of einsum are this primitive. Deliberately without promotion and without another accumulation type.

#include "jacquard/prims/add.hpp"
#include "jacquard/prims/broadcast.hpp"
#include "jacquard/prims/matrix_product.hpp"
#include "jacquard/prims/transpose.hpp"

namespace jacquard {

/// Which dimensions of the two operands of dot_general are summed over, and which are walked together.
struct dot_dimension_numbers {
  int_list lhs_contracting{}, rhs_contracting{}, lhs_batch{}, rhs_batch{};
};

namespace lax {
template <class Array = array>
constexpr array dot_general(const lazy<Array>& lhs, const lazy<Array>& rhs, const dot_dimension_numbers& n,
                            location where = location::current());
}  // namespace lax

/// The sum of lhs * rhs over pairs of contracting dimensions, for each index of the paired batch dimensions.
/// Shapes  lhs, rhs -> [batch dimensions, other dimensions of lhs, other dimensions of rhs].
/// Errors  type_error: different dtypes. shape_error: paired dimensions that differ in size, are repeated or out of range.
/// Rules   linear in each operand; transpose = dot_general of the cotangent with the other one, dimensions permuted.
/// Cost    one multiplication and addition per element of all dimensions together; f16 and bf16 accumulate in f32.
struct dot_general_p {
  static constexpr std::string_view name = "dot_general";
  struct params {
    int_list lhs_contracting, rhs_contracting, lhs_batch, rhs_batch;
    static constexpr std::string_view fields = "lhs_contracting rhs_contracting lhs_batch rhs_batch";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr type_set domain = any_type;
  static constexpr std::uint32_t linear = 0b11;
  static constexpr bool only_arithmetic = true;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    const aval &x = c.in[0], &y = c.in[1];
    if (x.type != y.type)
      return c.fail(error_kind::type, " requires arguments to have the same dtypes, got ", long_name(x.type),
                    ", ", long_name(y.type), "; convert one of them with x.astype(...)");
    check_pairs(c, "contracting", p.lhs_contracting, p.rhs_contracting);
    check_pairs(c, "batch", p.lhs_batch, p.rhs_batch);
    for (int i = 0; i < p.lhs_batch.size() && !c.problem; ++i)
      if (p.lhs_contracting.contains(p.lhs_batch[i]) || p.rhs_contracting.contains(p.rhs_batch[i]))
        c.fail(error_kind::shape, ": batch dimensions ", p.lhs_batch, " and ", p.rhs_batch,
               " must not be contracted as well, got ", p.lhs_contracting, " and ", p.rhs_contracting);
    if (c.problem) return {};
    shape out;
    for (std::int64_t d : p.lhs_batch) out.push_back(x.dims[int(d)]);
    for (std::int64_t d : free_dims(x.rank(), p.lhs_contracting, p.lhs_batch)) out.push_back(x.dims[int(d)]);
    for (std::int64_t d : free_dims(y.rank(), p.rhs_contracting, p.rhs_batch)) out.push_back(y.dims[int(d)]);
    if (out.overflowed())
      return c.fail(error_kind::shape, ": the product of operands of shapes ", x.dims, " and ", y.dims,
                    " would have more than ", max_rank, " dimensions; reshape some of them into one");
    return {x.type, out, x.weak && y.weak};
  }

  static constexpr void cost(auto& c, const params& p) {
    double sum = 2;
    for (std::int64_t d : p.lhs_contracting) sum *= double(c.in[0].dims[int(d)]);
    c.cost.flops *= sum;
  }
  static constexpr array transpose(int k, const auto& ct, const auto& c, const params& p) {
    const bool left = k == 0;
    const int_list &contract = left ? p.lhs_contracting : p.rhs_contracting,
                   &batch = left ? p.lhs_batch : p.rhs_batch;
    const int_list &other_contract = left ? p.rhs_contracting : p.lhs_contracting,
                   &other_batch = left ? p.rhs_batch : p.lhs_batch;
    const array& other = c.x[left ? 1 : 0];
    const int_list kept = free_dims(c.in[std::size_t(k)].rank(), contract, batch);
    const int_list other_kept = free_dims(other.ndim(), other_contract, other_batch);
    // ct has the dimensions [batch, free of lhs, free of rhs]; sum over those of the other operand.
    int_list ct_other, order = batch;
    const int first = batch.size() + (left ? kept.size() : 0);
    for (int i = 0; i < other_kept.size(); ++i) ct_other.push_back(first + i);
    const array product =
        lax::dot_general(ct, other, {ct_other, other_kept, int_list::iota(batch.size()), other_batch});
    for (std::int64_t d : kept) order.push_back(d);
    for (int d = 0; d < other.ndim();
         ++d)  // the contracted dimensions come out in the order of the other operand
      if (const int i = other_contract.index_of(d); i >= 0) order.push_back(contract[i]);
    int_list inverse = order;
    for (int i = 0; i < order.size(); ++i) inverse[int(order[i])] = i;
    return lax::transpose(product, inverse);
  }

  static constexpr batched batch(auto& c, const params& p) {
    const for_examples n = mapped(p, c.x[0].ndim(), c.x[1].ndim(), c.dims[0], c.dims[1]);
    return {bind<dot_general_p>(n.numbers, location{}, c.x[0], c.x[1]), n.at};
  }
  /// The product of operands of which at least one has a dimension more, of examples, and where the result has it.
  struct for_examples {
    params numbers;
    int at;
  };
  static constexpr for_examples mapped(const params& p, int lhs_rank, int rhs_rank, int dx, int dy) {
    params n = beside(p, dx, dy);
    if (dx != not_mapped && dy != not_mapped) {  // one more pair of batch dimensions, the first
      n.lhs_batch = n.lhs_batch.with(0, dx);
      n.rhs_batch = n.rhs_batch.with(0, dy);
      return {n, 0};
    }
    const int_list lhs_free = free_dims(lhs_rank, n.lhs_contracting, n.lhs_batch), rhs_free = free_dims(rhs_rank, n.rhs_contracting, n.rhs_batch);
    return {n, p.lhs_batch.size() + (dx != not_mapped ? lhs_free.index_of(dx) : lhs_free.size() + rhs_free.index_of(dy))};
  }

  static constexpr contraction contract(const params& p) { return {p.lhs_contracting, p.rhs_contracting, p.lhs_batch, p.rhs_batch}; }
  static constexpr params swapped(const params& p) { return {p.rhs_contracting, p.lhs_contracting, p.rhs_batch, p.lhs_batch}; }
  /// Where the operand is still dense rows or columns, which libraries read: what is summed over lies side by side, and so do the dimensions
  /// that the result has, in the same order as before; batch dimensions lie outside.
  static constexpr bool absorb(int k, const int_list& permutation, params& p) {
    int_list &contract = k == 0 ? p.lhs_contracting : p.rhs_contracting, &batch = k == 0 ? p.lhs_batch : p.rhs_batch;
    const int_list kept = pick(permutation, free_dims(permutation.size(), contract, batch)), summed = pick(permutation, contract),
                   outside = pick(permutation, batch);
    if (!side_by_side(kept) || !side_by_side(summed) || outside.contains(permutation.size() - 1)) return false;
    contract = summed;
    batch = outside;
    return true;
  }

  static constexpr masked mask(auto& c, const params& p) {
    const auto other_dims = [](const auto& dims, const int_list& batch) {
      return free_dims(int(dims.size()), {}, batch);
    };
    const dimension_list &l = c.dims[0], &r = c.dims[1];
    // Beside the contracted dimensions also the free ones: the transposes contract those.
    const array lhs = c.scope.fitted(c.zeroed(0, other_dims(l, p.lhs_batch)), l);
    dimension_list matched = r;
    for (int i = 0; i < p.lhs_batch.size(); ++i) matched[std::size_t(p.rhs_batch[i])] = l[std::size_t(p.lhs_batch[i])];
    for (int i = 0; i < p.lhs_contracting.size(); ++i)
      matched[std::size_t(p.rhs_contracting[i])] = l[std::size_t(p.lhs_contracting[i])];
    const array rhs = c.scope.fitted(c.zeroed(1, other_dims(r, p.rhs_batch)), matched);
    dimension_list dims = detail::permuted(l, p.lhs_batch);
    for (std::int64_t d : free_dims(int(l.size()), p.lhs_contracting, p.lhs_batch)) dims.push_back(l[std::size_t(d)]);
    for (std::int64_t d : free_dims(int(r.size()), p.rhs_contracting, p.rhs_batch)) dims.push_back(r[std::size_t(d)]);
    const array y = lax::dot_general(lhs, rhs, {p.lhs_contracting, p.rhs_contracting, p.lhs_batch, p.rhs_batch});
    return {c.scope.guarded(y, dims, free_dims(int(dims.size()), {}, int_list::iota(p.lhs_batch.size()))), dims};
  }

  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    const shape &x = a.in_types[0].dims, &y = a.in_types[1].dims;
    const int_list xs = x.strides(), ys = y.strides();
    const detail::product_spaces of(contract(p), x, y);
    const shape batch = pick(x, p.lhs_batch);
    const std::int64_t block = of.rows.sizes.elements() * of.columns.sizes.elements();
    std::int64_t n = 0;
    const detail::product_kernel<T> multiply(of.rows, of.columns, of.sum);
    const std::int64_t x_apart = detail::even_stride(batch, pick(xs, p.lhs_batch)), y_apart = detail::even_stride(batch, pick(ys, p.rhs_batch));
    const bool is_even = x_apart >= 0 && y_apart >= 0;
#if !defined(__CUDA_ARCH__)
    const double each = double(block) * double(of.sum.sizes.elements());
    if (!__builtin_is_constant_evaluated() && batch.elements() > 1 && each * double(batch.elements()) > 1e6) {
      if (is_even)
        return detail::share_between_threads(batch.elements(), each, [&](std::int64_t begin, std::int64_t end) {
          multiply.each(end - begin, a.in[0] + begin * x_apart, x_apart, a.in[1] + begin * y_apart, y_apart, a.out[0] + begin * block);
        });
      std::vector<std::pair<std::int64_t, std::int64_t>> at;
      for_each_pair(batch, pick(xs, p.lhs_batch), 0, pick(ys, p.rhs_batch), 0, [&](std::int64_t xo, std::int64_t yo) { at.push_back({xo, yo}); });
      detail::share_between_threads(std::int64_t(at.size()), each, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
          multiply(a.in[0] + at[std::size_t(i)].first, a.in[1] + at[std::size_t(i)].second, a.out[0] + block * i);
      });
      return;
    }
#endif
    if (is_even) return multiply.each(batch.elements(), a.in[0], x_apart, a.in[1], y_apart, a.out[0]);
    for_each_pair(batch, pick(xs, p.lhs_batch), 0, pick(ys, p.rhs_batch), 0,
                  [&](std::int64_t xo, std::int64_t yo) { multiply(a.in[0] + xo, a.in[1] + yo, a.out[0] + block * n++); });
  }

  /// The dimensions of one example, as those of operands with a dimension more at dx and dy, which has no part in the product yet.
  static constexpr params beside(const params& p, int dx, int dy) {
    return {around(p.lhs_contracting, dx), around(p.rhs_contracting, dy), around(p.lhs_batch, dx), around(p.rhs_batch, dy)};
  }

 private:
  static constexpr int_list around(const int_list& dims, int at) {
    int_list r;
    for (std::int64_t d : dims) r.push_back(at != not_mapped && d >= at ? d + 1 : d);
    return r;
  }
  static constexpr void check_pairs(inference& c, std::string_view what, const int_list& l,
                                    const int_list& r) {
    const aval &x = c.in[0], &y = c.in[1];
    bool ok = l.size() == r.size();
    for (int i = 0; ok && i < l.size(); ++i) {
      ok = l[i] >= 0 && l[i] < x.rank() && r[i] >= 0 && r[i] < y.rank() &&
           x.dims[int(l[i])] == y.dims[int(r[i])];
      for (int j = 0; j < i; ++j) ok = ok && l[i] != l[j] && r[i] != r[j];
    }
    if (!ok)
      c.fail(error_kind::shape, " requires ", what, " dimensions of equal sizes, got ", l, " of shape ",
             x.dims, " and ", r, " of shape ", y.dims,
             "; transpose or reshape an operand so that they match in pairs");
  }
  static constexpr bool side_by_side(const int_list& dims) {
    for (int i = 1; i < dims.size(); ++i)
      if (dims[i] != dims[i - 1] + 1) return false;
    return true;
  }
  /// Dimensions of an operand that are neither contracted nor batch dimensions.
  static constexpr int_list free_dims(int rank, const int_list& contract, const int_list& batch) {
    int_list r;
    for (int d = 0; d < rank; ++d)
      if (!contract.contains(d) && !batch.contains(d)) r.push_back(d);
    return r;
  }
  static constexpr int_list pick(const int_list& from, const int_list& dims) {
    int_list r;
    for (std::int64_t d : dims) r.push_back(from[int(d)]);
    return r;
  }
};

namespace lax {
/// See dot_general_p.
template <class Array>
constexpr array dot_general(const lazy<Array>& lhs, const lazy<Array>& rhs, const dot_dimension_numbers& n,
                            location where) {
  return bind<dot_general_p>({n.lhs_contracting, n.rhs_contracting, n.lhs_batch, n.rhs_batch}, where,
                             detail::match_literal(lhs, rhs), detail::match_literal(rhs, lhs));
}
/// The product of matrices (or vectors): the last dimension of lhs with the second to last, or only, one of rhs.
template <class Array = array>
constexpr array dot(const lazy<Array>& lhs, const lazy<Array>& rhs, location where = location::current()) {
  const int l = lhs.ndim(), r = rhs.ndim();
  if (l == 0 || r == 0) return dot_general(lhs, rhs, {}, where);
  return dot_general(lhs, rhs, {{l - 1}, {r == 1 ? 0 : r - 2}, {}, {}}, where);
}
}  // namespace lax

}  // namespace jacquard
