#include "deep_sea_run.h"

#include <fmt/format.h>

#include "vapor/core/error.h"
#include "vapor/mdp/policy.h"

namespace vapor::benchmark {

DeepSeaRun::DeepSeaRun(const DeepSeaRunSettings& settings)
    : settings_(settings),
      random_(RandomStream(settings.seed).split("play")),
      sea_(deep_sea(
          {.depth = settings.depth, .mapping_seed = static_cast<std::uint32_t>(settings.seed)})),
      belief_({.shape = sea_.shape(), .initial = {1.0}, .repeat = settings.repeat},
              scaled(named_transform("--transform", settings.transform),
                     settings.transform == "reward-only" ? settings.variance_scale : 1.0)) {
  if (settings.behaviour != "vapor" && settings.behaviour != "uniform")
    throw InputError("--behaviour",
                     fmt::format("must be one of vapor, uniform; got \"{}\"", settings.behaviour));
  if (settings.behaviour == "uniform") solution_.policy = uniform_policy(sea_.shape());
}

const Solution& DeepSeaRun::step() {
  if (settings_.behaviour == "vapor") solution_ = solver_.solve(belief_.problem(), solution_);
  const Episode episode = play(sea_, solution_.policy, random_);
  belief_.update(episode);
  ++episodes_;
  successes_ += reached_goal(sea_, episode) ? 1 : 0;
  return solution_;
}

}  // namespace vapor::benchmark
