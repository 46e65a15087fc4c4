#pragma once
// Concrete storage of an array: a reference-counted block of dense row-major elements on a device, which it may own,
// share or borrow. Run time only. Deliberately without strides and without arithmetic.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include "jacquard/core/aval.hpp"
#include "jacquard/core/block_cache.hpp"
#include "jacquard/core/compiled_once.hpp"
#include "jacquard/core/error.hpp"
#include "jacquard/core/events.hpp"

namespace jacquard {

struct buffer;

/// Where the elements of a buffer stand. pending: something is computing them. failed: that ended in an error.
enum class buffer_state : std::uint8_t { ready, deleted, pending, failed };

namespace detail {
using buffer_hook = void (*)(const buffer&);
/// Waits until a buffer is not pending any more, and throws what it failed with. Both hooks are set by the first execution in a queue, which
/// alone makes such buffers: a unit that has none is spared the queues.
inline constinit buffer_hook await_hook = nullptr;
/// Waits until no execution in a queue reads a buffer.
inline constinit buffer_hook unread_hook = nullptr;
}  // namespace detail

/// A block of elements. Handles count references; the last one calls `release`.
struct buffer {
  int references = 1;
  device_id where;
  int outside = 0;        ///< users outside the library who share the memory (DLPack)
  int readers = 0;        ///< executions in queues that will read it
  int watchers = 0;       ///< holders who read the memory at some time and for whom nobody waits: it is theirs when the buffer is deleted
  bool borrowed = false;  ///< the memory belongs to someone else and is only valid during a call
  buffer_state state = buffer_state::ready;  ///< deleted: donated, the memory is gone or belongs to another buffer
  bool taken = false;     ///< being donated: of several calls the first one gets the memory
  location deleted_by;    ///< the call that took it
  aval type;
  void* data = nullptr;
  void* owner = nullptr;                ///< context of `release`
  void (*release)(buffer&) = nullptr;   ///< gives the memory back; null if there is nothing to give back

