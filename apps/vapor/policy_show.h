// Plays the policy of a run, one step after another, for whoever shows it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "picture.h"

namespace vapor::command {

class PolicyShow {
 public:
  virtual ~PolicyShow() = default;

  // Begins an episode; the same seed and number, the same episode.
  virtual void begin(std::uint64_t seed, std::int64_t episode) = 0;

  // One action; false once the episode is over.
  virtual bool step() = 0;

  virtual double episode_return() const = 0;
  virtual std::int64_t length() const = 0;  // actions so far
  virtual Picture picture() = 0;
};

// Of the run in a folder, made by `vapor train`. Throws InputError that names what is wrong with
// it.
std::unique_ptr<PolicyShow> make_show(const std::string& folder);

}  // namespace vapor::command
