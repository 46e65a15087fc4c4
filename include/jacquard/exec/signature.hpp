#pragma once
// The signature of a call: tree structure, dtype, weakness and shape of every leaf, as a list of words. Two calls with
// equal signatures (and equal static arguments) run the same compiled program. Also the types of a call as people read them.

#include "jacquard/core/block_cache.hpp"
#include "jacquard/core/tree.hpp"
#include "jacquard/core/word_hash.hpp"

namespace jacquard::detail {

/// Handles of arrays that others own for as long, without a share in the ownership: counting it would take a warm call longer than
/// all else it does. More than `few` of them lie in a block that the thread keeps.
class borrowed_arrays {
 public:
  static constexpr std::size_t few = 16;

  borrowed_arrays() = default;
  borrowed_arrays(const borrowed_arrays&) = delete;
  constexpr ~borrowed_arrays() {
    if (capacity_ != few) [[unlikely]] give_back();
  }
  void push_back(const array& x) {
    if (size_ == capacity_) [[unlikely]] grow();
    copy_three_words(at_ + size_ * sizeof(array), &x);  // bytes, which no destructor will look at
    ++size_;
  }
  /// These and no others; not more than `few`.
  template <class... Arrays>
  void hold(const Arrays&... x) {
    static_assert(sizeof...(x) <= few);
    unsigned char* at = bytes_;
    ((copy_three_words(at, &x), at += sizeof(array)), ...);
    size_ = sizeof...(x);
  }
  operator view<const array>() const { return {reinterpret_cast<const array*>(at_), size_}; }

 private:
  [[gnu::noinline, gnu::cold]] void grow() {
    void* const bigger = take_block(4 * capacity_ * sizeof(array));
    if (!bigger) throw std::bad_alloc();
    std::memcpy(bigger, at_, size_ * sizeof(array));
    if (capacity_ != few) give_back();
    at_ = static_cast<unsigned char*>(bigger), capacity_ *= 4;
  }
  void give_back() { give_block(at_, capacity_ * sizeof(array)); }

  alignas(array) unsigned char bytes_[few * sizeof(array)];
  unsigned char* at_ = bytes_;
  std::size_t size_ = 0, capacity_ = few;
};

class signature {
 public:
  template <class... A>
  static signature of(view<const array> leaves, const A&... trees) {
    signature s;
    (structure_words(trees, [&](std::uint64_t w) { s.words_.push_back(w); }), ...);
    for (const array& x : leaves) s.add(x.aval());
    return s;
  }
  /// Whether this is the signature of a call with these trees, all of whose leaves are jq::arrays; puts them into `leaves`. False also
  /// where a leaf is not a value, was deleted, is pending, or is borrowed from outside the library.
  template <class... A>
  bool is_of(borrowed_arrays& leaves, const A&... trees) const {
    const std::uint64_t *at = words_.data(), *const end = at + words_.size();
    if constexpr ((std::is_same_v<A, array> && ...) && sizeof...(A) <= borrowed_arrays::few) {  // trees of one leaf have no structure
      leaves.hold(trees...);
      return are_types_of(leaves, at, end);
    }
    bool same = true;
    (structure_words(trees, [&](std::uint64_t w) { same = same && at != end && *at++ == w; }), ...);
    if (!same) return false;
    (for_each_leaf(trees, [&](const array& x) { leaves.push_back(x); }), ...);
    return are_types_of(leaves, at, end);
  }
  friend bool operator==(const signature& a, const signature& b) { return a.words_ == b.words_; }
  std::uint64_t hash() const { return hash_of_words(words_); }

 private:
  /// Whether these words are the types of all leaves, which are values that are there. Apart from the trees: one loop for all of them.
  static bool are_types_of(view<const array> leaves, const std::uint64_t* at, const std::uint64_t* end) {
    for (const array& x : leaves) {
      if (at == end) return false;
      if (x.kind() == array_kind::buffer) {
        const buffer& b = *x.as_buffer();
        if (b.borrowed || !b.is_ready() || *at++ != head(b.type)) return false;
        for (std::int64_t d : b.type.dims)  // as many as there are words: equal heads have equal ranks
          if (std::uint64_t(d) != *at++) return false;
      } else if (x.kind() != array_kind::literal || *at++ != head(x.aval())) return false;
    }
    return at == end;
  }
  /// dtype, weakness and rank, the first two read at once.
  static std::uint64_t head(const aval& a) {
    static_assert(sizeof a.type == 1 && sizeof a.weak == 1 && offsetof(aval, type) == 0 && offsetof(aval, weak) == 1);
    std::uint16_t type_and_weak = 0;
    std::memcpy(&type_and_weak, &a, sizeof type_and_weak);
    return type_and_weak | std::uint64_t(a.rank()) << 16;
  }
  void add(const aval& a) {
    words_.push_back(head(a));
    for (std::int64_t d : a.dims) words_.push_back(std::uint64_t(d));
  }
  small_vector<std::uint64_t, 16> words_;
};

/// "f32[2], i32[]"; "nothing" for no types.
inline const aval& type_in(const aval& a) { return a; }
inline aval type_in(const array& x) { return x.is_none() ? aval() : x.aval(); }
template <class Values>
void put_types(text& out, const Values& values) {
  bool first = true;
  for (const auto& x : values) out << (std::exchange(first, false) ? "" : ", ") << type_in(x);
  if (first) out << "nothing";
}

}  // namespace jacquard::detail
