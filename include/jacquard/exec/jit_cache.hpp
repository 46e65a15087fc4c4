#pragma once
// What a jitted function keeps: one entry per signature, traced and compiled once, for which threads that come in the meantime wait.
// All of it that need not know the types of arguments and results is here, since the rest is compiled for each signature. Deliberately without
// tracing and without running; exec/jit.hpp does both.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <exception>
#include <tuple>
#include <type_traits>

#include "jacquard/backends/backend.hpp"
#include "jacquard/core/atomic.hpp"
#include "jacquard/core/compiled_once.hpp"
#include "jacquard/exec/dispatcher.hpp"
#include "jacquard/exec/executable_bytes.hpp"
#include "jacquard/exec/signature.hpp"
#include "jacquard/exec/stages.hpp"
#include "jacquard/transforms/simplify.hpp"

namespace jacquard::detail {

enum class jit_state : std::uint8_t { tracing, ready, failed };

/// One compiled signature of a jitted function, as far as that knows neither the types of a call nor its function.
struct jit_entry_header;
/// What tells the types of calls apart within one cache, by its address, and what is done with static arguments of these types.
struct jit_kind {
  ref<jit_entry_header> (*make)(const void* statics);
  bool (*has)(const jit_entry_header& e, const void* statics);  ///< whether its static arguments equal these
};
struct jit_entry_header : counted {
  std::uint64_t hash = 0;
  const jit_kind* kind = nullptr;
  location where;  ///< the user's line
  signature key;
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
/// A prototype of what a jitted function returns; made when it was traced.
template <class Result>
struct jit_result : counted {
  explicit jit_result(Result r) : value(std::move(r)) {}
  Result value;
};
/// `Statics` are the static arguments, `Result` a prototype of the result.
template <class Statics, class Result>
struct jit_entry : jit_entry_header {
  template <class Given>
  explicit jit_entry(const Given& s) : statics(s) {}

  Statics statics;
  ref<jit_result<Result>> result;
};
/// The kind of calls with entries of this type, whose static arguments come as `Given`, a tuple of references.
template <class Entry, class Given>
constexpr jit_kind kind_of() {
  return {[](const void* given) { return ref<jit_entry_header>(make_ref<Entry>(*static_cast<const Given*>(given))); },
          [](const jit_entry_header& e, const void* given) { return static_cast<const Entry&>(e).statics == *static_cast<const Given*>(given); }};
}
/// What the trace of a call made, and what it is to be compiled for.
struct traced_call {
  closed_jaxpr program;
  target where;
  bool is_prepared = false;  ///< the entry has what it runs, and nothing is to be compiled here
};
/// Traces the call of that address; tells the entry what arguments are donated and what the result is like.
struct jit_tracer {
  traced_call (*trace)(const void* call, jit_entry_header& e);
  const void* call;

  /// The one that calls trace(entry).
  template <class Trace>
  static jit_tracer of(const Trace& trace) {
    return {[](const void* it, jit_entry_header& e) { return (*static_cast<const Trace*>(it))(e); }, &trace};
  }
};

/// The compiled programs of one jitted function. Entries are removed when their trace failed, and by clear().
struct jit_cache : counted {
  detail::monitor traced;  ///< guards the entries; whoever waits for a trace is told when it ends
  std::vector<ref<jit_entry_header>> entries;
  /// The one that was called last, if it is ready: found without the lock.
  detail::atomic<jit_entry_header*> latest = nullptr;

  /// The entry of a signature, compiled: the latest, another one that is there, or a new one, for which this thread traces. Waits for
  /// another thread's trace. Errors: that of the trace; value_error where it would wait for itself.
  jit_entry_header& entry_of(const signature& key, const jit_kind& kind, const void* statics, const jit_tracer& tracer) {
    jit_entry_header* const last = latest.load(ordering::acquire);
    if (last && last->kind == &kind && last->key == key && kind.has(*last, statics)) return *last;
    const ref<jit_entry_header> e = find(key, kind, statics);
    if (e->state.load(ordering::acquire) != jit_state::ready) fill(*e, tracer);
    latest.store(e.get(), ordering::release);
    return *e;
  }

  /// Forgets what is compiled; nobody may be calling the function. What is being traced stays.
  void clear() {
    std::vector<ref<jit_entry_header>> cleared;  // which go when nothing is locked: what they hold may call the function
    const scoped_lock lock(traced);
    latest.store(nullptr, ordering::release);
    const auto first = std::stable_partition(entries.begin(), entries.end(), [](const ref<jit_entry_header>& e) { return e->state.load() == jit_state::tracing; });
    cleared.assign(std::make_move_iterator(first), std::make_move_iterator(entries.end()));
    entries.erase(first, entries.end());
  }

