// Files that are read.
#pragma once

#include <fstream>
#include <string>

namespace vapor {

// The file, opened; throws InputError that says why it cannot be read.
std::ifstream open_to_read(const std::string& path);

}  // namespace vapor