  buffer() = default;
  explicit buffer(const aval& t) : type(t) {}
  static void* operator new(std::size_t bytes) {
    if (detail::block_cache* c = detail::this_block_cache())
      if (void* header = c->take_header()) return header;
    return ::operator new(bytes);
  }
  static void operator delete(void* header) {
    detail::block_cache* const c = detail::this_block_cache();
    if (!c || !c->keep_header(header)) ::operator delete(header);
  }
  buffer_state state_now(int order = __ATOMIC_ACQUIRE) const {
    buffer_state s;
    __atomic_load(&state, &s, order);
    return s;
  }
  void become(buffer_state s, int order = __ATOMIC_RELEASE) { __atomic_store(&state, &s, order); }
  bool is_deleted() const { return state_now() == buffer_state::deleted; }
  /// Whether the elements are there, now.
  bool is_ready() const { return state_now() == buffer_state::ready; }
  /// Whether the library may overwrite the memory or give it away.
  bool is_ours() const { return !borrowed && __atomic_load_n(&outside, __ATOMIC_ACQUIRE) == 0; }
  bool is_shared() const { return __atomic_load_n(&references, __ATOMIC_ACQUIRE) > 1; }
  bool has_readers() const { return __atomic_load_n(&readers, __ATOMIC_ACQUIRE) != 0; }
  bool is_watched() const { return __atomic_load_n(&watchers, __ATOMIC_SEQ_CST) != 0; }
  void retain() { __atomic_fetch_add(&references, 1, __ATOMIC_RELAXED); }
  void drop() {
    // Where there is one handle, nobody else can make a second: that takes no operation on a locked line.
    if (is_shared() && __atomic_sub_fetch(&references, 1, __ATOMIC_ACQ_REL) != 0) return;
    if (release) release(*this);
    delete this;
  }
  /// A holder who reads the memory later, at an address that it remembers; to be ended by unwatch(). False, and nothing to be ended, where
  /// the buffer is deleted or another thread is donating it.
  bool watch() {
    retain();
    __atomic_fetch_add(&watchers, 1, __ATOMIC_SEQ_CST);
    // take() marks the buffer before it looks for watchers: of the two at least one sees the other.
    if (!__atomic_load_n(&taken, __ATOMIC_SEQ_CST) && state_now(__ATOMIC_SEQ_CST) != buffer_state::deleted) return true;
    unwatch();
    return false;
  }
  void unwatch() {
    if (__atomic_sub_fetch(&watchers, 1, __ATOMIC_SEQ_CST) == 0 && state_now(__ATOMIC_SEQ_CST) == buffer_state::deleted) give_back();
    drop();
  }
  /// Gives the memory back now, or as soon as nobody watches it; later use throws deleted_error.
  void remove(const location& by) {
    if (is_deleted()) return;
    deleted_by = by;
    become(buffer_state::deleted, __ATOMIC_SEQ_CST);
    if (!is_watched()) give_back();
  }
  /// Moves the memory into a new buffer and deletes this one for all its holders. Memory that is watched stays until nobody does; the new
  /// buffer gets a copy. Errors: deleted_error if another call was first, value_error where there is no memory for a copy.
  buffer* take(const location& by) {
    if (__atomic_exchange_n(&taken, true, __ATOMIC_SEQ_CST)) throw_deleted({});
    if (has_readers()) __atomic_load_n(&detail::unread_hook, __ATOMIC_RELAXED)(*this);
    if (is_watched()) {
      buffer* const copy = copy_of_watched();
      remove(by);
      return copy;
    }
    buffer* mine = new buffer(type);
    mine->data = std::exchange(data, nullptr);
    mine->owner = std::exchange(owner, nullptr);
    mine->release = std::exchange(release, nullptr);
    deleted_by = by;
    become(buffer_state::deleted);
    return mine;
  }
  /// Waits for elements that are pending. Throws deleted_error if the buffer was donated, or what its computation threw.
  void check_alive() const {
    if (!is_ready()) [[unlikely]] settle();
  }
  [[gnu::noinline, gnu::cold]] void settle() const {
    while (!is_deleted() && !is_ready()) __atomic_load_n(&detail::await_hook, __ATOMIC_RELAXED)(*this);
    if (is_deleted()) throw_deleted(deleted_by);
  }
  [[gnu::cold]] buffer* copy_of_watched();
  /// Of the last watcher and who deletes the buffer one gives the memory back.
  void give_back() {
    if (const auto back = __atomic_exchange_n(&release, nullptr, __ATOMIC_SEQ_CST)) back(*this), data = nullptr;
  }
  [[noreturn]] void throw_deleted(const location& by) const {
    const text short_form = cat(type);  // "f32[2]"
    error_record e = make_error(error_kind::deleted, "Array has been deleted with shape=", long_name(type.type),
                                short_form.view().substr(name(type.type).size()), ". It was donated to a compiled call; to go "
                                "on using it, keep a copy made before that call, or do not donate it");
    e.where = by;
    throw_error(e);
  }
};

namespace detail {
/// Counts a change of the bytes in host buffers that the library owns.
inline void count_bytes(std::int64_t change, const block_cache* here = this_block_cache()) {
  if (here && here->counter) return here->counter->add(change);
  tell_bytes(change, change > 0 ? change : 0);
}

/// The size of the block that holds so many bytes of values.
inline std::size_t block_bytes(std::int64_t value_bytes) {
  const std::size_t bytes = value_bytes == 0 ? 1 : std::size_t(value_bytes);
  return bytes > SIZE_MAX - buffer_alignment ? bytes : (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
}
/// Memory for so many bytes of values; null if there is none.
inline void* allocate(std::int64_t bytes) {
  block_cache* const here = this_block_cache();
  void* const memory = take_block(block_bytes(bytes), here);
  if (memory) count_bytes(bytes, here);
  return memory;
}
/// Of buffers that own their memory. The context is how many bytes it holds, which the type would have to be asked for.
inline void release_owned(buffer& b) {
  const auto bytes = std::int64_t(reinterpret_cast<std::intptr_t>(b.owner));
  block_cache* const here = this_block_cache();
  count_bytes(-bytes, here);
  give_block(b.data, block_bytes(bytes), here);
}
inline void give_memory(buffer& b, void* memory, std::int64_t bytes) {
  b.data = memory;
  b.owner = reinterpret_cast<void*>(std::intptr_t(bytes));
  b.release = &release_owned;
}
}  // namespace detail

/// How many bytes of host memory the elements of arrays take, without borrowed ones.
struct memory_use {
  std::int64_t live = 0;  ///< now
  std::int64_t peak = 0;  ///< at most, since the start of the program or the last reset_peak_memory()
};
/// Exact where one thread makes arrays; while others do, their last 64 kB each may be missing or, in the peak, too many.
inline memory_use host_memory() {
  return {detail::byte_counter::live(), detail::byte_counter::peak()};
}
inline void reset_peak_memory() { detail::byte_counter::reset_peak(); }

/// A fresh uninitialised host buffer for values of type `t`, which take so many bytes, aligned to 64 bytes.
/// Errors: value_error if the size does not fit into memory.
JACQUARD_ONCE buffer* make_buffer(const aval& t, std::int64_t bytes) {
  void* memory = detail::allocate(bytes);
  if (!memory) [[unlikely]] raise(error_kind::value, "array: cannot allocate ", bytes, " bytes for ", t, "; use a smaller shape");
  buffer* b = new buffer(t);
  detail::give_memory(*b, memory, bytes);
  return b;
}
inline buffer* make_buffer(const aval& t) { return make_buffer(t, t.bytes()); }

namespace detail {
/// Fills a buffer with elements from elsewhere: a transfer for those who observe them.
inline void copy_elements(std::string_view what, buffer& to, const void* from) {
  event_scope scope(event_kind::transfer, what, to.where);
  if (event* e = scope.seen()) e->bytes = to.type.bytes(), e->detail = cat(to.type);
  if (to.type.bytes() != 0) std::memcpy(to.data, from, std::size_t(to.type.bytes()));
}
}  // namespace detail

/// A buffer over memory that the caller keeps alive for as long as the buffer is used.
inline buffer* borrow_buffer(const aval& t, void* data) {
  buffer* b = new buffer(t);
  b->data = data;
  b->borrowed = true;
  return b;
}

/// A buffer with memory of its own that holds the elements of `b`.
inline buffer* copy_buffer(const buffer& b) {
  b.check_alive();
  buffer* r = make_buffer(b.type);
  detail::copy_elements("copy", *r, b.data);
  return r;
}

inline buffer* buffer::copy_of_watched() {
  try {
    return copy_buffer(*this);
  } catch (...) {
    __atomic_store_n(&taken, false, __ATOMIC_RELEASE);  // it can be donated once there is memory again
    throw;
  }
}

/// The memory of `x` under another shape with as many elements. While it is shared, nobody overwrites it or takes it away.
/// Borrowed memory is copied: what shares it could not be told when it goes.
inline buffer* share_buffer(buffer& x, const aval& t) {
  if (x.borrowed) {
    buffer* const own = copy_buffer(x);
    own->type = t;
    return own;
  }
  buffer* b = new buffer(t);
  b->where = x.where;
  b->data = x.data;
  b->outside = 1;
  b->owner = &x;
  x.retain();
  __atomic_fetch_add(&x.outside, 1, __ATOMIC_ACQ_REL);
  b->release = [](buffer& self) {
    buffer* from = static_cast<buffer*>(self.owner);
    __atomic_fetch_sub(&from->outside, 1, __ATOMIC_ACQ_REL);
    from->drop();
  };
  return b;
}

/// Gives a borrowed buffer memory of its own, for all its holders; to be called before the borrowed memory goes. Where no
/// memory is left, the buffer counts as deleted. Not while other threads use the buffer.
inline void keep_borrowed(buffer& b) {
  if (!b.borrowed || b.is_deleted()) return;
  const std::int64_t bytes = b.type.bytes();
  void* const memory = detail::allocate(bytes);
  if (memory && bytes != 0) std::memcpy(memory, b.data, std::size_t(bytes));
  b.borrowed = false;
  b.data = memory;
  if (memory) detail::give_memory(b, memory, bytes);
  else b.remove({});
}

}  // namespace jacquard
