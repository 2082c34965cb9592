// The part as programs open it, beside the same sources linked into this one.
#include "vapor/nn/torch_part.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "random_arrays.h"
#include "vapor/core/error.h"
#include "vapor/nn/torch/torch_network.h"

namespace vapor::nn {
namespace {

using testing::HasSubstr;

std::string bytes_of(Network& network) {
  Archive archive;
  network.archive(archive);
  return archive.take_bytes();
}

TEST(TorchPart, IsFoundNearThisProgramAndSaysWhichTorchItHas) {
  EXPECT_TRUE(has_torch_part());
  EXPECT_STREQ(torch_part().build, build_of_this_object());
  EXPECT_THAT(open_torch_library(), HasSubstr("libtorch_cpu"));
}

TEST(TorchPart, MakesTheNetworksOfItsSources) {
  const ObservationStore store = random_arrays({2, 10, 10}, 3);
  const TorchNetworkSettings settings = {.torso = Torso::kTiny, .outputs = 4};
  const auto opened = make_torch_network(settings, store, RandomStream(3));
  TorchNetwork linked(settings, std::make_shared<InputBuffer>(store), RandomStream(3));
  EXPECT_EQ(bytes_of(*opened), bytes_of(linked));
  const std::vector<Index> observations = {2, 0, 1};
  const Rows theirs = opened->evaluate(observations);
  const Rows ours = linked.evaluate(observations);
  for (Index r = 0; r < 3; ++r)
    for (Index j = 0; j < 4; ++j) EXPECT_EQ(theirs[r][j], ours[r][j]);
}

// The part has a type InputError of its own, which the program must know as its own.
TEST(TorchPart, ItsErrorsAreOurs) {
  const ObservationStore store = random_arrays({2, 10, 10}, 3);
  try {
    make_torch_network({.torso = Torso::kLarge}, store, RandomStream(3));
    FAIL() << "a torso for larger images was accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("tiny"));
  }
}

}  // namespace
}  // namespace vapor::nn
