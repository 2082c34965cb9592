// Problem files that are not: one line that names the place, exit code 2, and nothing written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/command/run_command.h"

namespace vapor {
namespace {

using testing::HasSubstr;

class BadProblem : public test_support::CommandTest {
 protected:
  // What `vapor solve` says about the text.
  std::string complaint(const std::string& text) const {
    const std::string file = write("problem.json", text);
    const std::string line = refusal({"solve", file, "--json", "--out", path("solution.json")});
    EXPECT_LE(line.size(), 400u) << line;
    // The problem and what the command said; no solution, no temporary.
    EXPECT_EQ(std::distance(test_support::fs::directory_iterator(folder_),
                            test_support::fs::directory_iterator()),
              3);
    return line;
  }

  // Two layers, with one piece exchanged for another.
  static std::string problem_with(const std::string& piece, const std::string& replacement) {
    std::string text = R"({"format": "vapor-problem", "version": 1, "initial": [1.0],
 "layers": [
  {"reward_mean": [[0.0, 0.1]], "sigma": [[1.0, 0.5]],
   "next": [[[[0, 0.5], [1, 0.5]], [[1, 1.0]]]]},
  {"reward_mean": [[1.0], [2.0]], "sigma": [[0.25], [0.75]]}]})";
    if (piece.empty()) return text;
    const std::size_t at = text.find(piece);
    EXPECT_NE(at, std::string::npos) << piece;
    return text.replace(at, piece.size(), replacement);
  }
};

TEST_F(BadProblem, ThePatternItselfIsGood) {
  const std::string file = write("problem.json", problem_with("", ""));
  EXPECT_EQ(vapor({"solve", file}).exit_code, 0);
}

TEST_F(BadProblem, Truncated) {
  const std::string text = problem_with("", "");
  for (std::size_t size = 0; size + 1 < text.size(); size += 23) complaint(text.substr(0, size));
}

TEST_F(BadProblem, WrongShapes) {
  EXPECT_THAT(complaint(problem_with("[[1.0, 0.5]]", "[[1.0]]")), HasSubstr("layers[0].sigma[0]"));
  EXPECT_THAT(complaint(problem_with("[[0.25], [0.75]]", "[[0.25]]")),
              HasSubstr("layers[1].sigma"));
  EXPECT_THAT(complaint(problem_with("[1.0],\n", "[0.5, 0.5],\n")), HasSubstr("initial"));
  EXPECT_THAT(complaint(problem_with(", [[1, 1.0]]", "")), HasSubstr("layers[0].next[0]"));
  EXPECT_THAT(complaint(problem_with("[1, 1.0]", "[1, 1.0, 2]")),
              HasSubstr("layers[0].next[0][1]"));
}

TEST_F(BadProblem, BadNumbers) {
  EXPECT_THAT(complaint(problem_with("[[1.0, 0.5]]", "[[1.0, -1]]")),
              HasSubstr("layers[0].sigma[0][1]: must be >= 0, got -1"));
  EXPECT_THAT(complaint(problem_with("[[0.0, 0.1]]", "[[0.0, NaN]]")),
              HasSubstr("layers[0].reward_mean[0][1]"));
  EXPECT_THAT(complaint(problem_with("[[0.0, 0.1]]", "[[0.0, 1e999]]")),
              HasSubstr("layers[0].reward_mean[0][1]"));
  EXPECT_THAT(complaint(problem_with("[[0.0, 0.1]]", "[[0.0, null]]")),
              HasSubstr("layers[0].reward_mean[0][1]"));
  EXPECT_THAT(complaint(problem_with("[[0.0, 0.1]]", "[[0.0, \"0.1\"]]")),
              HasSubstr("layers[0].reward_mean[0][1]"));
  EXPECT_THAT(complaint(problem_with("\"version\": 1", "\"version\": \"1\"")),
              HasSubstr("version"));
}

TEST_F(BadProblem, BadProbabilities) {
  EXPECT_THAT(complaint(problem_with("[1, 0.5]", "[1, 0.4]")), HasSubstr("layers[0].next[0][0]"));
  EXPECT_THAT(complaint(problem_with("[1, 0.5]", "[1, -0.5]")), HasSubstr("layers[0].next[0][0]"));
  EXPECT_THAT(complaint(problem_with("[1, 0.5]", "[2, 0.5]")), HasSubstr("layers[0].next[0][0]"));
  EXPECT_THAT(complaint(problem_with("[1, 0.5]", "[-1, 0.5]")), HasSubstr("layers[0].next[0][0]"));
  EXPECT_THAT(complaint(problem_with("[1, 0.5]", "[0.5, 0.5]")), HasSubstr("layers[0].next[0][0]"));
  EXPECT_THAT(complaint(problem_with("[1.0],\n", "[0.9],\n")), HasSubstr("initial"));
}

