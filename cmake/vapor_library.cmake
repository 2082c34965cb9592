# One library target a folder: vapor_library(NAME DEPENDS other folders... LINKS packages...)
# compiles every source of the folder, links only what its row of the layout allows (tests/layering
# checks it), and installs the library with the headers of the folder as vapor::NAME. LOCAL: it is not
# installed, because only our own programs and modules use it.
function(vapor_library name)
  cmake_parse_arguments(ARG "LOCAL" "" "DEPENDS;LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(vapor_${name} STATIC ${sources})
  add_library(vapor::${name} ALIAS vapor_${name})
  target_include_directories(
    vapor_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                         $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}>
                         $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  foreach(dependency ${ARG_DEPENDS})
    target_link_libraries(vapor_${name} PUBLIC vapor_${dependency})
  endforeach()
  target_link_libraries(vapor_${name} PUBLIC ${ARG_LINKS})
  vapor_compile_options(vapor_${name})
  target_compile_features(vapor_${name} PUBLIC cxx_std_20)
  if(ARG_LOCAL)
    return()
  endif()
  set_target_properties(vapor_${name} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS vapor_${name} EXPORT vapor_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/vapor/${name}
          FILES_MATCHING PATTERN "*.h" PATTERN torch EXCLUDE) # deep/torch is opened, not linked
endfunction()

# Warnings are errors in our own targets, except where a user only installs the Python package, by a
# compiler that we may not know. -ffp-contract=off: the same bytes from every build of one
# source. -Wrestrict is off because g++ 12 reports it falsely on string concatenation.
function(vapor_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
                                           -Wno-restrict $<$<NOT:$<BOOL:${SKBUILD}>>:-Werror>
                                           -ffp-contract=off -fno-math-errno
                                           -fno-trapping-math)
endfunction()
