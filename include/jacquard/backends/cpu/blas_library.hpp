#pragma once
// OpenBLAS, found when it is first needed and loaded with dlopen: no header of it and no link dependency. Here are its matrix products, as
// they are called, and the functions of LAPACK that it holds; product_tiles says which products go to it. It has no threads of its own, unless
// OPENBLAS_NUM_THREADS says otherwise or the program had loaded the library before. Deliberately no other BLAS by itself: the reference one is
// slower than our own loops, and skips zeros that meet a NaN. Set JACQUARD_BLAS to a file to use that one, or to "none".

#include <dlfcn.h>

#include <cstdlib>
#include <string_view>

#include "jacquard/backends/environment.hpp"

namespace jacquard::cpu {

namespace detail {

enum blas_order { row_major = 101 };
enum blas_transpose { as_it_is = 111, transposed = 112 };

template <class T>
using gemm = void (*)(blas_order, blas_transpose, blas_transpose, int, int, int, T, const T*, int, const T*, int, T, T*, int);
template <class T>
using gemv = void (*)(blas_order, blas_transpose, int, int, T, const T*, int, const T*, int, T, T*, int);

/// What OpenBLAS reads from the environment while it loads, where the user has not said it.
class load_hint {
 public:
  load_hint(const char* name, const char* value) : name_(name) {
    if (value && !std::getenv(name)) set_ = setenv(name, value, 0) == 0;
  }
  load_hint(const load_hint&) = delete;
  ~load_hint() {
    if (set_) unsetenv(name_);
  }

 private:
  const char* name_;
  bool set_ = false;
};

/// The kernels of OpenBLAS that suit this processor, by the name that OpenBLAS has for them; null where it finds them itself.
inline const char* best_blas_core() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return "SKYLAKEX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "HASWELL";
#endif
  return nullptr;
}

/// Whether these are for a processor on which OpenBLAS is the faster library for products of all sizes.
inline bool blas_leads() {
  const char* const best = best_blas_core();
  return best && std::string_view(best) == "HASWELL";
}

inline void* open_blas() {
  if (const char* file = std::getenv("JACQUARD_BLAS")) return jacquard::detail::named_library("JACQUARD_BLAS", file, "dgemm_", "BLAS");
  // A version takes processors that are newer than it is for the oldest ones: 0.3.21 computes with SSE3 on Sapphire Rapids, at a fifth of the speed.
  const load_hint core("OPENBLAS_CORETYPE", best_blas_core());
  // Its threads wait for each other by spinning: on a processor with other work a product took a hundred times as long with them.
  const load_hint threads("OPENBLAS_NUM_THREADS", "1");
  for (const char* file : {"libopenblas.so.0", "libopenblas.so"})
    if (void* library = dlopen(file, RTLD_LAZY | RTLD_LOCAL)) return library;
  return nullptr;
}

inline void* loaded_blas() {
  static void* const library = open_blas();
  return library;
}
/// A function of OpenBLAS, null where it was not found.
template <class F>
F blas_function(const char* name) {
  void* const library = loaded_blas();
  return library ? reinterpret_cast<F>(dlsym(library, name)) : nullptr;
}
/// Its matrix product; null where it was not found.
template <class T>
gemm<T> blas_gemm() {
  static const gemm<T> found = blas_function<gemm<T>>(sizeof(T) == 4 ? "cblas_sgemm" : "cblas_dgemm");
  return found;
}
/// Its product of a matrix and a vector; null where it was not found.
template <class T>
gemv<T> blas_gemv() {
  static const gemv<T> found = blas_function<gemv<T>>(sizeof(T) == 4 ? "cblas_sgemv" : "cblas_dgemv");
  return found;
}
/// How many threads the library itself uses, as far as it says.
inline int blas_threads() {
  static int (*const threads)() = blas_function<int (*)()>("openblas_get_num_threads");
  return threads ? threads() : 1;
}
/// Whether these kernels are for vectors of half the length that this processor has, or less.
constexpr bool is_behind(std::string_view kernels, std::string_view best) {
  if (best.empty()) return false;
  for (std::string_view old : {"Katmai", "Coppermine", "Northwood", "Prescott", "Banias", "Core2", "Penryn", "Dunnington", "Nehalem", "Atom", "Opteron",
                               "Opteron_SSE3", "Barcelona", "Bobcat"})
    if (kernels == old) return true;
  for (std::string_view wide : {"Sandybridge", "Haswell", "Zen", "Excavator", "Steamroller", "Piledriver", "Bulldozer"})
    if (kernels == wide) return best == "SKYLAKEX";
  return false;
}
/// Whether OpenBLAS computes with such kernels, as it does where the program had loaded it before.
inline bool blas_is_behind() {
  static const bool behind = [] {
    const auto name = blas_function<const char* (*)()>("openblas_get_corename");
    const char *const kernels = name ? name() : nullptr, *const best = best_blas_core();
    return kernels && best && is_behind(kernels, best);
  }();
  return behind;
}

}  // namespace detail

/// A function of OpenBLAS by its Fortran name; null where it was not found.
inline void* lapack_function(const char* name) { return reinterpret_cast<void*>(detail::blas_function<void (*)()>(name)); }

}  // namespace jacquard::cpu
