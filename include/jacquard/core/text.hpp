// text.hpp: `text`, a growable buffer of chars, and `cat`, which writes its arguments one after another. It
// exists because std::string cannot be used in constant evaluation with every compiler we build with, and
// every message, jaxpr and array of the library must print there too. It deliberately does no formatting: no
// widths, no bases, no floating point (float_text.hpp has that), no character sets.
#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "jacquard/core/list.hpp"

namespace jacquard {

class text {
  list<char> chars_;

 public:
  constexpr text() = default;
  constexpr text(std::string_view s) { *this << s; }
  constexpr text(const char* s) : text(std::string_view(s)) {}

  // A std::string is made as std::string(t): its own constructor takes whatever converts to a string_view. A
  // conversion operator to it would make that very expression ambiguous.
  constexpr std::string_view view() const { return {chars_.data(), chars_.size()}; }
  constexpr operator std::string_view() const { return view(); }

  constexpr std::size_t size() const { return chars_.size(); }
  constexpr bool empty() const { return chars_.empty(); }
  constexpr char back() const { return chars_.back(); }
  constexpr char operator[](std::size_t i) const { return chars_[i]; }
  constexpr void reserve(std::size_t n) { chars_.reserve(n); }
  constexpr void clear() { chars_.clear(); }
  constexpr text& drop_back(std::size_t n = 1) {
    for (; n > 0; --n) chars_.pop_back();
    return *this;
  }

  constexpr text& append(std::size_t n, char c) {
    for (char *to = chars_.extend(n), *end = to + n; to != end; ++to) *to = c;
    return *this;
  }

  // `s` must not be a view of this very text, which may move while it grows.
  constexpr text& operator<<(std::string_view s) {
    char* to = chars_.extend(s.size());
    for (char c : s) *to++ = c;
    return *this;
  }
  constexpr text& operator<<(const char* s) { return *this << std::string_view(s); }
  constexpr text& operator<<(const text& t) {
    if (&t == this) return *this << text(t).view();
    return *this << t.view();
  }

  // Templates, so that neither a pointer turns into a bool nor an int into a char.
  template <std::same_as<char> C>
  constexpr text& operator<<(C c) {
    chars_.push_back(c);
    return *this;
  }
  template <std::same_as<bool> B>
  constexpr text& operator<<(B b) {
    return *this << (b ? std::string_view("true") : std::string_view("false"));
  }
  template <std::integral I>
    requires(!std::same_as<I, bool> && !std::same_as<I, char>)
  constexpr text& operator<<(I value) {
    using magnitude = std::make_unsigned_t<I>;
    char digits[sizeof(I) * 3 + 1] = {};
    std::size_t first = sizeof(digits);
    auto rest = static_cast<magnitude>(value);
    bool negative = false;
    if constexpr (std::is_signed_v<I>) negative = value < 0;
    if (negative) rest = static_cast<magnitude>(magnitude{} - rest);
    do {
      digits[--first] = static_cast<char>('0' + static_cast<int>(rest % 10));
      rest = static_cast<magnitude>(rest / 10);
    } while (rest != 0);
    if (negative) digits[--first] = '-';
    return *this << std::string_view(digits + first, sizeof(digits) - first);
  }

  friend constexpr bool operator==(const text& a, const text& b) { return a.view() == b.view(); }
  friend constexpr bool operator==(const text& a, std::string_view b) { return a.view() == b; }
  friend constexpr bool operator==(const text& a, const char* b) { return a.view() == std::string_view(b); }
};

namespace detail {
// One overload resolution per type instead of one per part of each message.
constexpr void put_part(text& out, const char* s) { out << std::string_view(s); }
template <class T>
constexpr void put_part(text& out, const T& x) {
  out << x;
}
}  // namespace detail

template <class... A>
constexpr text cat(const A&... a) {
  text out;
  (detail::put_part(out, a), ...);
  return out;
}

}  // namespace jacquard
