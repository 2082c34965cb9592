// Figure 3 of the paper: how many episodes agents need to learn DeepSea, against its depth. The
// paper leaves the scale of the uncertainty open, and it decides the outcome, so the belief is a
// setting, the same for all agents of a comparison, and several are compared.
#include <algorithm>
#include <cmath>

#include "experiments/common/experiment.h"
#include "experiments/common/printing.h"
#include "experiments/deep-sea/novelty.h"
#include "vapor/core/error.h"
#include "vapor/core/spec.h"
#include "vapor/record/run_summary.h"

namespace vapor::experiments::deep_sea {
namespace {

std::string setting_of(const Cell& cell) { return cell.label(cell.belief()); }

// What a setting that has no name is made of, a column each.
void add_belief(ordered_json& row, const Cell& cell) {
  if (setting_of(cell) != cell.belief()) return;
  const Spec belief(setting("belief"), cell.belief());
  for (const auto& [key, value] : belief.values()) row[key] = value;
}

ordered_json row_of(const Cell& cell) {
  Times first, solved;
  std::vector<double> ms;
  for (const RunRecord& record : cell.records()) {
    const RunSummary seed = summarise(record);
    first.add(seed.first_success, cell.cap);
    solved.add(seed.solved, cell.cap);
    ms.push_back(seed.ms_per_episode);
  }
  const auto seeds = static_cast<double>(cell.seeds());
  ordered_json row = {{"agent", cell.agent()},
                      {"depth", cell.number("depth")},
                      {"setting", setting_of(cell)},
                      {"seeds", cell.seeds()}};
  add_belief(row, cell);
  add_mean(row, "first_success", first.capped, first.reached > 0);
  row["found_fraction"] = first.reached / seeds;
  add_mean(row, "solved", solved.capped, solved.reached > 0);
  row["solved_fraction"] = solved.reached / seeds;
  row["ms_per_episode"] = mean_and_error(ms).mean;
  row["coverage_floor"] = 2 * cell.number("depth");
  return row;
}

// The slope of log time against log depth by least squares, over the depths that every seed solved.
ordered_json growth_of(const ordered_json& rows, const std::string& agent,
                       const std::string& setting) {
  std::vector<double> x, y;
  for (const ordered_json& row : rows) {
    if (row["agent"] != agent || row["setting"] != setting || row["solved_fraction"] != 1.0)
      continue;
    x.push_back(std::log(row["depth"].get<double>()));
    y.push_back(std::log(row["solved"].get<double>()));
  }
  ordered_json growth = {{"agent", agent}, {"setting", setting}, {"depths", x.size()}};
  growth["exponent"] = nullptr;
  growth["exponent_se"] = nullptr;
  if (x.size() < 3) return growth;
  const double mean_x = mean_and_error(x).mean;
  const double mean_y = mean_and_error(y).mean;
  double xx = 0.0, xy = 0.0, residual = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  const double slope = xy / xx;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double error = y[i] - mean_y - slope * (x[i] - mean_x);
    residual += error * error;
  }
  growth["exponent"] = slope;
  growth["exponent_se"] = std::sqrt(residual / static_cast<double>(x.size() - 2) / xx);
  return growth;
}

Findings findings(const Study& study, const std::vector<Cell>& cells) {
  Findings found = {{"rows", ordered_json::array()}, {"growth", ordered_json::array()}};
  for (const Cell& cell : sorted_by(cells, {setting_of, &Cell::env})) {
    found["rows"].push_back(row_of(cell));
    found["settings"][setting_of(cell)] = cell.belief();
  }
  std::string env = cells.front().env();
  for (const Cell& cell : sorted_by(cells, {setting_of}))
    if (cell.env() == env)
      found["growth"].push_back(growth_of(found["rows"], cell.agent(), setting_of(cell)));
  if (study.part == "novelty") found["novelty"] = novelty_rows(cells);
  found["first_seed"] = first_seed(study);
  found["episodes"] = cells.front().cap;
  return found;
}

bool has_setting(const SweepTable& table, const std::string& name) {
  const auto is = [&](const PlacedText& belief) { return belief.text == "{" + name + "}"; };
  return std::ranges::any_of(table.beliefs, is);
}

// The settings that the figure has by name.
std::map<std::string, std::string> named_settings() {
  std::map<std::string, std::string> named;
  for (const SweepTable& table : tables_of(vapor::experiments::experiment("deep-sea"), "full"))
    for (const auto& [name, values] : table.vary)
      if (has_setting(table, name)) named[name] = values.front();
  return named;
}

// One of them, or the spec of a belief: in the tables that have it, or else in the first.
void choose_setting(Study& study, const std::string& text) {
  const std::map<std::string, std::string> named = named_settings();
  std::vector<std::string> names;
  for (const auto& [name, belief] : named) names.push_back(name);
  if (!named.contains(text) && text.find(':') == std::string::npos)
    throw unknown_name("--setting", text, names, " or the spec of a belief");
  const auto lacks = [&](const SweepTable& table) { return !has_setting(table, text); };
  if (std::ranges::all_of(study.tables, lacks))
    study.tables.resize(1);
  else
    std::erase_if(study.tables, lacks);
  for (SweepTable& table : study.tables) {
    table.beliefs = {{text, "--setting"}};
    if (!named.contains(text)) continue;
    table.beliefs.front().text = "{" + text + "}";
    table.vary[text] = {named.at(text)};
  }
}

command::Values settings_to_choose() {
  command::Values values = command::values_of("BELIEF");
  std::erase_if(values.kinds, [](const command::Kind& kind) { return kind.name == "contrast"; });
  values.kinds.insert(values.kinds.begin(),
                      {{"default", "", "the belief that is used if none is named"},
                       {"literal", "", "the paper's constants"},
                       {"precise", "", "the paper's prior, rewards all but without noise"},
                       {"contrast", "", "the setting that was chosen in the study"}});
  return values;
}

void print(const Findings& found) {
  print_findings(found, "rows", "episodes until solved, " + capped_mean(found), {"seeds"});
  print_findings(found, "growth", "the slope of log episodes against log depth");
  if (found.contains("novelty"))
    print_findings(found, "novelty", "pairs of an episode that were never tried, as a share");
}

}  // namespace

