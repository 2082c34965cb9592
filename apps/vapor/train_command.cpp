// `vapor train`: a deep agent in an environment, a folder a seed; the same command again goes on
// where the last one was stopped.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "commands.h"
#include "options.h"
#include "run_job.h"
#include "vapor/deep/config.h"

namespace vapor::command {
namespace {

std::string list_of_agents() {
  std::string list =
      "Agents, with settings as in vapor-lite:hidden=64,sigma_scale=3 (docs/deep.md):\n";
  for (const deep::AgentKind& kind : deep::agent_kinds())
    list += fmt::format("  {:<24}{}\n", kind.name, kind.summary);
  return list;
}

}  // namespace

void add_train(CLI::App& app, Action& action) {
  auto words = std::make_shared<RunWords>();
  RunRequest& request = words->request;
  request.kind = RunKind::kNetwork;
  request.agent = "vapor-lite";
  const FrameSettings frames;
  CLI::App* command = app.add_subcommand("train", "Train a deep agent, and resume it");
  add_text(*command, "--env", request.env, "WORLD",
           "Environment, a name with settings: see vapor list worlds")
      ->required();
  add_text(*command, "--agent", request.agent, "DEEP-AGENT",
           "Agent, a name with settings: see vapor list deep-agents")
      ->capture_default_str();
  add_run_words(*command, *words,
                "never, or solved (the goal in a tenth of the episodes so far, 100 or later)");
  add_whole(*command, "--frames", request.frames, {1, 1'000'000'000'000},
            "Of games: actions of each run, over all places")
      ->default_str(std::to_string(frames.frames));
  add_whole(*command, "--places", request.places, {1, 1024},
            "Of games: how many are played side by side")
      ->default_str(std::to_string(frames.places));
  add_whole(*command, "--actors", request.actors, {0, 256},
            "Of games: threads that play beside the learner; 0: one thread, the same bytes again")
      ->default_str(std::to_string(frames.actors));
  command->add_flag_callback(
      "--unclipped-rewards", [&request] { request.clip_rewards = false; },
      "Of games: learn from rewards as they are, not clipped to [-1, 1]");
  add_whole(*command, "--checkpoint-frames", request.checkpoint_frames, {1, 1'000'000'000'000},
            "Of games: frames between checkpoints, where all begin anew")
      ->default_str(std::to_string(frames.checkpoint_frames));
  add_output_flags(*command, words->output);
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
  command->callback([words, &action] { action = [words] { return make_runs(*words); }; });
}

}  // namespace vapor::command
