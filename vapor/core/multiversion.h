// VAPOR_MULTIVERSION before a function compiles it twice, for x86-64-v3 (AVX2) and for the
// baseline, and picks one when the program starts: a binary that runs everywhere and is fast here.
// Sanitisers do not get along with the load-time dispatch, so their builds keep the baseline.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define VAPOR_MULTIVERSION __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define VAPOR_MULTIVERSION
#endif
