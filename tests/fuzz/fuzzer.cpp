// A program of libFuzzer for the target VAPOR_FUZZ_TARGET (CMakeLists.txt compiles it once for
// each).
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "targets.h"
#include "vapor/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const vapor::fuzz::Target& target = vapor::fuzz::target_of(VAPOR_FUZZ_TARGET);
  try {
    target.read({reinterpret_cast<const char*>(data), size});
    return 0;
  } catch (const vapor::InputError&) {
    return 0;
  }
}
