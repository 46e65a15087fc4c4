#pragma once
// The arrays of one call, results or arguments: few of them lie on the stack, more in a block that the thread keeps, so that a call that is made
// again asks the system for nothing. Deliberately of a fixed number; lists that grow are `list` and `small_vector`.

#include <new>
#include <optional>

#include "jacquard/core/array.hpp"
#include "jacquard/core/block_cache.hpp"

namespace jacquard::detail {

class call_arrays {
 public:
  static constexpr std::size_t few = 6;

  /// So many empty arrays.
  explicit call_arrays(std::size_t count) : size_(count) {
    if (count > few) [[unlikely]] data_ = static_cast<array*>(more_.emplace(std::int64_t(count * sizeof(array))).data);
    for (std::size_t i = 0; i < count; ++i) new (data_ + i) array();
  }
  call_arrays(const call_arrays&) = delete;
  ~call_arrays() {
    for (std::size_t i = 0; i < size_; ++i) data_[i].~array();
  }
  array* data() { return data_; }
  array* begin() { return data_; }
  array* end() { return data_ + size_; }
  array& operator[](std::size_t i) { return data_[i]; }
  std::size_t size() const { return size_; }

 private:
  alignas(array) unsigned char few_[few * sizeof(array)];
  std::optional<scratch_block> more_;
  array* data_ = reinterpret_cast<array*>(few_);
  std::size_t size_;
};

}  // namespace jacquard::detail
