// Storm's .drn: what is read becomes a problem of both kinds, or says why it cannot.
#include <sstream>
#include <string>

#include "targets.h"
#include "vapor/mdp/drn_file.h"

namespace vapor::fuzz {

void read_drn_bytes(std::string_view bytes) {
  std::istringstream in{std::string(bytes)};
  const ExplicitModel model = read_drn(in, {.ignore_observations = true});
  const std::string reward = model.reward_names.empty() ? "" : model.reward_names[0];
  problem_of(model, {.reward = reward, .horizon = 2, .sigma_share = 0.5});
  problem_of(model, {.reward = reward, .minimise = true, .discount = 0.5});
}

}  // namespace vapor::fuzz
