# Installs BUILD into WORK, then configures, builds and runs the project `consumer` against it.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    string(REPLACE ";" " " command "${ARGV}")
    message(FATAL_ERROR "failed: ${command}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${WORK}/build -G ${GENERATOR}
    -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${WORK}/prefix
    -D VAPOR_EXPECTED_VERSION=${VERSION})
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer)
run(${WORK}/prefix/bin/vapor --version)
if(EXISTS ${BUILD}/lib/vapor/libvapor_torch.so) # an installed program opens the installed part
  run(${WORK}/prefix/bin/vapor train --env catch --agent vapor-lite:batch=40 --frames 200 --quiet
      --out ${WORK}/trained)
endif()
file(REMOVE_RECURSE ${WORK})
