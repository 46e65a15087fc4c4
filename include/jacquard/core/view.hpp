#pragma once
// A view of consecutive objects: a pointer and a count. What std::span is, without the iterator concepts that its conversions
// check for each element type, which would be a tenth of what including Jacquard costs. Converts from and to std::span.
// Deliberately unchecked and without a static extent.

#include <cstddef>
#include <type_traits>
#include <utility>

namespace jacquard {

template <class T>
class view {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using iterator = T*;
  using const_iterator = const T*;

  constexpr view() = default;
  constexpr view(T* data, std::size_t size) : data_(data), size_(size) {}
  template <class U, std::size_t N>
    requires std::is_convertible_v<U (*)[], T (*)[]>
  constexpr view(U (&objects)[N]) : data_(objects), size_(N) {}
  /// All elements of a container that stores them one after another. They must outlive the view.
  template <class C>
    requires(!std::is_same_v<std::remove_cv_t<std::remove_reference_t<C>>, view>) && requires(C& c, T (*same)[]) {  // copies of a view are copies
      same = static_cast<std::remove_pointer_t<decltype(c.data())> (*)[]>(nullptr);  // no view of a base class
      c.size();
    }
  constexpr view(C&& c) : data_(c.data()), size_(c.size()) {}

  constexpr T* data() const { return data_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T& operator[](std::size_t i) const { return data_[i]; }
  constexpr T& front() const { return data_[0]; }
  constexpr T& back() const { return data_[size_ - 1]; }
  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size_; }
  constexpr view first(std::size_t n) const { return {data_, n}; }
  constexpr view last(std::size_t n) const { return {data_ + (size_ - n), n}; }
  constexpr view subspan(std::size_t from) const { return {data_ + from, size_ - from}; }
  constexpr view subspan(std::size_t from, std::size_t n) const { return {data_ + from, n}; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace jacquard
