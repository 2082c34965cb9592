# One library target a folder: vapor_library(NAME DEPENDS other folders... LINKS packages...)
# compiles every source of the folder, links only what its row of the layout allows (tests/layering
# checks it), and installs the library with the headers of the folder as vapor::NAME. SUBFOLDERS: rooms
# of a large folder, compiled with it. LOCAL: it is not installed, because only our own programs and
# modules use it. NOT_HOT: no time is spent in it.
function(vapor_library name)
  cmake_parse_arguments(ARG "LOCAL;NOT_HOT" "" "DEPENDS;LINKS;SUBFOLDERS" ${ARGN})
  list(TRANSFORM ARG_SUBFOLDERS REPLACE "(.+)" "${CMAKE_CURRENT_SOURCE_DIR}/\\1/*.cpp")
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp ${ARG_SUBFOLDERS})
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
  vapor_unity(vapor_${name})
  if(ARG_NOT_HOT)
    vapor_not_hot(vapor_${name})
  endif()
  target_compile_features(vapor_${name} PUBLIC cxx_std_20)
  if(ARG_LOCAL)
    return()
  endif()
  set_target_properties(vapor_${name} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS vapor_${name} EXPORT vapor_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/vapor/${name}
          FILES_MATCHING PATTERN "*.h" PATTERN torch EXCLUDE) # nn/torch is opened, not linked
endfunction()

# Warnings are errors in our own targets, except where a user only installs the Python package, by a
# compiler that we may not know. -ffp-contract=off: the same bytes from every build of one
# source. -Wrestrict is off because g++ 12 reports it falsely on string concatenation, and clang would
# hear of a deprecated function that libstdc++'s own std::stable_sort calls.
function(vapor_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
                                           $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
                                           $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>
                                           $<$<NOT:$<BOOL:${SKBUILD}>>:-Werror>
                                           -ffp-contract=off -fno-math-errno
                                           -fno-trapping-math)
endfunction()

# The sources of a target compiled a dozen at a time. Most of the time of a compiler goes into headers
# (CLI11 and nlohmann_json take seconds a source), so this is four to eight times as fast from nothing.
# Names in anonymous namespaces are therefore unique in their folder. Off: file by file, as clang-tidy
# wants it, and quicker where one file is edited over and over.
option(VAPOR_UNITY "Compile the sources of a folder together" ON)
function(vapor_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${VAPOR_UNITY} UNITY_BUILD_BATCH_SIZE 12)
endfunction()

# Where nothing is hot a build for speed is time wasted on it.
function(vapor_not_hot target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()
