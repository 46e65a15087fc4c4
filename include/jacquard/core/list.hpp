#pragma once
// A growing list of Jacquard's own small structs. What std::vector is, in a tenth of the functions: each element type of a
// std::vector costs what includes the library some 20 ms of instantiated allocators, iterators and helpers. Deliberately minimal:
// elements are default-constructible, storage beyond the size holds default values, there is no allocator.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <utility>
#include <vector>

#include "jacquard/core/block_cache.hpp"

namespace jacquard {

template <class T>
class list {
 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  constexpr list() = default;
  constexpr list(std::initializer_list<T> items) { append(items.begin(), items.end()); }
  template <class It>
    requires requires(It i) { *i; }
  constexpr list(It first, It last) {
    append(first, last);
  }
  constexpr explicit list(std::size_t count) { resize(count); }
  constexpr list(std::size_t count, const T& value) {
    reserve(count);
    for (std::size_t i = 0; i < count; ++i) data_[i] = value;
    size_ = count;
  }
  constexpr list(const list& other) {
    reserve(other.size_);
    append(other.begin(), other.end());
  }
  constexpr list(list&& other) noexcept { swap(other); }
  constexpr list& operator=(list other) noexcept {
    swap(other);
    return *this;
  }
  constexpr ~list() { free(); }

  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T* data() { return data_; }
  constexpr const T* data() const { return data_; }
  constexpr T* begin() { return data_; }
  constexpr T* end() { return data_ + size_; }
  constexpr const T* begin() const { return data_; }
  constexpr const T* end() const { return data_ + size_; }
  constexpr T& operator[](std::size_t i) { return data_[i]; }
  constexpr const T& operator[](std::size_t i) const { return data_[i]; }
  /// Errors: std::out_of_range.
  constexpr const T& at(std::size_t i) const {
    if (i >= size_) throw std::out_of_range("list: no such element");
    return data_[i];
  }
  constexpr T& front() { return data_[0]; }
  constexpr const T& front() const { return data_[0]; }
  constexpr T& back() { return data_[size_ - 1]; }
  constexpr const T& back() const { return data_[size_ - 1]; }

  constexpr void push_back(T value) { *extend(1) = static_cast<T&&>(value); }  // std::move would be a call in constant evaluation
  /// Adds `count` default values; where the first of them is.
  constexpr T* extend(std::size_t count) {
    if (size_ + count > capacity_) grow(size_ + count < 4 ? 4 : size_ > count ? 2 * size_ : size_ + count);
    size_ += count;
    return data_ + (size_ - count);
  }
  template <class... A>
  constexpr T& emplace_back(A&&... parts) {
    push_back(T{static_cast<A&&>(parts)...});
    return back();
  }
  constexpr void pop_back() { data_[--size_] = T{}; }
  template <class It>
  constexpr void append(It first, It last) {
    for (; first != last; ++first) push_back(*first);
  }
  constexpr void insert(const T* before, T value) {
    const std::size_t i = std::size_t(before - data_);
    extend(1);
    for (std::size_t k = size_ - 1; k > i; --k) data_[k] = std::move(data_[k - 1]);
    data_[i] = std::move(value);
  }
  constexpr void erase(const T* first, const T* last) {
    const std::size_t count = std::size_t(last - first);
    for (std::size_t k = std::size_t(first - data_); k + count < size_; ++k) data_[k] = std::move(data_[k + count]);
    resize(size_ - count);
  }
  constexpr void erase(const T* at) { erase(at, at + 1); }
  constexpr void reserve(std::size_t count) {
    if (count > capacity_) grow(count);
  }
  constexpr void resize(std::size_t count) {
    reserve(count);
    while (size_ > count) pop_back();
    size_ = count;  // storage beyond the old size holds default values
  }
  constexpr void clear() { resize(0); }

  constexpr void swap(list& other) noexcept {
    T* const data = data_;
    const std::size_t size = size_, capacity = capacity_;
    data_ = other.data_, size_ = other.size_, capacity_ = other.capacity_;
    other.data_ = data, other.size_ = size, other.capacity_ = capacity;
  }

  /// Where a std::vector is wanted, it becomes one.
  template <class Allocator>
  constexpr operator std::vector<T, Allocator>() const {
    return std::vector<T, Allocator>(begin(), end());
  }
  template <class Allocator>
  friend constexpr bool operator==(const list& a, const std::vector<T, Allocator>& b) {
    return a == list(b.begin(), b.end());
  }
  friend constexpr bool operator==(const list& a, const list& b) {
    if (a.size_ != b.size_) return false;
    for (std::size_t i = 0; i < a.size_; ++i)
      if (!(a[i] == b[i])) return false;
    return true;
  }

 private:
  constexpr void grow(std::size_t count) {
    if (count > std::size_t(PTRDIFF_MAX) / sizeof(T)) throw std::length_error("list: too many elements");  // g++ 12 -flto warns of them otherwise
    T* const bigger = __builtin_is_constant_evaluated() || !is_large(count) ? new T[count]{} : make_large(count);
    for (std::size_t i = 0; i < size_; ++i) bigger[i] = static_cast<T&&>(data_[i]);
    free();
    data_ = bigger;
    capacity_ = count;
  }
  constexpr void free() {
    if (__builtin_is_constant_evaluated() || !is_large(capacity_)) delete[] data_;
    else free_large();
  }
  // Large ones lie in memory that others gave back. A transform makes and drops several programs; a system from which that memory comes anew each
  // time, page by page, would take longer than the transform.
  static constexpr bool is_large(std::size_t count) { return count * sizeof(T) >= 4096; }
  static std::size_t bytes_of(std::size_t count) { return std::size_t(detail::whole_lines(std::int64_t(count * sizeof(T)))); }
  static T* make_large(std::size_t count) {
    static_assert(alignof(T) <= detail::buffer_alignment);
    void* const memory = detail::take_block(bytes_of(count));
    if (!memory) throw std::bad_alloc();
    T* const r = static_cast<T*>(memory);
    for (std::size_t i = 0; i < count; ++i) ::new (static_cast<void*>(r + i)) T{};
    return r;
  }
  void free_large() {
    for (std::size_t i = 0; i < capacity_; ++i) data_[i].~T();
    detail::give_block(data_, bytes_of(capacity_));
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace jacquard
