// Plays a game with actions drawn from a seed and keeps everything that it showed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "vapor/atari/games.h"
#include "vapor/core/random.h"

namespace vapor::atari::test {

struct Moment {
  std::vector<std::byte> observations;
  std::vector<float> rewards;
  std::vector<std::uint8_t> ended;
  std::vector<std::uint8_t> cut;
  std::vector<std::byte> last_observations;  // zero where no episode is over

  bool operator==(const Moment&) const = default;
};

inline std::unique_ptr<VectorEnvironment> game(const std::string& text, Index places) {
  Spec spec("--env", text);
  return make_game(spec, places);
}

inline std::vector<std::byte> copy(std::span<const std::byte> bytes) {
  return {bytes.begin(), bytes.end()};
}

inline Moment moment_of(const VectorStep& step) {
  Moment moment{copy(step.observations),
                {step.rewards.begin(), step.rewards.end()},
                {step.ended.begin(), step.ended.end()},
                {step.cut.begin(), step.cut.end()},
                copy(step.last_observations)};
  const std::size_t bytes = step.observations.size() / step.rewards.size();
  for (std::size_t p = 0; p < step.rewards.size(); ++p)
    if (step.ended[p] == 0 && step.cut[p] == 0)
      std::fill_n(moment.last_observations.begin() + p * bytes, bytes, std::byte{0});
  return moment;
}

// The actions of a place depend on the place alone.
inline std::vector<std::vector<Index>> random_actions(Index actions, Index places, int steps) {
  std::vector<std::vector<Index>> all(steps, std::vector<Index>(places));
  for (Index p = 0; p < places; ++p) {
    RandomStream random = RandomStream(11).split(static_cast<std::uint64_t>(p));
    for (std::vector<Index>& at_once : all) at_once[p] = random.index(actions);
  }
  return all;
}

// The first moment is the reset.
inline std::vector<Moment> play(VectorEnvironment& environment, std::uint64_t seed, int steps) {
  std::vector<Moment> moments(1);
  moments[0].observations = copy(environment.reset(seed));
  for (const std::vector<Index>& actions :
       random_actions(environment.actions(), environment.places(), steps))
    moments.push_back(moment_of(environment.step(actions)));
  return moments;
}

// A variable of the environment, until the end of the scope.
class Variable {
 public:
  Variable(std::string name, const std::string& value) : name_(std::move(name)) {
    setenv(name_.c_str(), value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { unsetenv(name_.c_str()); }

 private:
  std::string name_;
};

// A folder of this test alone, removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "vapor-atari-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::filesystem::path python() {
  return std::filesystem::path(VAPOR_SOURCE_DIR) / "build/atari/bin/python";
}

}  // namespace vapor::atari::test
