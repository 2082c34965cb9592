#include "vapor/deep/deep_sea_net.h"

#include <fmt/format.h>

#include <algorithm>

#include "vapor/core/error.h"
#include "vapor/core/spec.h"

namespace vapor::deep {
namespace {

using nlohmann::ordered_json;

// The networks have a row a cell of the sea: at depth 500 the default width takes 1.5 GB.
constexpr int kMostDepth = 500;

std::string name_of(const std::string& agent) { return agent.substr(0, agent.find(':')); }

std::vector<StudyCell> cells_of(const SeaLine& line) {
  std::vector<StudyCell> cells;
  for (const int depth : line.depths)
    cells.push_back(
        {name_of(line.agent), line.agent, fmt::format("deep_sea:depth={}", depth), line.episodes});
  return cells;
}

// Of rows in the order of the depths.
ordered_json reach_of(const SeaLine& line, const std::vector<ordered_json>& rows, int seeds) {
  ordered_json all = nullptr;
  ordered_json none = nullptr;
  bool unbroken = true;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int solved = rows[i]["solved_seeds"].get<int>();
    unbroken = unbroken && solved == seeds;
    if (unbroken) all = line.depths[i];
    if (solved == 0 && none.is_null()) none = line.depths[i];
  }
  return {{"agent", name_of(line.agent)}, {"spec", line.agent}, {"episodes", line.episodes},
          {"every_seed_to", all},         {"no_seed_at", none}, {"tried_to", line.depths.back()}};
}

}  // namespace

DeepSeaNet deep_sea_net_of(const ordered_json& part) {
  DeepSeaNet net;
  net.seeds = part.at("seeds").get<int>();
  net.first_seed = part.at("first_seed").get<std::uint64_t>();
  for (const ordered_json& line : part.at("lines"))
    net.lines.push_back({line.at("agent").get<std::string>(),
                         line.at("depths").get<std::vector<int>>(),
                         line.at("episodes").get<std::int64_t>()});
  return net;
}

void choose_agents(DeepSeaNet& net, const std::string& agents) {
  std::vector<SeaLine> chosen;
  for (const std::string& agent : split_specs(agents)) {
    const auto named = std::ranges::find_if(
        net.lines, [&](const SeaLine& line) { return name_of(line.agent) == name_of(agent); });
    SeaLine line = named == net.lines.end() ? net.lines.front() : *named;
    if (named == net.lines.end() || agent.find(':') != std::string::npos) line.agent = agent;
    chosen.push_back(line);
  }
  net.lines = chosen;
}

TrainingStudy study_of(const DeepSeaNet& net) {
  TrainingStudy study{{}, net.seeds, net.first_seed};
  if (net.lines.empty()) throw InputError("--agents", "must name at least one agent");
  for (const SeaLine& line : net.lines) {
    if (line.depths.empty()) throw InputError("--depths", "must name at least one depth");
    for (const int depth : line.depths)
      if (depth < 1 || depth > kMostDepth)
        throw InputError("--depths", fmt::format("must be in 1..{}, got {}", kMostDepth, depth));
    for (StudyCell& cell : cells_of(line)) study.cells.push_back(std::move(cell));
  }
  validate(study);
  return study;
}

ordered_json deep_sea_net_findings(const DeepSeaNet& net, const std::string& out) {
  const TrainingStudy study = study_of(net);
  ordered_json findings = {{"experiment", "deep-sea-net"}, {"rows", ordered_json::array()}};
  findings["reach"] = ordered_json::array();
  for (const SeaLine& line : net.lines) {
    std::vector<ordered_json> rows;
    for (const StudyCell& cell : cells_of(line)) {
      rows.push_back(row_of(cell, study, out));
      findings["rows"].push_back(rows.back());
    }
    findings["reach"].push_back(reach_of(line, rows, net.seeds));
  }
  findings["first_seed"] = net.first_seed;
  return findings;
}

}  // namespace vapor::deep
