// Reading snapshots/ of a run: where its states are drawn, and what the agent thought after so many
// episodes (docs/records.md). Tables are flat: states are numbered through all layers, pairs
// through all states. Every error is an InputError that names the file and the place in it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vapor/core/index.h"

namespace vapor {

struct Drawing {
  Index rows = 0, columns = 0;
  std::vector<Index> layer_states;  // by layer: its number of states
  std::vector<Index> actions;       // by state: its number of actions
  std::vector<Index> row, column;   // by state
  std::vector<char> goal;           // by pair
  std::vector<Index> next;  // by pair: the state where it most likely leads in the true model, -1
                            // in the last layer; empty if the record is too old to say
  std::vector<std::string> action_names;  // by action; empty if they have none

  Index states() const { return static_cast<Index>(actions.size()); }
  Index pairs() const { return static_cast<Index>(goal.size()); }
};

Drawing read_drawing(const std::string& run_folder);

// The program whose solution a snapshot shows.
enum class SnapshotProgram {
  kUnknown,          // the record is too old to say
  kNone,             // the agent solves none
  kVapor,            // sum lambda (E r + sigma_hat sqrt(-2 log lambda))
  kWeightedEntropy,  // -sum tau lambda log lambda, without rewards
};

// How a constraint of the program stands; `price` is NaN where it has none.
struct SnapshotConstraint {
  std::string name, sense;
  double bound = 0.0, used = 0.0, price = 0.0;
};

// A number that does not exist is NaN, a table that does not exist is empty.
struct Snapshot {
  std::int64_t episodes = 0;
  SnapshotProgram program = SnapshotProgram::kUnknown;
  std::vector<double> policy, lambda, reward_mean, sigma_hat, counts;  // by pair
  std::vector<double> tau, next_value;                                 // by pair
  std::vector<SnapshotConstraint> constraints;
  std::vector<double> charge;  // by pair: prices times coefficients of the constraints
  std::vector<double> V;       // by state
};

// Its file below the folder of the run.
std::string snapshot_name(std::int64_t episodes);

// After how many episodes there are snapshots, in order.
std::vector<std::int64_t> snapshot_episodes(const std::string& run_folder);

Snapshot read_snapshot(const std::string& run_folder, std::int64_t episodes,
                       const Drawing& drawing);

}  // namespace vapor
