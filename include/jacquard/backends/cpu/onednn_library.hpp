#pragma once
// oneDNN (Debian: libdnnl2), found when it is first needed and loaded with dlopen: no header of it and no link dependency. Here are its
// matrix products of f32; backends/cpu/onednn_convolution has its convolutions. It runs on the thread that calls it alone: work is shared by
// thread_pool, in pieces that depend on sizes only, so that results do not depend on the number of threads. Deliberately not where it would
// bring threads that cannot be told to stay away (a build with TBB). Set JACQUARD_ONEDNN to a file to use that one, or to "none".

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <initializer_list>

#include "jacquard/backends/environment.hpp"

namespace jacquard::cpu::detail {

/// What dnnl_version tells, as far as it is the same in versions 2 and 3.
struct onednn_version {
  int major, minor, patch;
  const char* hash;
  unsigned cpu_runtime;
};
enum : unsigned { onednn_sequential = 1, onednn_openmp = 2 };

/// The library and what is needed of it everywhere.
struct onednn_library {
  using gemm = int (*)(char, char, std::int64_t, std::int64_t, std::int64_t, float, const float*, std::int64_t, const float*, std::int64_t, float,
                       float*, std::int64_t);
  void* handle = nullptr;
  const onednn_version* version = nullptr;
  gemm sgemm = nullptr;
  int (*threads)() = nullptr;         ///< of OpenMP: how many the next parallel region of this thread has
  void (*set_threads)(int) = nullptr;

  template <class F>
  void find(F& function, const char* name) const {
    function = reinterpret_cast<F>(dlsym(handle, name));
  }
};

inline void* open_onednn() {
  if (const char* file = std::getenv("JACQUARD_ONEDNN")) return jacquard::detail::named_library("JACQUARD_ONEDNN", file, "dnnl_version", "oneDNN");
  for (const char* file : {"libdnnl.so.3", "libdnnl.so.2"})
    if (void* library = dlopen(file, RTLD_LAZY | RTLD_LOCAL)) return library;
  return nullptr;
}
/// The library; everything in it is null where there is none that fits.
inline const onednn_library& onednn() {
  static const onednn_library found = [] {
    onednn_library r{open_onednn()};
    if (!r.handle) return onednn_library();
    const onednn_version* (*version)() = nullptr;
    r.find(version, "dnnl_version");
    if (!version) return onednn_library();
    r.version = version();
    if (r.version->cpu_runtime == onednn_openmp) {
      r.find(r.threads, "omp_get_max_threads");
      r.find(r.set_threads, "omp_set_num_threads");
    }
    const bool stays_alone = r.version->cpu_runtime == onednn_sequential || (r.threads && r.set_threads);
    if (!stays_alone) return onednn_library();
    r.find(r.sgemm, "dnnl_sgemm");
    return r;
  }();
  return found;
}

/// Keeps oneDNN on this thread until the scope ends. Threads of OpenMP wait for each other by spinning, which takes a hundred times as long
/// where a processor has other work. The number is this thread's own: what other threads of the program do with OpenMP stays as it is.
class onednn_scope {
 public:
  onednn_scope() {
    const onednn_library& l = onednn();
    if (!l.set_threads) return;
    before_ = l.threads();
    if (before_ != 1) l.set_threads(1);
  }
  onednn_scope(const onednn_scope&) = delete;
  ~onednn_scope() {
    if (before_ > 1) onednn().set_threads(before_);
  }

 private:
  int before_ = 1;
};

}  // namespace jacquard::cpu::detail
