#pragma once
// OpenBLAS, found when it is first needed and loaded with dlopen: no header of it and no link dependency. Its matrix products, and the
// functions of LAPACK that it holds. Deliberately no other BLAS by itself: the reference one is slower than our own loops, and skips zeros that meet a NaN. Set
// JACQUARD_BLAS to a file to use that one, or to "none".

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "jacquard/prims/product_library.hpp"

namespace jacquard::cpu {

namespace detail {

enum blas_order { row_major = 101 };
enum blas_transpose { as_it_is = 111, transposed = 112 };

template <class T>
using gemm = void (*)(blas_order, blas_transpose, blas_transpose, int, int, int, T, const T*, int, const T*, int, T, T*, int);
template <class T>
inline gemm<T> gemm_of = nullptr;

template <class T>
void multiply(const jacquard::detail::product_sizes& s, const jacquard::detail::dense_factor<T>& x, const jacquard::detail::dense_factor<T>& y, T* out) {
  gemm_of<T>(row_major, x.transposed ? transposed : as_it_is, y.transposed ? transposed : as_it_is, int(s.rows), int(s.columns), int(s.depth), T(1),
             x.data, int(x.leading), y.data, int(y.leading), T(0), out, int(s.columns));
}

/// What OpenBLAS reads from the environment while it loads, where the user has not said it.
class load_hint {
 public:
  load_hint(const char* name, const char* value, bool apply) : name_(name) {
    if (apply && !std::getenv(name)) set_ = setenv(name, value, 0) == 0;
  }
  load_hint(const load_hint&) = delete;
  ~load_hint() {
    if (set_) unsetenv(name_);
  }

 private:
  const char* name_;
  bool set_ = false;
};
inline bool has_wide_vectors() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
#else
  return false;
#endif
}

inline void* open_blas() {
  if (const char* file = std::getenv("JACQUARD_BLAS")) return std::strcmp(file, "none") == 0 ? nullptr : dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  // Versions before 0.3.22 take processors that they do not know for Haswell.
  const load_hint core("OPENBLAS_CORETYPE", "SKYLAKEX", has_wide_vectors());
  // Its threads wait for each other by spinning: on a processor with other work a product took a hundred times as long with them.
  const load_hint threads("OPENBLAS_NUM_THREADS", "1", true);
  for (const char* file : {"libopenblas.so.0", "libopenblas.so"})
    if (void* library = dlopen(file, RTLD_LAZY | RTLD_LOCAL)) return library;
  return nullptr;
}

inline void* loaded_blas() {
  static void* const library = open_blas();
  return library;
}

}  // namespace detail

/// A function of OpenBLAS by its Fortran name; null where it was not found.
inline void* lapack_function(const char* name) {
  void* const library = detail::loaded_blas();
  return library ? dlsym(library, name) : nullptr;
}

/// The products of OpenBLAS; null where it was not found. One thread, unless OPENBLAS_NUM_THREADS says otherwise or the program
/// had loaded the library before.
inline const jacquard::detail::product_library* blas_library() {
  static const jacquard::detail::product_library found = [] {
    jacquard::detail::product_library r;
    void* const library = detail::loaded_blas();
    if (!library) return r;
    detail::gemm_of<float> = reinterpret_cast<detail::gemm<float>>(dlsym(library, "cblas_sgemm"));
    detail::gemm_of<double> = reinterpret_cast<detail::gemm<double>>(dlsym(library, "cblas_dgemm"));
    if (detail::gemm_of<float>) r.f32 = &detail::multiply<float>;
    if (detail::gemm_of<double>) r.f64 = &detail::multiply<double>;
    return r;
  }();
  return found.f32 || found.f64 ? &found : nullptr;
}

}  // namespace jacquard::cpu
