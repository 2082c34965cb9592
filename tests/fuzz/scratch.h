// Files for readers that take a path: a folder in memory, of this process, filled anew for each
// input and removed when the program ends.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vapor::fuzz {

// An input of several files: each begins with a line "=== NAME"; what stands before the first of
// them belongs to the file `first`. Later parts of a name replace earlier ones.
using Files = std::vector<std::pair<std::string, std::string>>;
Files split_files(std::string_view bytes, const std::string& first);

// The folder, empty but for those files. Names that are not in `allowed` are passed over.
const std::string& scratch_folder(const Files& files, const std::vector<std::string>& allowed);

std::string contents_of(const std::string& path);

}  // namespace vapor::fuzz
