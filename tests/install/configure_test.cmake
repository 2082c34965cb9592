# Configures SOURCE in WORK without one optional package after another, then without all of them:
# that must succeed, and the build graph of the program be complete. A target that is not built is
# then not installed either, else CMake itself refuses.
cmake_minimum_required(VERSION 3.22)
set(optional Torch GIF Python pybind11 Python3 GTest Eigen3 benchmark)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    string(REPLACE ";" " " command "${ARGV}")
    message(FATAL_ERROR "failed: ${command}\n${output}")
  endif()
endfunction()

# without(PACKAGES... OPTIONS -D...)
function(without)
  cmake_parse_arguments(ARG "" "" "OPTIONS" ${ARGN})
  file(REMOVE_RECURSE ${WORK})
  list(TRANSFORM ARG_UNPARSED_ARGUMENTS REPLACE "(.+)" "-DCMAKE_DISABLE_FIND_PACKAGE_\\1=ON"
       OUTPUT_VARIABLE disabled)
  run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK} -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${COMPILER}
      ${disabled} ${ARG_OPTIONS})
  run(${CMAKE_COMMAND} --build ${WORK} --target vapor_command -- -n)
endfunction()

foreach(package ${optional})
  without(${package})
endforeach()
without(${optional})
# As ./run does: what only tests need is not even looked for.
without(${optional} OPTIONS -DVAPOR_TESTS=OFF -DVAPOR_BENCHMARKS=OFF)
file(STRINGS ${WORK}/CMakeCache.txt looked_for REGEX "^(GTest|Eigen3|benchmark)_DIR:")
if(looked_for)
  message(FATAL_ERROR "looked for, without tests: ${looked_for}")
endif()
file(REMOVE_RECURSE ${WORK})
