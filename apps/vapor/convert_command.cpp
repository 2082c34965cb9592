#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <string>

#include "commands.h"
#include "options.h"
#include "vapor/core/error.h"
#include "vapor/core/output_file.h"
#include "vapor/mdp/drn_file.h"
#include "vapor/mdp/problem_file.h"

namespace vapor::command {
namespace {

struct ConvertOptions {
  std::string model;
  ModelSettings settings;
  DrnSettings drn;
  std::string out;
  Output output;
};

int convert(const ConvertOptions& options) {
  if (options.out != "-") expect_room_for_file(options.out);
  const ExplicitModel model = options.model == "-" ? read_drn(std::cin, options.drn)
                                                   : read_drn_file(options.model, options.drn);
  const Problem problem = problem_of(model, options.settings);
  if (options.out == "-") {
    write_problem(std::cout, problem);
    return kGood;
  }
  write_problem_file(options.out, problem);
  const Shape& shape = problem.shape;
  if (options.output.json)
    fmt::print("{{\"layers\": {}, \"states\": {}, \"pairs\": {}, \"transitions\": {}}}\n",
               shape.layers(), shape.states(), shape.pairs(),
               problem.transitions.next_state.size());
  else if (!options.output.quiet)
    fmt::print("{}: {}, {} states, {} pairs\n", options.out,
               problem.stationary() ? fmt::format("discount {:g}", *problem.discount)
                                    : fmt::format("{} layers", whole(shape.layers())),
               whole(shape.states()), whole(shape.pairs()));
  return kGood;
}

}  // namespace

void add_convert(CLI::App& app, Action& action) {
  auto options = std::make_shared<ConvertOptions>();
  ModelSettings& s = options->settings;
  CLI::App* command = app.add_subcommand("convert", "Make a problem file of another tool's model");
  command
      ->add_option("model", options->model,
                   "A model in Storm's text format, .drn; - reads it from standard input")
      ->required()
      ->type_name("MODEL");
  add_text(*command, "--reward", s.reward, "NAME",
           "Which of its rewards; may be left out if it has one");
  command->add_flag("--minimise", s.minimise,
                    "It is a cost: the problem's rewards are its negative");
  add_whole(*command, "--horizon", s.horizon, {}, "Steps of an episode: a layered problem");
  add_number(*command, "--discount", s.discount, {}, "Between 0 and 1: a stationary problem");
  add_number(*command, "--sigma", s.sigma, {}, "Of every pair; 0 says that the rewards are known")
      ->capture_default_str();
  add_number(*command, "--sigma-share", s.sigma_share, {},
             "So much of its |reward| is added to the sigma of a pair")
      ->capture_default_str();
  command->add_flag("--ignore-observations", options->drn.ignore_observations,
                    "Read a POMDP as the MDP below it");
  add_path(*command, "--out", options->out, "FILE",
           "Where to write the problem; - is standard output")
      ->required();
  add_output_flags(*command, options->output);
  command->footer(
      "States that are never left and pay nothing have sigma 0. UMB files, which PRISM, Storm and\n"
      "Modest exchange, are read from Python (docs/how-to/bring-a-model.md).\n"
      "Examples:\n"
      "  vapor convert dice.drn --reward coinflips --minimise --horizon 20 --out problem.json\n"
      "  vapor convert maze.drn --discount 0.95 --sigma 0.1 --out - | vapor solve -");
  command->callback([options, &action] { action = [options] { return convert(*options); }; });
}

}  // namespace vapor::command
