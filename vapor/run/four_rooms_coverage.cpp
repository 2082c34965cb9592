#include "vapor/run/four_rooms_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vapor/core/error.h"
#include "vapor/core/spec.h"
#include "vapor/env/four_rooms.h"
#include "vapor/env/stationary_pair.h"
#include "vapor/run/sweep_data.h"
#include "vapor/record/run_record.h"
#include "vapor/record/run_summary.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;

constexpr const char* kPlain = "max-entropy";
constexpr const char* kWeighted = "weighted-max-entropy";

FourRoomsCoverage named_four_rooms(const char* part) {
  const ordered_json& sweep = experiment_sweep("four-rooms");
  const ordered_json& figure = sweep.at(part);
  FourRoomsCoverage study;
  for (const ordered_json& entry : sweep.at("agents"))
    study.agents.push_back({entry.at("agent").get<std::string>(), entry.value("largest_size", 0)});
  study.sizes = figure.at("sizes").get<std::vector<int>>();
  study.seeds = figure.at("seeds").get<int>();
  study.first_seed = figure.at("first_seed").get<std::uint64_t>();
  study.episodes = figure.at("episodes").get<std::int64_t>();
  return study;
}

void validate(const FourRoomsCoverage& study) {
  if (study.sizes.empty()) throw InputError("--sizes", "must name at least one size");
  if (study.agents.empty()) throw InputError("--agents", "must name at least one agent");
  for (const int size : study.sizes)
    if (size < 5 || size > 199 || size % 2 == 0)
      throw InputError("--sizes", fmt::format("must be odd and in 5..199, got {}", size));
  if (study.seeds < 1)
    throw InputError("--seeds", fmt::format("must be >= 1, got {}", study.seeds));
  if (study.episodes < 1)
    throw InputError("--episodes", fmt::format("must be >= 1, got {}", study.episodes));
}

// One agent at one size.
struct Line {
  std::string agent;
  int size = 0;
};

std::vector<Line> lines_of(const FourRoomsCoverage& study) {
  std::vector<Line> lines;
  for (const int size : study.sizes)
    for (const CoveringAgent& agent : study.agents)
      if (agent.largest_size == 0 || size <= agent.largest_size)
        lines.push_back({agent.agent, size});
  return lines;
}

std::vector<SweepCell> runs_of(const Line& line, const FourRoomsCoverage& study,
                               const std::string& out) {
  RunSettings settings;
  settings.env = fmt::format("four_rooms:size={}", line.size);
  settings.agent = line.agent;
  settings.belief = "tabular:repeat=1,transform=known";
  settings.episodes = study.episodes;
  settings.stop = StopRule::kCovered;
  settings = complete(settings);
  const std::string folder = fmt::format("{}/size-{}/{}/within-{}", out, line.size,
                                         folder_name(line.agent), study.episodes);
  std::vector<SweepCell> runs;
  for (int k = 0; k < study.seeds; ++k) {
    settings.seed = study.first_seed + static_cast<std::uint64_t>(k);
    runs.push_back({settings, fmt::format("{}/seed-{}", folder, settings.seed)});
  }
  return runs;
}

// Episodes by seed: a run ends with the episode that covers the last pair, or at the cap. A seed
// that would cover it with the very last episode is taken for one that did not.
std::vector<double> coverage_times(const Line& line, const FourRoomsCoverage& study,
                                   const std::string& out) {
  std::vector<double> times;
  for (const SweepCell& run : runs_of(line, study, out))
    times.push_back(static_cast<double>(read_run(run.folder).episodes.rows()));
  return times;
}

// An episode tries at most as many new pairs as it has steps, so none covers them in fewer than
// pairs / horizon episodes.
ordered_json row_of(const Line& line, const FourRoomsCoverage& study,
                    const std::vector<double>& times) {
  const Environment rooms = four_rooms({.size = line.size});
  const Index pairs = std::ranges::max(stationary_pair(rooms)) + 1;
  const Index horizon = rooms.shape().layers();
  const MeanAndError time = mean_and_error(times);
  const auto cap = static_cast<double>(study.episodes);
  const auto covered = std::ranges::count_if(times, [cap](double t) { return t < cap; });
  const double floor = std::ceil(static_cast<double>(pairs) / horizon);
  return {{"agent", line.agent},
          {"size", line.size},
          {"seeds", study.seeds},
          {"coverage_time", time.mean},
          {"coverage_se", time.standard_error},
          {"least", std::ranges::min(times)},
          {"most", std::ranges::max(times)},
          {"covered_fraction", static_cast<double>(covered) / study.seeds},
          {"pairs", pairs},
          {"floor", floor},
          {"over_floor", time.mean / floor}};
}

const ordered_json* find_row(const ordered_json& rows, const std::string& agent, int size) {
  for (const ordered_json& row : rows)
    if (row["agent"] == agent && row["size"] == size) return &row;
  return nullptr;
}

// The weighted form of a method against the plain one, at every size that has both. A plain run
// that was cut at the cap makes the ratio a lower bound on itself.
ordered_json comparison_of(const ordered_json& rows, const std::vector<int>& sizes) {
  ordered_json comparison = ordered_json::array();
  for (const std::string method : {"", ":method=program"})
    for (const int size : sizes) {
      const ordered_json* plain = find_row(rows, kPlain + method, size);
      const ordered_json* weighted = find_row(rows, kWeighted + method, size);
      if (plain == nullptr || weighted == nullptr) continue;
      const double before = (*plain)["coverage_time"].get<double>();
      const double after = (*weighted)["coverage_time"].get<double>();
      comparison.push_back(
          {{"plain", kPlain + method},
           {"size", size},
           {"ratio", before / after},
           {"weighted_faster", after < before},
           {"every_seed", (*weighted)["most"].get<double>() < (*plain)["least"].get<double>()}});
    }
  return comparison;
}

}  // namespace

FourRoomsCoverage four_rooms_figure() { return named_four_rooms("full"); }

FourRoomsCoverage four_rooms_quick() { return named_four_rooms("quick"); }

Findings reproduce_four_rooms(const FourRoomsCoverage& study, const ReproductionOptions& options) {
  validate(study);
  const std::vector<Line> lines = lines_of(study);
  std::vector<SweepCell> runs;
  for (const Line& line : lines)
    for (const SweepCell& run : runs_of(line, study, options.out)) runs.push_back(run);
  make_runs(runs, options);

  Findings findings = {{"experiment", "four-rooms"}, {"rows", ordered_json::array()}};
  for (const Line& line : lines)
    findings["rows"].push_back(row_of(line, study, coverage_times(line, study, options.out)));
  findings["comparison"] = comparison_of(findings["rows"], study.sizes);
  if (!findings["comparison"].empty())
    findings["weighted_faster_at_every_size"] = std::ranges::all_of(
        findings["comparison"], [](const ordered_json& row) { return row["weighted_faster"]; });
  findings["first_seed"] = study.first_seed;
  findings["episodes"] = study.episodes;
  return findings;
}

}  // namespace vapor
