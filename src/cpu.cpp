// The native backend of the processor.

#include <jacquard/backends/cpu/native_backend.hpp>

namespace {

[[gnu::used]] const void* const hooks[] = {&jacquard::cpu::detail::native_factory};

}  // namespace
