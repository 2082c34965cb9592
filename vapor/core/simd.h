// Four doubles in one register (two registers without AVX), through the compiler's own vector
// types: no intrinsics, so one source serves every machine. Only inside functions that are inlined
// into one marked VAPOR_MULTIVERSION.
#pragma once

#include <algorithm>

// Vec never crosses a function that is not inlined, so its ABI does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

#define VAPOR_INLINE __attribute__((always_inline)) inline

namespace vapor {

using Vec __attribute__((vector_size(32), aligned(8), may_alias)) = double;

VAPOR_INLINE Vec load(const double* p) { return *reinterpret_cast<const Vec*>(p); }
VAPOR_INLINE void store(double* p, Vec v) { *reinterpret_cast<Vec*>(p) = v; }
VAPOR_INLINE Vec larger(Vec a, Vec b) { return b > a ? b : a; }
VAPOR_INLINE double sum_of_lanes(Vec v) { return (v[0] + v[1]) + (v[2] + v[3]); }
VAPOR_INLINE double largest_lane(Vec v) {
  return std::max(std::max(v[0], v[1]), std::max(v[2], v[3]));
}

}  // namespace vapor
