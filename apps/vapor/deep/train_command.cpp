// `vapor train`: a deep agent in an environment, a folder a seed; the same command again goes on
// where the last one was stopped.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "options.h"
#include "train.h"
#include "vapor/core/error.h"
#include "vapor/core/spec.h"
#include "vapor/deep/config.h"
#include "vapor/run/worlds.h"

namespace vapor::command {
namespace {

// Options that only one of the two kinds of environments has.
struct Kinds {
  std::vector<CLI::Option*> of_episodes;
  std::vector<CLI::Option*> of_frames;
};

void refuse(const std::vector<CLI::Option*>& options, const std::string& env, const char* instead) {
  for (const CLI::Option* option : options)
    if (option->count() > 0)
      throw InputError(option->get_name(),
                       fmt::format("does not go with --env {}, {}", env, instead));
}

int run(const TrainOptions& options, const Kinds& kinds) {
  if (!deep::is_observed_as_arrays(options.env)) {
    refuse(kinds.of_frames, options.env,
           "whose states are known by index; it is trained by --episodes");
    return train_by_episodes(options);
  }
  refuse(kinds.of_episodes, options.env, "which is observed as arrays; it is trained by --frames");
  return train_by_frames(options);
}

std::string list_of_agents() {
  std::string list =
      "Agents, with settings as in vapor-lite:hidden=64,sigma_scale=3 (docs/deep.md):\n";
  for (const deep::AgentKind& kind : deep::agent_kinds())
    list += fmt::format("  {:<24}{}\n", kind.name, kind.summary);
  return list;
}

}  // namespace

std::string folder_of(const TrainOptions& options, std::uint64_t seed) {
  const std::string out =
      !options.out.empty()
          ? options.out
          : fmt::format("out/train/{}/{}", folder_name(options.env), folder_name(options.agent));
  return fmt::format("{}/seed-{}", out, seed);
}

void add_train(CLI::App& app, Action& action) {
  auto options = std::make_shared<TrainOptions>();
  auto kinds = std::make_shared<Kinds>();
  CLI::App* command = app.add_subcommand("train", "Train a deep agent, and resume it");
  add_text(*command, "--env", options->env, "WORLD",
           "Environment, a name with settings: see vapor list worlds")
      ->required();
  add_text(*command, "--agent", options->agent, "DEEP-AGENT",
           "Agent, a name with settings: see vapor list deep-agents")
      ->capture_default_str();
  add_whole(*command, "--seeds", options->seeds, {1, 100'000}, "Number of runs, one a seed")
      ->capture_default_str();
  add_whole(*command, "--seed", options->seed, kSeeds, "The first seed")->capture_default_str();
  add_text(*command, "--out", options->out, "DIR", "Folder of the runs, DIR/seed-S each")
      ->default_str("out/train/ENV/AGENT");
  add_whole(*command, "--threads", options->threads, {0, 1024},
            "Runs made at the same time; 0: all cores")
      ->capture_default_str();
  kinds->of_episodes = {
      add_whole(*command, "--episodes", options->episodes, {1, 1'000'000'000},
                "Episodes of each run")
          ->capture_default_str(),
      command->add_flag("--stop-when-solved", options->stop_when_solved,
                        "Stop when the goal was reached in a tenth of the episodes, 100 or later"),
      add_whole(*command, "--checkpoint-every", options->checkpoint_every, {0, 1'000'000'000},
                "Episodes between checkpoints; 0: every two seconds")
          ->capture_default_str()};
  kinds->of_frames = {
      add_whole(*command, "--frames", options->frames, {1, 1'000'000'000'000},
                "Of games: actions of each run, over all places")
          ->capture_default_str(),
      add_whole(*command, "--places", options->places, {1, 1024},
                "Of games: how many are played side by side")
          ->capture_default_str(),
      add_whole(
          *command, "--actors", options->actors, {0, 256},
          "Of games: threads that play beside the learner; 0: one thread, the same bytes again")
          ->capture_default_str(),
      command->add_flag("--unclipped-rewards", options->unclipped_rewards,
                        "Of games: learn from rewards as they are, not clipped to [-1, 1]"),
      add_whole(*command, "--checkpoint-frames", options->checkpoint_frames, {1, 1'000'000'000'000},
                "Of games: frames between checkpoints, where all begin anew")
          ->capture_default_str()};
  add_output_flags(*command, options->output);
  command->footer(
      list_of_agents() +
      "The same command again goes on with an unfinished run and leaves a finished one alone.\n"
      "Exit code: 0 finished, 2 bad input, 3 internal error, 130 interrupted (Ctrl-C).\n"
      "Examples:\n"
      "  vapor train --env deep_sea:depth=20 --agent vapor-lite --stop-when-solved\n"
      "  vapor train --env deep_sea:depth=100 --agent vapor-lite-closed --episodes 4000 --seeds 5 "
      "--json\n"
      "  vapor train --env minatar:game=breakout --frames 500000\n"
      "  vapor train --env atari:game=pong --frames 1000000 --actors 1");
  command->callback(
      [options, kinds, &action] { action = [options, kinds] { return run(*options, *kinds); }; });
}

}  // namespace vapor::command
