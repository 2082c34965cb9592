# Configures the project where the optional package ABSENT is not found, plans the build of `vapor`
# and of everything that is installed, and compiles nothing:
#   cmake -D ROOT=... -D GENERATOR=Ninja -D COMPILER=... -D WEB=... -D ABSENT=gif -D WORK=... -P ...
cmake_minimum_required(VERSION 3.22)

set(packages_of_gif GIF)
set(packages_of_torch Torch)
set(packages_of_python Python Python3)
set(packages_of_pybind11 pybind11)
set(packages_of_gtest GTest)
set(packages_of_eigen Eigen3)
set(packages_of_benchmark benchmark)
set(packages_of_all GIF Torch Python Python3 pybind11 GTest Eigen3 benchmark)

set(options "")
foreach(package ${packages_of_${ABSENT}})
  list(APPEND options -DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON)
endforeach()
if(ABSENT MATCHES "^(npm|all)$")
  list(APPEND options -DVAPOR_WEB_DIR=${WORK}/no-web)
else()
  list(APPEND options -DVAPOR_WEB_DIR=${WEB})
endif()

function(expect_success what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "without ${ABSENT}: ${what} failed:\n${said}")
  endif()
endfunction()

# As ./run does it, and as whoever types `cmake` without options.
set(as_run -DVAPOR_TESTS=OFF -DVAPOR_BENCHMARKS=OFF)
set(as_it_is "")
foreach(choice as_run as_it_is)
  file(REMOVE_RECURSE ${WORK})
  expect_success("to configure (${choice})" ${CMAKE_COMMAND} -S ${ROOT} -B ${WORK} -G ${GENERATOR}
                 -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Release ${${choice}} ${options})
  foreach(target vapor_command all)
    expect_success("the plan of ${target}" ${CMAKE_COMMAND} --build ${WORK} --target ${target} -- -n)
  endforeach()
  if(NOT EXISTS ${WORK}/cmake_install.cmake)
    message(FATAL_ERROR "without ${ABSENT}: nothing would be installed")
  endif()
endforeach()
file(REMOVE_RECURSE ${WORK})