Experiment experiment() {
  Experiment experiment;
  experiment.summary = "Figure 3: learning time on DeepSea against its depth";
  const Option setting = {
      "--setting",    "SETTING", "default, literal, precise, contrast or the spec of a belief",
      choose_setting, {},        settings_to_choose};
  experiment.options = {list_of("--depths", "depth", {1, 1000}, "Depths, e.g. 20,40"),
                        seed_count("Seeds of each cell"),
                        first_seed_option(),
                        agents_option(),
                        setting.saying("all four"),
                        episodes_option(kSolvedCap)};
  experiment.parts = {
      {"study", "The grid of settings from which `contrast` was chosen, on seeds of its own"},
      {"noise", "The paper's prior with less and less noise, and two masses"},
      {"terms", "--noise with the transition terms of the paper"},
      {"deep", "Depths up to 200 under the default belief, five seeds"},
      {"novelty", "How much of an episode is new, from snapshots"}};
  experiment.footer =
      "Examples:\n"
      "  vapor reproduce deep-sea --quick\n"
      "  vapor reproduce deep-sea --depths 20,40 --seeds 4 --agents vapor,thompson --json\n"
      "  vapor reproduce deep-sea --setting tabular:repeat=100,variance=0.1,transform=range";
  experiment.columns = {{"first_success", in("episodes")},
                        {"solved", in("episodes")},
                        {"coverage_floor", in("episodes")}};
  experiment.findings = findings;
  experiment.print = print;
  return experiment;
}

}  // namespace vapor::experiments::deep_sea
