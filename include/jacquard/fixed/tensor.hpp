#pragma once
// jq::tensor: an array whose element type and dimensions are part of its type, held by value. It is the array of the
// compile-time lane and a registered leaf of the run-time one. Deliberately without arithmetic: functions of tensors are
// written once, for jq::array, and transformed.

#include <array>
#include <span>

#include "jacquard/core/leaf.hpp"
#include "jacquard/core/value_text.hpp"

/// Code that costs nothing only where it is inlined.
#define JACQUARD_INLINE [[gnu::always_inline]]

namespace jacquard {

namespace detail {
/// std::arrays within each other, one level for each dimension; T itself for none.
template <class T, std::int64_t... Dims>
struct nested_arrays {
  using type = T;
};
template <class T, std::int64_t First, std::int64_t... Rest>
struct nested_arrays<T, First, Rest...> {
  using type = std::array<typename nested_arrays<T, Rest...>::type, std::size_t(First)>;
};
/// Calls f on the numbers of nested arrays, in order.
constexpr void for_each_number(auto& x, auto& f) {
  if constexpr (scalar<std::remove_const_t<std::remove_reference_t<decltype(x)>>>) f(x);
  else
    for (auto& part : x) for_each_number(part, f);
}
}  // namespace detail

/// A dense row-major array of fixed dimensions; none for a single number. An aggregate: tensor<double, 2, 2>{1, 2, 3, 4}.
/// `T x;` leaves the elements as they are, as for the numbers themselves; `T x{};` makes them zero.
template <scalar T, std::int64_t... Dims>
struct tensor {
  static_assert(((Dims >= 0) && ...), "jq::tensor: dimensions must not be negative");
  static_assert(sizeof...(Dims) <= max_rank, "jq::tensor: at most 8 dimensions");
  using value_type = T;
  /// A std::array of std::arrays, one level for each dimension.
  using nested = typename detail::nested_arrays<T, Dims...>::type;
  static constexpr std::size_t count = std::size_t((Dims * ... * std::int64_t(1)));

  std::array<T, count> elements;

  static constexpr jacquard::shape shape() { return jacquard::shape{Dims...}; }
  static constexpr int ndim() { return int(sizeof...(Dims)); }
  static constexpr jacquard::dtype dtype() { return dtype_of<T>(); }
  static constexpr std::size_t size() { return count; }

  /// A tensor with the elements of a span, row-major, or of nested arrays. Errors: shape_error for another number of elements.
  static constexpr tensor from(std::span<const T> values) {
    if (values.size() != count)
      raise(error_kind::shape, "tensor::from: got ", values.size(), " elements, wanted ", count, " for the shape ", shape());
    tensor r{};
    for (std::size_t i = 0; i < count; ++i) r.elements[i] = values[i];
    return r;
  }

  static constexpr tensor from(const nested& values)
    requires(sizeof...(Dims) > 1)
  {
    tensor r{};
    T* to = r.elements.data();
    const auto store = [&to](const T& x) { *to++ = x; };
    detail::for_each_number(values, store);
    return r;
  }

  /// The element at one index per dimension, not checked.
  template <std::integral... Index>
  constexpr T& operator()(Index... index) {
    return elements[offset(index...)];
  }
  template <std::integral... Index>
  constexpr const T& operator()(Index... index) const {
    return elements[offset(index...)];
  }
  /// The i-th element in row-major order.
  constexpr T& operator[](std::size_t i) { return elements[i]; }
  constexpr const T& operator[](std::size_t i) const { return elements[i]; }

  constexpr T* data() { return elements.data(); }
  constexpr const T* data() const { return elements.data(); }
  constexpr T* begin() { return elements.data(); }
  constexpr T* end() { return elements.data() + count; }
  constexpr const T* begin() const { return elements.data(); }
  constexpr const T* end() const { return elements.data() + count; }
  constexpr operator std::span<T, count>() { return std::span<T, count>(elements); }
  constexpr operator std::span<const T, count>() const { return std::span<const T, count>(elements); }
  constexpr operator std::array<T, count>() const { return elements; }
  constexpr operator nested() const
    requires(sizeof...(Dims) > 1)
  {
    nested r{};
    const T* from = elements.data();
    const auto load = [&from](T& x) { x = *from++; };
    detail::for_each_number(r, load);
    return r;
  }
  /// A copy as an array; in constant evaluation a constant of the function that is traced.
  constexpr operator array() const { return detail::copy_in(elements.data(), shape()); }

  constexpr bool operator==(const tensor&) const = default;

 private:
  // Static and private members do not stop a class from being an aggregate.
  template <class... Index>
  static constexpr std::size_t offset(Index... index) {
    static_assert(sizeof...(Index) == sizeof...(Dims), "jq::tensor: one index per dimension");
    std::size_t at = 0;
    ((at = at * std::size_t(Dims) + std::size_t(index)), ...);
    return at;
  }
};

template <scalar T, std::int64_t... Dims>
struct leaf_traits<tensor<T, Dims...>> {
  using element = T;
  static constexpr array borrow(const tensor<T, Dims...>& x) { return detail::borrow_in(x.data(), {Dims...}); }
  static tensor<T, Dims...> from_array(const array& x) {
    const auto e = detail::checked_elements<T>(x, "jq::tensor", int(sizeof...(Dims)));
    if (!(x.shape() == shape{Dims...}))
      raise(error_kind::type, "conversion of an array to jq::tensor: got shape ", x.shape(), ", wanted ", shape{Dims...},
            "; reshape or slice it first");
    return tensor<T, Dims...>::from(e);
  }
};

/// The elements in numpy's layout.
template <scalar T, std::int64_t... Dims>
text to_text(const tensor<T, Dims...>& x, const print_options& options = {}) {
  text out;
  put_array(out, x.shape(), detail::element_kind_of(x.dtype()),
            [&](auto i) { return detail::element_at(x.data(), dtype_of<T>(), std::size_t(i)); }, options);
  return out;
}
template <scalar T, std::int64_t... Dims>
std::string to_string(const tensor<T, Dims...>& x) {
  return std::string(to_text(x).view());
}
template <class Traits, scalar T, std::int64_t... Dims>
  requires requires(std::basic_ostream<char, Traits>& out) { out.width(); }  // not where the stream is only declared
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const tensor<T, Dims...>& x) {
  const text t = to_text(x);
  return out.write(t.view().data(), std::streamsize(t.size()));
}

}  // namespace jacquard
