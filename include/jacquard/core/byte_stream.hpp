#pragma once
// Numbers and texts as bytes that mean the same on every machine: what files of programs are made of. A number takes as many bytes as it
// needs, seven bits in each. Reading never goes beyond the end: it fails there, and gives zeros from then on. Deliberately without
// meaning, and without a checksum.

#include <cstdint>
#include <string>
#include <string_view>

namespace jacquard::detail {

class byte_writer {
 public:
  std::string bytes;

  void number(std::uint64_t n) {
    for (; n > 0x7F; n >>= 7) bytes += char(n | 0x80);
    bytes += char(n);
  }
  /// Small where the number is near zero.
  void integer(std::int64_t n) { number(std::uint64_t(n) << 1 ^ std::uint64_t(n >> 63)); }
  /// The length, then the characters.
  void string(std::string_view s) {
    number(s.size());
    bytes += s;
  }
};

class byte_reader {
 public:
  explicit byte_reader(std::string_view bytes) : rest_(bytes) {}

  bool failed() const { return failed_; }
  /// Bytes that are left: more things than that cannot follow.
  std::size_t left() const { return rest_.size(); }
  std::uint64_t number() {
    std::uint64_t n = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) return fail(), 0;
      const auto byte = static_cast<unsigned char>(rest_[0]);
      rest_.remove_prefix(1);
      n |= std::uint64_t(byte & 0x7F) << shift;
      if (byte < 0x80) return n;
    }
    return fail(), 0;
  }
  std::int64_t integer() {
    const std::uint64_t n = number();
    return std::int64_t(n >> 1 ^ (0 - (n & 1)));
  }
  /// A number below `limit`.
  std::uint64_t number_below(std::uint64_t limit) {
    const std::uint64_t n = number();
    if (n < limit) return n;
    return fail(), 0;
  }
  /// How many things follow, of at least a byte each.
  std::size_t count() { return std::size_t(number_below(left() + 1)); }
  std::string_view string() { return characters(count()); }
  std::string_view characters(std::size_t n) {
    if (n > rest_.size()) return fail(), std::string_view();
    const std::string_view r = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return r;
  }
  void fail() {
    failed_ = true;
    rest_ = {};
  }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace jacquard::detail
