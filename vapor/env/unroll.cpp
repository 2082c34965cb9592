#include "vapor/env/unroll.h"

#include "vapor/mdp/problem_builder.h"

namespace vapor {
namespace {

constexpr Index kAbsent = -1;

// The position of each cell in its layer, or kAbsent.
std::vector<Index> positions(const std::vector<char>& present) {
  std::vector<Index> position(present.size(), kAbsent);
  Index count = 0;
  for (std::size_t cell = 0; cell < present.size(); ++cell)
    if (present[cell] != 0) position[cell] = count++;
  return position;
}

std::vector<char> successors(const StationaryMdp& mdp, const std::vector<char>& present) {
  std::vector<char> reached(present.size(), 0);
  for (std::size_t cell = 0; cell < present.size(); ++cell) {
    if (present[cell] == 0) continue;
    for (Index a = 0; a < mdp.actions; ++a)
      for (const auto& [next, probability] : mdp.next[cell * mdp.actions + a]) reached[next] = 1;
  }
  return reached;
}

std::vector<ActionSpec> actions_of(const StationaryMdp& mdp, std::size_t cell,
                                   const std::vector<Index>& next_position) {
  std::vector<ActionSpec> actions(mdp.actions_of(static_cast<Index>(cell)));
  for (std::size_t a = 0; a < actions.size(); ++a)
    for (const auto& [next, probability] : mdp.next[cell * mdp.actions + a])
      actions[a].next.emplace_back(next_position[next], probability);
  return actions;
}

}  // namespace

Environment unroll(const StationaryMdp& mdp, Index horizon, Layers layers) {
  Environment environment;
  environment.rows = mdp.rows;
  environment.columns = mdp.columns;
  environment.action_names = mdp.action_names;
  std::vector<char> present(mdp.initial.size(), 1);
  std::vector<double> initial;
  for (std::size_t cell = 0; cell < present.size(); ++cell) {
    if (layers == Layers::kReachable) present[cell] = mdp.initial[cell] > 0.0 ? 1 : 0;
    if (present[cell] != 0) initial.push_back(mdp.initial[cell]);
  }

  ProblemBuilder builder(initial);
  for (Index l = 0; l < horizon; ++l) {
    builder.layer();
    const bool last = l + 1 == horizon;
    const std::vector<char> next =
        layers == Layers::kReachable ? successors(mdp, present) : present;
    const std::vector<Index> next_position = positions(next);
    for (std::size_t cell = 0; cell < present.size(); ++cell) {
      if (present[cell] == 0) continue;
      const auto number = static_cast<Index>(cell);
      builder.state(last ? std::vector<ActionSpec>(mdp.actions_of(number))
                         : actions_of(mdp, cell, next_position));
      environment.cells.push_back({number / mdp.columns, number % mdp.columns});
    }
    present = next;
  }
  environment.model = builder.build();
  environment.noise.assign(environment.shape().pairs(), 0.0);
  return environment;
}

Index cell_of(const Environment& environment, Index state) {
  const Cell& cell = environment.cells[state];
  return cell.row * environment.columns + cell.column;
}

}  // namespace vapor
