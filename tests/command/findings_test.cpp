// What a hostile tester found in commands and records: each keeps its name here, with its
// relatives.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdlib>
#include <thread>

#include "tests/command/run_command.h"

namespace vapor {
namespace {

namespace fs = test_support::fs;
using test_support::contents;
using test_support::Outcome;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Findings : public test_support::CommandTest {
 protected:
  const Words run_ = {"run",        "--env", "deep_sea:depth=4", "--agent", "vapor",
                      "--episodes", "6",     "--quiet"};

  // The exit code of a line of a shell in the folder of the test; V is the program. What it says on
  // standard error is kept.
  int shell(const std::string& line) const {
    write("line.sh", "cd '" + path("") + "'; V='" VAPOR_COMMAND "'\n" + line + "\n");
    const std::string bash = "timeout 60 bash '" + path("line.sh") + "' 2> '" + path(".said") + "'";
    const int status = system(bash.c_str());
    EXPECT_TRUE(WIFEXITED(status)) << line;
    return WEXITSTATUS(status);
  }
  std::string said() const { return contents(path(".said")); }

  std::string problem() const {
    EXPECT_EQ(vapor({"generate", "random", "--out", path("p.json"), "--quiet"}).exit_code, 0);
    return path("p.json");
  }
};

// --json ended with "internal error: invalid UTF-8 byte".
TEST_F(Findings, NamesThatAreNotUtf8) {
  const std::string out = path("bad\xff");
  const Outcome run = vapor({"run", "--env", "deep_sea:depth=4", "--agent", "vapor", "--episodes",
                             "6", "--json", "--out", out});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("bad\xef\xbf\xbd"));
  EXPECT_TRUE(fs::exists(out + "/seed-1/run.json"));
  write("sweep.toml", "envs = [\"deep_sea:depth=4\"]\nagents = [\"vapor\"]\nepisodes = 6\n");
  const Outcome sweep =
      vapor({"sweep", path("sweep.toml"), "--json", "--quiet", "--out", out + "-s"});
  EXPECT_EQ(sweep.exit_code, 0) << sweep.err;
  for (const Words& words : {Words{"report", out, "--out", path("page\xff"), "--json"},
                             Words{"solve", problem(), "--json", "--out", path("s\xff.json")}}) {
    const Outcome outcome = vapor(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  }
  EXPECT_THAT(refusal({"run", "--env", "deep\xff", "--agent", "vapor"}), HasSubstr("deep\\xff"));
}

TEST_F(Findings, ControlBytesInMessages) {
  for (const Words& words :
       {Words{"run", "--env", "deep\x1b[31m\nx", "--agent", "vapor"},
        Words{"solve", path("no\x1b]0;title\x07.json")}, Words{"report", "no\nsuch\rplace"},
        Words{"sweep", "a\x9b.toml"}, Words{"list\x1b"}, Words{"run", "--nope\x1b"}}) {
    const std::string message = refusal(words);
    EXPECT_THAT(message.substr(0, message.size() - 1),
                Not(testing::ContainsRegex("[\x01-\x1f\x7f\x80-\xff]")))
        << message;
  }
}

// The folder was `a`, cut off at the zero byte.
TEST_F(Findings, AZeroByteInTheNameOfASweep) {
  for (const std::string name : {"a\\u0000b", "a\\nb", "a\\u001bb", "", ".", "a/b"}) {
    write("sweep.toml",
          "name = \"" + name +
              "\"\nenvs = [\"deep_sea:depth=4\"]\nagents = [\"vapor\"]\nepisodes = 6\n");
    EXPECT_THAT(refusal({"sweep", path("sweep.toml"), "--out", path("out")}),
                HasSubstr("name: must be the name of a folder"));
    EXPECT_FALSE(fs::exists(path("out")));
  }
}

// The default was taken, as if there were no --out.
TEST_F(Findings, AnEmptyOut) {
  write("sweep.toml", "envs = [\"deep_sea:depth=4\"]\nagents = [\"vapor\"]\n");
  fs::create_directory(path("r"));
  for (const Words& words :
       {with(run_, {"--out", ""}), Words{"train", "--env", "deep_sea:depth=4", "--out", ""},
        Words{"sweep", path("sweep.toml"), "--out", ""}, Words{"report", path("r"), "--out", ""},
        Words{"view", path("r"), "--out", ""},
        Words{"reproduce", "toy-chain", "--quick", "--out", ""},
        Words{"generate", "random", "--out", ""}, Words{"solve", problem(), "--out", ""},
        Words{"solve", problem(), "--trace", ""}, Words{"solve", problem(), "--warm-start", ""},
        Words{"bench", "solver", "--quick", "--no-peers", "--out", ""}, Words{"tour", "--out", ""},
        Words{"play", path("r"), "--gif", ""}})
    EXPECT_THAT(refusal(words), HasSubstr("must not be empty")) << words[0];
}

// What stood behind a zero byte was not read.
TEST_F(Findings, TextAfterTheJsonObject) {
  const std::string whole = contents(problem());
  ASSERT_EQ(vapor({"solve", problem(), "--out", path("s.json"), "--quiet"}).exit_code, 0);
  const std::string solution = contents(path("s.json"));
  for (const std::string& tail : {std::string("\0", 1), std::string("\0text", 5), std::string("{}"),
                                  std::string("]"), std::string(" null"), std::string("\x1a")}) {
    write("q.json", whole + tail);
    refusal({"solve", path("q.json")});
    refusal({"solve", "-"}, path("q.json"));
    write("t.json", solution + tail);
    refusal({"solve", problem(), "--warm-start", path("t.json")});
  }
}

// A writer was waited for that never came.
TEST_F(Findings, AFifoInPlaceOfARecord) {
  const Words train = {"train",   "--env", "deep_sea:depth=4", "--episodes", "6",
                       "--quiet", "--out", path("t")};
  ASSERT_EQ(vapor(train).exit_code, 0);
  for (const std::string name : {"run.json", "episodes.csv", "policy"}) {
    SCOPED_TRACE(name);
    fs::remove_all(path("u"));
    fs::copy(path("t"), path("u"), fs::copy_options::recursive);
    fs::remove(path("u/seed-1/" + name));
    ASSERT_EQ(mkfifo(path("u/seed-1/" + name).c_str(), 0600), 0);
    if (name == "policy") {
      EXPECT_EQ(shell("$V play u/seed-1"), 2);
      EXPECT_THAT(said(), HasSubstr("policy: is not a regular file"));
    }
    EXPECT_NE(shell("$V report u --out page --quiet"), 124) << said();
    EXPECT_THAT(said(), HasSubstr(name + ": is not a regular file"));
  }
  ASSERT_EQ(mkfifo(path("s.json").c_str(), 0600), 0);
  problem();
  EXPECT_EQ(shell("$V solve p.json --warm-start s.json"), 2) << said();
  EXPECT_THAT(said(), HasSubstr("s.json: is not a regular file"));
}

// Runs were made whose seeds no reader of JSON keeps.
TEST_F(Findings, SeedsBeyondTheLast) {
  EXPECT_THAT(
      refusal(with(run_, {"--seed", "9000000000000000", "--seeds", "2", "--out", path("o")})),
      HasSubstr("--seed: must be in 0..9000000000000000, and so must the last of 2 seeds"));
  EXPECT_EQ(vapor(with(run_, {"--seed", "8999999999999999", "--seeds", "2", "--out", path("p")}))
                .exit_code,
            0);
  write("sweep.toml",
        "envs = [\"deep_sea:depth=4\"]\nagents = [\"vapor\"]\nepisodes = 6\n"
        "seeds = {first = 9000000000000000, count = 2}\n");
  EXPECT_THAT(refusal({"sweep", path("sweep.toml"), "--out", path("o")}),
              HasSubstr("seeds: must be in"));
  EXPECT_FALSE(fs::exists(path("o")));
}

// It was overwritten, after all the work.
TEST_F(Findings, ReproduceOverForeignFindings) {
  const Words words = {"reproduce", "toy-chain", "--quick", "--quiet", "--out", path("f")};
  fs::create_directory(path("f"));
  for (const std::string foreign :
       {"{\"mine\": 1}", "not JSON",
        "{\"format\": \"vapor-findings\", \"experiment\": \"deep-sea\"}"}) {
    write("f/findings.json", foreign);
    EXPECT_THAT(refusal(words),
                HasSubstr("findings.json: exists and is not of vapor reproduce toy-chain"));
    EXPECT_EQ(contents(path("f/findings.json")), foreign);
  }
  fs::remove(path("f/findings.json"));
  EXPECT_EQ(vapor(words).exit_code, 0);
  EXPECT_EQ(vapor(words).exit_code, 0) << "its own are replaced";
}

// The folder then refused the right game.
TEST_F(Findings, AGameThatThereIsNot) {
  const Outcome wrong = vapor(
      {"train", "--env", "minatar:game=nope", "--frames", "10", "--quiet", "--out", path("g")});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_FALSE(fs::exists(path("g"))) << wrong.err;
}

// The problem was made, or solved, and then there was nowhere to put it.
TEST_F(Findings, OutIsCheckedBeforeTheWork) {
  const std::string nowhere = path("no/where");
  write("file", "");
  // Each would take hours, or reads what is not there.
  const Words layers = {"generate", "random", "--layers",  "2000",
                        "--states", "2000",   "--actions", "9"};
  EXPECT_THAT(refusal(with(layers, {"--out", nowhere + "/p.json"})),
              HasSubstr("there is no folder"));
  EXPECT_THAT(refusal(with(layers, {"--out", path("")})), HasSubstr("is a directory"));
  EXPECT_THAT(refusal(with(layers, {"--out", path("file") + "/p.json"})),
              HasSubstr("is not a folder"));
  for (const std::string option : {"--out", "--trace"}) {
    const std::string out = option == "--out" ? nowhere + "/s.json" : path("file") + "/t";
    EXPECT_THAT(refusal({"solve", path("absent.json"), option, out}),
                HasSubstr(out + ": cannot be"));
  }
  EXPECT_THAT(refusal({"reproduce", "deep-sea", "--out", path("file") + "/r"}),
              HasSubstr("is not a folder"));
  EXPECT_THAT(refusal({"run", "--env", "deep_sea:depth=60", "--agent", "vapor", "--episodes",
                       "1000000", "--out", path("file") + "/r"}),
              HasSubstr("is not a folder"));
  EXPECT_THAT(refusal({"view", path("absent"), "--out", path("file") + "/v.html"}),
              HasSubstr("is not a folder"));
  EXPECT_THAT(refusal({"play", path("absent"), "--gif", nowhere + "/a.gif"}),
              HasSubstr("there is no folder"));
}

// "internal error: Resource temporarily unavailable".
TEST_F(Findings, AThousandThreads) {
  problem();
  const std::string run = "$V run --env deep_sea:depth=4 --agent vapor --episodes 3 --quiet ";
  EXPECT_EQ(shell("ulimit -v 400000; $V solve p.json p.json p.json --threads 1024 --quiet"), 0)
      << said();
  EXPECT_EQ(shell("ulimit -v 400000; " + run + "--seeds 100 --threads 1024 --out many"), 0)
      << said();
  EXPECT_TRUE(fs::exists(path("many/seed-100/run.json")));
}

// A temporary file beside the problem stayed.
TEST_F(Findings, GenerateInterrupted) {
  fs::create_directory(path("g"));
  for (const std::string signal : {"TERM", "HUP"}) {
    // The signal comes as soon as there is something to be left over.
    const int code = shell(
        "$V generate random --layers 60 --states 300 --out g/p.json --quiet & p=$!; "
        "until ls g | grep -q .; do sleep 0.01; done; kill -" +
        signal + " $p; wait $p");
    EXPECT_GT(code, 128) << said();
    EXPECT_TRUE(fs::is_empty(path("g"))) << signal;
  }
  // What kill -9 leaves goes with the next one.
  shell(
      "$V generate random --layers 60 --states 300 --out g/p.json --quiet & p=$!; "
      "until ls g | grep -q .; do sleep 0.01; done; kill -KILL $p; wait $p");
  EXPECT_FALSE(fs::is_empty(path("g")));
  EXPECT_EQ(vapor({"generate", "random", "--out", path("g/p.json"), "--quiet"}).exit_code, 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(path("g")), fs::directory_iterator()), 1);
}

// Each called the cells of the other failed.
TEST_F(Findings, TwoSweepsInOneFolder) {
  write("sweep.toml",
        "envs = [\"deep_sea:depth=8\"]\nagents = [\"vapor\"]\nepisodes = 300\nseeds = 6\n");
  const std::string sweep = "$V sweep sweep.toml --out out --processes 2 --json --quiet ";
  EXPECT_EQ(shell(sweep + "> one & a=$!; " + sweep + "> two; b=$?; wait $a && exit $b"), 0)
      << said();
  for (const std::string name : {"one", "two"}) {
    EXPECT_THAT(contents(path(name)), Not(HasSubstr("\"failed\": 1"))) << name;
    EXPECT_THAT(contents(path(name)), Not(HasSubstr("unfinished\": 1"))) << name;
  }
}

// A run that something else holds is waited for, and gone on with if that is killed.
TEST_F(Findings, ASweepGoesOnWithACellThatWasLeft) {
  write("sweep.toml",
        "envs = [\"deep_sea:depth=8\"]\nagents = [\"vapor\"]\nepisodes = 800\nseeds = 1\n");
  EXPECT_EQ(
      shell("$V run --env deep_sea:depth=8 --agent vapor --episodes 800 --quiet "
            "--out out/deep_sea-depth=8/vapor & a=$!; "
            "until test -e out/deep_sea-depth=8/vapor/seed-1/run.json; do sleep 0.01; done; "
            "$V sweep sweep.toml --out out --quiet & b=$!; sleep 0.3; kill -KILL $a; wait $b"),
      0)
      << said();
  EXPECT_THAT(contents(path("out/deep_sea-depth=8/vapor/seed-1/run.json")),
              HasSubstr("\"finished\""));
}

// The record was refused once it was finished.
TEST_F(Findings, ATornTimingFile) {
  const Words words = with(run_, {"--out", path("r")});
  ASSERT_EQ(vapor(words).exit_code, 0);
  const std::string timing = contents(path("r/seed-1/timing.csv"));
  write("r/seed-1/timing.csv", timing.substr(0, 50) + "torn,\n");
  const Outcome again = vapor(words);
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(again.err, AllOf(HasSubstr("timing.csv:"), HasSubstr("its times are left out")));
  const Outcome report = vapor({"report", path("r"), "--out", path("page"), "--quiet"});
  EXPECT_EQ(report.exit_code, 0);
  EXPECT_THAT(report.err, HasSubstr("timing.csv:"));
}

// A flipped digit changed what was reported, and nobody said so.
TEST_F(Findings, AFlippedDigitInTheEpisodes) {
  const Words words = with(run_, {"--out", path("r")});
  ASSERT_EQ(vapor(words).exit_code, 0);
  std::string text = contents(path("r/seed-1/episodes.csv"));
  const std::size_t digit = text.find_first_of("0123456789", text.rfind('.'));
  text[digit] = text[digit] == '5' ? '6' : '5';
  write("r/seed-1/episodes.csv", text);
  EXPECT_THAT(refusal(words),
              AllOf(HasSubstr("episodes.csv: is damaged"), HasSubstr("delete the folder")));
  EXPECT_THAT(refusal({"report", path("r"), "--out", path("page")}),
              HasSubstr("episodes.csv: is damaged"));
}

}  // namespace
}  // namespace vapor
