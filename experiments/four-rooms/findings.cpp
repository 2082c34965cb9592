// Figure 5 of the paper: how many episodes agents need until they have tried every action in every
// cell of four rooms. Known dynamics, no rewards; a cell and an action count once, whatever the
// layer.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/common/experiment.h"
#include "experiments/common/printing.h"
#include "vapor/core/error.h"
#include "vapor/env/four_rooms.h"
#include "vapor/env/stationary_pair.h"
#include "vapor/record/run_summary.h"

namespace vapor::experiments::four_rooms {
namespace {

constexpr const char* kPlain = "max-entropy";
constexpr const char* kWeighted = "weighted-max-entropy";

// Episodes by seed: a run ends with the episode that covers the last pair, or at the cap. A seed
// that would cover it with the very last episode is taken for one that did not. An episode tries at
// most as many new pairs as it has steps, so none covers them in fewer than pairs / horizon.
ordered_json row_of(const Cell& cell) {
  std::vector<double> times;
  for (const RunRecord& record : cell.records())
    times.push_back(static_cast<double>(record.episodes.rows()));
  const int size = cell.number("size");
  const Environment rooms = vapor::four_rooms({.size = size});
  const Index pairs = std::ranges::max(stationary_pair(rooms)) + 1;
  const double floor = std::ceil(static_cast<double>(pairs) / rooms.shape().layers());
  const auto cap = static_cast<double>(cell.cap);
  const auto covered = std::ranges::count_if(times, [cap](double t) { return t < cap; });
  const MeanAndError time = mean_and_error(times);
  return {{"agent", cell.agent()},
          {"size", size},
          {"seeds", cell.seeds()},
          {"coverage_time", time.mean},
          {"coverage_se", time.standard_error},
          {"least", std::ranges::min(times)},
          {"most", std::ranges::max(times)},
          {"covered_fraction", static_cast<double>(covered) / static_cast<double>(cell.seeds())},
          {"pairs", pairs},
          {"floor", floor},
          {"over_floor", time.mean / floor}};
}

const ordered_json* find_row(const ordered_json& rows, const std::string& agent,
                             const ordered_json& size) {
  for (const ordered_json& row : rows)
    if (row["agent"] == agent && row["size"] == size) return &row;
  return nullptr;
}

// The weighted form of a method against the plain one, at every size that has both. A plain run
// that was cut at the cap makes the ratio a lower bound on itself.
ordered_json comparison_of(const ordered_json& rows) {
  ordered_json comparison = ordered_json::array();
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {kPlain, kWeighted},
      {std::string(kPlain) + ":counts=pooled", kWeighted},
      {std::string(kPlain) + ":method=program", std::string(kWeighted) + ":method=program"}};
  for (const auto& [plain_agent, weighted_agent] : pairs)
    for (const ordered_json& plain : rows) {
      if (plain["agent"] != plain_agent) continue;
      const ordered_json* weighted = find_row(rows, weighted_agent, plain["size"]);
      if (weighted == nullptr) continue;
      const double before = plain["coverage_time"].get<double>();
      const double after = (*weighted)["coverage_time"].get<double>();
      comparison.push_back(
          {{"plain", plain_agent},
           {"size", plain["size"]},
           {"ratio", before / after},
           {"weighted_faster", after < before},
           {"every_seed", (*weighted)["most"].get<double>() < plain["least"].get<double>()}});
    }
  return comparison;
}

Findings findings(const Study& study, const std::vector<Cell>& cells) {
  Findings found = {{"rows", ordered_json::array()}};
  for (const Cell& cell : sorted_by(cells, {&Cell::env})) found["rows"].push_back(row_of(cell));
  found["comparison"] = comparison_of(found["rows"]);
  if (!found["comparison"].empty())
    found["weighted_faster_at_every_size"] = std::ranges::all_of(
        found["comparison"], [](const ordered_json& row) { return row["weighted_faster"]; });
  found["first_seed"] = first_seed(study);
  found["episodes"] = cells.front().cap;
  return found;
}

// Sizes for the agents of the first table; those of the others stay below the largest that they
// have in the sweep.
void choose_sizes(Study& study, const std::string& text) {
  const std::vector<std::int64_t> sizes = whole_list("--sizes", text, {1, 1'000'000});
  for (const std::int64_t size : sizes)
    if (size < 5 || size > 199 || size % 2 == 0)
      throw InputError("--sizes", fmt::format("must be odd and in 5..199, got {}", size));
  const std::size_t most = study.tables.front().vary.at("size").size();
  for (SweepTable& table : study.tables) {
    std::vector<std::string>& own = table.vary.at("size");
    const bool has_all = own.size() == most;
    const int largest = std::stoi(own.back());
    own.clear();
    for (const std::int64_t size : sizes)
      if (has_all || size <= largest) own.push_back(std::to_string(size));
  }
  std::erase_if(study.tables,
                [](const SweepTable& table) { return table.vary.at("size").empty(); });
}

void print(const Findings& found) {
  print_findings(found, "rows", "episodes until all is tried, " + capped_mean(found),
                 {"seeds", "pairs"});
  if (!found["comparison"].empty())
    print_findings(found, "comparison", "the plain entropy against the weighted one");
}

}  // namespace

Experiment experiment() {
  Experiment experiment;
  experiment.summary = "Appendix I: episodes to cover four rooms without rewards";
  Option sizes = list_of("--sizes", "size", {}, "Sizes, odd, e.g. 5,7,9");
  sizes.apply = choose_sizes;
  experiment.options = {
      sizes, seed_count("Seeds of each cell"), first_seed_option(),
      agents_option("AGENTS", "; all at every size")
          .saying("those of experiments/four-rooms/sweep.toml"),
      episodes_option("Cap: a seed that has not covered the rooms by then is counted there")};
  experiment.footer =
      "Examples:\n"
      "  vapor reproduce four-rooms --quick\n"
      "  vapor reproduce four-rooms --sizes 5,9 --seeds 4 --json";
  experiment.columns = {{"coverage_time", in("episodes")},
                        {"least", in("episodes")},
                        {"most", in("episodes")},
                        {"floor", in("episodes")}};
  experiment.findings = findings;
  experiment.print = print;
  return experiment;
}

}  // namespace vapor::experiments::four_rooms
