#pragma once
// FFTW 3, found when it is first needed and loaded with dlopen: no header of it and no link dependency. Plans are made under a lock, once
// per kind and size, and kept. Deliberately quick plans by default (FFTW_ESTIMATE): set JACQUARD_FFTW_PLAN to "measure" or "patient" for
// ones that are found by timing. FFTW is under the GPL, and so is a program that is given to others together with it; it is loaded only
// where it is installed. Set JACQUARD_FFTW to "none" to do without, or to a directory to load it from there.
// FFTW's planner is for one thread at a time: a program that plans by itself does so before it runs Jacquard, or takes no part of FFTW here.

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "jacquard/backends/environment.hpp"
#include "jacquard/backends/forks.hpp"
#include "jacquard/backends/mutex.hpp"
#include "jacquard/core/list.hpp"
#include "jacquard/prims/transform_library.hpp"

namespace jacquard::cpu {

namespace detail {

using jacquard::detail::transform_sizes;

/// The functions of one precision.
struct fftw_functions {
  using many_complex = void* (*)(int, const int*, int, void*, const int*, int, int, void*, const int*, int, int, int, unsigned);
  using many_real = void* (*)(int, const int*, int, void*, const int*, int, int, void*, const int*, int, int, unsigned);
  many_complex plan_complex = nullptr;
  many_real plan_to_half = nullptr, plan_from_half = nullptr;
  void (*run)(void* plan, void* in, void* out) = nullptr;
  void (*run_to_half)(void* plan, void* in, void* out) = nullptr;
  void (*run_from_half)(void* plan, void* in, void* out) = nullptr;
  void* (*allocate)(std::size_t) = nullptr;
  void (*release)(void*) = nullptr;
  int (*alignment)(void*) = nullptr;

  bool complete() const { return plan_complex && plan_to_half && plan_from_half && run && run_to_half && run_from_half && allocate && release && alignment; }
};
inline fftw_functions load_fftw(bool single) {
  fftw_functions f;
  const char* const place = std::getenv("JACQUARD_FFTW");
  if (place && std::strcmp(place, "none") == 0) return f;
  void* library = nullptr;
  const char* const names[2][2] = {{"libfftw3.so.3", "libfftw3.so"}, {"libfftw3f.so.3", "libfftw3f.so"}};
  for (const char* name : names[single])
    if (!library) library = dlopen(place ? (std::string(place) + "/" + name).c_str() : name, RTLD_LAZY | RTLD_LOCAL);
  if (!library && place) std::fprintf(stderr, "jacquard: JACQUARD_FFTW names '%s', a place without %s: done without\n", place, names[single][0]);
  if (!library) return f;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, (std::string(single ? "fftwf_" : "fftw_") + name).c_str()));
  };
  find(f.plan_complex, "plan_many_dft");
  find(f.plan_to_half, "plan_many_dft_r2c");
  find(f.plan_from_half, "plan_many_dft_c2r");
  find(f.run, "execute_dft");
  find(f.run_to_half, "execute_dft_r2c");
  find(f.run_from_half, "execute_dft_c2r");
  find(f.allocate, "malloc");
  find(f.release, "free");
  find(f.alignment, "alignment_of");
  return f;
}
inline const fftw_functions& fftw_of(bool single) {
  static const fftw_functions narrow = load_fftw(true), wide = load_fftw(false);
  return single ? narrow : wide;
}

/// FFTW's numbers.
enum : unsigned { fftw_measure = 0, fftw_destroy_input = 1, fftw_unaligned = 2, fftw_preserve_input = 16, fftw_patient = 32, fftw_estimate = 64 };
inline unsigned fftw_effort() {
  return jacquard::detail::environment_choice<unsigned>("JACQUARD_FFTW_PLAN", fftw_estimate,
                                                        {{"estimate", fftw_estimate}, {"measure", fftw_measure}, {"patient", fftw_patient}});
}

struct kept_plan {
  transform_sizes sizes;
  bool aligned = false;
  void* plan = nullptr;
};
struct plan_cache {
  jacquard::detail::recursive_mutex lock;
  list<kept_plan> plans;
  plan_cache() { jacquard::detail::forks::hold(lock); }
};
inline plan_cache& fftw_plans() {
  static plan_cache* const cache = new plan_cache;  // never destroyed, as threads may transform while the process exits
  return *cache;
}

