#pragma once
// xtensor: xt::xarray, xt::xtensor and xt::xtensor_fixed as arrays. Arguments of that type are borrowed where they are
// row-major and copied otherwise; results that mirror them, and what they are initialised from, are copied into their own
// layout. Deliberately containers only: evaluate an expression or a view into one first.

#include <xtensor/xarray.hpp>
#include <xtensor/xfixed.hpp>
#include <xtensor/xtensor.hpp>

#include "jacquard/core/leaf.hpp"
#include "jacquard/core/strided.hpp"

namespace jacquard {

struct operand;  // numpy/operand.hpp

namespace detail {

template <class T>
inline constexpr bool is_xtensor = false;
template <class EC, xt::layout_type L, class SC, class Tag>
inline constexpr bool is_xtensor<xt::xarray_container<EC, L, SC, Tag>> = true;
template <class EC, std::size_t N, xt::layout_type L, class Tag>
inline constexpr bool is_xtensor<xt::xtensor_container<EC, N, L, Tag>> = true;
template <class T, class S, xt::layout_type L, bool Sharable, class Tag>
inline constexpr bool is_xtensor<xt::xfixed_container<T, S, L, Sharable, Tag>> = true;

/// One jq::array and one xtensor container.
template <class A, class B>
concept array_and_xtensor = (std::same_as<std::remove_cvref_t<A>, array> && is_xtensor<std::remove_cvref_t<B>>) ||
                            (std::same_as<std::remove_cvref_t<B>, array> && is_xtensor<std::remove_cvref_t<A>>);
template <class T>
struct operand_for {
  using type = operand;
};

/// The dimensions or strides of an xtensor container. Errors: value_error above max_rank.
template <class Container>
int_list xtensor_list(const Container& values, std::string_view name) {
  int_list r;
  for (auto v : values) r.push_back(std::int64_t(v));
  if (r.overflowed())
    raise(error_kind::value, name, ": got an array of rank ", values.size(), ", wanted at most ", max_rank);
  return r;
}

template <class X>
array borrow_xtensor(const X& x, std::string_view name) {
  using element = typename X::value_type;
  const shape dims(xtensor_list(x.shape(), name));
  const int_list steps = xtensor_list(x.strides(), name), dense = dims.strides();
  bool row_major = true;
  for (int i = 0; i < dims.rank(); ++i) row_major = row_major && (dims[i] == 1 || steps[i] == dense[i]);
  if (row_major || dims.elements() == 0) return borrow_in(x.data(), dims);
  array r(make_buffer(aval(dtype_of<element>(), dims)));
  strided_copy(dims, steps, 0, x.data(), static_cast<element*>(r.as_buffer()->data));
  return r;
}

/// Writes row-major elements into a container that already has their shape.
template <class X>
void fill_xtensor(X& out, const shape& dims, const typename X::value_type* in, std::string_view name) {
  for_each_pair(dims, xtensor_list(out.strides(), name), 0, dims.strides(), 0,
                [&, to = out.data()](std::int64_t o, std::int64_t i) { to[o] = in[i]; });
}

/// The shape of `dims` as X wants it.
template <class X>
auto xtensor_shape(const shape& dims) {
  typename X::shape_type r{};
  xt::resize_container(r, std::size_t(dims.rank()));
  for (int i = 0; i < dims.rank(); ++i) r[std::size_t(i)] = typename X::size_type(dims[i]);
  return r;
}

template <class X, xt::layout_type L>
X make_xtensor(const array& x, std::string_view name, int rank) {
  const auto elements = checked_elements<typename X::value_type>(x, name, rank);
  const shape dims = x.shape();
  X r(xtensor_shape<X>(dims), L == xt::layout_type::dynamic ? xt::layout_type::row_major : L);
  fill_xtensor(r, dims, elements.data(), name);
  return r;
}

}  // namespace detail

/// xt::xarray<T>: any rank up to max_rank.
template <class EC, xt::layout_type L, class SC, class Tag>
  requires scalar<typename EC::value_type>
struct leaf_traits<xt::xarray_container<EC, L, SC, Tag>> {
  using type = xt::xarray_container<EC, L, SC, Tag>;
  using element = typename EC::value_type;
  static array borrow(const type& x) { return detail::borrow_xtensor(x, "xt::xarray"); }
  static type from_array(const array& x) { return detail::make_xtensor<type, L>(x, "xt::xarray", -1); }
};

/// xt::xtensor<T, N>.
template <class EC, std::size_t N, xt::layout_type L, class Tag>
  requires scalar<typename EC::value_type>
struct leaf_traits<xt::xtensor_container<EC, N, L, Tag>> {
  static_assert(N <= std::size_t(max_rank), "jacquard: arrays have at most 8 dimensions");
  using type = xt::xtensor_container<EC, N, L, Tag>;
  using element = typename EC::value_type;
  static array borrow(const type& x) { return detail::borrow_xtensor(x, "xt::xtensor"); }
  static type from_array(const array& x) { return detail::make_xtensor<type, L>(x, "xt::xtensor", int(N)); }
};

/// xt::xtensor_fixed<T, xt::xshape<...>>.
template <class T, class S, xt::layout_type L, bool Sharable, class Tag>
  requires scalar<T>
struct leaf_traits<xt::xfixed_container<T, S, L, Sharable, Tag>> {
  using type = xt::xfixed_container<T, S, L, Sharable, Tag>;
  using element = T;
  static array borrow(const type& x) { return detail::borrow_xtensor(x, "xt::xtensor_fixed"); }
  static type from_array(const array& x) {
    type r;
    const shape want(detail::xtensor_list(r.shape(), "xt::xtensor_fixed"));
    const auto elements = detail::checked_elements<T>(x, "xt::xtensor_fixed", want.rank());
    if (!(x.shape() == want))
      raise(error_kind::type, "conversion of an array to xt::xtensor_fixed: got shape ", x.shape(), ", wanted ", want);
    detail::fill_xtensor(r, want, elements.data(), "xt::xtensor_fixed");
    return r;
  }
};

// xtensor's operators take anything beside a container of theirs, even a jq::array. These are more constrained.
#define JACQUARD_XTENSOR_OPERATOR(op)                                                            \
  template <class A, class B>                                                                    \
    requires detail::array_and_xtensor<A, B>                                                     \
  array operator op(A&& a, B&& b) {                                                              \
    using operand_type = typename detail::operand_for<A>::type;                                  \
    return operator op(operand_type(a, location{}), operand_type(b, location{}));                \
  }
JACQUARD_XTENSOR_OPERATOR(+)
JACQUARD_XTENSOR_OPERATOR(-)
JACQUARD_XTENSOR_OPERATOR(*)
JACQUARD_XTENSOR_OPERATOR(/)
JACQUARD_XTENSOR_OPERATOR(%)
JACQUARD_XTENSOR_OPERATOR(&)
JACQUARD_XTENSOR_OPERATOR(|)
JACQUARD_XTENSOR_OPERATOR(^)
JACQUARD_XTENSOR_OPERATOR(<)
JACQUARD_XTENSOR_OPERATOR(<=)
JACQUARD_XTENSOR_OPERATOR(>)
JACQUARD_XTENSOR_OPERATOR(>=)
#undef JACQUARD_XTENSOR_OPERATOR

}  // namespace jacquard
