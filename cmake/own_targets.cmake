# Flags and libraries of the project's own tests, examples and benchmarks; never exported.

# What every target of ours gets: the library, the optional foreign libraries, warnings as errors.
add_library(jacquard_own INTERFACE)
target_link_libraries(jacquard_own INTERFACE jacquard::jacquard)
target_compile_options(jacquard_own INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Werror)
# Vector lanes are passed between functions of one binary only; without optimisation g++ remarks on every one of them.
target_compile_options(jacquard_own INTERFACE -Wno-psabi)
target_compile_definitions(jacquard_own INTERFACE JACQUARD_OWN_WARNINGS)  # see jacquard.hpp
# g++ looks for garbage once it has 600 MB, not 128, to look through: a tenth of a test's compilation.
target_compile_options(jacquard_own INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-heapsize=600000>")

# Lets ccache hash a precompiled header by its content.
set(jacquard_precompiled_options $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess> "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")

macro(jacquard_use_foreign name target)
  if(jacquard_with_${name})
    target_link_libraries(jacquard_own INTERFACE ${target})
    target_compile_definitions(jacquard_own INTERFACE JACQUARD_WITH_${name}=1)
  endif()
endmacro()
jacquard_use_foreign(XTENSOR xtensor)
jacquard_use_foreign(EIGEN Eigen3::Eigen)
jacquard_use_foreign(TBB TBB::tbb)

# What tests link; they need no more of it, and programs checked as they are made.
target_compile_options(jacquard_compiled PRIVATE $<$<CONFIG:Release>:-O1> -UNDEBUG)

# Tests compile fast and keep their assertions; examples and benchmarks run at -O2.
add_library(jacquard_test_flags INTERFACE)
target_link_libraries(jacquard_test_flags INTERFACE jacquard_own)
target_compile_options(jacquard_test_flags INTERFACE -UNDEBUG)
target_compile_definitions(jacquard_test_flags INTERFACE "JACQUARD_TESTS_DIR=\"${PROJECT_SOURCE_DIR}/tests\"")

add_library(jacquard_program_flags INTERFACE)
target_link_libraries(jacquard_program_flags INTERFACE jacquard_own)
target_compile_options(jacquard_program_flags INTERFACE $<$<CONFIG:Release>:-O2>)

# What is compiled without optimisation and includes jacquard.hpp, as chapters do, shares one precompiled header and what is compiled once.
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/unoptimised.cpp CONTENT "")
add_library(jacquard_unoptimised OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/unoptimised.cpp)
target_link_libraries(jacquard_unoptimised PRIVATE jacquard_own jacquard::compiled)
target_compile_options(jacquard_unoptimised PRIVATE $<$<CONFIG:Release>:-O0>)
if(JACQUARD_PRECOMPILE)
  target_precompile_headers(jacquard_unoptimised PRIVATE <jacquard/jacquard.hpp>)
  target_compile_options(jacquard_unoptimised PRIVATE ${jacquard_precompiled_options})
endif()
function(jacquard_unoptimised target file)
  target_link_libraries(${target} PRIVATE jacquard_own jacquard::compiled)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
  file(STRINGS ${file} includes_all REGEX "^#include <jacquard/jacquard.hpp>" LIMIT_COUNT 1)
  if(JACQUARD_PRECOMPILE AND includes_all)
    target_precompile_headers(${target} REUSE_FROM jacquard_unoptimised)
    target_compile_options(${target} PRIVATE ${jacquard_precompiled_options})
  endif()
endfunction()

# Removes from the list of that name the files that need a foreign library which this build does not use. A file says
# so by its name (tests/interop/xtensor_test.cpp, interop/eigen.hpp) or by a line `// needs: xtensor` at its start.
function(jacquard_drop_unavailable list_name)
  foreach(file IN LISTS ${list_name})
    file(STRINGS ${file} needs REGEX "^// needs:" LIMIT_COUNT 1)
    foreach(library IN ITEMS xtensor eigen tbb openblas dnnl mpi)
      string(TOUPPER ${library} name)
      if(NOT jacquard_with_${name} AND ("${file}" MATCHES "/([0-9]+_)?${library}(_[a-z0-9_]*)?[.](hpp|cpp)$"
                                        OR "${needs}" MATCHES "[ ,]${library}([ ,]|$)"))
        list(REMOVE_ITEM ${list_name} ${file})
      endif()
    endforeach()
  endforeach()
  set(${list_name} ${${list_name}} PARENT_SCOPE)
endfunction()
