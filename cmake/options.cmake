# Options of the build. A project that contains this one gets the library and nothing else, unless it asks.

option(JACQUARD_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(JACQUARD_BUILD_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(JACQUARD_BUILD_TOOLS "Build the command-line programs" ${PROJECT_IS_TOP_LEVEL})
option(JACQUARD_BUILD_BENCHMARKS "Build the benchmarks" ${PROJECT_IS_TOP_LEVEL})
option(JACQUARD_FUZZ "Build the fuzzers (clang)" OFF)
option(JACQUARD_INSTALL "Add install rules" ${PROJECT_IS_TOP_LEVEL})
option(JACQUARD_PRECOMPILE "Precompile jacquard.hpp for the tests" ON)

# Foreign libraries are opt-in includes (jacquard/interop/<library>.hpp). These options only choose which of our own
# tests, examples and benchmarks are built with them: AUTO uses the library where it is found, ON requires it.
# Each sets jacquard_with_<LIBRARY> for the rest of the build.
macro(jacquard_foreign_library name package target)
  set(JACQUARD_WITH_${name} AUTO CACHE STRING "Build what uses ${package}: AUTO, ON or OFF")
  set_property(CACHE JACQUARD_WITH_${name} PROPERTY STRINGS AUTO ON OFF)
  set(jacquard_with_${name} OFF)
  if(NOT JACQUARD_WITH_${name} STREQUAL "OFF")
    find_package(${package} CONFIG QUIET)
    if(TARGET ${target})
      set(jacquard_with_${name} ON)
    elseif(NOT JACQUARD_WITH_${name} STREQUAL "AUTO")
      message(FATAL_ERROR "jacquard: JACQUARD_WITH_${name} is ON but ${package} was not found.")
    endif()
  endif()
endmacro()

if(JACQUARD_BUILD_TESTS OR JACQUARD_BUILD_EXAMPLES OR JACQUARD_BUILD_BENCHMARKS)
  jacquard_foreign_library(XTENSOR xtensor xtensor)
  jacquard_foreign_library(EIGEN Eigen3 Eigen3::Eigen)
  jacquard_foreign_library(TBB TBB TBB::tbb)
  include(cmake/openblas.cmake)
  jacquard_foreign_library(OPENBLAS OpenBLAS jacquard::openblas)
  include(cmake/dnnl.cmake)
  jacquard_foreign_library(DNNL oneDNN jacquard::dnnl)
  find_package(MPI COMPONENTS CXX QUIET)
  set(jacquard_with_MPI ${MPI_CXX_FOUND})
endif()
if(JACQUARD_BUILD_BENCHMARKS)
  jacquard_foreign_library(TORCH Torch torch)
endif()

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
  set(CMAKE_CXX_EXTENSIONS OFF)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

  # ccache reads through precompiled headers only when it is told that their time stamps do not matter.
  find_program(JACQUARD_CCACHE ccache)
  mark_as_advanced(JACQUARD_CCACHE)
  if(JACQUARD_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER
        "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime;${JACQUARD_CCACHE}"
    )
  endif()
endif()
