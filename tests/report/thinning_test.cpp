#include "vapor/report/thinning.h"

#include <gmock/gmock.h>

#include <cmath>

namespace vapor {
namespace {

using testing::ElementsAre;

TEST(PictureEpisodes, AllOfThemWhereTheyAreFew) {
  EXPECT_THAT(picture_episodes(1), ElementsAre(1));
  EXPECT_THAT(picture_episodes(5), ElementsAre(1, 2, 3, 4, 5));
  const std::vector<std::int64_t> all = picture_episodes(200);
  EXPECT_EQ(all.size(), 200u);
  EXPECT_EQ(all[100], 101);
}

TEST(PictureEpisodes, EndsAreThereAndEveryPointIsUsed) {
  for (const std::size_t most : {2u, 3u, 17u, 200u})
    for (const std::int64_t episodes : {300, 2000, 12345, 1'000'000'000}) {
      const std::vector<std::int64_t> chosen = picture_episodes(episodes, most);
      EXPECT_EQ(chosen.size(), most) << episodes;
      EXPECT_EQ(chosen.front(), 1);
      EXPECT_EQ(chosen.back(), episodes);
      for (std::size_t i = 1; i < chosen.size(); ++i) EXPECT_LT(chosen[i - 1], chosen[i]);
    }
}

// Powers of ten are the equal steps of a log scale.
TEST(PictureEpisodes, AreEvenOnALogScaleOnceStepsExceedOne) {
  EXPECT_THAT(picture_episodes(10000, 5), ElementsAre(1, 10, 100, 1000, 10000));
  const std::vector<std::int64_t> chosen = picture_episodes(1'000'000);
  const double ratio = std::log(1e6 / static_cast<double>(chosen[150])) / 49.0;
  for (std::size_t i = 150; i + 1 < chosen.size(); ++i)
    EXPECT_NEAR(std::log(static_cast<double>(chosen[i + 1]) / static_cast<double>(chosen[i])),
                ratio, 1e-3);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(chosen[i], static_cast<std::int64_t>(i + 1));
}

}  // namespace
}  // namespace vapor
