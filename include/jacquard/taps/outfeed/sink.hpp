#pragma once
// outfeed_sink: writes every tap that an outfeed_receiver gets to a file, a pipe or a Unix socket, in the wire format of
// protocol.hpp; jq-taps reads it. Deliberately one system call per message, so that a reader sees each as it comes.

#include <csignal>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "jacquard/taps/outfeed/protocol.hpp"
#include "jacquard/taps/receivers.hpp"

namespace jacquard {

/// The version of the wire format that a sink writes: 2 unless said otherwise.
struct wire_version {
  std::uint32_t value;
  /// Errors: value_error for others than 1 and 2.
  explicit wire_version(int n) : value(n == 1 ? wire::version_1 : wire::version_2) {
    if (n != 1 && n != 2) raise(error_kind::value, "wire_version: got ", n, ", wanted 1 or 2");
  }
};
/// The largest metadata that a sink writes, in bytes (64 KiB unless said otherwise).
struct metadata_limit {
  std::size_t bytes;
  explicit metadata_limit(std::size_t n) : bytes(n) {}
};

namespace detail {

/// Keeps SIGPIPE from ending the process while this thread writes to a pipe whose reader is gone.
class pipe_signal_guard {
 public:
  pipe_signal_guard() {
    sigset_t pending;
    sigpending(&pending);
    had_one_ = sigismember(&pending, SIGPIPE) != 0;
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~pipe_signal_guard() {
    const timespec at_once{0, 0};
    if (!had_one_)
      while (sigtimedwait(&pipe_, nullptr, &at_once) == -1 && errno == EINTR) {}
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_, before_;
  bool had_one_;
};

inline std::string system_text(std::string_view what, std::string_view path) {
  return "outfeed_sink: cannot " + std::string(what) + " '" + std::string(path) + "': " + std::strerror(errno);
}

/// Opens a file or pipe for writing, or connects to a Unix socket.
inline int open_for_writing(const std::string& path) {
  struct stat about;
  const bool named_socket = path.rfind("unix:", 0) == 0;
  const std::string file = named_socket ? path.substr(5) : path;
  if (!named_socket && !(stat(file.c_str(), &about) == 0 && S_ISSOCK(about.st_mode))) {
    const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) raise(error_kind::value, std::string_view(system_text("open", file)), "; pass the path of a file, pipe or socket that can be written");
    return fd;
  }
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (file.size() >= sizeof address.sun_path) raise(error_kind::value, "outfeed_sink: the path of the socket is too long: '", std::string_view(file), "'");
  std::memcpy(address.sun_path, file.data(), file.size());
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    const std::string problem = system_text("connect to", file);
    if (fd >= 0) close(fd);
    raise(error_kind::value, std::string_view(problem), "; start the reader first (jq-taps follow unix:", std::string_view(file), ")");
  }
  return fd;
}

}  // namespace detail

/// Writes taps to a stream; an option of outfeed_receiver, which it must outlive.
/// Errors of write: tap_error when the stream is disconnected or full, once; later messages are counted and dropped.
class outfeed_sink final : public tap_sink {
 public:
  /// Creates or empties the file, opens the pipe, or connects to the Unix socket ("unix:path", or the path of one).
  /// Options: wire_version, metadata_limit. Errors: value_error if that fails.
  template <class... O>
  explicit outfeed_sink(const std::string& path, O... options) : outfeed_sink(detail::open_for_writing(path), options...) {}
  /// Takes over an open descriptor.
  template <class... O>
  explicit outfeed_sink(int descriptor, O... options) : fd_(descriptor) {
    (take(options), ...);
  }
  outfeed_sink(const outfeed_sink&) = delete;
  outfeed_sink& operator=(const outfeed_sink&) = delete;
  ~outfeed_sink() override { finish(); }

  void write(const tap_message& m) override {
    wire::description d;
    d.version = version_;
    d.consumer = m.consumer;
    std::vector<array> values(m.values.begin(), m.values.end());
    for (const array& x : values) d.arrays.push_back(x.aval());
    if (version_ == wire::version_2) {
      d.kwargs = m.context.kwargs;
      d.transforms = m.context.transforms;
      d.device = to_string(m.context.device);
      timespec t;
      clock_gettime(CLOCK_REALTIME, &t);
      d.time = double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
    }
    send(wire::encode_header(d, limits_), values);
  }
  /// Ends the stream and closes it. Errors: tap_error if messages were lost.
  void close() {
    const std::size_t lost = finish();
    if (lost != 0) raise(error_kind::tap, "outfeed_sink: ", lost, " message(s) were lost after the stream was disconnected: ", std::string_view(problem_));
  }

 private:
  void take(const wire_version& v) { version_ = v.value; }
  void take(const metadata_limit& l) { limits_.metadata = l.bytes; }

  void send(const std::vector<std::uint32_t>& header, std::vector<array>& values) {
    std::vector<iovec> parts;
    parts.push_back({const_cast<std::uint32_t*>(header.data()), 4 * header.size()});
    for (array& x : values)
      visit_dtype(x.dtype(), [&]<class T>(std::type_identity<T>) {
        const auto e = x.data<T>();
        if (!e.empty()) parts.push_back({const_cast<T*>(e.data()), e.size_bytes()});
      });
    const detail::scoped_lock lock(mutex_);
    if (fd_ < 0) {
      ++lost_;
      return;
    }
    if (write_all(parts)) return;
    problem_ = detail::system_text("write to", "the stream");
    ++lost_;
    ::close(std::exchange(fd_, -1));
    raise(error_kind::tap, std::string_view(problem_), "; later messages are dropped");
  }
  bool write_all(std::vector<iovec>& parts) {
    const detail::pipe_signal_guard guard;
    for (std::size_t i = 0; i < parts.size();) {
      const ssize_t n = writev(fd_, &parts[i], int(std::min(parts.size() - i, std::size_t(64))));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return false;
      for (std::size_t done = std::size_t(n); done != 0;) {
        const std::size_t step = std::min(done, parts[i].iov_len);
        parts[i].iov_base = static_cast<char*>(parts[i].iov_base) + step;
        parts[i].iov_len -= step;
        done -= step;
        if (parts[i].iov_len == 0) ++i;
      }
      while (i < parts.size() && parts[i].iov_len == 0) ++i;
    }
    return true;
  }
  /// Writes the end and closes; how many messages were lost.
  std::size_t finish() {
    const detail::scoped_lock lock(mutex_);
    if (fd_ >= 0) {
      wire::description end;
      end.version = version_;
      const std::vector<std::uint32_t> header = wire::encode_header(end);
      std::vector<iovec> parts{{const_cast<std::uint32_t*>(header.data()), 4 * header.size()}};
      if (!write_all(parts)) problem_ = detail::system_text("write to", "the stream"), ++lost_;
      ::close(std::exchange(fd_, -1));
    }
    return std::exchange(lost_, 0);
  }

  detail::mutex mutex_;
  int fd_;
  std::uint32_t version_ = wire::version_2;
  wire::limits limits_;
  std::size_t lost_ = 0;
  std::string problem_;
};

}  // namespace jacquard
