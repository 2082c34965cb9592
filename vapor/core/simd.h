// Four doubles or eight floats in one register (two registers without AVX), through the compiler's
// own vector types: no intrinsics, so one source serves every machine. Only inside functions that
// are inlined into one marked VAPOR_MULTIVERSION.
#pragma once

#include <algorithm>

// A vector never crosses a function that is not inlined, so its ABI does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

#define VAPOR_INLINED __attribute__((always_inline))  // of a lambda
#define VAPOR_INLINE VAPOR_INLINED inline

namespace vapor {

using Vec __attribute__((vector_size(32), aligned(8), may_alias)) = double;
using FloatVec __attribute__((vector_size(32), aligned(4), may_alias)) = float;

VAPOR_INLINE Vec load(const double* p) { return *reinterpret_cast<const Vec*>(p); }
VAPOR_INLINE FloatVec load(const float* p) { return *reinterpret_cast<const FloatVec*>(p); }
VAPOR_INLINE void store(double* p, Vec v) { *reinterpret_cast<Vec*>(p) = v; }
VAPOR_INLINE void store(float* p, FloatVec v) { *reinterpret_cast<FloatVec*>(p) = v; }
VAPOR_INLINE Vec larger(Vec a, Vec b) { return b > a ? b : a; }
VAPOR_INLINE FloatVec larger(FloatVec a, FloatVec b) { return b > a ? b : a; }
VAPOR_INLINE double sum_of_lanes(Vec v) { return (v[0] + v[1]) + (v[2] + v[3]); }
VAPOR_INLINE double largest_lane(Vec v) {
  return std::max(std::max(v[0], v[1]), std::max(v[2], v[3]));
}

}  // namespace vapor
