// Records of older formats, brought to this one. docs/records.md says what changed when.
#pragma once

#include <string>

#include "vapor/record/checkpoint.h"
#include "vapor/record/run_record.h"

namespace vapor {

// Format 1 counted `frames` and `learner_frames` of trainings by episodes from one episode to the
// next. Since format 2 they are counts so far, of every training, and `length` is the episode's
// own. A table that has `length` is left alone.
void bring_to_this_format(NumberTable& episodes);

// The same for a run that is to be resumed, whose folder the caller has locked: episodes.csv is cut
// back to the checkpoint and written anew, and the checkpoint counts its bytes. It may be killed at
// any moment and be called again. Returns the checkpoint.
Checkpoint bring_to_this_format(const std::string& folder, Checkpoint checkpoint);

}  // namespace vapor
