#pragma once
// The callback of a tap: the user's function with its keywords, the structure of its argument and the contexts it was called with.
// Deliberately without channels and threads: static code is tapped in programs that have neither.

#include "jacquard/taps/failures.hpp"
#include "jacquard/taps/sink.hpp"

namespace jacquard {
namespace detail {

/// Numbers of tapped functions.
inline std::uint64_t next_consumer() {
  static constinit std::uint64_t last = 0;
  return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

/// The contexts that a tap was called with, made once each: calls with known transforms and device allocate nothing. Entries
/// are added by whoever is first, and stay; what comes after the first few is not kept, and logical shapes, which differ from run
/// to run, never are.
class context_cache {
 public:
  context_cache() = default;
  context_cache(const context_cache&) = delete;
  context_cache& operator=(const context_cache&) = delete;
  ~context_cache() {
    while (first_) delete std::exchange(first_, first_->next);
  }
  /// The kept context of a record, or null.
  const tap_context* find(const tap_record& record, std::size_t tapped) const {
    if (record.has_shapes) return nullptr;
    for (const entry* e = __atomic_load_n(&first_, __ATOMIC_ACQUIRE); e; e = e->next)
      if (e->tapped == tapped && e->context.device == record.device && e->codes.size() == record.transforms.size() &&
          std::equal(e->codes.begin(), e->codes.end(), record.transforms.begin()))
        return &e->context;
    return nullptr;
  }
  /// The context of a record that is not kept: from now on it is, or it is `fresh`.
  const tap_context& make(const tap_record& record, std::size_t tapped, const list<keyword>& kwargs, tap_context& fresh) {
    fresh = {kwargs, decode_transforms(record.transforms, tapped), record.device};
    entry* newest = __atomic_load_n(&first_, __ATOMIC_ACQUIRE);
    if (record.has_shapes || (newest && newest->number >= most)) return fresh;
    auto* mine = new entry{tapped, {record.transforms.begin(), record.transforms.end()}, fresh, newest, 0};
    do mine->number = mine->next ? mine->next->number + 1 : 1;
    while (!__atomic_compare_exchange_n(&first_, &mine->next, mine, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    return mine->context;
  }

 private:
  static constexpr int most = 32;
  struct entry {
    std::size_t tapped;
    std::vector<std::int64_t> codes;
    tap_context context;
    entry* next;
    int number;
  };
  entry* first_ = nullptr;
};

inline void show_to_sink(tap_sink& sink, std::uint64_t consumer, const tap_context& c, view<const array> values) {
  run_recording_failures([&] { sink.write({consumer, c, values}); });
}

/// The state behind a tap: the user's function, its keywords and the structure of its argument.
template <class F, class Tree>
struct tap_state : function_state {
  F f;
  list<keyword> kwargs;
  Tree prototype;
  std::uint64_t consumer = next_consumer();
  context_cache contexts;

  tap_state(F fn, list<keyword> k, Tree p) : f(std::move(fn)), kwargs(std::move(k)), prototype(std::move(p)) {
    destroy = [](function_state* s) { delete static_cast<tap_state*>(s); };
  }
  static void run(function_state* s, view<const array> values, const tap_record& record) {
    auto& self = *static_cast<tap_state*>(s);
    if constexpr (!takes_context)
      if (!record.sink) return self.call(values);
    if (const tap_context* kept = self.contexts.find(record, values.size())) return self.show(values, record, *kept);
    tap_context fresh;
    self.show(values, record, self.contexts.make(record, values.size(), self.kwargs, fresh));
  }

 private:
  static constexpr bool takes_context = std::is_invocable_v<F&, const Tree&, const tap_context&>;

  void show(view<const array> values, const tap_record& record, const tap_context& c) {
    if (record.sink) show_to_sink(*record.sink, consumer, c, values);
    if constexpr (takes_context) call(values, c);
    else call(values);
  }
  template <class... Context>
  void call(view<const array> values, const Context&... c) {
    if constexpr (std::is_same_v<Tree, array>) f(values[0], c...);
    else {
      const Tree arg = rebuild<Tree>(prototype, values);
      f(arg, c...);
    }
  }
};

/// Calls a tapped function where the program runs.
inline void deliver_directly(const function_ref& tap, view<const array> values, const tap_record& record) {
  if (!probing) run_recording_failures([&] { reinterpret_cast<tap_thunk>(tap.get())(tap.state(), values, record); });
}
/// Who makes a tap; a type of this namespace, so that what taps/receivers.hpp declares is found where it is included.
template <class F>
struct tap_maker {};
/// Has taps delivered by the channels of taps/receivers.hpp, or directly in a program without them.
template <class F>
void connect_taps(tap_maker<F> maker) {
  tap_delivery_function nothing = nullptr;
  if constexpr (requires { connect_channels(maker); }) connect_channels(maker);
  else __atomic_compare_exchange_n(&deliver_tap, &nothing, &deliver_directly, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/// A tap's reference: thunk and state.
template <class F, class Tree>
function_ref make_tap(F f, list<keyword> kwargs, Tree prototype) {
  connect_taps(tap_maker<F>{});
  auto* s = new tap_state<F, Tree>(std::move(f), std::move(kwargs), std::move(prototype));
  return function_ref(reinterpret_cast<function_ref::thunk>(&tap_state<F, Tree>::run), s);
}

/// A tree of the same structure without values.
template <class T>
constexpr rebind_t<T> empty_like(const T& tree) {
  const std::vector<array> none(leaf_count(tree));
  return rebuild<rebind_t<T>>(tree, none);
}

}  // namespace detail
}  // namespace jacquard
