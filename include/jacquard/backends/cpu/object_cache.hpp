#pragma once
// Machine code kept in files, so that a program starts without compiling what it compiled before. One file for each module, named by a
// hash of everything the code depends on; what a file holds is checked before it is used. Off unless a directory is given: by
// jq::cpu::set_cache_directory or the environment's JACQUARD_CACHE_DIR. Deliberately never deletes files of others.

#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "jacquard/backends/forks.hpp"
#include "jacquard/backends/mutex.hpp"
#include "jacquard/backends/whole_file.hpp"

namespace jacquard::cpu {

/// Files of machine code in one directory. Any number of threads and processes may use it at once: a file appears whole or not at all.
class object_cache {
 public:
  /// Never destroyed: threads that run on while the process exits may make code.
  static object_cache& get() {
    static object_cache* const c = new object_cache;
    return *c;
  }
  void set_directory(std::string_view path) {
    const jacquard::detail::scoped_lock lock(mutex_);
    directory_ = std::string(path);
    while (directory_.size() > 1 && directory_.back() == '/') directory_.pop_back();
    told_ = false;
  }
  std::string directory() const {
    const jacquard::detail::scoped_lock lock(mutex_);
    return directory_;
  }

  /// What files hold, which is how their names end: code, or what the library that makes it says.
  static constexpr const char *code = ".jqo", *library = ".jql";

  /// What is kept for `key`, or nothing: none is, or the file is damaged, cut off or of another key.
  std::string find(const std::string& key, const char* kind = code) const {
    const std::string path = file_of(key, kind);
    if (path.empty()) return {};
    std::string all;
    if (!jacquard::detail::read_whole_file(path.c_str(), all, most_bytes)) return {};
    const std::string head = head_of(key);
    if (all.size() < head.size() + 32 || std::string_view(all).substr(0, head.size()) != head) return {};
    std::string content = all.substr(head.size() + 32);
    if (std::string_view(all).substr(head.size(), 32) != jacquard::detail::digest(content)) return {};
    return content;
  }
  /// Keeps what belongs to `key`. A directory that cannot be written to is no error: it is then made again next time. The first time is told of on stderr.
  void keep(const std::string& key, std::string_view content, const char* kind = code) const {
    const std::string path = file_of(key, kind);
    if (path.empty()) return;
    make_directories(directory());
    if (!jacquard::detail::write_whole_file(path, head_of(key) + jacquard::detail::digest(content) + std::string(content))) tell();
  }

 private:
  static void make_directories(const std::string& path) {
    for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
      mkdir(path.substr(0, end).c_str(), 0777);  // where there is one, or none can be made, the file tells
      if (end == std::string::npos) return;
    }
  }
  void tell() const {
    const jacquard::detail::scoped_lock lock(mutex_);
    if (!told_) std::fprintf(stderr, "jacquard: cannot write to '%s', where machine code was to be kept\n", directory_.c_str());
    told_ = true;
  }
  static constexpr off_t most_bytes = off_t(1) << 30;
  object_cache() {
    jacquard::detail::forks::hold(mutex_);
    if (const char* given = std::getenv("JACQUARD_CACHE_DIR")) set_directory(given);
  }
  std::string file_of(const std::string& key, const char* kind) const {
    const std::string d = directory();
    return d.empty() ? d : d + "/" + jacquard::detail::digest(key) + kind;
  }
  /// Names the format, then the key in full: two keys of one digest are told apart.
  static std::string head_of(const std::string& key) { return "jacquard object 1\n" + std::to_string(key.size()) + "\n" + key; }

  mutable jacquard::detail::recursive_mutex mutex_;
  std::string directory_;
  mutable bool told_ = false;  ///< that it cannot be written to
};

/// Keeps machine code in files of that directory from now on, which is made if there is none; "" stops it. Whoever can write there can
/// run code in this process.
inline void set_cache_directory(std::string_view path) { object_cache::get().set_directory(path); }

}  // namespace jacquard::cpu
