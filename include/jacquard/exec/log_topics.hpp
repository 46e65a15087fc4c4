#pragma once
// Which topics are logged, as one word. Deliberately only that word: exec/logging sets it and writes.

#include <cstdint>

namespace jacquard::detail {

/// What is written, by bits. Compilations and calls are events; their bits are also in `unusual`.
enum log_topic : std::uint32_t { log_failures = 1, log_taps = 2, log_compile = 4, log_dispatch = 8 };
inline constinit std::uint32_t log_topics = log_failures;
inline bool is_logged(log_topic t) { return (__atomic_load_n(&log_topics, __ATOMIC_RELAXED) & t) != 0; }

}  // namespace jacquard::detail
