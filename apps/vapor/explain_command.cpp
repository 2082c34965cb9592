// `vapor explain`: what each action of a state is made of.
#include <fmt/format.h>

#include <charconv>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "commands.h"
#include "options.h"
#include "vapor/core/error.h"
#include "vapor/mdp/problem_file.h"
#include "vapor/solver/explanation.h"
#include "vapor/solver/solve.h"

namespace vapor::command {
namespace {

struct ExplainOptions {
  std::string file;
  std::string at = "0,0";
  std::string regulariser = "vapor";
  double count = 1.0;
  Output output;
};

// "layer,state".
std::pair<Index, Index> place_of(const std::string& at) {
  Index layer = 0;
  Index state = 0;
  const char* end = at.data() + at.size();
  const auto first = std::from_chars(at.data(), end, layer);
  if (first.ec == std::errc{} && first.ptr != end && *first.ptr == ',') {
    const auto second = std::from_chars(first.ptr + 1, end, state);
    if (second.ec == std::errc{} && second.ptr == end) return {layer, state};
  }
  throw InputError("--at", fmt::format("must be LAYER,STATE, got \"{}\"", at));
}

nlohmann::json json_of_explanation(const std::string& file, const Explanation& e) {
  nlohmann::json actions = nlohmann::json::array();
  for (const ActionReason& a : e.actions)
    actions.push_back({{"policy", a.policy},
                       {"occupancy", a.occupancy},
                       {"reward", a.reward},
                       {"optimism", a.optimism},
                       {"entropy", a.entropy},
                       {"next", a.next},
                       {"constraints", a.constraints},
                       {"sum", a.sum},
                       {"value_after_one_more", a.value_after_one_more},
                       {"policy_after_one_more", a.policy_after_one_more}});
  nlohmann::json pairs = nlohmann::json::array();
  for (const PairWeight& p : e.value_hangs_on)
    pairs.push_back(
        {{"layer", p.layer}, {"state", p.state}, {"action", p.action}, {"weight", p.weight}});
  return {{"file", file},           {"layer", e.layer},
          {"state", e.state},       {"status", name_of(e.status)},
          {"mass", e.mass},         {"value_of_state", e.V},
          {"sentence", e.sentence}, {"actions", actions},
          {"value_hangs_on", pairs}};
}

void print_explanation(const Explanation& e) {
  const auto number = [](double x) { return fmt::format("{:.4g}", x); };
  fmt::print("{}\n", e.sentence);
  Rows rows = {{"action", "probability", "reward", "optimism", "entropy", "next", "constraints",
                "sum", "value +1", "probability +1"}};
  for (std::size_t i = 0; i < e.actions.size(); ++i) {
    const ActionReason& a = e.actions[i];
    rows.push_back({std::to_string(i), number(a.policy), number(a.reward), number(a.optimism),
                    number(a.entropy), number(a.next), number(a.constraints), number(a.sum),
                    number(a.value_after_one_more), number(a.policy_after_one_more)});
  }
  print_table(rows, 2);
  fmt::print("  {}\n",
             dim(fmt::format("V is {:.6g}, the sum of the parts of every action that is taken; "
                             "+1: after one more observation",
                             e.V)));
  Rows pairs = {{"the value hangs on", "layer", "state", "action"}};
  for (const PairWeight& p : e.value_hangs_on)
    pairs.push_back({number(p.weight), std::to_string(p.layer), std::to_string(p.state),
                     std::to_string(p.action)});
  print_table(pairs, 2);
}

int explain_file(const ExplainOptions& options) {
  const auto [layer, state] = place_of(options.at);
  const Problem problem =
      options.file == "-" ? read_problem(std::cin) : read_problem_file(options.file);
  Settings settings;
  settings.regulariser = regulariser_of(options.regulariser);
  const Solution solution = solve(problem, settings);
  if (solution.status == Status::kInfeasible)
    throw InputError(options.file, "no occupancy measure meets the constraints");
  const Explanation e = explain(problem, solution, layer, state, options.count);
  if (options.output.json)
    fmt::print("{}\n", json_of_explanation(options.file, e).dump());
  else if (!options.output.quiet)
    print_explanation(e);
  return kGood;
}

}  // namespace

void add_explain(CLI::App& app, Action& action) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command =
      app.add_subcommand("explain", "Say why the policy acts as it does in a state");
  command
      ->add_option("file", options->file,
                   "Problem file (docs/problem-file.md); - reads one from standard input")
      ->required()
      ->type_name("FILE");
  command->add_option("--at", options->at, "The state, both numbers from 0")
      ->type_name("LAYER,STATE")
      ->capture_default_str();
  add_number(*command, "--count", options->count, {.low = 0.0, .above_low = true},
             "How many observations n each sigma stands for: one more takes it to sigma "
             "sqrt(n / (n + 1))")
      ->capture_default_str();
  add_name(*command, "--regulariser", options->regulariser, "REGULARISER",
           "vapor, weighted_entropy or linear")
      ->capture_default_str();
  add_output_flags(*command, options->output);
  command->footer(
      "Exit code: 0 explained, 2 bad input, 3 internal error.\n"
      "Examples:\n"
      "  vapor explain problem.json --at 3,1\n"
      "  vapor explain problem.json --at 0,0 --count 4 --json");
  command->callback([options, &action] { action = [options] { return explain_file(*options); }; });
}

}  // namespace vapor::command
