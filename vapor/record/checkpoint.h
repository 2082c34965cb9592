// What a run needs to go on where it was: how much of its files stands, and the state of whoever
// plays.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace vapor {

// What stands of the files that are appended to.
struct CountedFiles {
  std::int64_t episodes = 0;        // lines of episodes.csv
  std::int64_t episodes_bytes = 0;  // length of episodes.csv up to there
  std::int64_t timing_bytes = 0;    // and of timing.csv
  std::uint32_t episodes_sum = 0;   // CRC-32C of those bytes
  std::uint32_t timing_sum = 0;
  bool summed = true;  // false: an old checkpoint, which has no sums
};

struct Checkpoint : CountedFiles {
  std::string state;  // an Archive of the player
};

// Written aside and renamed, with a checksum.
void write_checkpoint(const std::string& path, const Checkpoint& checkpoint);

// Nothing if there is no such file. Throws InputError that names the file if it is not what
// write_checkpoint wrote.
std::optional<Checkpoint> read_checkpoint(const std::string& path);

// The files that it counts, without reading its state, which can be large.
std::optional<CountedFiles> read_counted_files(const std::string& path);

}  // namespace vapor