/// Numbers of elements on both sides, all transforms together; of their type, real or complex.
struct side_sizes {
  std::size_t in, out;
  explicit side_sizes(const transform_sizes& s) {
    const std::size_t number = s.single ? 8 : 16, full = std::size_t(jacquard::shape(s.lengths).elements()) * std::size_t(s.count);
    const std::size_t last = std::size_t(s.lengths.back()), half = full / last * (last / 2 + 1);
    in = s.type == fft_type::rfft ? full * number / 2 : s.type == fft_type::irfft ? half * number : full * number;
    out = s.type == fft_type::irfft ? full * number / 2 : s.type == fft_type::rfft ? half * number : full * number;
  }
};

/// A new plan; `in` and `out` are written unless it is an estimate.
inline void* make_plan(const fftw_functions& f, const transform_sizes& s, void* in, void* out, unsigned flags) {
  int n[3] = {}, rank = s.lengths.size(), full = 1, half = 1;
  for (int d = 0; d < rank; ++d) {
    n[d] = int(s.lengths[d]);
    full *= n[d];
    half *= d + 1 == rank ? n[d] / 2 + 1 : n[d];
  }
  const int count = int(s.count);
  if (s.type == fft_type::rfft) return f.plan_to_half(rank, n, count, in, nullptr, 1, full, out, nullptr, 1, half, flags | fftw_preserve_input);
  if (s.type == fft_type::irfft) return f.plan_from_half(rank, n, count, in, nullptr, 1, half, out, nullptr, 1, full, flags | fftw_destroy_input);
  return f.plan_complex(rank, n, count, in, nullptr, 1, full, out, nullptr, 1, full, s.type == fft_type::ifft ? 1 : -1, flags | fftw_preserve_input);
}
/// The plan for such a transform; null where FFTW has none.
inline void* plan_for(const fftw_functions& f, const transform_sizes& s, bool aligned) {
  plan_cache& cache = fftw_plans();
  const jacquard::detail::scoped_lock hold(cache.lock);
  for (const kept_plan& p : cache.plans)
    if (p.sizes == s && p.aligned == aligned) return p.plan;
  static const unsigned effort = fftw_effort();
  const side_sizes bytes(s);
  const bool writes = effort != fftw_estimate;
  void *const in = f.allocate(writes ? bytes.in : 64), *const out = f.allocate(writes ? bytes.out : 64);
  void* const plan = in && out ? make_plan(f, s, in, out, effort | (aligned ? 0u : fftw_unaligned)) : nullptr;
  if (in) f.release(in);
  if (out) f.release(out);
  cache.plans.push_back({s, aligned, plan});
  return plan;
}

inline bool transform(const transform_sizes& s, const void* in, void* out) {
  const fftw_functions& f = fftw_of(s.single);
  const std::int64_t most = 0x7fffffff;
  if (!f.complete() || jacquard::detail::counted_product(jacquard::shape(s.lengths).elements(), s.count) > most / 16) return false;
  void* from = const_cast<void*>(in);  // which plans with fftw_preserve_input leave alone
  void* copy = nullptr;
  if (s.type == fft_type::irfft) {
    const std::size_t bytes = side_sizes(s).in;
    copy = f.allocate(bytes);
    if (!copy) return false;
    std::memcpy(copy, in, bytes);
    from = copy;
  }
  void* const plan = plan_for(f, s, f.alignment(from) == 0 && f.alignment(out) == 0);
  if (plan) (s.type == fft_type::rfft ? f.run_to_half : s.type == fft_type::irfft ? f.run_from_half : f.run)(plan, from, out);
  if (copy) f.release(copy);
  return plan != nullptr;
}

}  // namespace detail

/// The transforms of FFTW. One thread each.
inline const jacquard::detail::transform_library* fftw_library() {
  static constexpr jacquard::detail::transform_library library{&detail::transform};
  return &library;
}

}  // namespace jacquard::cpu
