#pragma once
// The native backend of the processor. Including this header puts it behind the name "cpu", where the interpreter stood. A program starts on
// the tile interpreter (tier 0), which needs no compiler, and gets machine code (tier 1) once it has earned it, at once, or never:
// see set_compile_at. Where no libLLVM is found, programs stay on tier 0. The backend itself is native_backend.hpp, which programs that link
// jacquard::compiled find there and need not read.

// A global of the program may have the name of a variable in the headers.
#if defined __GNUC__ && !defined JACQUARD_OWN_WARNINGS
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include "jacquard/backends/backend.hpp"
#include "jacquard/backends/cpu/object_cache.hpp"
#include "jacquard/backends/cpu/settings.hpp"
#include "jacquard/backends/huge_pages.hpp"
#include "jacquard/core/hook.hpp"
#ifndef JACQUARD_COMPILED
#include "jacquard/backends/cpu/native_backend.hpp"
#endif
#if defined __GNUC__ && !defined JACQUARD_OWN_WARNINGS
#pragma GCC diagnostic pop
#endif

namespace jacquard::cpu::detail {

#ifdef JACQUARD_COMPILED
/// Makes the backend; native_backend.hpp defines it.
JACQUARD_HOOK backend_factory native_factory;
#endif

inline const bool registered = jacquard::detail::register_early("cpu", native_factory);

}  // namespace jacquard::cpu::detail
