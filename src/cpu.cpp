// The native backend of the processor.

#define JACQUARD_ENGINE_ELSEWHERE
#include <jacquard/backends/cpu/native_backend.hpp>

namespace {

[[gnu::used]] const void* const hooks[] = {&jacquard::cpu::detail::native_factory};

}  // namespace
