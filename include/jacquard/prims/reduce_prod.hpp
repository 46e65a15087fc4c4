#pragma once
// reduce_prod: the product over dimensions. Its derivative is that of a tree of products, which is exact beside zeros too.

#include "jacquard/prims/add.hpp"
#include "jacquard/prims/broadcast.hpp"
#include "jacquard/prims/mul.hpp"
#include "jacquard/prims/reshape.hpp"
#include "jacquard/prims/slice.hpp"
#include "jacquard/prims/transpose.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array reduce_prod(const lazy<Array>& x, const int_list& axes, location where = location::current());
}  // namespace lax

/// Product of `x` over `axes`.
/// Shapes  x [d0 ... dn-1] -> x without `axes`; dtype kept. An empty reduction gives 1.
/// Errors  type_error: bool; shape_error: an axis outside [0, n) or repeated.
/// Rules   derivative: that of a balanced tree of products, right with any number of zeros; 2 log2(count) steps, O(size).
/// Cost    reads x once; f32, f16 and bf16 accumulate in f64.
struct reduce_prod_p {
  static constexpr std::string_view name = "reduce_prod";
  struct params {
    int_list axes;
    static constexpr std::string_view fields = "axes";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr type_set domain = numbers;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    if (!contains(domain, c.in[0].type)) return detail::elementwise_type(c, domain);
    return detail::reduced_type(c, p.axes);
  }
  static constexpr array jvp(const auto& t, const auto& x, const auto& y, const params& p) {
    factor whole{rows_of(x, p.axes), rows_of(t, p.axes)};
    std::int64_t n = whole.value.shape().back();
    if (n == 0 || whole.value.size() == 0) return {};
    factor odd;  // the product of what did not fit into pairs
    for (; n > 1; n /= 2) {
      if (n % 2 != 0) odd = product(odd, part(whole, n - 1, n));
      whole = product(part(whole, 0, n / 2), part(whole, n / 2, 2 * (n / 2)));
    }
    return lax::reshape(product(odd, whole).tangent, y.shape());
  }
  static constexpr batched batch(auto& c, const params& p) {
    return detail::batch_reduction(c, p.axes,
                                   [](const array& x, const int_list& axes) { return lax::reduce_prod(x, axes); });
  }
  static constexpr masked mask(auto& c, const params& p) {
    return detail::mask_reduction(c, reduce_by(c.x[0].dtype(), p), [&](const array& v) { return lax::reduce_prod(v, p.axes); });
  }
  static constexpr reduction reduce_by(dtype t, const params& p) { return {p.axes, scalar_op::multiply, literal(1.0, t, false)}; }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    using accumulator = std::conditional_t<std::is_same_v<T, float>, double, T>;
    detail::reduce_kernel<accumulator>(a, p.axes, accumulator(1),
                                       [](accumulator s, T x) { return math::multiply(s, accumulator(x)); });
  }

 private:
  /// A factor of the product and its tangent; none = 1.
  struct factor {
    array value, tangent;
  };
  /// `x` as a matrix whose rows are the elements over `axes`.
  static constexpr array rows_of(const auto& x, const int_list& axes) {
    int_list order;
    std::int64_t rows = 1, columns = 1;
    for (int d = 0; d < x.ndim(); ++d)
      if (!axes.contains(d)) order.push_back(d), rows *= x.shape()[d];
    for (std::int64_t d : axes) order.push_back(d), columns *= x.shape()[int(d)];
    return lax::reshape(lax::transpose(x, order), shape{rows, columns});
  }
  static constexpr factor part(const auto& f, std::int64_t from, std::int64_t to) {
    const std::int64_t rows = f.value.shape()[0];
    return {lax::slice(f.value, {0, from}, {rows, to}), lax::slice(f.tangent, {0, from}, {rows, to})};
  }
  static constexpr factor product(const auto& a, const auto& b) {
    if (a.value.is_none()) return b;
    const array left = lax::mul(a.tangent, b.value), right = lax::mul(a.value, b.tangent);
    return {lax::mul(a.value, b.value), lax::add(left, right)};
  }
};

namespace lax {
/// See reduce_prod_p.
template <class Array>
constexpr array reduce_prod(const lazy<Array>& x, const int_list& axes, location where) {
  if (axes.empty() && !x.is_none() && contains(numbers, x.dtype())) return x;
  return bind<reduce_prod_p>({axes}, where, x);
}
}  // namespace lax

}  // namespace jacquard
