#pragma once
// Eigen: Eigen::Matrix and Eigen::Array as arrays. What is a vector at compile time has rank 1, everything else rank 2.
// Vectors and row-major matrices are borrowed, column-major matrices are copied into row-major order. Deliberately plain
// objects only: evaluate an expression, a block or a map into one first.

#include <Eigen/Core>

#include "jacquard/core/leaf.hpp"
#include "jacquard/core/strided.hpp"

namespace jacquard {

namespace detail {

/// The two forms of Eigen's dense objects differ only in their operators.
template <class M>
struct eigen_leaf {
  using element = typename M::Scalar;
  static constexpr std::string_view name =
      std::is_same_v<typename Eigen::internal::traits<M>::XprKind, Eigen::ArrayXpr> ? "Eigen::Array" : "Eigen::Matrix";
  static constexpr bool is_vector = M::IsVectorAtCompileTime;

  static shape dims_of(const M& m) {
    if constexpr (is_vector) return {std::int64_t(m.size())};
    else return {std::int64_t(m.rows()), std::int64_t(m.cols())};
  }
  static int_list steps_of(const M& m) {
    if constexpr (is_vector) return {1};
    else return {std::int64_t(m.rowStride()), std::int64_t(m.colStride())};
  }

  static array borrow(const M& m) {
    const shape dims = dims_of(m);
    if (is_vector || M::IsRowMajor || m.rows() == 1 || m.cols() == 1 || m.size() == 0) return borrow_in(m.data(), dims);
    array r(make_buffer(aval(dtype_of<element>(), dims)));
    strided_copy(dims, steps_of(m), 0, m.data(), static_cast<element*>(r.as_buffer()->data));
    return r;
  }

  static M from_array(const array& x) {
    const auto elements = checked_elements<element>(x, name, is_vector ? 1 : 2);
    const shape dims = x.shape();
    constexpr bool is_row = is_vector && M::ColsAtCompileTime != 1;
    const Eigen::Index rows = is_row ? 1 : dims[0], cols = is_row ? dims[0] : is_vector ? 1 : dims[1];
    check_fixed(rows, M::RowsAtCompileTime, M::MaxRowsAtCompileTime, "rows");
    check_fixed(cols, M::ColsAtCompileTime, M::MaxColsAtCompileTime, "columns");
    M r;
    r.resize(rows, cols);
    for_each_pair(dims, steps_of(r), 0, dims.strides(), 0,
                  [&, to = r.data()](std::int64_t o, std::int64_t i) { to[o] = elements[std::size_t(i)]; });
    return r;
  }

 private:
  static void check_fixed(Eigen::Index got, int fixed, int most, std::string_view what) {
    if ((fixed == Eigen::Dynamic || got == fixed) && (most == Eigen::Dynamic || got <= most)) return;
    raise(error_kind::type, "conversion of an array to ", name, ": got ", got, " ", what, ", wanted ",
          fixed == Eigen::Dynamic ? "at most " : "", fixed == Eigen::Dynamic ? most : fixed);
  }
};

}  // namespace detail

/// Eigen::Matrix of any options, fixed or dynamic.
template <class T, int R, int C, int Options, int MaxR, int MaxC>
  requires scalar<T>
struct leaf_traits<Eigen::Matrix<T, R, C, Options, MaxR, MaxC>>
    : detail::eigen_leaf<Eigen::Matrix<T, R, C, Options, MaxR, MaxC>> {};

/// Eigen::Array of any options, fixed or dynamic.
template <class T, int R, int C, int Options, int MaxR, int MaxC>
  requires scalar<T>
struct leaf_traits<Eigen::Array<T, R, C, Options, MaxR, MaxC>>
    : detail::eigen_leaf<Eigen::Array<T, R, C, Options, MaxR, MaxC>> {};

}  // namespace jacquard
