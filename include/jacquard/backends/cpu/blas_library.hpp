#pragma once
// OpenBLAS, found when it is first needed and loaded with dlopen: no header of it and no link dependency. Its matrix products, large ones in
// tiles that the threads of thread_pool share (the tiles depend on the sizes alone, so results do not depend on the number of threads), and
// the functions of LAPACK that it holds. Deliberately no other BLAS by itself: the reference one is slower than our own loops, and skips
// zeros that meet a NaN. Set
// JACQUARD_BLAS to a file to use that one, or to "none".

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "jacquard/backends/thread_pool.hpp"
#include "jacquard/prims/product_library.hpp"

namespace jacquard::cpu {

namespace detail {

enum blas_order { row_major = 101 };
enum blas_transpose { as_it_is = 111, transposed = 112 };

template <class T>
using gemm = void (*)(blas_order, blas_transpose, blas_transpose, int, int, int, T, const T*, int, const T*, int, T, T*, int);
template <class T>
inline gemm<T> gemm_of = nullptr;

/// A product in tiles: panels of rows, of wide ones halves or quarters. Four panels cost one thread at most six hundredths more than the whole.
template <class T>
class tiled_product {
 public:
  tiled_product(const jacquard::detail::product_sizes& s, const jacquard::detail::dense_factor<T>& x, const jacquard::detail::dense_factor<T>& y, T* out)
      : s_(s), x_(x), y_(y), out_(out), rows_(s.rows), columns_(s.columns) {
    if (nanoseconds() < smallest) return;
    rows_ = tile_of(s.rows, 128);
    columns_ = tile_of(s.columns, 512);
  }
  std::int64_t tiles() const { return down() * across(); }
  double nanoseconds() const { return double(s_.rows) * double(s_.columns) * double(s_.depth) * (sizeof(T) == 4 ? 0.02 : 0.04); }
  void run(std::int64_t tile) const {
    const std::int64_t i = tile / across() * rows_, j = tile % across() * columns_;
    gemm_of<T>(row_major, x_.transposed ? transposed : as_it_is, y_.transposed ? transposed : as_it_is, int(least(rows_, s_.rows - i)),
               int(least(columns_, s_.columns - j)), int(s_.depth), T(1), x_.data + i * (x_.transposed ? 1 : x_.leading), int(x_.leading),
               y_.data + j * (y_.transposed ? y_.leading : 1), int(y_.leading), T(0), out_ + i * s_.columns + j, int(s_.columns));
  }

 private:
  static constexpr double smallest = 150000;
  static std::int64_t least(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
  /// A quarter in whole blocks of 64, but not less than `least_tile`.
  static std::int64_t tile_of(std::int64_t n, std::int64_t least_tile) {
    const std::int64_t quarter = (n + 255) / 256 * 64;
    return quarter < least_tile ? least_tile : quarter;
  }
  std::int64_t down() const { return (s_.rows + rows_ - 1) / rows_; }
  std::int64_t across() const { return (s_.columns + columns_ - 1) / columns_; }

  jacquard::detail::product_sizes s_;
  jacquard::detail::dense_factor<T> x_, y_;
  T* out_;
  std::int64_t rows_, columns_;  ///< of a tile
};

/// How many threads the library itself uses; null where it cannot say.
inline int (*own_threads)() = nullptr;

inline void share(void (*run)(void* context, std::int64_t begin, std::int64_t end), void* context, std::int64_t units, double nanoseconds_each) {
  jacquard::detail::thread_pool::get().run(run, context, units, nanoseconds_each);
}

template <class T>
void multiply(const jacquard::detail::product_sizes& s, const jacquard::detail::dense_factor<T>& x, const jacquard::detail::dense_factor<T>& y, T* out) {
  tiled_product<T> p(s, x, y, out);
  const auto run = [](void* product, std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end; ++t) static_cast<const tiled_product<T>*>(product)->run(t);
  };
  if (p.tiles() == 1 || (own_threads && own_threads() > 1)) return run(&p, 0, p.tiles());
  share(run, &p, p.tiles(), p.nanoseconds() / double(p.tiles()));
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

/// The products of OpenBLAS, none where it was not found, and threads to share work with. It has no threads of its own, unless OPENBLAS_NUM_THREADS says otherwise or the
/// program had loaded the library before.
inline const jacquard::detail::product_library* blas_library() {
  static const jacquard::detail::product_library found = [] {
    jacquard::detail::product_library r;
    r.share = &detail::share;
    void* const library = detail::loaded_blas();
    if (!library) return r;
    detail::gemm_of<float> = reinterpret_cast<detail::gemm<float>>(dlsym(library, "cblas_sgemm"));
    detail::gemm_of<double> = reinterpret_cast<detail::gemm<double>>(dlsym(library, "cblas_dgemm"));
    detail::own_threads = reinterpret_cast<int (*)()>(dlsym(library, "openblas_get_num_threads"));
    if (detail::gemm_of<float>) r.f32 = &detail::multiply<float>;
    if (detail::gemm_of<double>) r.f64 = &detail::multiply<double>;
    return r;
  }();
  return &found;
}

}  // namespace jacquard::cpu
