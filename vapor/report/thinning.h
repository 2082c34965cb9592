// Fewer points for pictures; the full data stands in the records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vapor {

// At most so many episodes of 1..episodes, among them the first and the last; dense at first,
// evenly spaced on a log scale later.
std::vector<std::int64_t> picture_episodes(std::int64_t episodes, std::size_t most = 200);

}  // namespace vapor
