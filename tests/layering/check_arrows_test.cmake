# check_arrows.cmake on small trees made in WORK: good ones pass, each wrong arrow is named.
cmake_minimum_required(VERSION 3.22)

# A tree of core, mdp and solver as they should be; more files are given as pairs of path and text.
function(expect result message)
  file(REMOVE_RECURSE ${WORK})
  file(WRITE ${WORK}/vapor/core/CMakeLists.txt "vapor_library(core LINKS fmt::fmt)\n")
  file(WRITE ${WORK}/vapor/mdp/CMakeLists.txt "vapor_library(mdp DEPENDS core LINKS x::x)\n")
  file(WRITE ${WORK}/vapor/solver/CMakeLists.txt "vapor_library(solver DEPENDS mdp)\n")
  file(WRITE ${WORK}/vapor/core/a.h "#include <vector>\n")
  file(WRITE ${WORK}/vapor/solver/s.cpp
       "#include \"vapor/solver/s.h\"\n#include \"vapor/core/a.h\"\n#include \"vapor/mdp/m.h\"\n")
  file(WRITE ${WORK}/apps/vapor/main.cpp "#include \"vapor/solver/s.h\"\n")
  while(ARGN)
    list(POP_FRONT ARGN path text)
    file(WRITE ${WORK}/${path} "${text}\n")
  endwhile()
  execute_process(COMMAND ${CMAKE_COMMAND} -D ROOT=${WORK}
                          -P ${CMAKE_CURRENT_LIST_DIR}/check_arrows.cmake
                  RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  if(result STREQUAL "passes" AND NOT code EQUAL 0)
    message(FATAL_ERROR "should pass, but: ${output}")
  elseif(result STREQUAL "fails" AND code EQUAL 0)
    message(FATAL_ERROR "should fail with: ${message}")
  endif()
  string(FIND "${output}" "${message}" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "should say: ${message}\nsays: ${output}")
  endif()
endfunction()

expect(passes "every arrow is allowed")
expect(fails "vapor/core/b.h: includes vapor/solver, which vapor/core may not use"
       vapor/core/b.h "#include \"vapor/solver/s.h\"")
expect(fails "vapor/mdp/m.cpp: includes vapor/solver, which vapor/mdp may not use"
       vapor/mdp/m.cpp "  #  include <vapor/solver/s.h>")
expect(fails "vapor/solver/t.h: includes vapor/belief, which vapor/solver may not use"
       vapor/solver/t.h "#include \"vapor/belief/b.h\"")
expect(fails "vapor/solver/t.h: includes vapor/solvers, which vapor/solver may not use"
       vapor/solver/t.h "#include \"vapor/solvers/b.h\"")
expect(fails "vapor/core/CMakeLists.txt: links mdp, may link only:"
       vapor/core/CMakeLists.txt "vapor_library(core DEPENDS mdp)")
expect(fails "vapor/solver/s.cpp: includes vapor/core, which vapor/solver does not link"
       vapor/solver/CMakeLists.txt "vapor_library(solver)")
expect(fails "vapor/utils: this folder has no row"
       vapor/utils/CMakeLists.txt "vapor_library(utils)")
expect(fails "apps/vapor/main.cpp: includes vapor/python"
       apps/vapor/main.cpp "#include \"vapor/python/s.h\"")
expect(fails "vapor/core/b.cpp: includes torch, which only sources of vapor/nn/torch may"
       vapor/core/b.cpp "#include <torch/torch.h>")
expect(fails "vapor/core/b.cpp: names the experiment deep-sea, which vapor/ may not know"
       vapor/core/b.cpp "const char* x = \"deep-sea\"\;" experiments/deep-sea/sweep.toml "")
expect(passes "every arrow is allowed"
       vapor/core/b.cpp "const char* x = \"deep-seas\"\;" experiments/deep-sea/sweep.toml "")
file(REMOVE_RECURSE ${WORK})
message(STATUS "every wrong arrow was found")
