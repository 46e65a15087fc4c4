#pragma once
// What rules have made of bodies while the outermost of them runs. A rule of a loop or a branch may transform its body several times: until no
// further carried value gets a tangent, or once to see which results do. Each time it meets the same bodies within that one, so that without a
// memory time would double with every level of nesting. Deliberately forgets all when the outermost rule ends, and remembers nothing in constant
// evaluation, which has no state.

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/core/jaxpr.hpp"
#include "jacquard/core/ref.hpp"
#include "jacquard/core/word_hash.hpp"

namespace jacquard::detail {

/// What such work depends on: its name, bodies by identity, and words.
class body_key {
 public:
  explicit body_key(std::string_view work) : work_(work) {}
  void add(const jaxpr_ref& body) {
    add(std::uint64_t(reinterpret_cast<std::uintptr_t>(&*body)));
    bodies_.push_back(body);  // kept, so that no other one gets its address
  }
  void add(const primitive* op) { add(std::uint64_t(reinterpret_cast<std::uintptr_t>(op))); }
  void add(std::uint64_t word) { words_.push_back(word); }
  void add(std::int64_t word) { words_.push_back(std::uint64_t(word)); }
  void add(const aval& a) {
    add(std::uint64_t(a.type) * 2 + a.weak);
    add(std::int64_t(a.rank()));
    for (int d = 0; d < a.rank(); ++d) add(a.dims[d]);
  }
  void add(const name_text& name) {
    for (char c : name.view()) add(std::uint64_t(c));
    add(std::uint64_t(0));
  }
  /// By what they are: what ends before the outermost rule does may be followed by others at its address.
  void add(const axis_binding* axes) {
    for (; axes; axes = axes->outer) add(axes->size), add(axes->name);
    add(std::int64_t(-1));
  }
  template <class List>
  void add(const List& all) {
    add(std::uint64_t(all.size()));
    for (const auto& each : all) {
      if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(each)>>) add(std::int64_t(each));
      else add(each);
    }
  }
  std::size_t hash() const { return std::size_t(hash_with(hash_of_words(words_), work_.size())); }
  bool operator==(const body_key& o) const { return work_ == o.work_ && words_ == o.words_; }

 private:
  std::string_view work_;
  std::vector<std::uint64_t> words_;
  list<jaxpr_ref> bodies_;
};

/// Results by key, in a hash table with open addressing.
class body_memo {
 public:
  jacquard::counted* find(const body_key& key) const {
    if (slots_.empty()) return nullptr;
    const std::uint32_t n = slots_[slot_of(key)];
    return n ? entries_[n - 1].value.get() : nullptr;
  }
  JACQUARD_ONCE void add(body_key key, ref<jacquard::counted> value) {
    if (slots_.size() < 2 * (entries_.size() + 1)) grow();
    const std::size_t slot = slot_of(key);
    if (slots_[slot]) return;  // the same work, begun again within itself
    entries_.push_back({std::move(key), std::move(value)});
    slots_[slot] = std::uint32_t(entries_.size());
  }

 private:
  struct entry {
    body_key key;
    ref<jacquard::counted> value;
  };
  std::size_t slot_of(const body_key& key) const {
    std::size_t slot = key.hash() & (slots_.size() - 1);
    while (slots_[slot] && !(entries_[slots_[slot] - 1].key == key)) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }
  void grow() {
    slots_.assign(slots_.empty() ? 16 : slots_.size() * 2, 0);
    for (std::size_t n = 0; n < entries_.size(); ++n) slots_[slot_of(entries_[n].key)] = std::uint32_t(n + 1);
  }

  std::vector<entry> entries_;
  std::vector<std::uint32_t> slots_;  ///< numbers of entries, counted from 1
};

/// That of the outermost rule which runs on this thread.
inline constinit thread_local body_memo* current_memo = nullptr;

template <class Value>
struct remembered_value final : jacquard::counted {
  Value value;
  explicit remembered_value(Value v) : value(std::move(v)) {}
};
template <class Value, class Make>
Value remembered_here(const body_key& key, Make& make) {
  if (jacquard::counted* known = current_memo->find(key)) return static_cast<remembered_value<Value>*>(known)->value;
  Value made = make();
  current_memo->add(key, make_ref<remembered_value<Value>>(made));
  return made;
}

/// What make() returns, made once for each `work` and its parts, on all of which it depends alone. One name of work stands for one type.
template <class Make, class... Parts>
constexpr auto remembered(std::string_view work, Make&& make, const Parts&... parts) {
  using value = std::remove_cvref_t<decltype(make())>;
  if (__builtin_is_constant_evaluated()) return value(make());
  return [&]() -> value {
    body_key key(work);
    (key.add(parts), ...);
    if (current_memo) return remembered_here<value>(key, make);
    struct outermost {
      body_memo memo;
      outermost() { current_memo = &memo; }
      ~outermost() { current_memo = nullptr; }
    } const here;
    return remembered_here<value>(key, make);
  }();
}

}  // namespace jacquard::detail
