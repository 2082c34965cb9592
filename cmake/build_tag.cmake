# Writes OUT, a header that names this build: the version and a hash of all that objects of C++
# depend on when they cross from one shared object to another, the headers under ROOT/vapor and the
# COMPILER with what changes its objects. And TORCH, the libtorch that is linked; empty: none.
file(GLOB_RECURSE headers ${ROOT}/vapor/*.h)
set(all "${COMPILER}")
foreach(header ${headers})
  file(SHA256 ${header} hash)
  string(APPEND all ${hash})
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 12 hash)
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT [=[// Written by cmake/build_tag.cmake.
#pragma once

namespace vapor::nn {

inline constexpr const char* kBuildTag = "vapor @VERSION@ (@hash@)";
inline constexpr const char* kTorchLibrary = "@TORCH@";

}  // namespace vapor::nn
]=])
