// Words for the command lines that records keep.
#pragma once

#include <string>
#include <string_view>

namespace vapor {

// The text as one word of a POSIX shell: as it is if that is safe, else in single quotes.
std::string shell_word(std::string_view text);

}  // namespace vapor
