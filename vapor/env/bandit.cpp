#include "vapor/env/bandit.h"

#include <fmt/format.h>

#include "vapor/core/error.h"
#include "vapor/mdp/problem_builder.h"

namespace vapor {

void validate(const BanditSettings& settings) {
  constexpr Index kMostArms = 1'000'000;
  if (settings.arms < 1 || settings.arms > kMostArms)
    throw InputError("arms", fmt::format("must be in 1..{}, got {}", kMostArms, settings.arms));
}

Environment bandit(const BanditSettings& settings) {
  validate(settings);
  RandomStream means = RandomStream(settings.seed).split("bandit");
  std::vector<ActionSpec> arms(settings.arms);
  for (ActionSpec& arm : arms) arm.reward_mean = means.uniform();
  ProblemBuilder builder({1.0});
  builder.layer();
  builder.state(arms);

  Environment environment;
  environment.model = builder.build();
  environment.reward_noise = RewardNoise::kBernoulli;
  environment.noise.assign(settings.arms, 0.0);
  environment.known.reward_high = 1.0;
  environment.rows = environment.columns = 1;
  environment.cells.push_back({0, 0});
  return environment;
}

}  // namespace vapor
