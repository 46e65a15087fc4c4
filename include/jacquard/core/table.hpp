#pragma once
// A table: a fixed number of items, all value-initialised at first. In constant evaluation a std::vector constructs, copies and
// destroys each item through half a dozen functions; a table does not. Deliberately neither copied nor resized.

#include <cstddef>

namespace jacquard {

template <class T>
class table {
 public:
  constexpr explicit table(std::size_t count) : items_(new T[count + 1]{}), count_(count) {}
  table(const table&) = delete;
  table& operator=(const table&) = delete;
  constexpr ~table() { delete[] items_; }

  constexpr std::size_t size() const { return count_; }
  constexpr T& operator[](std::size_t i) { return items_[i]; }
  constexpr const T& operator[](std::size_t i) const { return items_[i]; }

 private:
  T* items_;
  std::size_t count_;
};

}  // namespace jacquard
