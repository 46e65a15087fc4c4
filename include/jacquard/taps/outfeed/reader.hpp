#pragma once
// Finding messages of taps in a stream of bytes that may be truncated, corrupt or hostile: a bad message is reported once, and
// reading goes on at the next place where a good one begins. Deliberately without exceptions, and without memory for what
// has not arrived.

#include <cstring>

#include "jacquard/taps/outfeed/protocol.hpp"

namespace jacquard::wire {

/// One message, or what was found instead of one.
struct message {
  description head;
  std::vector<unsigned char> payload;
  std::uint64_t offset = 0;   ///< where it begins in the stream
  std::string problem;        ///< why it is none; empty for a good message

  /// Array `i`, copied.
  array value(std::size_t i) const {
    std::size_t at = 0;
    for (std::size_t k = 0; k < i; ++k) at += std::size_t(head.arrays[k].bytes());
    array r(make_buffer(head.arrays[i]));
    const std::size_t n = std::size_t(head.arrays[i].bytes());
    if (n != 0) std::memcpy(r.as_buffer()->data, payload.data() + at, n);
    if (head.arrays[i].type == bool_)  // any other byte than 0 and 1 would be no bool
      for (std::size_t k = 0; k < n; ++k) {
        auto& byte = static_cast<unsigned char*>(r.as_buffer()->data)[k];
        byte = byte != 0;
      }
    return r;
  }
};

/// Reads messages from `Source`, anything with `std::size_t read(void* to, std::size_t most)` that returns 0 at the end.
template <class Source>
class stream_reader {
 public:
  explicit stream_reader(Source& source, limits bounds = {}) : source_(source), limits_(bounds) {}

  /// The next message, or the next problem; false at the end of the stream.
  /// Complexity: linear in the bytes of the stream, but for broken messages whose payload has to be searched again.
  bool next(message& m) {
    m = message{};
    while (true) {
      if (!want(4 * header_words)) return leftover(m);
      if (try_message(m)) {
        lost_ = false;
        return true;
      }
      if (!m.problem.empty() && !lost_) {
        lost_ = true;  // report once, then look for the next good one
        m.offset = offset_;
        drop(1);
        return true;
      }
      m.problem.clear();
      drop(1);
      skip_to_magic();
    }
  }

 private:
  std::size_t held() const { return bytes_.size() - at_; }
  /// Whether `n` bytes are there, read in pieces: what a header claims is not believed before it has come.
  bool want(std::size_t n) {
    while (held() < n) {
      if (ended_) return false;
      if (at_ > (std::size_t(1) << 16) && at_ > bytes_.size() / 2) {
        bytes_.erase(bytes_.begin(), bytes_.begin() + std::ptrdiff_t(at_));
        at_ = 0;
      }
      const std::size_t old = bytes_.size(), piece = std::min(std::max(n - held(), std::size_t(4096)), std::size_t(1) << 20);
      bytes_.resize(old + piece);
      const std::size_t got = source_.read(bytes_.data() + old, piece);
      bytes_.resize(old + got);
      if (got == 0) ended_ = true;
    }
    return true;
  }
  void drop(std::size_t n) {
    at_ += n;
    offset_ += n;
  }
  std::uint32_t word(std::size_t i) const {
    std::uint32_t w = 0;
    std::memcpy(&w, bytes_.data() + at_ + 4 * i, 4);
    return w;
  }
  bool try_message(message& m) {
    std::vector<std::uint32_t> words(header_words);
    for (std::size_t i = 0; i < header_words; ++i) words[i] = word(i);
    const std::size_t count = header_size(words.data(), limits_, m.problem);
    if (count == 0) return false;
    if (!want(4 * count)) return truncated(m, "its header");
    for (std::size_t i = header_words; i < count; ++i) words.push_back(word(i));
    std::optional<description> d = decode_header(words.data(), limits_, m.problem);
    if (!d) return false;
    const std::size_t payload = d->payload_bytes();
    if (!want(4 * count + payload)) return truncated(m, "its arrays");
    m.head = std::move(*d);
    m.offset = offset_;
    drop(4 * count);
    m.payload.assign(bytes_.begin() + std::ptrdiff_t(at_), bytes_.begin() + std::ptrdiff_t(at_ + payload));
    drop(payload);
    return true;
  }
  static bool truncated(message& m, const char* what) {
    m.problem = std::string("Read a truncated outfeed message: the stream ends within ") + what;
    return false;
  }
  /// To the next byte that may begin a message.
  void skip_to_magic() {
    while (held() >= 4 || want(4)) {
      const std::uint32_t w = word(0);
      if (w == version_1 || w == version_2) return;
      drop(1);
    }
  }
  bool leftover(message& m) {
    if (held() == 0) return false;
    const bool report = !lost_;
    lost_ = false;
    m.offset = offset_;
    m.problem = "Read a truncated outfeed message: the stream ends within its header";
    drop(held());
    return report;
  }

  Source& source_;
  limits limits_;
  std::vector<unsigned char> bytes_;
  std::size_t at_ = 0;
  std::uint64_t offset_ = 0;
  bool ended_ = false;
  bool lost_ = false;
};

/// A stream in memory.
class memory_source {
 public:
  memory_source(const void* data, std::size_t size) : data_(static_cast<const unsigned char*>(data)), left_(size) {}
  std::size_t read(void* to, std::size_t most) {
    const std::size_t n = std::min(most, left_);
    if (n != 0) std::memcpy(to, data_, n);
    data_ += n;
    left_ -= n;
    return n;
  }

 private:
  const unsigned char* data_;
  std::size_t left_;
};

}  // namespace jacquard::wire
