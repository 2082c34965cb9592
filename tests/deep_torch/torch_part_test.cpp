// The part as programs open it, beside the same sources linked into this one.
#include "vapor/deep/torch_part.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vapor/core/error.h"
#include "vapor/deep/torch/image_agents.h"
#include "vapor/run/worlds.h"

namespace vapor::deep {
namespace {

using testing::HasSubstr;

constexpr Index kActions = 3;

struct Catch {
  Catch() : parts(parts_of("catch")), environment(parts.make_environment(1)) {
    config = parts.defaults("agent", "vapor-lite");
  }

  TrainingParts parts;
  std::unique_ptr<VectorEnvironment> environment;
  ObservationStore store{environment->shape(), 64};
  Config config;
};

std::string bytes_of(Agent& agent) {
  Archive archive;
  agent.archive(archive);
  return archive.take_bytes();
}

TEST(TorchPart, IsFoundNearThisProgramAndSaysWhichTorchItHas) {
  EXPECT_TRUE(has_networks_on_arrays());
  EXPECT_STREQ(torch_part().build, build_of_this_object());
  EXPECT_THAT(open_torch_library(), HasSubstr("libtorch_cpu"));
}

TEST(TorchPart, MakesTheAgentsOfItsSources) {
  Catch game;
  const auto opened =
      game.parts.make_agent("vapor-lite", game.config, game.store, kActions, RandomStream(3));
  const auto linked =
      make_image_agent("vapor-lite", game.config, game.store, kActions, RandomStream(3));
  EXPECT_EQ(bytes_of(*opened), bytes_of(*linked));
}

// The part has a type InputError of its own, which the program must know as its own.
TEST(TorchPart, ItsErrorsAreOurs) {
  Catch game;
  game.config.uncertainty = UncertaintyKind::kCounts;
  try {
    game.parts.make_agent("vapor-lite", game.config, game.store, kActions, RandomStream(3));
    FAIL() << "counts were accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.place(), "uncertainty");
  }
}

}  // namespace
}  // namespace vapor::deep
