# oneDNN, the baseline of the benchmark of convolutions. Defines jacquard::dnnl where it is found. Debian's own configuration file stops the
# build where OpenCL is not installed, which the library on a processor does without.

find_library(JACQUARD_dnnl_LIBRARY dnnl)
find_path(JACQUARD_dnnl_INCLUDE_DIR dnnl.hpp)
mark_as_advanced(JACQUARD_dnnl_LIBRARY JACQUARD_dnnl_INCLUDE_DIR)
if(JACQUARD_dnnl_LIBRARY AND JACQUARD_dnnl_INCLUDE_DIR AND NOT TARGET jacquard::dnnl)
  add_library(jacquard::dnnl INTERFACE IMPORTED GLOBAL)
  target_link_libraries(jacquard::dnnl INTERFACE ${JACQUARD_dnnl_LIBRARY})
  target_include_directories(jacquard::dnnl INTERFACE ${JACQUARD_dnnl_INCLUDE_DIR})
endif()
