#pragma once
// What libraries make of operands that are the same in every run of a program, its constants: made when it is first asked for, kept as long as
// the program is. Deliberately not for arguments, which another call may bring anew, nor for memory that others may write to.

#include "jacquard/backends/mutex.hpp"
#include "jacquard/core/array.hpp"

namespace jacquard::detail {

/// The constants of one executable, which stay where they are, and other forms of them. By several threads at once.
class held_operands {
 public:
  explicit held_operands(view<const array> constants) : constants_(constants) {}
  held_operands(const held_operands&) = delete;

  /// The memory in which make(array&) put form `key` of the operand at `data`, now or earlier; null: that is not within a constant, or another
  /// thread is making one, perhaps of the process that forked this one.
  template <class F>
  const void* form(const void* key, const void* data, const F& make) {
    if (!holds(static_cast<const char*>(data))) return nullptr;
    if (!lock_.try_lock()) return nullptr;
    const scoped_lock hold(lock_, already_held{});
    for (const kept& k : kept_)
      if (k.key == key && k.data == data) return k.made.as_buffer()->data;
    kept k{key, data, {}};
    make(k.made);
    kept_.push_back(k);
    return k.made.as_buffer()->data;
  }

 private:
  struct kept {
    const void *key, *data;
    array made;
  };
  bool holds(const char* data) const {
    for (const array& x : constants_)
      if (const buffer* b = x.as_buffer(); b && b->is_ours() && b->is_ready())
        if (const char* const begin = static_cast<const char*>(b->data); data >= begin && data < begin + b->type.bytes()) return true;
    return false;
  }

  view<const array> constants_;
  mutex lock_;
  list<kept> kept_;
};

}  // namespace jacquard::detail
