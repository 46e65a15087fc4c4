#pragma once
// What a jitted function keeps: one entry per signature, traced and compiled once, for which threads that come in the meantime wait.
// Deliberately without tracing and without running; exec/jit.hpp does both.

#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <exception>
#include <tuple>
#include <type_traits>

#include "jacquard/backends/backend.hpp"
#include "jacquard/core/atomic.hpp"
#include "jacquard/exec/dispatcher.hpp"
#include "jacquard/exec/executable_bytes.hpp"
#include "jacquard/exec/signature.hpp"

namespace jacquard::detail {

enum class jit_state : std::uint8_t { tracing, ready, failed };

/// What all entries of a cache have in common; `kind` tells call types apart.
struct jit_entry_header : counted {
  std::uint64_t hash = 0;
  const int* kind = nullptr;
  location where;  ///< the user's line
};
/// A prototype of what a jitted function returns; made when it was traced.
template <class Result>
struct jit_result : counted {
  explicit jit_result(Result r) : value(std::move(r)) {}
  Result value;
};
/// One compiled signature of a jitted function. `Statics` are the static arguments, `Result` a prototype of the result.
template <class Statics, class Result>
struct jit_entry : jit_entry_header {
  explicit jit_entry(const Statics& s) : statics(s) {}

  signature key;
  Statics statics;
  ref<jit_result<Result>> result;
  ref<executable> program;
  ref<dispatcher> queued;  ///< the same, run by the queue of its device
  std::size_t outputs = 0;
  std::vector<char> donated;
  bool donates = false;  ///< whether any argument is donated
  std::exception_ptr failure;
  detail::atomic<jit_state> state = jit_state::tracing;
  const void* tracer = this_thread();
  const pid_t process = getpid();  ///< of the tracer: a child made by fork has nobody to wait for

  bool is_abandoned() const { return state.load() == jit_state::tracing && process != getpid(); }
};

/// The compiled programs of one jitted function. Entries are never removed but when their trace failed.
struct jit_cache : counted {
  detail::monitor traced;  ///< guards the entries; whoever waits for a trace is told when it ends
  std::vector<ref<jit_entry_header>> entries;
  /// The one that was called last, if it is ready: found without the lock.
  detail::atomic<jit_entry_header*> latest = nullptr;
};

template <class F>
inline constexpr bool is_function_pointer = std::is_pointer_v<F> && std::is_function_v<std::remove_pointer_t<F>>;

/// The cache of all jitted functions without captures of one type, or of one address, that are compiled for the same: who writes jit(f, backend("cpu"))
/// where it is called compiles once. None is removed. Takes no lock.
template <class F, class... O, class Function>
ref<jit_cache> cache_of_target(const target& where, Function f) {
  struct node {
    target where;
    Function f;
    ref<jit_cache> cache;
    node* next;
  };
  static constinit atomic<node*> first{nullptr};  // "= nullptr" is no constant to nvcc 13
  node* made = nullptr;
  for (node* known = first.load(ordering::acquire);;) {
    for (const node* n = known; n; n = n->next)
      if (n->f == f && n->where == where) {
        delete made;
        return n->cache;
      }
    if (!made) made = new node{where, f, make_ref<jit_cache>(), nullptr};
    made->next = known;
    if (first.exchange_if(known, made)) return made->cache;
  }
}

/// Adds the bytes of a member to a key; an empty one has none of its own.
template <class T>
void put_bytes(std::byte*& at, const T& x) {
  if constexpr (!std::is_empty_v<T>) std::memcpy(at, static_cast<const void*>(__builtin_addressof(x)), sizeof(T)), at += sizeof(T);
}
/// The cache of a jitted function whose constructor the compiler ran, such as one at namespace scope: it could make none, and the object may
/// lie in memory that cannot be written. Equal bytes of function and options are the same function, since constants point at nothing that
/// goes away. Made at the first call; none is removed, so that destructors of other globals may still call. Takes no lock.
template <class F, class... O>
jit_cache& cache_of_constant(const F& f, const std::tuple<O...>& options) {
  struct node {
    std::array<std::byte, sizeof(F) + (sizeof(O) + ... + 0)> key{};
    jit_cache cache;
    node* next = nullptr;
  };
  static constinit atomic<node*> first{nullptr};  // "= nullptr" is no constant to nvcc 13
  decltype(node::key) key{};
  std::byte* at = key.data();
  put_bytes(at, f);
  std::apply([&](const O&... o) { (put_bytes(at, o), ...); }, options);
  node* made = nullptr;
  for (node* known = first.load(ordering::acquire);;) {
    for (node* n = known; n; n = n->next)
      if (n->key == key) {
        delete made;
        return n->cache;
      }
    if (!made) made = new node, made->key = key;
    made->next = known;
    if (first.exchange_if(known, made)) return made->cache;
  }
}

}  // namespace jacquard::detail
