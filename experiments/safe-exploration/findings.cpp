// Learning under a budget: regret, violation, and what it takes until policies are within one per
// cent of the constrained optimum, for VAPOR and the rivals of constrained MDPs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "experiments/common/experiment.h"
#include "experiments/common/printing.h"
#include "vapor/env/registry.h"

namespace vapor::experiments::safe_exploration {
namespace {

// Policies are within 1% from the first episode of which the next hundred, in the mean, have a
// regret of at most 1% of the optimum and a violation of at most 1% of the budget.
constexpr std::size_t kWindow = 100;
constexpr double kWithin = 0.01;

struct SeedNumbers {
  double regret = 0.0;         // of all episodes
  double violation = 0.0;      // of all episodes
  std::int64_t violating = 0;  // episodes that are more than rounding above the budget
  double worst = 0.0;          // largest violation
  double last_gap = 0.0;       // mean regret of the last hundred, of the optimum
  std::optional<std::int64_t> within;
  double ms = 0.0;  // of the middle episode
};

double optimum_of(const RunRecord& record) {
  const std::span<const double> regret = record.episodes.column("regret");
  const std::span<const double> value = record.episodes.column("value");
  double optimum = value[0] + regret[0];  // that, or more where the budget is exceeded
  for (std::size_t t = 1; t < value.size(); ++t) optimum = std::min(optimum, value[t] + regret[t]);
  return optimum;
}

std::optional<std::int64_t> first_within(std::span<const double> regret,
                                         std::span<const double> violation, double optimum,
                                         double budget) {
  double regrets = 0.0, violations = 0.0;
  for (std::size_t t = 0; t < regret.size(); ++t) {
    regrets += regret[t];
    violations += violation[t];
    if (t + 1 < kWindow) continue;
    if (regrets <= kWithin * kWindow * std::abs(optimum) &&
        violations <= kWithin * kWindow * budget)
      return static_cast<std::int64_t>(t + 2 - kWindow);
    regrets -= regret[t + 1 - kWindow];
    violations -= violation[t + 1 - kWindow];
  }
  return std::nullopt;
}

double middle_ms(const RunRecord& record) {
  if (record.timing.rows() == 0) return 0.0;
  const std::span<const double> seconds = record.timing.column("seconds");
  std::vector<double> sorted(seconds.begin(), seconds.end());
  std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2));
  return 1000.0 * sorted[sorted.size() / 2];
}

SeedNumbers numbers_of(const RunRecord& record, double budget) {
  const std::span<const double> regret = record.episodes.column("regret");
  const std::span<const double> violation = record.episodes.column("violation");
  const double optimum = optimum_of(record);
  SeedNumbers numbers;
  for (std::size_t t = 0; t < regret.size(); ++t) {
    numbers.regret += regret[t];
    numbers.violation += violation[t];
    numbers.violating += violation[t] > 1e-9 * budget ? 1 : 0;
    numbers.worst = std::max(numbers.worst, violation[t]);
  }
  const std::size_t last = std::min(kWindow, regret.size());
  for (std::size_t t = regret.size() - last; t < regret.size(); ++t)
    numbers.last_gap += regret[t] / (static_cast<double>(last) * std::abs(optimum));
  numbers.within = first_within(regret, violation, optimum, budget);
  numbers.ms = middle_ms(record);
  return numbers;
}

// The name of a belief that the sweep names, else null: the default one, or none.
ordered_json belief_of(const Cell& cell) {
  const std::string label = cell.label(cell.belief());
  return label == cell.belief() ? ordered_json() : ordered_json(label);
}

ordered_json row_of(const Cell& cell) {
  const Environment world =
      make_environment(Spec(setting("env"), cell.env()), cell.settings().seed);
  std::vector<double> regret, violation, gap, ms;
  double worst = 0.0, optimum = 0.0;
  std::int64_t violating = 0;
  Times within;
  for (const RunRecord& record : cell.records()) {
    const SeedNumbers seed = numbers_of(record, world.cost->budget);
    optimum = optimum_of(record);
    regret.push_back(seed.regret);
    violation.push_back(seed.violation);
    gap.push_back(seed.last_gap);
    ms.push_back(seed.ms);
    worst = std::max(worst, seed.worst);
    violating += seed.violating;
    within.add(seed.within, cell.cap);
  }
  ordered_json row = {{"env", cell.env()},         {"agent", cell.agent()},
                      {"belief", belief_of(cell)}, {"episodes", cell.cap},
                      {"seeds", cell.seeds()},     {"budget", world.cost->budget},
                      {"optimum", optimum}};
  add_mean(row, "regret", regret);
  add_mean(row, "violation", violation);
  row["violating"] = static_cast<double>(violating) /
                     static_cast<double>(cell.cap * static_cast<std::int64_t>(cell.seeds()));
  row["worst_violation"] = worst;
  add_mean(row, "last_gap", gap);
  row["within"] = within.mean();
  row["within_seeds"] = within.reached;
  add_mean(row, "ms", ms);
  const double all = row["ms"].get<double>() / 1000.0;
  row["seconds_within"] =
      row["within"].is_null() ? ordered_json() : ordered_json(all * row["within"].get<double>());
  return row;
}

Findings findings(const Study& study, const std::vector<Cell>& cells) {
  Findings found = {{"rows", ordered_json::array()}};
  for (const Cell& cell : sorted_by(cells, {&Cell::env})) found["rows"].push_back(row_of(cell));
  found["first_seed"] = first_seed(study);
  return found;
}

void print(const Findings& found) {
  print_findings(found, "rows",
                 "regret and violation of all episodes, means over seeds; within: episodes until "
                 "policies are within 1%",
                 {"regret_se", "violation_se", "last_gap_se", "ms_se", "budget", "optimum", "seeds",
                  "within_seeds", "worst_violation"});
}

}  // namespace

Experiment experiment() {
  Experiment experiment;
  experiment.summary = "Learning under a budget: regret and violation of VAPOR and its rivals";
  experiment.options = {seed_count("Seeds of each cell"), first_seed_option(), agents_option(),
                        episodes_option("Episodes of each run")};
  experiment.footer =
      "Examples:\n  vapor reproduce safe-exploration --quick\n"
      "  vapor reproduce safe-exploration --agents vapor:budget=auto,k=1 --seeds 3";
  experiment.columns = {{"regret", in("units of reward")},
                        {"violation", in("units of cost")},
                        {"within", in("episodes")}};
  experiment.findings = findings;
  experiment.print = print;
  return experiment;
}

}  // namespace vapor::experiments::safe_exploration
