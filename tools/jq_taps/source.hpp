#pragma once
// Where jq-taps reads from: a file, a pipe, standard input or a Unix socket; for `follow`, a file that still grows.

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace jq_taps {

[[noreturn]] inline void fail(const std::string& what, const std::string& path) {
  throw std::runtime_error("cannot " + what + " '" + path + "': " + std::strerror(errno));
}

/// A descriptor to read from. `wait` makes the end of a regular file a pause.
class descriptor_source {
 public:
  descriptor_source(const std::string& path, bool wait) {
    if (path == "-") fd_ = dup(0);
    else if (path.rfind("unix:", 0) == 0) fd_ = accept_one(path.substr(5));
    else fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd_ < 0) fail("open", path);
    struct stat about;
    wait_ = wait && fstat(fd_, &about) == 0 && S_ISREG(about.st_mode);
  }
  descriptor_source(const descriptor_source&) = delete;
  descriptor_source& operator=(const descriptor_source&) = delete;
  ~descriptor_source() { close(fd_); }

  std::size_t read(void* to, std::size_t most) {
    while (true) {
      const ssize_t n = ::read(fd_, to, most);
      if (n > 0) return std::size_t(n);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 || !wait_) return 0;
      usleep(50000);
    }
  }

 private:
  /// Listens at `path` and takes the first connection.
  static int accept_one(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) throw std::runtime_error("the path of the socket is too long: '" + path + "'");
    std::memcpy(address.sun_path, path.data(), path.size());
    struct stat about;
    if (stat(path.c_str(), &about) == 0 && S_ISSOCK(about.st_mode)) unlink(path.c_str());  // left by an earlier run
    const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || listen(listener, 1) != 0)
      fail("listen at", path);
    const int fd = accept(listener, nullptr, nullptr);
    close(listener);
    unlink(path.c_str());
    return fd;
  }
  int fd_ = -1;
  bool wait_ = false;
};

}  // namespace jq_taps
