#include "vapor/nn/network_parts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "vapor/nn/table_network.h"

namespace vapor::nn {
namespace {

constexpr Index kColumns[] = {2, 1, 5};
constexpr double kWeights[] = {1.0, 0.5, 0.25};
const std::vector<Index> kBatch = {4, 1, 3};

TableNetworkSettings shape() {
  TableNetworkSettings s;
  s.observations = 6;
  s.outputs = 8;
  s.hidden = {5, 4};
  s.row_std = 0.5;
  s.adam.learning_rate = 0.01;
  return s;
}

// Counts how often the whole is asked.
class CountingNetwork : public TableNetwork {
 public:
  using TableNetwork::TableNetwork;
  Rows forward(std::span<const Index> observations) override {
    ++passes;
    return TableNetwork::forward(observations);
  }
  void step() override {
    ++steps;
    TableNetwork::step();
  }
  void set_first_rows(std::span<const Index> rows) override {
    first_rows.assign(rows.begin(), rows.end());
  }
  void begin_episode(Index place) override { begun.push_back(place); }
  int passes = 0;
  int steps = 0;
  std::vector<Index> first_rows, begun;
};

struct Split {
  CountingNetwork* whole;
  std::vector<std::unique_ptr<Network>> parts;

  Split() {
    auto network = std::make_unique<CountingNetwork>(shape(), RandomStream(5));
    whole = network.get();
    const NetworkPart settings[] = {
        {kColumns[0], kWeights[0]}, {kColumns[1], kWeights[1]}, {kColumns[2], kWeights[2]}};
    parts = split_network(std::move(network), settings);
  }
};

float slope(Index row, Index column) { return std::sin(1.0F + 3.0F * row + 0.7F * column); }

void step_part(Network& part, Index first) {
  const Rows g = part.gradient();
  for (Index r = 0; r < g.rows; ++r)
    for (Index j = 0; j < g.columns; ++j) g[r][j] += slope(r, first + j);
  part.step();
}

// As an agent does: all parts forward, then gradients and steps in another order.
void learn(Split& split) {
  for (auto& part : split.parts) part->forward(kBatch);
  step_part(*split.parts[1], 2);
  step_part(*split.parts[2], 3);
  step_part(*split.parts[0], 0);
}

void learn(TableNetwork& network) {
  network.forward(kBatch);
  const Rows g = network.gradient();
  for (Index r = 0; r < g.rows; ++r)
    for (Index j = 0, part = 0, end = kColumns[0]; j < g.columns; ++j) {
      if (j == end) end += kColumns[++part];
      g[r][j] = static_cast<float>(kWeights[part]) * slope(r, j);
    }
  network.step();
}

void expect_equal(Split& split, TableNetwork& direct) {
  const Rows all = direct.forward(kBatch);
  Index first = 0;
  for (auto& part : split.parts) {
    const Rows mine = part->evaluate(kBatch);
    ASSERT_EQ(mine.rows, all.rows);
    for (Index r = 0; r < all.rows; ++r)
      for (Index j = 0; j < mine.columns; ++j) EXPECT_EQ(mine[r][j], all[r][first + j]);
    first += part->outputs();
  }
  EXPECT_EQ(first, direct.outputs());
}

TEST(NetworkParts, ComputeAndLearnWhatTheWholeDoesWithWeightedGradients) {
  Split split;
  TableNetwork direct(shape(), RandomStream(5));
  expect_equal(split, direct);
  for (int k = 0; k < 3; ++k) {
    learn(split);
    learn(direct);
    expect_equal(split, direct);
  }
}

TEST(NetworkParts, TheWholeRunsOnceForAllPartsAndStepsOnce) {
  Split split;
  learn(split);
  EXPECT_EQ(split.whole->passes, 1);
  EXPECT_EQ(split.whole->steps, 1);
  split.parts[0]->forward(kBatch);  // after a step the outputs are others
  EXPECT_EQ(split.whole->passes, 2);
  split.parts[1]->forward(std::vector<Index>{1});
  EXPECT_EQ(split.whole->passes, 3);
}

// What is stored under a number changes when a store has gone round.
TEST(NetworkParts, APartThatAsksTwiceGetsANewPass) {
  Split split;
  split.parts[0]->evaluate(kBatch);
  split.parts[1]->evaluate(kBatch);
  EXPECT_EQ(split.whole->passes, 1);
  split.parts[0]->evaluate(kBatch);
  EXPECT_EQ(split.whole->passes, 2);
}

// An episode that begins changes what a recurrent whole computes, also for a part that has not
// asked yet.
TEST(NetworkParts, AnyPartTellsTheWholeOfEpisodesAndFirstRows) {
  Split split;
  split.parts[0]->evaluate(kBatch);
  split.parts[2]->begin_episode(1);
  split.parts[1]->evaluate(kBatch);
  EXPECT_EQ(split.whole->passes, 2);
  EXPECT_EQ(split.whole->begun, (std::vector<Index>{1}));
  split.parts[1]->set_first_rows(std::vector<Index>{0, 2});
  EXPECT_EQ(split.whole->first_rows, (std::vector<Index>{0, 2}));
}

TEST(NetworkParts, GradientsAreZeroAfterForward) {
  Split split;
  learn(split);
  for (auto& part : split.parts) part->forward(kBatch);
  for (auto& part : split.parts) {
    const Rows g = part->gradient();
    for (Index r = 0; r < g.rows; ++r)
      for (Index j = 0; j < g.columns; ++j) EXPECT_EQ(g[r][j], 0.0F);
  }
}

TEST(NetworkParts, ArchiveContinuesAndFrozenPartsStayBehind) {
  Split split;
  learn(split);
  auto target = split.parts[2]->frozen();
  const float before = target->forward(kBatch)[1][2];
  Archive saved;
  for (auto& part : split.parts) part->archive(saved);

  Split other;
  Archive restored = Archive::restoring(saved.bytes());
  for (auto& part : other.parts) part->archive(restored);
  restored.expect_end();
  learn(split);
  learn(other);
  expect_equal(other, *split.whole);

  EXPECT_EQ(target->forward(kBatch)[1][2], before);
  EXPECT_NE(split.parts[2]->evaluate(kBatch)[1][2], before);
  target->refresh(*split.parts[2]);
  EXPECT_EQ(target->forward(kBatch)[1][2], split.parts[2]->evaluate(kBatch)[1][2]);
}

}  // namespace
}  // namespace vapor::nn
