// The state of an agent as bytes: what a checkpoint holds of it, and the policy of a training. The
// first byte says which agent is to take the rest. What is taken is given back to the last byte,
// and a policy can be played.
#include <memory>
#include <string>
#include <vector>

#include "scratch.h"
#include "targets.h"
#include "vapor/agent/registry.h"
#include "vapor/core/check.h"
#include "vapor/core/error.h"
#include "vapor/deep/agents.h"
#include "vapor/deep/policy_file.h"
#include "vapor/env/registry.h"
#include "vapor/run/beliefs.h"

namespace vapor::fuzz {
namespace {

std::size_t choice(std::string_view bytes, std::size_t count) {
  if (bytes.empty()) throw InputError("state", "is empty");
  return static_cast<unsigned char>(bytes.front()) % count;
}

}  // namespace

void read_state_bytes(std::string_view bytes) {
  static const Environment environment =
      make_environment(Spec(setting("env"), "deep_sea:depth=2"), 1);
  static const std::string belief = default_belief("deep_sea", environment);
  const AgentKind& kind = agent_kinds()[choice(bytes, agent_kinds().size())];
  const auto agent = make_agent(
      Spec(setting("agent"), kind.name), make_belief(Spec(setting("belief"), belief), environment),
      {}, Cost{.of_pair = std::vector<double>(environment.shape().pairs()), .baseline = {}});
  const std::string state(bytes.substr(1));
  Archive archive = Archive::restoring(state);
  agent->archive(archive);
  archive.expect_end();
  Archive again;
  agent->archive(again);
  VAPOR_CHECK_EQ(again.bytes() == state, true);
}

void read_policy_bytes(std::string_view bytes) {
  const std::string name = deep::agent_kinds()[choice(bytes, deep::agent_kinds().size())].name;
  deep::Config config = deep::deep_sea_config("", name, 2);
  config.network.hidden = 2;
  config.uncertainty.ensemble.heads = 2;
  const auto agent = deep::make_table_agent(name, config, 3, 2, RandomStream(1));
  const std::string& folder =
      scratch_folder({{"policy", std::string(bytes.substr(1))}}, {"policy"});
  deep::read_policy(folder, *agent);
  deep::write_policy(folder, *agent);
  const std::string before = contents_of(folder + "/policy");
  deep::read_policy(folder, *agent);
  deep::write_policy(folder, *agent);
  VAPOR_CHECK_EQ(contents_of(folder + "/policy") == before, true);
  RandomStream random(2);
  agent->begin_episode(0, random);
  const std::vector<Index> observations = {2};
  std::vector<double> pi(2), sigma(1);
  agent->play(observations, pi, sigma);
}

}  // namespace vapor::fuzz
