# cmake --install: the headers, and a package that find_package(jacquard) finds.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_DATADIR}/cmake/jacquard)

install(DIRECTORY include/jacquard DESTINATION include FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh")
install(TARGETS jacquard jacquard_precompiled jacquard_precompiled_fixed EXPORT jacquardTargets)
install(EXPORT jacquardTargets NAMESPACE jacquard:: DESTINATION ${package_dir})

configure_package_config_file(cmake/jacquardConfig.cmake.in ${PROJECT_BINARY_DIR}/jacquardConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/jacquardConfigVersion.cmake COMPATIBILITY SameMinorVersion
                                 ARCH_INDEPENDENT)
install(DIRECTORY src/ DESTINATION ${package_dir}/src FILES_MATCHING PATTERN "*.cpp")
install(FILES cmake/dependencies.cmake cmake/compiled.cmake ${PROJECT_BINARY_DIR}/jacquardConfig.cmake
              ${PROJECT_BINARY_DIR}/jacquardConfigVersion.cmake DESTINATION ${package_dir})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
