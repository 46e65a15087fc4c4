#pragma once
// Parameters of primitives. A primitive declares an aggregate `params` with a list of its field names; here such an
// aggregate is encoded into a pool of words (and references to functions and sub-jaxprs) and decoded again, so that an
// equation is trivially copyable once frozen. Deliberately no type erasure: decoding needs the type.

#include <bit>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "jacquard/core/aval.hpp"
#include "jacquard/core/function_ref.hpp"
#include "jacquard/core/list.hpp"
#include "jacquard/core/members.hpp"
#include "jacquard/core/small_vector.hpp"
#include "jacquard/core/word_hash.hpp"

namespace jacquard {

struct jaxpr;

/// A shared, immutable jaxpr held as a parameter (the body of a call or loop).
class jaxpr_ref {
 public:
  constexpr jaxpr_ref() = default;
  constexpr explicit jaxpr_ref(jaxpr body);
  constexpr jaxpr_ref(const jaxpr_ref& other) : node_(other.node_) { retain(); }
  constexpr jaxpr_ref(jaxpr_ref&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  constexpr jaxpr_ref& operator=(jaxpr_ref other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  constexpr ~jaxpr_ref() {
    if (!node_) return;
    if (__builtin_is_constant_evaluated()) {
      if (--node_->references == 0) delete node_;
    } else if (__atomic_sub_fetch(&node_->references, 1, __ATOMIC_ACQ_REL) == 0) delete node_;
  }
  constexpr const jaxpr& operator*() const;
  constexpr const jaxpr* operator->() const;
  constexpr explicit operator bool() const { return node_ != nullptr; }
  /// Identity, not structure: two references to one traced body are equal.
  friend constexpr bool operator==(const jaxpr_ref& a, const jaxpr_ref& b) { return a.node_ == b.node_; }
  /// Whether the type checker has found nothing, and need not look again: what encloses a program is checked many times. Run time only.
  bool is_checked() const { return __atomic_load_n(&node_->is_checked, __ATOMIC_RELAXED); }
  void set_checked() const { __atomic_store_n(&node_->is_checked, true, __ATOMIC_RELAXED); }

 private:
  struct shared {
    int references = 1;
    bool is_checked = false;
    constexpr virtual ~shared() {}
  };
  struct holder;  // adds the jaxpr
  constexpr void retain() const {
    if (!node_) return;
    if (__builtin_is_constant_evaluated()) ++node_->references;
    else __atomic_fetch_add(&node_->references, 1, __ATOMIC_RELAXED);
  }
  shared* node_ = nullptr;
};

/// A name of at most 31 characters, such as a mapped axis. Of a longer one 22 characters stay, and a number made of all, so that those that begin
/// alike are not taken for one.
struct name_text {
  static constexpr std::size_t most = 31;
  char chars[most + 1]{};
  constexpr name_text() = default;
  constexpr name_text(std::string_view s) {
    for (std::size_t i = 0; i < s.size() && i < most; ++i) chars[i] = s[i];
    if (s.size() <= most) return;
    std::uint64_t h = detail::hash_of_words(s);
    chars[most - 9] = '~';
    for (std::size_t i = most - 8; i < most; ++i, h >>= 4) chars[i] = "0123456789abcdef"[h & 15];
  }
  constexpr name_text(const char* s) : name_text(std::string_view(s)) {}
  constexpr std::string_view view() const { return std::string_view(chars); }
  constexpr bool operator==(const name_text&) const = default;
};

/// The encoded parameters of one equation.
struct param_pack {
  small_vector<std::uint64_t, 12> words;
  list<jaxpr_ref> subs;
  list<function_ref> functions;
};

/// A view of encoded parameters, wherever they are stored.
struct param_view {
  const std::uint64_t* words = nullptr;
  std::uint32_t count = 0;
  const jaxpr_ref* subs = nullptr;
  std::uint32_t sub_count = 0;
  const function_ref* functions = nullptr;
  std::uint32_t function_count = 0;

  constexpr param_view() = default;
  constexpr param_view(const param_pack& p)
      : words(p.words.data()), count(std::uint32_t(p.words.size())), subs(p.subs.data()),
        sub_count(std::uint32_t(p.subs.size())), functions(p.functions.data()),
        function_count(std::uint32_t(p.functions.size())) {}
  constexpr param_pack pack() const {
    param_pack p;
    p.words.append(words, words + count);
    p.subs.append(subs, subs + sub_count);
    p.functions.append(functions, functions + function_count);
    return p;
  }
  friend constexpr bool operator==(const param_view& a, const param_view& b) {
    if (a.count != b.count || a.sub_count != b.sub_count || a.function_count != b.function_count) return false;
    for (std::uint32_t i = 0; i < a.count; ++i)
      if (a.words[i] != b.words[i]) return false;
    for (std::uint32_t i = 0; i < a.sub_count; ++i)
      if (!(a.subs[i] == b.subs[i])) return false;
    for (std::uint32_t i = 0; i < a.function_count; ++i)
      if (!(a.functions[i] == b.functions[i])) return false;
    return true;
  }
};

/// Parameters of a primitive that has none.
struct no_params {
  static constexpr std::string_view fields = "";
  constexpr bool operator==(const no_params&) const = default;
};

namespace detail {
template <class P>
struct params_type {
  using type = no_params;
};
template <class P>
  requires requires { typename P::params; }
struct params_type<P> {
  using type = typename P::params;
};
}  // namespace detail

/// P::params, or no_params.
template <class P>
using params_of = typename detail::params_type<P>::type;

namespace detail {

/// Added to the length of a list that was given more than max_rank entries, so that shape checks still see it.
inline constexpr int too_long = 256;

class param_writer {
 public:
  constexpr explicit param_writer(param_pack& out) : out_(out) {}
  template <std::integral T>
  constexpr void put(T v) {
    out_.words.push_back(std::uint64_t(v));
  }
  template <class T>
    requires std::is_enum_v<T>
  constexpr void put(T v) {
    out_.words.push_back(std::uint64_t(v));
  }
  constexpr void put(double v) { out_.words.push_back(std::bit_cast<std::uint64_t>(v)); }
  constexpr void put(const int_list& v) {
    put(v.size() + (v.overflowed() ? too_long : 0));
    for (std::int64_t x : v) put(x);
  }
  constexpr void put(const std::vector<std::int64_t>& v) {
    put(v.size());
    for (std::int64_t x : v) put(x);
  }
  constexpr void put(const name_text& v) {
    for (int w = 0; w < 4; ++w) {
      std::uint64_t word = 0;
      for (int i = 0; i < 8; ++i) word |= std::uint64_t(std::uint8_t(v.chars[8 * w + i])) << (8 * i);
      put(word);
    }
  }
  constexpr void put(const aval& v) {
    put(v.type);
    put(v.weak);
    put(v.dims);
  }
  template <class T>
  constexpr void put(const list<T>& v) {
    put_elements(v);
  }
  template <class T>
  constexpr void put(const std::vector<T>& v) {
    put_elements(v);
  }
  constexpr void put(const jaxpr_ref& v) { out_.subs.push_back(v); }
  constexpr void put(const function_ref& v) { out_.functions.push_back(v); }

 private:
  constexpr void put_elements(const auto& v) {
    put(v.size());
    for (const auto& x : v) put(x);
  }

  param_pack& out_;
};

class param_reader {
 public:
  constexpr explicit param_reader(const param_view& in) : in_(in) {}
  template <std::integral T>
  constexpr void get(T& v) {
    v = T(next());
  }
  template <class T>
    requires std::is_enum_v<T>
  constexpr void get(T& v) {
    v = T(next());
  }
  constexpr void get(double& v) { v = std::bit_cast<double>(next()); }
  constexpr void get(int_list& v) {
    const int n = int(next());
    v = {};
    if (n >= too_long) v.mark_overflowed();
    for (int i = 0; i < n % too_long; ++i) v.push_back(std::int64_t(next()));
  }
  constexpr void get(std::vector<std::int64_t>& v) {
    v.resize(next(), {});
    for (std::int64_t& x : v) x = std::int64_t(next());
  }
  constexpr void get(name_text& v) {
    for (int w = 0; w < 4; ++w) {
      const std::uint64_t word = next();
      for (int i = 0; i < 8; ++i) v.chars[8 * w + i] = char(word >> (8 * i));
    }
  }
  constexpr void get(aval& v) {
    get(v.type);
    get(v.weak);
    get(static_cast<int_list&>(v.dims));
  }
  template <class T>
  constexpr void get(list<T>& v) {
    get_elements(v);
  }
  template <class T>
  constexpr void get(std::vector<T>& v) {
    get_elements(v);
  }
  constexpr void get(jaxpr_ref& v) { v = in_.subs[sub_++]; }
  /// Lists and functions where they are stored; not in constant evaluation.
  void get(view<const std::int64_t>& v) {
    const std::size_t n = next();
    v = {reinterpret_cast<const std::int64_t*>(in_.words + at_), n};
    at_ += std::uint32_t(n);
  }
  void get(const function_ref*& v) { v = in_.functions + function_++; }
  constexpr void get(function_ref& v) { v = in_.functions[function_++]; }

 private:
  constexpr void get_elements(auto& v) {
    v.resize(next());
    for (auto& x : v) get(x);
  }
  constexpr std::uint64_t next() { return in_.words[at_++]; }
  const param_view& in_;
  std::uint32_t at_ = 0, sub_ = 0, function_ = 0;
};

}  // namespace detail

/// Encodes a params aggregate, field by field in declaration order.
template <class Params>
constexpr param_pack encode(const Params& p) {
  param_pack out;
  detail::param_writer w(out);
  if constexpr (!std::is_empty_v<Params>) for_each_member(p, [&](const auto& field) { w.put(field); });
  return out;
}

/// The inverse of encode.
template <class Params>
constexpr Params decode(const param_view& in) {
  Params p;  // each field is set below; to clear them first would be stores of bytes that the next load of a word waits for
  detail::param_reader r(in);
  if constexpr (!std::is_empty_v<Params>) for_each_member(p, [&](auto& field) { r.get(field); });
  return p;
}

}  // namespace jacquard
