// The Python environment that scripts/setup-atari makes, taken into this process.
#pragma once

#include <filesystem>

namespace vapor::atari {

// VAPOR_ATARI_PYTHON, or build/atari seen from build/PRESET/bin, or share/vapor/atari beside an
// installed bin. Throws InputError that says what to do unless it is one for this Python.
std::filesystem::path find_python_environment();

// Starts Python with the packages of the environment and of nothing else: no variable of the user's
// Python has a say. Throws InputError.
void start_python(const std::filesystem::path& environment);

}  // namespace vapor::atari
