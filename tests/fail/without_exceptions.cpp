// expect: errors are exceptions; compile without -fno-exceptions
#undef __cpp_exceptions
#include <jacquard/core/error.hpp>
