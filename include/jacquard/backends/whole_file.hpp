#pragma once
// Files that are read and written whole, and a digest that tells whether one is as it was written. Straight on POSIX. A written file
// appears whole or not at all, whoever else reads or writes it. Deliberately not a cryptographic digest: it finds damage, not malice.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace jacquard::detail {

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

/// What a regular file of fewer than `most` bytes holds. False, with errno set or zero, where there is none that can be read.
inline bool read_whole_file(const char* path, std::string& content, off_t most) {
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe that nobody writes to is not waited for
  if (file < 0) return false;
  struct stat s {};
  bool whole = fstat(file, &s) == 0 && S_ISREG(s.st_mode) && s.st_size < most;
  if (whole) {
    content.resize(std::size_t(s.st_size));
    std::size_t got = 0;
    for (ssize_t n = 1; got < content.size() && n > 0; got += n > 0 ? std::size_t(n) : 0) n = read(file, content.data() + got, content.size() - got);
    whole = got == content.size();
  }
  close(file);
  return whole;
}

/// A new file beside `path`, of the mode that the process gives to new files: mkostemp would make it one for the user alone. -1, with errno set,
/// where there is none; else `name` is its own.
inline int new_file_beside(const std::string& path, std::string& name) {
  static unsigned made = 0;
  for (int attempt = 0; attempt < 100; ++attempt) {
    const unsigned number = __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
    name = path + "." + std::to_string(getpid()) + "-" + std::to_string(number);
    const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}
/// Puts a file in the place of what is there, and of its mode. False, with errno set, where that is not possible.
inline bool write_whole_file(const std::string& path, std::string_view content) {
  std::string temporary;
  const int file = new_file_beside(path, temporary);
  if (file < 0) return false;
  std::size_t put = 0;
  for (ssize_t n = 1; put < content.size() && n > 0; put += n > 0 ? std::size_t(n) : 0) n = write(file, content.data() + put, content.size() - put);
  struct stat there {};
  const bool alike = stat(path.c_str(), &there) != 0 || fchmod(file, there.st_mode & 0777) == 0, closed = close(file) == 0;
  const bool whole = alike && closed && put == content.size() && std::rename(temporary.c_str(), path.c_str()) == 0;
  if (!whole) unlink(temporary.c_str());
  return whole;
}

/// The same for a path that a person chose: follows links, and false where there is no file but a device or a pipe.
inline bool replace_whole_file(std::string path, std::string_view content) {
  if (char* const target = realpath(path.c_str(), nullptr)) {
    path = target;
    std::free(target);
  }
  struct stat there {};
  if (stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) return errno = S_ISDIR(there.st_mode) ? EISDIR : ENOTSUP, false;
  return write_whole_file(path, content);
}

}  // namespace jacquard::detail
