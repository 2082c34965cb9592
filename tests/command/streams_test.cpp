// Nothing that is written to people may end a run or reach a file of its record.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cstdlib>

#include "tests/command/run_command.h"

namespace vapor {
namespace {

using test_support::contents;

class Streams : public test_support::CommandTest {
 protected:
  // The exit code of the program with these words, its streams as the shell is told to have them.
  int vapor_with(const std::string& streams, const std::string& words) const {
    const std::string command = "cd '" + path("") + "' && '" VAPOR_COMMAND "' " + words;
    const int status = system((command + " " + streams).c_str());
    EXPECT_TRUE(WIFEXITED(status)) << streams;
    return WEXITSTATUS(status);
  }

  const std::string run_ = "run --env deep_sea:depth=12 --agent vapor --episodes 3000 --out ";
};

// With both closed the files of the record took their numbers, and the line of progress was written
// into episodes.csv.
TEST_F(Streams, ClosedOnesDoNotReachTheRecord) {
  ASSERT_EQ(vapor_with(">open.txt 2>&1", run_ + "whole"), 0);
  int k = 0;
  for (const std::string streams : {">&- 2>&-", "<&- >&- 2>&-", "2>&-", ">&-"}) {
    SCOPED_TRACE(streams);
    const std::string out = "closed-" + std::to_string(++k);
    EXPECT_EQ(vapor_with(streams, run_ + out), 0);
    EXPECT_EQ(contents(path(out + "/seed-1/episodes.csv")),
              contents(path("whole/seed-1/episodes.csv")));
  }
}

// A message that could not be written aborted the program.
TEST_F(Streams, AFullStandardErrorChangesNoExitCode) {
  EXPECT_EQ(vapor_with("2>/dev/full", run_ + "full"), 0);
  EXPECT_EQ(vapor_with("2>/dev/full", "run --env deep_sea --agent nope"), 2);
  EXPECT_EQ(vapor_with("2>/dev/full", "solve none.json"), 2);
  EXPECT_EQ(vapor_with(">/dev/full", "list envs"), 2);
}

}  // namespace
}  // namespace vapor
