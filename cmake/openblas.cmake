# OpenBLAS, the baseline of the benchmarks of matrix products. Defines jacquard::openblas where it is found.

find_library(JACQUARD_openblas_LIBRARY openblas)
find_path(JACQUARD_openblas_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas openblas-pthread)
mark_as_advanced(JACQUARD_openblas_LIBRARY JACQUARD_openblas_INCLUDE_DIR)
if(JACQUARD_openblas_LIBRARY AND JACQUARD_openblas_INCLUDE_DIR AND NOT TARGET jacquard::openblas)
  add_library(jacquard::openblas INTERFACE IMPORTED GLOBAL)
  target_link_libraries(jacquard::openblas INTERFACE ${JACQUARD_openblas_LIBRARY})
  target_include_directories(jacquard::openblas INTERFACE ${JACQUARD_openblas_INCLUDE_DIR})
endif()
