#include "vapor/core/archive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "vapor/core/random.h"

namespace vapor {
namespace {

struct Learner {
  int episodes = 0;
  double temperature = 0.0;
  std::string name;
  std::vector<double> sums;
  std::vector<std::vector<std::int64_t>> counts;
  RandomStream random{0};

  void archive(Archive& a) { a(episodes), a(temperature), a(name), a(sums), a(counts), a(random); }
};

Learner some_learner() {
  Learner learner{.episodes = 7,
                  .temperature = -0.0,
                  .name = std::string("a\0b", 3),
                  .sums = {0.1, 1e300, 5e-324},
                  .counts = {{}, {1, -2}, {3}},
                  .random = RandomStream(5)};
  learner.random.bits();
  return learner;
}

std::string saved(Learner learner) {
  Archive archive;
  learner.archive(archive);
  archive.expect_end();
  return archive.bytes();
}

Learner restored(const std::string& bytes) {
  Archive archive = Archive::restoring(bytes);
  Learner learner;
  learner.archive(archive);
  archive.expect_end();
  return learner;
}

TEST(Archive, RestoresWhatWasSaved) {
  Learner learner = some_learner();
  Learner copy = restored(saved(learner));
  EXPECT_EQ(copy.episodes, 7);
  EXPECT_TRUE(std::signbit(copy.temperature));
  EXPECT_EQ(copy.name, learner.name);
  EXPECT_EQ(copy.sums, learner.sums);
  EXPECT_EQ(copy.counts, learner.counts);
  EXPECT_EQ(copy.random.bits(), learner.random.bits());
  EXPECT_EQ(saved(restored(saved(learner))), saved(learner));
}

TEST(Archive, ReplacesWhatWasThere) {
  Archive archive = Archive::restoring(saved({}));
  Learner learner = some_learner();
  learner.archive(archive);
  EXPECT_TRUE(learner.name.empty() && learner.sums.empty() && learner.counts.empty());
}

TEST(Archive, RefusesTooFewBytes) {
  const std::string bytes = saved(some_learner());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(restored(bytes.substr(0, size)), InputError) << size;
}

TEST(Archive, RefusesBytesThatAreLeftOver) {
  EXPECT_THROW(restored(saved(some_learner()) + 'x'), InputError);
}

// A size that asks for more than there is must not be allocated.
TEST(Archive, RefusesADamagedSize) {
  std::vector<double> values = {1.0, 2.0};
  Archive archive;
  archive(values);
  for (int byte = 0; byte < 8; ++byte) {
    std::string bytes = archive.bytes();
    bytes[byte] = '\xff';
    Archive damaged = Archive::restoring(bytes);
    EXPECT_THROW(damaged(values), InputError) << byte;
    std::string text;
    Archive damaged_text = Archive::restoring(bytes);
    EXPECT_THROW(damaged_text(text), InputError) << byte;
  }
}

}  // namespace
}  // namespace vapor
