// What is learned when no belief is named: the regret of VAPOR, Thompson sampling and K-learning
// under the default belief, environment by environment, on seeds that chose none of its constants.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "experiments/common/experiment.h"
#include "experiments/common/printing.h"

namespace vapor::experiments::default_belief {
namespace {

constexpr const char* kExact = "exact";  // the prior that the environment is drawn from

struct Learned {
  std::vector<double> regret;     // by seed, of all episodes
  double worst_last_fifth = 1.0;  // value of the policies, as a part of the optimum
};

Learned learned_in(const Cell& cell) {
  Learned learned;
  for (const RunRecord& seed : cell.records()) {
    const std::span<const double> regret = seed.episodes.column("regret");
    const std::span<const double> value = seed.episodes.column("value");
    double total = 0.0, late_value = 0.0, late_optimum = 0.0;
    const std::size_t late = regret.size() - regret.size() / 5;
    for (std::size_t i = 0; i < regret.size(); ++i) {
      total += regret[i];
      if (i < late) continue;
      late_value += value[i];
      late_optimum += value[i] + regret[i];
    }
    learned.regret.push_back(total);
    if (late_optimum > 0.0)
      learned.worst_last_fifth = std::min(learned.worst_last_fifth, late_value / late_optimum);
  }
  return learned;
}

std::string column_of(const Cell& cell) {
  if (cell.label(cell.belief()) == kExact) return kExact;
  return cell.agent() == "k-learning" ? "k_learning" : cell.agent();
}

// All columns, whatever agents there are.
ordered_json empty_row(const Cell& cell) {
  ordered_json row = {{"env", cell.env()}, {"episodes", cell.cap}, {"seeds", cell.seeds()}};
  for (const char* column :
       {"vapor", "vapor_worst", "worst_last_fifth", "thompson", "k_learning", kExact, "ratio"})
    row[column] = nullptr;
  return row;
}

Findings findings(const Study& study, const std::vector<Cell>& cells) {
  Findings found = {{"rows", ordered_json::array()}};
  std::map<std::string, std::size_t> row_of;
  for (const Cell& cell : cells) {
    const auto [place, is_new] = row_of.try_emplace(cell.env(), found["rows"].size());
    if (is_new) found["rows"].push_back(empty_row(cell));
    ordered_json& row = found["rows"][place->second];
    const Learned learned = learned_in(cell);
    const std::string column = column_of(cell);
    add_mean(row, column, learned.regret);
    row[column + "_worst"] = std::ranges::max(learned.regret);
    if (column == "vapor") row["worst_last_fifth"] = learned.worst_last_fifth;
  }
  for (ordered_json& row : found["rows"]) {
    const char* rival = row[kExact].is_null() ? "thompson" : kExact;
    if (row["vapor"].is_null() || row[rival].is_null()) continue;
    row["ratio"] = row["vapor"].get<double>() / row[rival].get<double>();
  }
  found["first_seed"] = first_seed(study);
  return found;
}

void print(const Findings& found) {
  print_findings(found, "rows",
                 "mean regret of all episodes; ratio: vapor's to thompson's, exact if known",
                 {"vapor_se", "thompson_se", "k_learning_se", "exact_se", "thompson_worst",
                  "k_learning_worst", "exact_worst", "seeds"});
}

}  // namespace

Experiment experiment() {
  Experiment experiment;
  experiment.summary = "What is learned when no belief is named";
  experiment.options = {seed_count("Seeds of each cell"), first_seed_option(), agents_option()};
  experiment.footer =
      "Examples:\n  vapor reproduce default-belief --quick\n"
      "  vapor reproduce default-belief --first-seed 201 --seeds 5";
  experiment.columns = {{"vapor", in("units of reward")}, {"thompson", in("units of reward")}};
  experiment.findings = findings;
  experiment.print = print;
  return experiment;
}

}  // namespace vapor::experiments::default_belief
