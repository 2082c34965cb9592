// Two agents in one environment, three seeds each, kept as records and read back.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "vapor/record/run_record.h"
#include "vapor/record/run_summary.h"
#include "vapor/run/sweep.h"

int main(int argc, char** argv) {
  const std::string out = argc > 1 ? argv[1] : "out/examples/compare_agents";
  const std::vector<std::string> agents = {"vapor", "epsilon-greedy:epsilon=0.1"};

  // What is run: an environment, an agent and a seed each; the belief is the default one.
  std::vector<vapor::SweepCell> cells;
  for (const std::string& agent : agents)
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      vapor::RunSettings settings;
      settings.env = "deep_sea:depth=8";
      settings.agent = agent;
      settings.episodes = 100;
      settings.seed = seed;
      std::string folder = out + "/";
      folder.append(agent, 0, agent.find(':')).append("/seed-").append(std::to_string(seed));
      cells.push_back({complete(settings), folder});
    }
  sweep(cells, {});  // a run that stands already is left alone

  // What came out, from the folders alone.
  std::vector<double> mean;
  for (std::size_t a = 0; a < agents.size(); ++a) {
    std::vector<double> regret;
    for (std::size_t seed = 0; seed < 3; ++seed) {
      const vapor::RunRecord record = vapor::read_run(cells[3 * a + seed].folder);
      regret.push_back(vapor::summarise(record).total_regret.value());
    }
    const vapor::MeanAndError all = vapor::mean_and_error(regret);
    std::printf("%-28s regret %6.2f +- %.2f over %zu seeds\n", agents[a].c_str(), all.mean,
                all.standard_error, all.count);
    mean.push_back(all.mean);
  }
  return mean[0] < mean[1] ? 0 : 1;
}
