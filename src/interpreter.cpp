// The interpreter, eager evaluation and the log.

#define JACQUARD_ENGINE_ELSEWHERE
#include <jacquard/backends/interpreter/eager.hpp>
#include <jacquard/exec/logging.hpp>

namespace {

// Inline variables are there where they are used.
[[gnu::used]] const void* const hooks[] = {&jacquard::detail::eager_hook, &jacquard::detail::interpreter_factory,
                                           &jacquard::detail::log_observer};

}  // namespace
