// Eight floats in one register, as vapor/core/simd.h has four doubles: only inside functions that
// are inlined into one marked VAPOR_MULTIVERSION.
#pragma once

#include <cmath>

#pragma GCC diagnostic ignored "-Wpsabi"  // a vector never crosses a function that is not inlined

#ifndef VAPOR_INLINE
#define VAPOR_INLINE __attribute__((always_inline)) inline
#endif

namespace vapor::nn {

using FloatVec __attribute__((vector_size(32), aligned(4), may_alias)) = float;

VAPOR_INLINE FloatVec load(const float* p) { return *reinterpret_cast<const FloatVec*>(p); }
VAPOR_INLINE void store(float* p, FloatVec v) { *reinterpret_cast<FloatVec*>(p) = v; }
VAPOR_INLINE FloatVec larger(FloatVec a, FloatVec b) { return b > a ? b : a; }

}  // namespace vapor::nn
