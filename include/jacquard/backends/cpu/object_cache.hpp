#pragma once
// Machine code kept in files, so that a program starts without compiling what it compiled before. One file for each module, named by a
// hash of everything the code depends on; what a file holds is checked before it is used. Off unless a directory is given: by
// jq::cpu::set_cache_directory or the environment's JACQUARD_CACHE_DIR. Deliberately never deletes files of others.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "jacquard/backends/mutex.hpp"

namespace jacquard::cpu {

namespace detail {

/// 128 bits of a text, as 32 digits: two FNV-1a hashes (Fowler, Noll and Vo) of different bases, each mixed at the end.
inline std::string digest(std::string_view text) {
  std::uint64_t h[2] = {0xCBF29CE484222325ull, 0x84222325CBF29CE4ull};
  for (char c : text)
    for (std::uint64_t& x : h) x = (x ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
  std::string r;
  for (std::uint64_t x : h) {
    x = (x ^ x >> 33) * 0xFF51AFD7ED558CCDull;
    x = (x ^ x >> 33) * 0xC4CEB9FE1A85EC53ull ^ text.size();
    for (int i = 0; i < 16; ++i) r += "0123456789abcdef"[x >> (60 - 4 * i) & 15];
  }
  return r;
}

}  // namespace detail

/// Files of machine code in one directory. Any number of threads and processes may use it at once: a file appears whole or not at all.
class object_cache {
 public:
  static object_cache& get() {
    static object_cache c;
    return c;
  }
  void set_directory(std::string_view path) {
    const jacquard::detail::scoped_lock lock(mutex_);
    directory_ = std::string(path);
    while (directory_.size() > 1 && directory_.back() == '/') directory_.pop_back();
  }
  std::string directory() const {
    const jacquard::detail::scoped_lock lock(mutex_);
    return directory_;
  }

  /// The code kept for `key`, or nothing: none is kept, or the file is damaged, cut off or of another key.
  std::string find(const std::string& key) const {
    const std::string path = file_of(key);
    if (path.empty()) return {};
    std::string all;
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return {};
    struct stat s {};
    if (fstat(file, &s) == 0 && S_ISREG(s.st_mode) && s.st_size < most_bytes) {
      all.resize(std::size_t(s.st_size));
      std::size_t got = 0;
      for (ssize_t n = 1; got < all.size() && n > 0; got += n > 0 ? std::size_t(n) : 0) n = read(file, all.data() + got, all.size() - got);
      all.resize(got);
    }
    close(file);
    const std::string head = head_of(key);
    if (all.size() < head.size() + 32 || std::string_view(all).substr(0, head.size()) != head) return {};
    std::string code = all.substr(head.size() + 32);
    if (std::string_view(all).substr(head.size(), 32) != detail::digest(code)) return {};
    return code;
  }
  /// Keeps the code of `key`. A directory that cannot be written to is no error: the code is then made again next time.
  void keep(const std::string& key, std::string_view code) const {
    const std::string path = file_of(key);
    if (path.empty()) return;
    mkdir(directory().c_str(), 0777);
    std::string temporary = path + ".XXXXXX";
    const int file = mkostemp(temporary.data(), O_CLOEXEC);
    if (file < 0) return;
    const std::string all = head_of(key) + detail::digest(code) + std::string(code);
    std::size_t put = 0;
    for (ssize_t n = 1; put < all.size() && n > 0; put += n > 0 ? std::size_t(n) : 0) n = write(file, all.data() + put, all.size() - put);
    const bool whole = fchmod(file, 0644) == 0 && close(file) == 0 && put == all.size();
    if (!whole || std::rename(temporary.c_str(), path.c_str()) != 0) unlink(temporary.c_str());
  }

 private:
  static constexpr off_t most_bytes = off_t(1) << 30;
  object_cache() {
    if (const char* given = std::getenv("JACQUARD_CACHE_DIR")) set_directory(given);
  }
  std::string file_of(const std::string& key) const {
    const std::string d = directory();
    return d.empty() ? d : d + "/" + detail::digest(key) + ".jqo";
  }
  /// Names the format, then the key in full: two keys of one digest are told apart.
  static std::string head_of(const std::string& key) { return "jacquard object 1\n" + std::to_string(key.size()) + "\n" + key; }

  mutable jacquard::detail::mutex mutex_;
  std::string directory_;
};

/// Keeps machine code in files of that directory from now on, which is made if there is none; "" stops it. Whoever can write there can
/// run code in this process.
inline void set_cache_directory(std::string_view path) { object_cache::get().set_directory(path); }

}  // namespace jacquard::cpu