TEST_F(BadProblem, EmptyParts) {
  EXPECT_THAT(
      complaint(R"({"format": "vapor-problem", "version": 1, "initial": [], "layers": []})"),
      HasSubstr("layers"));
  EXPECT_THAT(complaint(problem_with(R"("reward_mean": [[1.0], [2.0]], "sigma": [[0.25], [0.75]])",
                                     R"("reward_mean": [], "sigma": [])")),
              HasSubstr("layers[1]"));
  EXPECT_THAT(complaint(problem_with("[[1.0], [2.0]]", "[[1.0], []]")), HasSubstr("layers[1]"));
  complaint("");
  complaint("{}");
}

TEST_F(BadProblem, UnknownKeysAndFormats) {
  EXPECT_THAT(complaint(problem_with("\"version\": 1", "\"version\": 1, \"gamma\": 0.9")),
              HasSubstr("gamma"));
  EXPECT_THAT(complaint(problem_with("\"vapor-problem\"", "\"vapor-solution\"")),
              HasSubstr("format"));
  EXPECT_THAT(complaint(problem_with("\"version\": 1", "\"version\": 7")), HasSubstr("version"));
}

TEST_F(BadProblem, NotAFile) {
  EXPECT_THAT(refusal({"solve", path("missing.json")}), HasSubstr("missing.json"));
  EXPECT_THAT(refusal({"solve", folder_}), HasSubstr("directory"));
  refusal({"solve", ""});
  refusal({"solve", "-"});
}

TEST_F(BadProblem, Bytes) {
  complaint(std::string("\0\0\0\0", 4));
  complaint("\xff\xfe\xfd");
  complaint("PK\x03\x04 not JSON at all\n\n\n");
  complaint(problem_with("", "") + "{}");
}

// 64 MB of one character behind a head, in less than 100 MB of memory. The file is written in
// pieces, because a child's peak counts that of the parent it came from.
TEST_F(BadProblem, AFileOfBrackets) {
  for (const auto& [head, filling] :
       {std::pair("", '['),
        std::pair(R"({"format": "vapor-problem", "version": 1, "layers": )", '['),
        std::pair("{\"", 'x'), std::pair("", ' ')}) {
    SCOPED_TRACE(head);
    {
      std::ofstream file(path("problem.json"));
      file << head;
      for (int megabyte = 0; megabyte < 64; ++megabyte) file << std::string(1 << 20, filling);
    }
    refusal({"solve", path("problem.json"), "--out", path("solution.json")});
    EXPECT_FALSE(test_support::fs::exists(path("solution.json")));
  }
#ifndef __SANITIZE_ADDRESS__
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  EXPECT_LE(usage.ru_maxrss, 100L << 10) << "kB";
#endif
}

TEST_F(BadProblem, ConstraintsAreNamed) {
  const auto with = [](const std::string& constraint) {
    return problem_with("\"layers\"", "\"constraints\": [" + constraint + "], \"layers\"");
  };
  EXPECT_THAT(complaint(with(R"({"name": "n", "sense": "<=", "bound": NaN, "layers": [[0, 1]]})")),
              HasSubstr("constraints[0] (\"n\").bound"));
  EXPECT_THAT(complaint(with(R"({"name": "n", "sense": "<>", "bound": 1, "layers": [[0, 1]]})")),
              HasSubstr("constraints[0] (\"n\").sense"));
  EXPECT_THAT(complaint(with(R"({"name": "n", "sense": "<=", "bound": 1, "states": [[0, 4, 1]]})")),
              HasSubstr("constraints[0] (\"n\").states[0]: state must be in 0..0, got 4"));
  const std::string one = R"({"name": "n", "sense": "<=", "bound": 1, "layers": [[0, 1]]})";
  EXPECT_THAT(complaint(with(one + ", " + one)), HasSubstr("constraints[1] (\"n\").name"));
}

}  // namespace
}  // namespace vapor
