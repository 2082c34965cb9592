// Writes the stored inputs that are bytes or long: fuzz_seeds tests/fuzz/corpus. The others were
// written by hand, or are what a fuzzer found.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "scratch.h"
#include "vapor/agent/registry.h"
#include "vapor/atari/protocol.h"
#include "vapor/core/archive.h"
#include "vapor/core/checksum.h"
#include "vapor/deep/agents.h"
#include "vapor/deep/policy_file.h"
#include "vapor/env/registry.h"
#include "vapor/mdp/policy.h"
#include "vapor/mdp/problem_file.h"
#include "vapor/mdp/random_problem.h"
#include "vapor/record/checkpoint.h"
#include "vapor/run/beliefs.h"
#include "vapor/solver/solution_file.h"
#include "vapor/solver/solve.h"

namespace vapor::fuzz {
namespace {

namespace fs = std::filesystem;

class Seeds {
 public:
  explicit Seeds(fs::path corpus) : corpus_(std::move(corpus)) {}

  void write(const std::string& target, const std::string& name, const std::string& bytes) const {
    fs::create_directories(corpus_ / target);
    std::ofstream(corpus_ / target / name, std::ios::binary) << bytes;
  }

 private:
  fs::path corpus_;
};

void problems(const Seeds& seeds) {
  RandomProblemSettings settings{.layers = 2, .states = 2, .actions = 2, .successors = 2};
  for (const double base_weight : {0.0, 0.25}) {
    settings.base_weight = base_weight;
    settings.zero_sigma_share = base_weight;
    std::ostringstream out;
    write_problem(out, random_problem(settings, RandomStream(1)));
    seeds.write("problem", base_weight > 0.0 ? "good-base" : "good-sparse", out.str());
  }
}

void solutions(const Seeds& seeds) {
  const Problem problem =
      random_problem({.layers = 2, .states = 2, .actions = 2, .successors = 2}, RandomStream(1));
  const std::string path = scratch_folder({}, {}) + "/solution.json";
  Solution solution = solve(problem, {.tolerance = 1e-3});
  solution.seconds = 0.0;
  write_solution_file(path, problem.shape, solution, Method::kNewton);
  seeds.write("solution", "good", contents_of(path));
}

// Every agent after one episode.
void states(const Seeds& seeds) {
  const Environment environment = make_environment(Spec(setting("env"), "deep_sea:depth=2"), 1);
  const std::string belief = default_belief("deep_sea", environment);
  char number = 0;
  for (const AgentKind& kind : agent_kinds()) {
    const char first = number++;
    if (kind.name == "bayes-optimal") continue;  // needs another belief
    const auto agent = make_agent(
        Spec(setting("agent"), kind.name),
        make_belief(Spec(setting("belief"), belief), environment), {},
        Cost{.of_pair = std::vector<double>(environment.shape().pairs()), .baseline = {}});
    agent->policy(RandomStream(1));
    RandomStream random(2);
    agent->observe(play(environment, uniform_policy(environment.shape()), random));
    Archive archive;
    agent->archive(archive);
    seeds.write("state", "good-" + kind.name, first + archive.bytes());
  }
}

void policies(const Seeds& seeds) {
  char number = 0;
  for (const deep::AgentKind& kind : deep::agent_kinds()) {
    deep::Config config = deep::deep_sea_config("", kind.name, 2);
    config.network.hidden = 2;
    config.uncertainty.ensemble.heads = 2;
    const auto agent = deep::make_table_agent(kind.name, config, 3, 2, RandomStream(1));
    const std::string& folder = scratch_folder({}, {});
    deep::write_policy(folder, *agent);
    seeds.write("policy", "good-" + kind.name, number++ + contents_of(folder + "/policy"));
  }
}

// A run of two episodes that was killed after the second.
void checkpoints(const Seeds& seeds) {
  const std::string run =
      "{\"format\": \"vapor-run\", \"format_version\": 2, \"status\": \"running\", "
      "\"version\": \"0.1.0\", \"command\": \"vapor run\", \"definition\": {\"seed\": 1}}\n";
  const std::string episodes = "episode,return\n1,0.5\n2,1\n";
  const std::string timing = "episode,seconds\n1,0.001\n2,0.001\n";
  const std::string path = scratch_folder({}, {}) + "/checkpoint";
  for (const std::string state : {"", "state"}) {
    Checkpoint checkpoint;
    checkpoint.episodes = 2;
    checkpoint.episodes_bytes = static_cast<std::int64_t>(episodes.size());
    checkpoint.timing_bytes = static_cast<std::int64_t>(timing.size());
    checkpoint.episodes_sum = crc32c(episodes);
    checkpoint.timing_sum = crc32c(timing);
    checkpoint.state = state;
    write_checkpoint(path, checkpoint);
    seeds.write("checkpoint", state.empty() ? "good-empty" : "good",
                std::string(run)
                    .append("=== episodes.csv\n")
                    .append(episodes)
                    .append("=== timing.csv\n")
                    .append(timing)
                    .append("=== checkpoint\n")
                    .append(contents_of(path)));
  }
}

void protocols(const Seeds& seeds) {
  const auto bytes_of = [](const auto& message) {
    return std::string(reinterpret_cast<const char*>(&message), sizeof message);
  };
  atari::Hello hello{.places = 2, .actions = 6, .channels = 4, .height = 8, .width = 8};
  hello.memory_bytes = atari::SharedArrays::bytes(2, hello.shape().bytes());
  const std::string good = bytes_of(atari::Reply{});
  const std::string bad = bytes_of(atari::Reply{atari::Outcome::kBadInput, 3}) + "why";
  seeds.write("protocol", "good", good + bytes_of(hello) + good + good);
  seeds.write("protocol", "refused", bad);
  hello.channels = hello.height = hello.width = 1 << 20;
  seeds.write("protocol", "sizes-that-overflow", good + bytes_of(hello));
}

}  // namespace
}  // namespace vapor::fuzz

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: fuzz_seeds CORPUS\n";
    return 2;
  }
  const vapor::fuzz::Seeds seeds(argv[1]);
  for (const auto write : {vapor::fuzz::problems, vapor::fuzz::solutions, vapor::fuzz::states,
                           vapor::fuzz::policies, vapor::fuzz::checkpoints, vapor::fuzz::protocols})
    write(seeds);
}
