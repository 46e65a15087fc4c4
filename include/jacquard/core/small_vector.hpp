#pragma once
// A vector that keeps its first N elements inline. It is a literal type (usable in constant evaluation) and does not
// allocate for the short lists that equations are made of. Deliberately minimal: no insert, no erase, no allocator.

#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace jacquard {

template <class T, std::size_t N>
class small_vector {
 public:
  using value_type = T;
  /// How an element is passed: large ones that are copied byte by byte, once only.
  using passed = std::conditional_t<std::is_trivially_copyable_v<T> && (sizeof(T) > 16), const T&, T>;

  constexpr small_vector() = default;
  constexpr small_vector(std::initializer_list<T> items) { append(items.begin(), items.end()); }
  template <class It>
    requires requires(It i) { *i; }
  constexpr small_vector(It first, It last) {
    append(first, last);
  }
  constexpr explicit small_vector(std::size_t count) { resize(count); }
  constexpr small_vector(std::size_t count, const T& value) { resize(count, value); }
  constexpr small_vector(const small_vector& other) { append(other.begin(), other.end()); }
  constexpr small_vector(small_vector&& other) noexcept { steal(other); }
  constexpr small_vector& operator=(const small_vector& other) {
    if (this != &other) {
      clear();
      append(other.begin(), other.end());
    }
    return *this;
  }
  constexpr small_vector& operator=(small_vector&& other) noexcept {
    if (this != &other) {
      clear();
      delete[] heap_;
      heap_ = nullptr;
      steal(other);
    }
    return *this;
  }
  constexpr ~small_vector() {
#ifdef __CUDACC__  // in constant evaluation nvcc 13 destroys only the first element of an array member
    if constexpr (!std::is_trivially_destructible_v<T>)
      for (std::size_t i = 1; i < N; ++i) inline_[i] = T{};
#endif
    delete[] heap_;
  }

  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T* data() { return heap_ ? heap_ : inline_; }
  constexpr const T* data() const { return heap_ ? heap_ : inline_; }
  // Not by data(): every call costs constant evaluation microseconds.
  constexpr T* begin() { return heap_ ? heap_ : inline_; }
  constexpr T* end() { return (heap_ ? heap_ : inline_) + size_; }
  constexpr const T* begin() const { return heap_ ? heap_ : inline_; }
  constexpr const T* end() const { return (heap_ ? heap_ : inline_) + size_; }
  constexpr T& operator[](std::size_t i) { return (heap_ ? heap_ : inline_)[i]; }
  constexpr const T& operator[](std::size_t i) const { return (heap_ ? heap_ : inline_)[i]; }
  constexpr T& front() { return data()[0]; }
  constexpr const T& front() const { return data()[0]; }
  constexpr T& back() { return data()[size_ - 1]; }
  constexpr const T& back() const { return data()[size_ - 1]; }

  constexpr void push_back(passed value) {
    if (size_ == capacity_) {
      T kept = static_cast<passed&&>(value);  // it may be an element
      grow(2 * capacity_);
      data()[size_++] = static_cast<T&&>(kept);
    } else (heap_ ? heap_ : inline_)[size_++] = static_cast<passed&&>(value);
  }
  constexpr void pop_back() { data()[--size_] = T{}; }
  template <class It>
  constexpr void append(It first, It last) {
    for (; first != last; ++first) push_back(*first);
  }
  constexpr void reserve(std::size_t count) {
    if (count > capacity_) grow(count);
  }
  constexpr void resize(std::size_t count) {
    reserve(count);
    while (size_ > count) pop_back();
    for (T* at = data(); size_ < count; ++size_) at[size_] = T{};
  }
  constexpr void resize(std::size_t count, T value) {
    reserve(count);
    while (size_ > count) pop_back();
    while (size_ < count) push_back(value);
  }
  constexpr void clear() { resize(0); }

  friend constexpr bool operator==(const small_vector& a, const small_vector& b) {
    if (a.size_ != b.size_) return false;
    for (std::size_t i = 0; i < a.size_; ++i)
      if (!(a[i] == b[i])) return false;
    return true;
  }

 private:
  constexpr void grow(std::size_t count) {
    T* bigger = new T[count]{};
    for (std::size_t i = 0; i < size_; ++i) bigger[i] = std::move(data()[i]);
    delete[] heap_;
    heap_ = bigger;
    capacity_ = count;
  }
  constexpr void steal(small_vector& other) {
    size_ = other.size_;
    capacity_ = other.capacity_;
    heap_ = std::exchange(other.heap_, nullptr);
    if (!heap_)
      for (std::size_t i = 0; i < size_; ++i) inline_[i] = std::move(other.inline_[i]);
    other.size_ = 0;
    other.capacity_ = N;
  }

  T inline_[N]{};
  T* heap_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = N;
};

}  // namespace jacquard
