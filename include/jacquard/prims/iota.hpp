#pragma once
// iota: an array that counts along one dimension. It has no operands, so it is the same for every example and has no
// derivative.

#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

/// An array of type `dtype` and shape `shape` whose element at index i is i[dimension].
/// Shapes  () -> shape.
/// Errors  type_error: a dtype without numbers. shape_error: a dimension outside the shape, negative sizes.
/// Rules   none are needed: nothing flows in.
/// Cost    writes the result once.
struct iota_p {
  static constexpr std::string_view name = "iota";
  struct params {
    jacquard::dtype type;
    shape dims;
    std::int64_t dimension;
    static constexpr std::string_view fields = "dtype shape dimension";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr type_set domain = numbers;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    if (!contains(domain, p.type))
      return c.fail(error_kind::type, " does not accept dtype ", long_name(p.type),
                    ", wanted one of: ", detail::accepted(domain),
                    "; make it with jq::i32 and convert with x.astype(...)");
    bool bad = p.dims.overflowed();
    for (std::int64_t d : p.dims) bad = bad || d < 0;
    if (bad)
      return c.fail(error_kind::shape, ": got the shape ", p.dims, "; wanted at most ", max_rank,
                    " dimensions, none of them negative");
    if (p.dimension < 0 || p.dimension >= p.dims.rank())
      return c.fail(error_kind::shape, ": got dimension ", p.dimension, " for the shape ", p.dims,
                    "; wanted a dimension in [0, ", p.dims.rank(), ")");
    return {p.type, p.dims};
  }
  static constexpr masked mask(auto& c, const params& p) {
    const dimension_list dims = c.sizes(&params::dims);
    return {bind_list<iota_p>({p.type, c.scope.padded(dims), p.dimension}, location{}, {})[0], dims};
  }
  static constexpr bool records_complex = true;
  static constexpr void record(record_call& c, const params& p) {
    const index_source& i = c.at[std::size_t(p.dimension)];
    c.result = c.to.convert(c.to.index_at(i.loop, i.start, i.step), real_dtype(p.type));
    if (is_complex(p.type)) c.imaginary = c.to.constant(literal(0.0, real_dtype(p.type), false));
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    const std::int64_t inner = p.dims.strides()[int(p.dimension)], size = p.dims[int(p.dimension)];
    const std::int64_t n = p.dims.elements();
    for (std::int64_t i = 0; i < n; ++i)
      a.out[0][i] = detail::convert_element<std::int64_t, T>(i / inner % size);
  }
};

namespace lax {
/// See iota_p.
template <class Array = array>
constexpr array iota(dtype type, const shape& dims, std::int64_t dimension,
                     location where = location::current()) {
  return bind_list<iota_p>({type, dims, dimension}, where, {})[0];
}
/// 0, 1, ..., size - 1.
template <class Array = array>
constexpr array iota(dtype type, std::int64_t size, location where = location::current()) {
  return iota(type, shape{size}, 0, where);
}
}  // namespace lax

}  // namespace jacquard
