// Runs that may stand in one figure. The shape of the data is agents x tasks x seeds, a task being
// a value of the one setting of the environment that varies (the depth of DeepSea); it is found
// from the definitions of the runs, and where two shapes are possible none is chosen.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vapor/report/collection.h"
#include "vapor/report/statistics.h"

namespace vapor {

// The order of agents: vapor, its kin, the others by name.
struct ByRank {
  bool operator()(const std::string& a, const std::string& b) const;
};

struct StudyCell {
  std::string agent;    // "vapor", or "vapor, transform=paper" where beliefs are compared
  std::string task;     // "20", or the whole spec of the environment if nothing varies
  double number = 0.0;  // of the task on the axis
  std::vector<const RunDigest*> seeds;  // by seed
};

// What a run is measured by; it follows from the rule by which the runs stop.
enum class Measure {
  kSolved,   // episodes until solved; a run that was not counts as `episodes`
  kCovered,  // episodes until everything was tried
  kRegret,   // sum of the regrets of all episodes
};

struct StudyBelief {
  std::string spec;
  std::string name;  // what tells it from the others of the study
};

struct Study {
  std::string environment;  // deep_sea
  std::string axis;         // depth; empty if nothing varies
  std::string fixed;        // settings that vary elsewhere in the same sweep: move_cost=0.1
  std::vector<StudyBelief> beliefs;  // of its runs; with several, agents are named with theirs
  bool trainings = false;            // runs of `vapor train`
  std::string stop;                  // never, solved, covered
  std::int64_t episodes = 0;         // the cap
  Measure measure = Measure::kRegret;
  std::vector<std::string> agents;  // vapor first, then its kin, then the others by name
  std::vector<std::string> tasks;   // by number
  std::vector<StudyCell> cells;     // agents x tasks; some may be missing
  std::string folder;               // the longest that holds all of its runs
  std::size_t unfinished = 0;       // runs that are not, and are left out of `cells`

  const StudyCell* cell(const std::string& agent, const std::string& task) const;

  // "6 agents x 5 depths x 10 seeds", or "ragged: ..." if not all are there.
  std::string shape() const;
};

// The numbers that a measure gives for the seeds of a cell.
std::vector<double> measured(const Study& study, const StudyCell& cell);

// agents x tasks x seeds, or why there are none: the reason names agent and task.
struct StudyScores {
  std::vector<Scores> agents;
  std::string refused;  // empty: `agents` is complete
};
StudyScores scores_of(const Study& study);

struct Studies {
  std::vector<Study> studies;
  std::vector<LeftOut> refused;  // runs that stand in none, e.g. because two settings vary
};

// The studies point into `runs`. Of trainings only those that stop when solved make studies, and
// those that make none for their settings or for being unfinished are not refused: a report shows
// their returns. A setting that a spec leaves out has a default that records do not
// tell, so runs that name it and runs that do not are different studies.
Studies studies_of(std::span<const RunDigest> runs);

}  // namespace vapor
