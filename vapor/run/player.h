// Whoever plays a run: what the loop of records (loop.h) drives. There is one for each kind of run,
// and one in Python for environments that are not ours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vapor/record/run_folder.h"
#include "vapor/run/episode_row.h"

namespace vapor {

class Player {
 public:
  virtual ~Player() = default;

  virtual std::int64_t episodes() const = 0;  // that are over
  virtual bool is_over() const = 0;

  // Plays on, an episode or a round of frames, and adds the rows of the episodes that it ended.
  virtual void play(std::vector<EpisodeRow>& rows) = 0;

  // All that playing changes, as bytes for a checkpoint.
  virtual std::string save() = 0;
  virtual void restore(const std::string& state) = 0;

  // Whether a checkpoint is made now: one is due by the clock or by the count of episodes, or the
  // run is being interrupted.
  virtual bool saves_now(bool due, bool interrupted) const { return due || interrupted; }

  // The record was opened, and the state restored; and the run is over or interrupted.
  virtual void begin(RunFolder& /*record*/) {}
  virtual void end(RunFolder& /*record*/) {}

  // For those who watch; 0 where nobody counts them.
  virtual std::int64_t frames() const { return 0; }          // played
  virtual std::int64_t learner_frames() const { return 0; }  // learned from
  virtual deep::Losses losses() const { return {}; }         // of the last step
  virtual std::int64_t environments_lost() const { return 0; }
  virtual std::int64_t frames_lost() const { return 0; }
};

}  // namespace vapor
