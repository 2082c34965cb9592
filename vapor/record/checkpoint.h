// What a run needs to go on where it was: how much of its files stands, and the state of whoever
// plays.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace vapor {

struct Checkpoint {
  std::int64_t episodes = 0;        // lines of episodes.csv that stand
  std::int64_t episodes_bytes = 0;  // length of episodes.csv up to there
  std::int64_t timing_bytes = 0;    // and of timing.csv
  std::string state;                // an Archive of the player
};

// Written aside and renamed, with a checksum.
void write_checkpoint(const std::string& path, const Checkpoint& checkpoint);

// Nothing if there is no such file. Throws InputError that names the file if it is not what
// write_checkpoint wrote.
std::optional<Checkpoint> read_checkpoint(const std::string& path);

}  // namespace vapor
