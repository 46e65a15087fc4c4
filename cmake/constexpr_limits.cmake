# Tracing and transforming a function at compile time takes more steps than compilers allow by default.
# jacquard_constexpr_limits is the list of options per language and compiler; jacquard_constexpr_limits_here is the
# plain list for this build's C++ compiler, for commands that are not targets.

set(jacquard_gnu_limits -fconstexpr-ops-limit=2147483647 -fconstexpr-loop-limit=2147483647 -fconstexpr-depth=2048)
set(jacquard_clang_limits -fconstexpr-steps=2147483647 -fconstexpr-depth=2048 -fbracket-depth=2048)
set(jacquard_nvcc_limits "SHELL:-Xcudafe --max_cost_constexpr_call=2147483647"
                         "SHELL:-Xcudafe --max_depth_constexpr_call=2048" --expt-relaxed-constexpr)
list(TRANSFORM jacquard_gnu_limits PREPEND -Xcompiler= OUTPUT_VARIABLE jacquard_nvcc_host_limits)

set(jacquard_constexpr_limits
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:${jacquard_gnu_limits}>"
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:${jacquard_clang_limits}>"
    "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:${jacquard_nvcc_limits};${jacquard_nvcc_host_limits}>")

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(jacquard_constexpr_limits_here ${jacquard_gnu_limits})
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(jacquard_constexpr_limits_here ${jacquard_clang_limits})
endif()
