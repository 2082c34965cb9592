# `cmake --install BUILD --prefix PREFIX`, for projects that say
#   find_package(vapor REQUIRED)
#   target_link_libraries(mine PRIVATE vapor::vapor)
include(CMakePackageConfigHelpers)

set(vapor_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/vapor)
configure_package_config_file(cmake/vapor-config.cmake.in vapor-config.cmake
                              INSTALL_DESTINATION ${vapor_cmake_dir})
# Before version 1 a minor release may change the interface.
write_basic_package_version_file(vapor-config-version.cmake COMPATIBILITY SameMinorVersion)

install(TARGETS vapor_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET vapor_torch) # where find_part of vapor/nn/torch_part.cpp looks
  install(TARGETS vapor_torch LIBRARY DESTINATION lib/vapor)
endif()
install(EXPORT vapor_targets NAMESPACE vapor:: FILE vapor-targets.cmake
        DESTINATION ${vapor_cmake_dir})
install(FILES ${PROJECT_BINARY_DIR}/vapor-config.cmake
              ${PROJECT_BINARY_DIR}/vapor-config-version.cmake
        DESTINATION ${vapor_cmake_dir})
