// `vapor reproduce regret`.
#include <memory>
#include <optional>
#include <string>

#include "reproduce.h"
#include "vapor/run/regret_curves.h"

namespace vapor::command {
namespace {

struct RegretOptions {
  ExperimentOptions common;
  std::string agents, dynamics;
  int seeds = 0;
  std::optional<std::uint64_t> first_seed;
  std::int64_t episodes = 0;
  Index layers = 0, states = 0, actions = 0;
};

RegretStudy study_of(const RegretOptions& options) {
  RegretStudy study = options.common.quick ? regret_quick() : regret_study();
  if (!options.agents.empty()) study.agents = split_specs("--agents", options.agents, "AGENT");
  if (!options.dynamics.empty()) study.dynamics = {options.dynamics};
  if (options.seeds > 0) study.seeds = options.seeds;
  study.first_seed = options.first_seed.value_or(study.first_seed);
  if (options.episodes > 0) study.episodes = options.episodes;
  if (options.layers > 0) study.layers = options.layers;
  if (options.states > 0) study.states = options.states;
  if (options.actions > 0) study.actions = options.actions;
  return study;
}

// The rows of one kind of dynamics, without what the others say: a line has 100 characters.
void print_rows_of(const Findings& findings, const std::string& dynamics) {
  Findings shown = {{"experiment", dynamics + " dynamics"}, {"rows", Findings::array()}};
  for (Findings row : findings["rows"]) {
    if (row["dynamics"] != dynamics) continue;
    row["proven"] = !row["bound_proven_by"].is_null();
    for (const char* name : {"dynamics", "seeds", "bound_proven_by", "regret_per_episode"})
      row.erase(name);
    shown["rows"].push_back(row);
  }
  if (shown["rows"].empty()) return;
  print_findings_table(shown, "rows",
                       fmt::format("theorem {}; Bayes regret, mean over {} seeds {} standard error",
                                   dynamics == "known" ? 1 : 2,
                                   findings["rows"][0]["seeds"].get<int>(), plus_minus()));
}

void print_regret(const Findings& findings) {
  for (const char* dynamics : {"known", "unknown"}) print_rows_of(findings, dynamics);
  fmt::print("  {}\n  {}\n",
             dim("bound: on the regret; most possible: what any agent stays below, so a larger "
                 "bound says nothing"),
             dim("proven: by the paper for this agent; else the bound is a yardstick"));
  print_findings_table(findings, "growth",
                       "the slope of log regret against log episodes: 1 does not learn");
}

}  // namespace

void add_reproduce_regret(CLI::App& parent, Action& action) {
  auto options = std::make_shared<RegretOptions>();
  CLI::App* command = add_experiment(
      parent, "regret", "Theorems 1 and 2: Bayes regret beside its bound", options->common);
  const RegretStudy full = regret_study();
  const RegretStudy quick = regret_quick();
  add_whole(*command, "--episodes", options->episodes, kEpisodes, "Episodes of each run")
      ->default_str(default_text(full.episodes, quick.episodes));
  add_seeds(*command, *options, full, quick,
            "Seeds, each with an MDP of its own drawn from the prior");
  const WholeRange size = {1, 1000};
  add_whole(*command, "--layers", options->layers, size, "Steps of an episode")
      ->default_str(default_text(full.layers, quick.layers));
  add_whole(*command, "--states", options->states, size, "States of a layer")
      ->default_str(default_text(full.states, quick.states));
  add_whole(*command, "--actions", options->actions, size, "Actions of a state")
      ->default_str(default_text(full.actions, quick.actions));
  add_text(*command, "--agents", options->agents, "AGENTS", kAgentsHelp)
      ->default_str(list_text(full.agents));
  add_name(*command, "--dynamics", options->dynamics, "DYNAMICS",
           "Whether agents know the dynamics: known or unknown")
      ->default_str("both in turn");
  command->footer(
      "Examples:\n"
      "  vapor reproduce regret --quick\n"
      "  vapor reproduce regret --layers 2 --states 2 --actions 2 --out out/experiments/regret-2\n"
      "  vapor reproduce regret --dynamics known --agents vapor,thompson --seeds 100 --json");
  command->callback([options, &action] {
    action = [options] {
      return run_reproduction(
          "regret", options->common,
          [&](const ReproductionOptions& how) { return reproduce_regret(study_of(*options), how); },
          print_regret);
    };
  });
}

}  // namespace vapor::command