 private:
  /// A finished entry, or a new one that this thread must fill.
  JACQUARD_ONCE ref<jit_entry_header> find(const signature& key, const jit_kind& kind, const void* statics) {
    const std::uint64_t hash = key.hash() ^ reinterpret_cast<std::uintptr_t>(&kind);
    const scoped_lock lock(traced);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i]->hash != hash || entries[i]->kind != &kind) continue;
      const ref<jit_entry_header> e = entries[i];
      if (!(e->key == key) || !kind.has(*e, statics)) continue;
      if (!e->is_abandoned()) return wait_for(*e), e;
      entries.erase(entries.begin() + std::ptrdiff_t(i));
      break;
    }
    const ref<jit_entry_header> e = kind.make(statics);
    e->hash = hash;
    e->kind = &kind;
    e->key = key;
    entries.push_back(e);
    return e;
  }
  /// Until the trace of the entry has ended; the cache is locked.
  void wait_for(const jit_entry_header& e) {
    if (e.state.load() == jit_state::tracing) {
      if (e.tracer == this_thread())
        raise(error_kind::value, "jit: the function calls itself with the same signature while it is being traced");
      traced.wait([&] { return e.state.load() != jit_state::tracing; });
    }
    if (e.state.load() == jit_state::failed) std::rethrow_exception(e.failure);
  }
  static void compile(jit_entry_header& e, const traced_call& call) {
    const closed_jaxpr program = simplify(call.program, tap_effect, call.where.strict);
    for (char d : e.donated) e.donates = e.donates || d;
    e.program = compile_program(program, call.where, e.donated);
    e.queued = make_ref<dispatcher>(e.program, program, call.where.number(), e.donated);
    e.outputs = program->outvars.size();
  }
  /// Traces and compiles; an error is given to all who wait for this entry, and the entry is forgotten.
  JACQUARD_ONCE void fill(jit_entry_header& e, const jit_tracer& tracer) {
    try {
      const traced_call call = tracer.trace(tracer.call, e);
      e.where = location_of(call.program);
      if (!call.is_prepared) compile(e, call);
    } catch (...) {
      const scoped_lock lock(traced);
      e.failure = std::current_exception();
      for (std::size_t i = 0; i < entries.size(); ++i)
        if (entries[i].get() == &e) {
          entries.erase(entries.begin() + std::ptrdiff_t(i));
          break;
        }
      e.state.store(jit_state::failed, ordering::release);
      traced.notify_all();
      throw;
    }
    const scoped_lock lock(traced);
    e.state.store(jit_state::ready, ordering::release);
    traced.notify_all();
  }
};

/// One that is never destroyed: while the process exits, threads that run on and destructors of other globals may call the function.
union lasting_cache {
  jit_cache value;
  lasting_cache() : value() {}
  ~lasting_cache() {}
};

template <class F>
inline constexpr bool is_function_pointer = std::is_pointer_v<F> && std::is_function_v<std::remove_pointer_t<F>>;

/// Nodes that are found again, or added; none is removed. Takes no lock.
template <class Node>
class growing_list {
 public:
  /// The node that matches, or the one that `make` makes on the heap, whose `next` is set here.
  template <class Matches, class Make>
  Node& find_or_add(const Matches& matches, const Make& make) {
    Node* made = nullptr;
    for (Node* known = first_.load(ordering::acquire);;) {
      for (Node* n = known; n; n = n->next)
        if (matches(*n)) {
          delete made;
          return *n;
        }
      if (!made) made = make();
      made->next = known;
      if (first_.exchange_if(known, made)) return *made;
    }
  }

 private:
  atomic<Node*> first_{nullptr};  // "= nullptr" is no constant to nvcc 13
};

/// The caches of jitted functions without captures of one type, by what they are compiled for, and by address where they are pointers to functions: who
/// writes jit(f, backend("cpu")) where it is called compiles once.
class target_caches {
 public:
  ref<jit_cache> of(const target& where, void (*f)()) {
    return all_.find_or_add([&](const node& n) { return n.f == f && n.where == where; }, [&] { return new node{where, f, make_ref<jit_cache>(), nullptr}; }).cache;
  }

 private:
  struct node {
    target where;
    void (*f)();
    ref<jit_cache> cache;
    node* next;
  };
  growing_list<node> all_;
};
/// Those of the functions of type F with these options.
template <class F, class... O>
inline constinit target_caches caches_by_target{};

/// Adds the bytes of a member to a key; an empty one has none of its own.
template <class T>
void put_bytes(std::byte*& at, const T& x) {
  if constexpr (!std::is_empty_v<T>) std::memcpy(at, static_cast<const void*>(__builtin_addressof(x)), sizeof(T)), at += sizeof(T);
}
/// The caches of jitted functions whose constructor the compiler ran, such as those at namespace scope: it could make none, and the object may
/// lie in memory that cannot be written. Equal bytes of function and options are the same function, since constants point at nothing that
/// goes away. Made at the first call, and there for the destructors of other globals.
class constant_caches {
 public:
  jit_cache& of(view<const std::byte> key) {
    return all_.find_or_add([&](const node& n) { return std::equal(key.begin(), key.end(), n.key.begin(), n.key.end()); },
                            [&] { return new node{{key.begin(), key.end()}, {}, nullptr}; }).cache;
  }

 private:
  struct node {
    std::vector<std::byte> key;
    jit_cache cache;
    node* next;
  };
  growing_list<node> all_;
};
template <class F, class... O>
inline constinit constant_caches caches_of_constants{};
template <class F, class... O>
jit_cache& cache_of_constant(const F& f, const std::tuple<O...>& options) {
  std::array<std::byte, sizeof(F) + (sizeof(O) + ... + 0)> key{};
  std::byte* at = key.data();
  put_bytes(at, f);
  std::apply([&](const O&... o) { (put_bytes(at, o), ...); }, options);
  return caches_of_constants<F, O...>.of({key.data(), key.size()});
}

}  // namespace jacquard::detail
