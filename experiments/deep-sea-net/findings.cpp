// How deep a sea agents with networks learn (paper, appendix I, "DeepSea (neural network)"): a line
// an agent, with the depths and the cap it is tried at.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "experiments/common/experiment.h"
#include "experiments/common/printing.h"
#include "experiments/common/trainings.h"
#include "vapor/core/spec.h"

namespace vapor::experiments::deep_sea_net {
namespace {

// The networks have a row a cell of the sea: at depth 500 the default width takes 1.5 GB.
constexpr int kMostDepth = 500;

std::string name_of(const std::string& agent) { return agent.substr(0, agent.find(':')); }

// Of the cells of one agent, in the order of the depths: the deepest of them up to which every seed
// solved, and the least that no seed did.
ordered_json reach_of(const std::vector<Cell>& line, const std::vector<ordered_json>& rows) {
  ordered_json all = nullptr;
  ordered_json none = nullptr;
  bool unbroken = true;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto solved = rows[i]["solved_seeds"].get<std::size_t>();
    unbroken = unbroken && solved == line[i].seeds();
    if (unbroken) all = line[i].number("depth");
    if (solved == 0 && none.is_null()) none = line[i].number("depth");
  }
  return {{"agent", name_of(line.front().agent())},
          {"spec", line.front().agent()},
          {"episodes", line.front().cap},
          {"every_seed_to", all},
          {"no_seed_at", none},
          {"tried_to", line.back().number("depth")}};
}

Findings findings(const Study& study, const std::vector<Cell>& cells) {
  Findings found = {{"rows", ordered_json::array()}, {"reach", ordered_json::array()}};
  for (auto begin = cells.begin(); begin != cells.end();) {
    const auto end = std::find_if(begin, cells.end(),
                                  [&](const Cell& cell) { return cell.agent() != begin->agent(); });
    std::vector<ordered_json> rows;
    for (auto cell = begin; cell != end; ++cell) {
      rows.push_back(training_row(*cell, name_of(cell->agent())));
      found["rows"].push_back(rows.back());
    }
    found["reach"].push_back(reach_of({begin, end}, rows));
    begin = end;
  }
  found["first_seed"] = first_seed(study);
  return found;
}

// A name alone takes its line, and so the settings it was tuned to; a spec with settings takes the
// depths and the cap of its name's line, and of the first where there is none.
void choose_agents(Study& study, const std::string& text) {
  Tables chosen;
  for (const std::string& agent : split_specs(text)) {
    const auto named = std::ranges::find_if(study.tables, [&](const SweepTable& table) {
      return name_of(table.agents.front().text) == name_of(agent);
    });
    chosen.push_back(named == study.tables.end() ? study.tables.front() : *named);
    if (named == study.tables.end() || agent.find(':') != std::string::npos)
      chosen.back().agents = {{agent, "--agents"}};
  }
  study.tables = chosen;
}

std::string agents_of(const Tables& tables) {
  std::vector<std::string> names;
  for (const SweepTable& table : tables) names.push_back(name_of(table.agents.front().text));
  return fmt::format("{}", fmt::join(names, ", "));
}

void print(const Findings& found) {
  print_training_rows(found);
  print_findings(found, "reach", "how deep a sea every seed solves", {"spec"});
}

}  // namespace

Experiment experiment() {
  Experiment experiment;
  experiment.summary = "Appendix I: VAPOR-lite and its rivals with networks on DeepSea";
  experiment.options = {
      list_of("--depths", "depth", {1, kMostDepth}, "Depths of every agent, e.g. 20,40")
          .saying("each agent's own"),
      seed_count("Seeds of each cell"),
      first_seed_option(),
      {"--agents", "LIST",
       "Agents with commas between them; a name alone has the settings it was tuned to",
       choose_agents, agents_of},
      episodes_option(kSolvedCap).saying("each agent's own")};
  experiment.footer =
      "Examples:\n"
      "  vapor reproduce deep-sea-net --quick\n"
      "  vapor reproduce deep-sea-net --agents vapor-lite,boot-dqn --depths 20,30 --json\n"
      "Depths, caps and tuned settings: experiments/deep-sea-net/sweep.toml";
  experiment.columns = {{"solved", in("episodes")}, {"first_success", in("episodes")}};
  experiment.findings = findings;
  experiment.print = print;
  return experiment;
}

}  // namespace vapor::experiments::deep_sea_net
