#pragma once
// Shapes: up to eight dimensions stored inline, so that a shape is trivially copyable and lives in a frozen program.
// Deliberately without strides: values are dense and row-major, views are the business of backends.

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>

#include "jacquard/core/text.hpp"
#include "jacquard/core/view.hpp"

namespace jacquard {

/// The largest rank an array may have.
inline constexpr int max_rank = 8;

/// A list of at most max_rank integers: dimensions, axes, permutations, strides.
class int_list {
 public:
  constexpr int_list() = default;
  constexpr int_list(std::initializer_list<std::int64_t> values) {
    for (std::int64_t v : values) push_back(v);
  }
  constexpr int_list(view<const std::int64_t> values) {
    for (std::int64_t v : values) push_back(v);
  }
  /// `count` copies of `value`.
  static constexpr int_list filled(int count, std::int64_t value) {
    int_list r;
    for (int i = 0; i < count; ++i) r.push_back(value);
    return r;
  }
  /// 0, 1, ..., count - 1.
  static constexpr int_list iota(int count) {
    int_list r;
    for (int i = 0; i < count; ++i) r.push_back(i);
    return r;
  }

  constexpr int size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr std::int64_t operator[](int i) const { return values_[i]; }
  constexpr std::int64_t& operator[](int i) { return values_[i]; }
  constexpr const std::int64_t* begin() const { return values_; }
  constexpr const std::int64_t* end() const { return values_ + size_; }
  constexpr std::int64_t* begin() { return values_; }
  constexpr std::int64_t* end() { return values_ + size_; }
  constexpr std::int64_t back() const { return values_[size_ - 1]; }

  /// Appends; a ninth element is dropped and remembered by `overflowed`, which shape checks report.
  constexpr void push_back(std::int64_t v) {
    if (size_ == max_rank) overflowed_ = true;
    else values_[size_++] = v;
  }
  constexpr bool overflowed() const { return overflowed_; }
  constexpr void mark_overflowed() { overflowed_ = true; }
  constexpr bool contains(std::int64_t v) const { return index_of(v) >= 0; }
  /// Position of the first `v`, or -1.
  constexpr int index_of(std::int64_t v) const {
    for (int i = 0; i < size_; ++i)
      if (values_[i] == v) return i;
    return -1;
  }
  /// A copy with `v` inserted before position `at`.
  constexpr int_list with(int at, std::int64_t v) const {
    int_list r;
    for (int i = 0; i <= size_; ++i) {
      if (i == at) r.push_back(v);
      if (i < size_) r.push_back(values_[i]);
    }
    return r;
  }
  /// A copy without position `at`.
  constexpr int_list without(int at) const {
    int_list r;
    for (int i = 0; i < size_; ++i)
      if (i != at) r.push_back(values_[i]);
    return r;
  }
  friend constexpr bool operator==(const int_list& a, const int_list& b) {
    if (a.size_ != b.size_) return false;
    for (int i = 0; i < a.size_; ++i)
      if (a[i] != b[i]) return false;
    return true;
  }

 private:
  std::int64_t values_[max_rank]{};  // not a std::array: its functions would be most of what constant evaluation calls here
  std::int8_t size_ = 0;
  bool overflowed_ = false;
};

namespace detail {
/// a * b, or the largest integer if that is more.
constexpr std::int64_t counted_product(std::int64_t a, std::int64_t b) {
#ifdef __CUDACC__  // nvcc 13 does not know the builtin in constant evaluation
  return a > 0 && b > INT64_MAX / a ? INT64_MAX : a * b;
#else
  std::int64_t n = 0;
  return __builtin_mul_overflow(a, b, &n) ? INT64_MAX : n;
#endif
}
}  // namespace detail

/// The dimensions of an array. Rank 0 is a scalar.
class shape : public int_list {
 public:
  using int_list::int_list;
  constexpr shape(const int_list& dims) : int_list(dims) {}
  /// The integers of a std::vector, std::array, std::span, or the shape of another library's array.
  template <class C>
    requires requires(const C& c) {
      requires std::integral<std::remove_cvref_t<decltype(*c.data())>> && sizeof(*c.data()) >= sizeof(std::int32_t);
      c.size();
    }
  constexpr shape(const C& dims) {
    for (std::size_t i = 0; i < dims.size(); ++i) push_back(std::int64_t(dims.data()[i]));
  }
  constexpr int rank() const { return int_list::size(); }
  /// Number of elements; the largest integer if they cannot be counted.
  constexpr std::int64_t elements() const {
    std::int64_t n = 1;
    for (std::int64_t d : *this) n = detail::counted_product(n, d);
    return n;
  }
  /// Row-major strides in elements. They wrap around where there are more elements than can be counted.
  constexpr int_list strides() const {
    int_list s = int_list::filled(rank(), 1);
    for (int i = rank() - 2; i >= 0; --i) s[i] = std::int64_t(std::uint64_t(s[i + 1]) * std::uint64_t((*this)[i + 1]));
    return s;
  }
};

/// "(3, 4)" with Python's trailing comma for one element; dots for what a list had no room for.
constexpr text& operator<<(text& out, const int_list& dims) {
  out << '(';
  for (int i = 0; i < dims.size(); ++i) {
    if (i) out << ", ";
    out << dims[i];
  }
  if (dims.size() == 1) out << ',';
  if (dims.overflowed()) out << ", ...";
  return out << ')';
}

/// Resolves a possibly negative axis against `rank`; -1 if it is out of range.
constexpr int resolve_axis(std::int64_t axis, int rank) {
  const std::int64_t a = axis < 0 ? axis + rank : axis;
  return a < 0 || a >= rank ? -1 : int(a);
}

}  // namespace jacquard
