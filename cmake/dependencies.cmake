# The three header-only libraries that jacquard::jacquard needs: fmt, DLPack and msgpack-cxx, plus threads.
# Read by the build and by the installed package, so that both look in the same places. On failure it leaves a message
# in jacquard_missing_dependency and returns.

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

unset(jacquard_missing_dependency)

if(NOT TARGET fmt::fmt-header-only)
  find_package(fmt CONFIG QUIET)
  if(NOT TARGET fmt::fmt-header-only)
    set(jacquard_missing_dependency
        "fmt was not found. Install it (Debian: libfmt-dev) or add its prefix to CMAKE_PREFIX_PATH.")
    return()
  endif()
endif()

# Defines the target jacquard::<name> for the directory that holds `header`.
macro(jacquard_find_headers name header package)
  if(NOT TARGET jacquard::${name})
    find_path(JACQUARD_${name}_INCLUDE_DIR ${header})
    mark_as_advanced(JACQUARD_${name}_INCLUDE_DIR)
    if(JACQUARD_${name}_INCLUDE_DIR)
      add_library(jacquard::${name} INTERFACE IMPORTED GLOBAL)
      set_target_properties(jacquard::${name} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES
                                                         "${JACQUARD_${name}_INCLUDE_DIR}")
    else()
      set(jacquard_missing_dependency
          "${header} was not found. Install it (Debian: ${package}) or set JACQUARD_${name}_INCLUDE_DIR.")
    endif()
  endif()
endmacro()

jacquard_find_headers(dlpack dlpack/dlpack.h libdlpack-dev)
jacquard_find_headers(msgpack msgpack.hpp libmsgpack-cxx-dev)
