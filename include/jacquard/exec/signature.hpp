#pragma once
// The signature of a call: tree structure, dtype, weakness and shape of every leaf, as a list of words. Two calls with
// equal signatures (and equal static arguments) run the same compiled program. Also the types of a call as people read them.

#include "jacquard/core/tree.hpp"

namespace jacquard::detail {

class signature {
 public:
  template <class... A>
  static signature of(view<const array> leaves, const A&... trees) {
    signature s;
    (structure_words(trees, [&](std::uint64_t w) { s.words_.push_back(w); }), ...);
    for (const array& x : leaves) s.add(x.aval());
    return s;
  }
  friend bool operator==(const signature& a, const signature& b) { return a.words_ == b.words_; }
  std::uint64_t hash() const {
    std::uint64_t h = 0x9E3779B97F4A7C15ull;
    for (std::uint64_t w : words_) h = (h ^ w) * 0xFF51AFD7ED558CCDull, h ^= h >> 32;
    return h;
  }

 private:
  void add(const aval& a) {
    words_.push_back(std::uint64_t(a.type) | std::uint64_t(a.weak) << 8 | std::uint64_t(a.rank()) << 16);
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
