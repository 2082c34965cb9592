#include <fmt/format.h>

#include <cstdint>
#include <iostream>
#include <memory>
#include <string>

#include "commands.h"
#include "deep_sea_run.h"
#include "terminal.h"
#include "vapor/core/error.h"
#include "vapor/mdp/problem_file.h"
#include "vapor/mdp/random_problem.h"

namespace vapor::command {
namespace {

struct Target {
  std::string out;
  bool json = false;
  bool quiet = false;
};

int write(const Target& target, const Problem& problem, const std::string& what) {
  if (target.out == "-") {
    write_problem(std::cout, problem);
    return kGood;
  }
  write_problem_file(target.out, problem);
  const Shape& shape = problem.shape;
  if (target.json)
    fmt::print("{{\"layers\": {}, \"states\": {}, \"pairs\": {}, \"transitions\": {}}}\n",
               shape.layers(), shape.states(), shape.pairs(),
               problem.transitions.next_state.size());
  else if (!target.quiet)
    fmt::print("{}: {} ({} layers, {} states, {} pairs)\n", target.out, what, shape.layers(),
               shape.states(), shape.pairs());
  return kGood;
}

void add_target(CLI::App& command, Target& target, std::uint64_t& seed) {
  command.add_option("--out", target.out, "Where to write the problem; - is standard output")
      ->required();
  command.add_option("--seed", seed, "Seed of everything random")
      ->check([](const std::string& text) {
        return text.find('-') == std::string::npos ? "" : "must be >= 0, got " + text;
      })
      ->capture_default_str();
  command.add_flag("--json", target.json, "Print one JSON object about what was written");
  command.add_flag("--quiet", target.quiet, "Print nothing but errors");
}

struct RandomOptions {
  RandomProblemSettings settings;
  std::uint64_t seed = 1;
  Target target;
};

void add_random(CLI::App& parent, Action& action) {
  auto options = std::make_shared<RandomOptions>();
  RandomProblemSettings& s = options->settings;
  CLI::App* command = parent.add_subcommand("random", "A random layered MDP with random beliefs");
  command->add_option("--layers", s.layers, "Layers")->capture_default_str();
  command->add_option("--states", s.states, "States in every layer")->capture_default_str();
  command->add_option("--actions", s.actions, "Actions in every state")->capture_default_str();
  command->add_option("--successors", s.successors, "Sparse next states of a pair")
      ->capture_default_str();
  command->add_option("--base-weight", s.base_weight, "Weight of a random base distribution")
      ->capture_default_str();
  command->add_option("--reward-scale", s.reward_scale, "Standard deviation of reward means")
      ->capture_default_str();
  command->add_option("--sigma-min", s.sigma_min, "Smallest sigma; they are log-uniform")
      ->capture_default_str();
  command->add_option("--sigma-max", s.sigma_max, "Largest sigma")->capture_default_str();
  command->add_option("--zero-sigma-share", s.zero_sigma_share, "Share of pairs with sigma 0")
      ->capture_default_str();
  add_target(*command, options->target, options->seed);
  command->footer("Example:\n  vapor generate random --layers 20 --states 50 --out problem.json");
  command->callback([options, &action] {
    action = [options] {
      return write(options->target, random_problem(options->settings, RandomStream(options->seed)),
                   "random problem");
    };
  });
}

struct DeepSeaOptions {
  DeepSeaRunSettings settings;
  int episodes = 0;
  Target target;
};

int generate_deep_sea(const DeepSeaOptions& options) {
  if (options.episodes < 0)
    throw InputError("--episodes", fmt::format("must be >= 0, got {}", options.episodes));
  DeepSeaRun run(options.settings);
  ProgressLine progress(!options.target.quiet);
  while (run.episodes() < options.episodes) {
    run.step();
    progress.show(fmt::format("episode {} of {}", run.episodes(), options.episodes));
  }
  progress.clear();
  return write(options.target, run.problem(),
               fmt::format("DeepSea posterior after {} episodes, {} successes", run.episodes(),
                           run.successes()));
}

void add_deep_sea(CLI::App& parent, Action& action) {
  auto options = std::make_shared<DeepSeaOptions>();
  DeepSeaRunSettings& s = options->settings;
  CLI::App* command = parent.add_subcommand("deep-sea", "A posterior met while learning DeepSea");
  command->add_option("--depth", s.depth, "Depth of the sea")->capture_default_str();
  command->add_option("--episodes", options->episodes, "Episodes learnt before")
      ->capture_default_str();
  command->add_option("--repeat", s.repeat, "How often each transition counts (the paper's 100)")
      ->capture_default_str();
  command->add_option("--transform", s.transform, "How sigma is made: paper or reward-only")
      ->capture_default_str();
  command->add_option("--variance-scale", s.variance_scale, "Of the reward variance in reward-only")
      ->capture_default_str();
  command->add_option("--behaviour", s.behaviour, "Who plays: vapor or uniform")
      ->capture_default_str();
  add_target(*command, options->target, s.seed);
  command->footer(
      "Example:\n"
      "  vapor generate deep-sea --depth 50 --episodes 100 --repeat 10000 \\\n"
      "    --transform reward-only --variance-scale 0.03 --out problem.json");
  command->callback(
      [options, &action] { action = [options] { return generate_deep_sea(*options); }; });
}

}  // namespace

void add_generate(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("generate", "Make a problem file");
  command->require_subcommand(1);
  add_random(*command, action);
  add_deep_sea(*command, action);
}

}  // namespace vapor::command
