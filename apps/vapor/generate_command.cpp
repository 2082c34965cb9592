#include <fmt/format.h>

#include <cstdint>
#include <iostream>
#include <memory>
#include <string>

#include "benchmarks/solver/deep_sea_run.h"
#include "commands.h"
#include "options.h"
#include "vapor/core/output_file.h"
#include "vapor/mdp/problem_file.h"
#include "vapor/mdp/random_problem.h"

namespace vapor::command {
namespace {

struct Target {
  std::string out;
  Output output;
};

void expect_room(const Target& target) {
  if (target.out != "-") expect_room_for_file(target.out);
}

int write(const Target& target, const Problem& problem, const std::string& what) {
  if (target.out == "-") {
    write_problem(std::cout, problem);
    return kGood;
  }
  write_problem_file(target.out, problem);
  const Shape& shape = problem.shape;
  if (target.output.json)
    fmt::print("{{\"layers\": {}, \"states\": {}, \"pairs\": {}, \"transitions\": {}}}\n",
               shape.layers(), shape.states(), shape.pairs(),
               problem.transitions.next_state.size());
  else if (!target.output.quiet)
    fmt::print("{}: {} ({} layers, {} states, {} pairs)\n", target.out, what, whole(shape.layers()),
               whole(shape.states()), whole(shape.pairs()));
  return kGood;
}

void add_target(CLI::App& command, Target& target, std::uint64_t& seed) {
  add_path(command, "--out", target.out, "FILE", "Where to write the problem; - is standard output")
      ->required();
  add_whole(command, "--seed", seed, kSeeds, "Seed of everything random")->capture_default_str();
  add_output_flags(command, target.output);
}

struct RandomProblem {
  RandomProblemSettings settings;
  std::uint64_t seed = 1;
  Target target;
};

void add_random(CLI::App& parent, Action& action) {
  auto options = std::make_shared<RandomProblem>();
  RandomProblemSettings& s = options->settings;
  CLI::App* command = parent.add_subcommand("random", "A random layered MDP with random beliefs");
  const NumberRange any = {};
  add_whole(*command, "--layers", s.layers, {}, "Layers")->capture_default_str();
  add_whole(*command, "--states", s.states, {}, "States in every layer")->capture_default_str();
  add_whole(*command, "--actions", s.actions, {}, "Actions in every state")->capture_default_str();
  add_whole(*command, "--successors", s.successors, {}, "Sparse next states of a pair")
      ->capture_default_str();
  add_number(*command, "--base-weight", s.base_weight, any, "Weight of a random base distribution")
      ->capture_default_str();
  add_number(*command, "--reward-scale", s.reward_scale, any, "Standard deviation of reward means")
      ->capture_default_str();
  add_number(*command, "--sigma-min", s.sigma_min, any, "Smallest sigma; they are log-uniform")
      ->capture_default_str();
  add_number(*command, "--sigma-max", s.sigma_max, any, "Largest sigma")->capture_default_str();
  add_number(*command, "--zero-sigma-share", s.zero_sigma_share, any, "Share of pairs with sigma 0")
      ->capture_default_str();
  add_target(*command, options->target, options->seed);
  command->footer("Example:\n  vapor generate random --layers 20 --states 50 --out problem.json");
  command->callback([options, &action] {
    action = [options] {
      expect_room(options->target);
      return write(options->target, random_problem(options->settings, RandomStream(options->seed)),
                   "random problem");
    };
  });
}

struct DeepSeaPosterior {
  benchmark::DeepSeaRunSettings settings;
  int episodes = 0;
  Target target;
};

int generate_deep_sea(const DeepSeaPosterior& options) {
  expect_room(options.target);
  benchmark::DeepSeaRun run(options.settings);
  ProgressBar progress(!options.target.output.quiet);
  while (run.episodes() < options.episodes) {
    run.step();
    const double done = run.episodes();
    progress.show({done, static_cast<double>(options.episodes), done},
                  fmt::format("{} of {} episodes", run.episodes(), options.episodes));
  }
  progress.clear();
  return write(options.target, run.problem(),
               fmt::format("DeepSea posterior after {} episodes, {} successes", run.episodes(),
                           run.successes()));
}

void add_deep_sea(CLI::App& parent, Action& action) {
  auto options = std::make_shared<DeepSeaPosterior>();
  benchmark::DeepSeaRunSettings& s = options->settings;
  CLI::App* command = parent.add_subcommand("deep-sea", "A posterior met while learning DeepSea");
  add_whole(*command, "--depth", s.depth, {}, "Depth of the sea")->capture_default_str();
  add_whole(*command, "--episodes", options->episodes, {}, "Episodes learnt before")
      ->capture_default_str();
  add_number(*command, "--repeat", s.repeat, {}, "How often each transition counts")
      ->capture_default_str();
  add_name(*command, "--transform", s.transform, "TRANSFORM",
           "How sigma is made: paper or reward-only")
      ->capture_default_str();
  add_number(*command, "--variance-scale", s.variance_scale, {},
             "Of the reward variance in reward-only")
      ->capture_default_str();
  add_name(*command, "--behaviour", s.behaviour, "PLAYER", "Who plays: vapor or uniform")
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
  CLI::App* command = app.add_subcommand("generate", "Make a problem file for vapor solve");
  command->require_subcommand(1);
  command->footer(
      "Examples:\n"
      "  vapor generate deep-sea --depth 20 --episodes 30 --out problem.json\n"
      "  vapor generate random --layers 20 --states 50 --out problem.json\n"
      "  vapor generate random --out - | vapor solve -");
  add_random(*command, action);
  add_deep_sea(*command, action);
}

}  // namespace vapor::command
