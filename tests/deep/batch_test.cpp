#include "vapor/deep/replay/batch.h"

#include <gtest/gtest.h>

#include <vector>

namespace vapor::deep {
namespace {

using Numbers = std::vector<Index>;

Frame frame(Index observation, Index next, bool last = false) {
  return {.observation = observation, .next_observation = next, .last = last};
}

void add(Batch& batch, const std::vector<Frame>& sequence) {
  for (const Frame& f : sequence) batch.add(f, 0.0F, nullptr);  // what is worth nothing goes on too
  batch.end_sequence(0);
}

Numbers observations(const Batch& batch) {
  const auto rows = batch.observations.observations();
  return {rows.begin(), rows.end()};
}

// 7 is seen again, and the second sequence goes on where the first one was cut: neither is merged.
TEST(Batch, RowsInTimeAreOneMoreThanTheFramesAndSideBySide) {
  Batch batch(10, 20, RowSharing::kInTime);
  for (int pass = 0; pass < 2; ++pass) {
    batch.clear();
    add(batch, {frame(7, 3), frame(3, 7), frame(7, 4)});
    add(batch, {frame(4, 5), frame(5, 6)});
    add(batch, {frame(4, 9)});
    EXPECT_EQ(observations(batch), (Numbers{7, 3, 7, 4, 4, 5, 6, 4, 9}));
    EXPECT_EQ(batch.row, (Numbers{0, 1, 2, 4, 5, 7}));
    EXPECT_EQ(batch.next_row, (Numbers{1, 2, 3, 5, 6, 8}));
    EXPECT_EQ(batch.first_rows, (Numbers{0, 4, 7}));
  }
}

TEST(Batch, WhereAnEpisodeEndsThereIsNoRowAfterIt) {
  Batch batch(10, 20, RowSharing::kInTime);
  add(batch, {frame(1, 2), frame(2, 2, true)});
  add(batch, {frame(2, 2, true)});
  EXPECT_EQ(observations(batch), (Numbers{1, 2, 2}));
  EXPECT_EQ(batch.row, (Numbers{0, 1, 2}));
  EXPECT_EQ(batch.next_row, (Numbers{1, 1, 2}));
  EXPECT_EQ(batch.first_rows, (Numbers{0, 2}));
}

// The observation after the end is the same, and it still begins anew; so does another one.
TEST(Batch, WithinASequenceFramesThatDoNotFollowBeginAnew) {
  Batch batch(10, 20, RowSharing::kInTime);
  add(batch, {frame(1, 1, true), frame(1, 2), frame(5, 6)});
  EXPECT_EQ(observations(batch), (Numbers{1, 1, 2, 5, 6}));
  EXPECT_EQ(batch.row, (Numbers{0, 1, 3}));
  EXPECT_EQ(batch.next_row, (Numbers{0, 2, 4}));
  EXPECT_EQ(batch.first_rows, (Numbers{0, 1, 3}));
}

TEST(Batch, OtherwiseEqualObservationsAreOneRowOrAllHaveTheirOwn) {
  const std::vector<Frame> sequence = {frame(7, 3), frame(3, 7), frame(7, 4)};
  Batch equal(10, 20);
  add(equal, sequence);
  EXPECT_EQ(observations(equal), (Numbers{7, 3, 4}));
  EXPECT_EQ(equal.row, (Numbers{0, 1, 0}));
  EXPECT_EQ(equal.next_row, (Numbers{1, 0, 2}));
  Batch none(10, 20, RowSharing::kNone);
  add(none, sequence);
  EXPECT_EQ(observations(none), (Numbers{7, 3, 3, 7, 7, 4}));
  EXPECT_EQ(none.row, (Numbers{0, 2, 4}));
  EXPECT_EQ(none.next_row, (Numbers{1, 3, 5}));
  for (const Batch* batch : {&equal, &none}) EXPECT_TRUE(batch->first_rows.empty());
}

}  // namespace
}  // namespace vapor::deep
