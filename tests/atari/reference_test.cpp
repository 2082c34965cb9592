// Our games are those of the packages: everything shown, byte by byte, against a Python script that
// plays them one place at a time.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>

#include "trajectory.h"
#include "vapor/atari/protocol.h"
#include "vapor/core/text.h"

namespace vapor::atari {
namespace {

using test::Moment;

constexpr std::uint64_t kSeed = 5;

class Reference {
 public:
  Reference(const std::string& suite, const std::string& game, VectorEnvironment& environment,
            int steps) {
    const test::Folder folder;
    const std::string actions = folder.path() / "actions";
    const std::string out = folder.path() / "out";
    std::ofstream file(actions, std::ios::binary);
    for (const std::vector<Index>& at_once :
         test::random_actions(environment.actions(), environment.places(), steps))
      file.write(reinterpret_cast<const char*>(at_once.data()),
                 static_cast<std::streamsize>(at_once.size() * sizeof(Index)));
    file.close();
    std::string command = shell_word(test::python().string()) + " " +
                          shell_word(VAPOR_SOURCE_DIR "/tests/atari/reference.py") + " " + suite +
                          " " + game + " " + actions + " " + out;
    for (Index p = 0; p < environment.places(); ++p)
      command += " " + std::to_string(place_seed(kSeed, p));
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    std::ifstream in(out, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(in), {});
  }

  std::string_view next(std::size_t count) {
    const std::size_t from = std::min(at_, bytes_.size());
    at_ += count;
    return std::string_view(bytes_).substr(from, count);
  }
  bool read_to_the_end() const { return at_ == bytes_.size(); }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

template <typename T>
std::string_view view_of(const T* first, std::size_t count) {
  return {reinterpret_cast<const char*>(first), count * sizeof(T)};
}

// Plays and compares; the number of episodes that ended.
int compare(const std::string& suite, const std::string& name, int steps) {
  const auto environment = test::game(suite + ":game=" + name, 2);
  const std::vector<Moment> moments = test::play(*environment, kSeed, steps);
  Reference reference(suite, name, *environment, steps);
  const std::size_t bytes = environment->shape().bytes();
  int ends = 0;
  for (std::size_t p = 0; p < 2; ++p) {
    const auto part = [&](const std::vector<std::byte>& all) {
      return view_of(all.data() + p * bytes, bytes);
    };
    EXPECT_TRUE(part(moments[0].observations) == reference.next(bytes));
    for (std::size_t t = 1; t < moments.size(); ++t) {
      const Moment& now = moments[t];
      const int ended = now.ended[p];
      EXPECT_TRUE(part(now.observations) == reference.next(bytes)) << "step " << t;
      EXPECT_EQ(view_of(&now.rewards[p], 1), reference.next(sizeof(float))) << "step " << t;
      EXPECT_EQ(view_of(&now.ended[p], 1), reference.next(1)) << "step " << t;
      if (ended != 0) {
        EXPECT_TRUE(part(now.last_observations) == reference.next(bytes)) << "step " << t;
      }
      ends += ended;
      if (::testing::Test::HasFailure()) return ends;
    }
  }
  EXPECT_TRUE(reference.read_to_the_end());
  return ends;
}

TEST(Reference, MinAtarIsItsPackage) {
  for (const char* name : {"asterix", "breakout", "seaquest", "space_invaders"})
    EXPECT_GT(compare("minatar", name, 600), 0) << name;
  EXPECT_EQ(compare("minatar", "freeway", 2600), 2) << "every episode has 2500 steps";
}

TEST(Reference, AtariIsItsPackage) { EXPECT_GT(compare("atari", "breakout", 400), 0); }

}  // namespace
}  // namespace vapor::atari
