// The stochastic sea, where a search that tries everything once settles for luck: who is at nine
// tenths of the optimum on every seed, also where the first reward at the goal is bad; and how soon
// the goal was reached ten times on bsuite's seas.
#include <algorithm>
#include <numeric>

#include "experiments/common/experiment.h"
#include "experiments/common/printing.h"
#include "vapor/core/spec.h"
#include "vapor/record/run_summary.h"

namespace vapor::experiments::stochastic_sea {
namespace {

constexpr double kEnough = 0.9;         // of the optimum
constexpr std::ptrdiff_t kWindow = 20;  // episodes whose policies are taken together
constexpr double kCostOfAllRight = 0.01;

using Column = std::span<const double>;

double mean_of(Column values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The first episode by which the latest policies are worth enough, on the mean.
std::optional<std::int64_t> reached_in(const RunRecord& record) {
  const Column value = record.episodes.column("value");
  const double enough = kEnough * (value[0] + record.episodes.column("regret")[0]);
  for (std::size_t end = kWindow; end <= value.size(); ++end)
    if (mean_of(value.subspan(end - kWindow, kWindow)) >= enough)
      return static_cast<std::int64_t>(end);
  return std::nullopt;
}

// What the policies of the last fifth of the episodes are worth, as a part of the optimum.
double last_fifth_of(const RunRecord& record) {
  const Column value = record.episodes.column("value");
  const double optimum = value[0] + record.episodes.column("regret")[0];
  return mean_of(value.last(std::max<std::size_t>(1, value.size() / 5))) / optimum;
}

std::optional<std::int64_t> tenth_success_in(const RunRecord& record) {
  int successes = 0;
  const Column success = record.episodes.column("success");
  for (std::size_t i = 0; i < success.size(); ++i)
    if (success[i] != 0.0 && ++successes == 10) return static_cast<std::int64_t>(i) + 1;
  return std::nullopt;
}

// The reward at the goal when it was first taken: whoever gets there went right at every step and
// paid for it.
std::optional<double> first_reward_in(const RunRecord& record) {
  const Column success = record.episodes.column("success");
  const auto first = std::ranges::find(success, 1.0);
  if (first == success.end()) return std::nullopt;
  return record.episodes.column("return")[static_cast<std::size_t>(first - success.begin())] +
         kCostOfAllRight;
}

// The number of successes that there are, the least and the greatest.
void add_span(ordered_json& row, const std::string& name, const Times& times) {
  row[name + "_seeds"] = times.reached;
  row[name + "_by_seed"] = times.by_seed;
  std::vector<std::int64_t> reached;
  for (const ordered_json& each : times.by_seed)
    if (!each.is_null()) reached.push_back(each);
  row[name + "_from"] = row[name + "_to"] = nullptr;
  if (reached.empty()) return;
  row[name + "_from"] = std::ranges::min(reached);
  row[name + "_to"] = std::ranges::max(reached);
}

ordered_json head_of(const Cell& cell) {
  Spec env(setting("env"), cell.env());
  return {{"agent", cell.agent()},
          {"depth", env.integer("depth", 10, 1, 1000)},
          {"stochastic", env.flag("stochastic", false)},
          {"seeds", cell.seeds()},
          {"episodes", cell.cap}};
}

ordered_json row_of(const Cell& cell) {
  Times reached;
  double worst = 1.0;
  int bad_luck = 0, bad_luck_reached = 0;
  std::string signs;
  for (const RunRecord& record : cell.records()) {
    const std::optional<std::int64_t> episode = reached_in(record);
    const std::optional<double> first = first_reward_in(record);
    reached.add(episode, cell.cap);
    worst = std::min(worst, last_fifth_of(record));
    signs += !first ? '0' : *first < 0.0 ? '-' : '+';
    if (signs.back() != '-') continue;
    ++bad_luck;
    if (episode) ++bad_luck_reached;
  }
  ordered_json row = head_of(cell);
  add_mean(row, "reached", reached.capped, reached.reached > 0);
  add_span(row, "reached", reached);
  row["worst_last_fifth"] = worst;
  row["first_rewards"] = signs;
  row["bad_luck"] = bad_luck;
  row["bad_luck_reached"] = bad_luck_reached;
  return row;
}

ordered_json tenth_row_of(const Cell& cell) {
  Times tenth;
  for (const RunRecord& record : cell.records()) tenth.add(tenth_success_in(record), cell.cap);
  ordered_json row = head_of(cell);
  add_mean(row, "tenth", tenth.capped, tenth.reached > 0);
  add_span(row, "tenth", tenth);
  return row;
}

bool is_one_sea(const Cell& cell) { return cell.env().find("mapping_seed") != std::string::npos; }

Findings findings(const Study& study, const std::vector<Cell>& cells) {
  Findings found = {{"rows", ordered_json::array()}, {"tenth", ordered_json::array()}};
  for (const Cell& cell : sorted_by(cells, {&Cell::env}))
    if (is_one_sea(cell))
      found["tenth"].push_back(tenth_row_of(cell));
    else
      found["rows"].push_back(row_of(cell));
  found["first_seed"] = first_seed(study);
  return found;
}

void print(const Findings& found) {
  print_findings(
      found, "rows",
      "first episode at nine tenths of the optimum; sign of the first reward at the goal",
      {"reached_by_seed", "reached_from", "stochastic", "seeds"});
  print_findings(found, "tenth", "episode of the tenth success on bsuite's seas, mapping_seed 42",
                 {"tenth_by_seed", "seeds"});
}

}  // namespace

Experiment experiment() {
  Experiment experiment;
  experiment.summary = "The stochastic sea, and bsuite's seas: every agent beside VAPOR";
  experiment.options = {seed_count("Seeds of each cell"), first_seed_option()};
  experiment.footer =
      "Examples:\n"
      "  vapor reproduce stochastic-sea --quick\n"
      "  vapor reproduce stochastic-sea --first-seed 201 --seeds 5";
  experiment.columns = {{"reached", in("episodes")}, {"tenth", in("episodes")}};
  experiment.findings = findings;
  experiment.print = print;
  return experiment;
}

}  // namespace vapor::experiments::stochastic_sea
