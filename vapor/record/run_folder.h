// A run on disk while it is being made:
//
//   run.json       what defines it, and its status
//   episodes.csv   a line an episode, only ever appended to
//   timing.csv     wall times, outside the promise of same bytes
//   checkpoint     how much of the files stands, and the state of the player; gone when finished
//   snapshots/     what a viewer shows
//   lock           held by the process that writes
//
// The process may be killed at any moment. Opening the folder again cuts the files back to the last
// checkpoint, and playing on from its state gives the bytes of an unbroken run: whatever the
// checkpoint counts was on disk before it, and has the checksum that the checkpoint says.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vapor/record/checkpoint.h"
#include "vapor/record/file.h"
#include "vapor/record/run_file.h"

namespace vapor {

// When a checkpoint is due. It never changes the bytes of a run, only how much a kill costs.
struct CheckpointPeriod {
  std::int64_t episodes = 0;  // after so many episodes; 0: by time alone
  double seconds = 2.0;       // after so long, or 20 times what the last one took if that is longer
};

struct RunHeader {
  Definition definition = Definition::object();
  std::string command;               // that makes this run
  std::vector<std::string> columns;  // of episodes.csv; the first is `episode`, counted from 1
};

// The run that a folder holds already, or nothing if there is none and it can be made there. Writes
// nothing. Throws InputError that names the file unless a run of this definition can be begun,
// resumed or left alone there.
std::optional<RunFile> expect_room_for(const std::string& folder, const Definition& definition);

class RunFolder {
 public:
  // Makes the folder, or opens it where it was left. Throws InputError that names the file if the
  // folder holds another run or something else, if another process is writing to it, or if it
  // cannot be written. A finished run is not locked and stays as it is.
  RunFolder(std::string folder, const RunHeader& header, const CheckpointPeriod& period = {});
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::string& path() const { return folder_; }
  bool finished() const { return run_.finished; }
  std::int64_t episodes() const { return checkpoint_.episodes; }  // that stand in episodes.csv

  // The player's state at the checkpoint that the run was opened at; empty: from the start, or
  // something was saved since.
  const std::string& state() const { return checkpoint_.state; }

  // What was found damaged and mended when the run was opened: a line each, for people.
  const std::vector<std::string>& mended() const { return mended_; }

  // The line of the next episode, in the order of the columns after `episode`.
  void append(std::span<const double> values, double seconds);

  void write_snapshot(const std::string& name, const std::string& text);

  bool checkpoint_due() const;
  void save(std::string state);

  // The run is complete: nothing can be added.
  void finish();

 private:
  void open();
  void go_on();
  void go_on_from(Checkpoint last);
  void mend_timing(const CountedFiles& counted);
  void let_go();  // of the checkpoint, the files and the lock
  std::string file(const char* name) const { return folder_ + "/" + name; }

  std::string folder_;
  RunFile run_;
  std::string columns_;  // the first line of episodes.csv
  std::size_t width_;
  std::vector<std::string> mended_;
  CheckpointPeriod period_;
  Checkpoint checkpoint_;  // the last one, with the episodes that were appended since
  std::int64_t episodes_at_save_ = 0;
  std::chrono::steady_clock::time_point next_save_;
  std::optional<FolderLock> lock_;
  std::optional<AppendedFile> episodes_;
  std::optional<AppendedFile> timing_;
};

}  // namespace vapor
