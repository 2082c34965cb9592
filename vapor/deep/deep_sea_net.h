// How deep a sea agents with networks learn (paper, appendix I, "DeepSea (neural network)"): a line
// an agent, with the depths and the cap it is tried at. An agent that dithers is tried on short
// seas with a large cap, one that explores on deep seas.
#pragma once

#include <string>
#include <vector>

#include "vapor/deep/training_study.h"

namespace vapor::deep {

struct SeaLine {
  std::string agent;  // a spec
  std::vector<int> depths;
  std::int64_t episodes = 2000;
};

struct DeepSeaNet {
  std::vector<SeaLine> lines;
  int seeds = 5;
  std::uint64_t first_seed = 1;
};

// The part `full` or `quick` of experiments/deep-sea-net/sweep.json.
DeepSeaNet deep_sea_net_of(const nlohmann::ordered_json& part);

// Only these agents. A name alone takes its line, and so the settings it was tuned to; a spec with
// settings takes the depths and the cap of its name's line, and of the first where there is none.
// `agents` has commas between them: "dqn,vapor-lite:hidden=64,heads=5,ersac" are three.
void choose_agents(DeepSeaNet& net, const std::string& agents);

// Throws InputError that names the option.
TrainingStudy study_of(const DeepSeaNet& net);

// From the records of all runs of study_of(net): `rows`, and `reach`, by line the deepest of its
// depths up to which every seed solved, and the least that no seed did.
nlohmann::ordered_json deep_sea_net_findings(const DeepSeaNet& net, const std::string& out);

}  // namespace vapor::deep
