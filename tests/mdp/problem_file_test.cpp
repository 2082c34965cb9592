#include "vapor/mdp/problem_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "tests/mdp/ragged_problem.h"
#include "tests/record/ordinary_user.h"
#include "vapor/core/error.h"
#include "vapor/core/random.h"

namespace vapor {
namespace {

// Two layers: a state of two actions, then states of one and two actions. The second action goes
// through the base for a quarter.
const std::string kValid = R"({
  "format": "vapor-problem",
  "version": 1,
  "initial": [1],
  "layers": [
    {
      "reward_mean": [[0, 0.1]],
      "sigma": [[1, 0.5]],
      "next": [[[[0, 0.5], [1, 0.5]], [[1, 0.75]]]],
      "base": [0.4, 0.6],
      "base_weight": [[0, 0.25]]
    },
    {
      "reward_mean": [[1], [2, -3]],
      "sigma": [[1], [0, 1e-08]]
    }
  ]
}
)";

Problem parsed(const std::string& text) {
  std::istringstream in(text);
  return read_problem(in);
}

std::string written(const Problem& problem) {
  std::ostringstream out;
  write_problem(out, problem);
  return out.str();
}

std::string refusal(const std::string& text) {
  try {
    parsed(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// The valid file with one piece of its text replaced.
std::string with(const std::string& piece, const std::string& replacement) {
  std::string text = kValid;
  const std::size_t at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  return text.replace(at, piece.size(), replacement);
}

void expect_same(const Problem& a, const Problem& b) {
  EXPECT_EQ(a.shape, b.shape);
  EXPECT_EQ(a.initial, b.initial);
  EXPECT_EQ(a.reward_mean, b.reward_mean);
  EXPECT_EQ(a.sigma, b.sigma);
  EXPECT_EQ(a.transitions.begin, b.transitions.begin);
  EXPECT_EQ(a.transitions.next_state, b.transitions.next_state);
  EXPECT_EQ(a.transitions.probability, b.transitions.probability);
  EXPECT_EQ(a.transitions.base_weight, b.transitions.base_weight);
}

TEST(ProblemFile, ReadsEveryTable) {
  const Problem problem = parsed(kValid);
  EXPECT_EQ(problem.shape.layers(), 2);
  EXPECT_EQ(problem.shape.states(), 3);
  EXPECT_EQ(problem.shape.pairs(), 5);
  EXPECT_EQ(problem.initial, (std::vector<double>{1}));
  EXPECT_EQ(problem.reward_mean, (std::vector<double>{0, 0.1, 1, 2, -3}));
  EXPECT_EQ(problem.sigma, (std::vector<double>{1, 0.5, 1, 0, 1e-8}));
  EXPECT_EQ(problem.transitions.begin, (std::vector<Offset>{0, 2, 3, 3, 3, 3}));
  EXPECT_EQ(problem.transitions.next_state, (std::vector<Index>{1, 2, 2}));
  EXPECT_EQ(problem.transitions.probability, (std::vector<double>{0.5, 0.5, 0.75}));
  EXPECT_EQ(problem.transitions.base_weight, (std::vector<double>{0, 0.25, 0, 0, 0}));
  EXPECT_EQ(problem.transitions.base, (std::vector<double>{0, 0.4, 0.6}));
}

TEST(ProblemFile, WritesTheDocumentedLayout) { EXPECT_EQ(written(parsed(kValid)), kValid); }

// The worked example of docs/problem-file.md, with the probabilities that its text derives.
TEST(ProblemFile, TheDocumentedExampleIsWhatItsTextSays) {
  std::ostringstream page;
  page << std::ifstream(std::string(VAPOR_SOURCE_DIR) + "/docs/problem-file.md").rdbuf();
  const std::string fence = "```json\n";
  const std::size_t begin = page.str().find(fence);
  ASSERT_NE(begin, std::string::npos);
  const std::string example = page.str().substr(begin + fence.size());
  const Problem problem = parsed(example.substr(0, example.find("```")));
  EXPECT_EQ(problem.shape.layers(), 2);
  const std::vector<double> first = test_support::dense_row(problem, 0, 0);
  const std::vector<double> second = test_support::dense_row(problem, 0, 1);
  EXPECT_DOUBLE_EQ(first[1], 0.5);
  EXPECT_DOUBLE_EQ(first[2], 0.5);
  EXPECT_DOUBLE_EQ(second[1], 0.1);
  EXPECT_DOUBLE_EQ(second[2], 0.9);
}

TEST(ProblemFile, KeysMayComeInAnyOrder) {
  const std::string shuffled = R"({"layers": [
      {"base_weight": [[0, 0.25]], "next": [[[[0, 0.5], [1, 0.5]], [[1, 0.75]]]],
       "sigma": [[1, 0.5]], "base": [0.4, 0.6], "reward_mean": [[0, 0.1]]},
      {"sigma": [[1], [0, 1e-8]], "reward_mean": [[1], [2, -3]]}],
      "initial": [1], "version": 1, "format": "vapor-problem"})";
  EXPECT_EQ(written(parsed(shuffled)), kValid);
}

TEST(ProblemFile, AcceptsTheDocumentedFreedoms) {
  const std::string base_part =
      ",\n      \"base\": [0.4, 0.6],\n      \"base_weight\": [[0, 0.25]]";
  const std::string next_part = "      \"next\": [[[[0, 0.5], [1, 0.5]], [[1, 0.75]]]],\n";
  const std::string last = "\"sigma\": [[1], [0, 1e-08]]";
  std::string all_base = with("[[0, 0.25]]", "[[1, 1]]");
  all_base.replace(all_base.find(next_part), next_part.size(), "");
  std::string no_base = with("[1, 0.75]", "[1, 1]");
  no_base.replace(no_base.find(base_part), base_part.size(), "");
  const std::string accepted[] = {
      "\xEF\xBB\xBF" + kValid,
      all_base,
      no_base,
      with("\"version\": 1,", "\"version\": 1.0,"),
      with("[0, 0.5], [1, 0.5]", "[0.0, 5e-1], [1, 0.5]"),
      with("[0, 0.5], [1, 0.5]", "[1, 0.25], [0, 0.5], [1, 0.25]"),
      with("[0, 0.5], [1, 0.5]", "[0, 0], [1, 1.0000000009]"),
      with(last, last + ", \"next\": []"),
      with(last, last + ", \"next\": [[], []]"),
      with(last, last + ", \"next\": [[[]], [[], []]]"),
      with(last, last + ", \"base\": [], \"base_weight\": [[0], [0, 0]]"),
  };
  for (const std::string& text : accepted) EXPECT_EQ(refusal(text), "no error") << text;
}

TEST(ProblemFile, EmptyNextMeansAllThroughTheBase) {
  for (const char* next : {"[]", "[[]]", "[[[], []]]"}) {
    std::string text = with("[[[[0, 0.5], [1, 0.5]], [[1, 0.75]]]]", next);
    text.replace(text.find("[[0, 0.25]]"), 11, "[[1, 1]]");
    const Problem problem = parsed(text);
    EXPECT_EQ(problem.transitions.begin, (std::vector<Offset>{0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(problem.transitions.base_weight, (std::vector<double>{1, 1, 0, 0, 0}));
  }
}

TEST(ProblemFile, ScalesDistributionsToOne) {
  const Problem problem = parsed(with("[1, 0.75]", "[1, 0.7500000009]"));
  EXPECT_DOUBLE_EQ(problem.transitions.probability[2], 0.7500000009 / 1.0000000009);
  EXPECT_DOUBLE_EQ(problem.transitions.base_weight[1], 0.25 / 1.0000000009);
}

TEST(ProblemFile, RandomProblemsReadBackToTheSameDoubles) {
  const RandomStream random(1);
  for (int i = 0; i < 300; ++i) {
    const Problem problem = test_support::ragged_problem(random.split(i), 1 + i % 6);
    const Problem again = parsed(written(problem));
    expect_same(again, problem);
    EXPECT_EQ(written(again), written(problem));
  }
}

TEST(ProblemFile, NumbersOfEverySizeReadBackToTheSameDoubles) {
  RandomStream random(2);
  std::vector<double> numbers{0.0,
                              0.1,
                              1.0 / 3.0,
                              1e22,
                              1e23,
                              123456789012345678.0,
                              5e-324,
                              1e100,
                              std::numeric_limits<double>::min(),
                              9007199254740993.0};
  while (numbers.size() < 2000) {
    const double x = std::abs(std::bit_cast<double>(random.bits()));
    if (x <= 1e100) numbers.push_back(x);  // the largest that a problem may have
  }
  std::vector<ActionSpec> actions;
  for (double x : numbers) actions.push_back({.reward_mean = -x, .sigma = x});
  const Problem problem = ProblemBuilder({1.0}).layer().state(actions).build();
  const Problem again = parsed(written(problem));
  EXPECT_EQ(again.sigma, numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_EQ(again.reward_mean[i], -numbers[i]);
    EXPECT_TRUE(std::signbit(again.reward_mean[i])) << numbers[i];
  }
}

TEST(ProblemFile, AnUnusedBaseIsNotWritten) {
  const Problem problem = ProblemBuilder({1.0})
                              .layer()
                              .state({{.next = {{0, 1.0}}}})
                              .layer({0.5, 0.5})
                              .state({{}})
                              .state({{}})
                              .build();
  EXPECT_EQ(written(problem).find("base"), std::string::npos);
}

class ProblemFileOnDisk : public ::testing::Test {
 protected:
  ProblemFileOnDisk() { std::filesystem::create_directories(folder_); }
  ~ProblemFileOnDisk() override { std::filesystem::remove_all(folder_); }

  std::string refusal_of_file(const std::string& path) {
    try {
      read_problem_file(path);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }

  const std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / ("vapor_test_" + std::to_string(getpid()));
};

TEST_F(ProblemFileOnDisk, RoundTrip) {
  const std::string path = folder_ / "problem.json";
  const Problem problem = test_support::ragged_problem(RandomStream(3), 5);
  write_problem_file(path, problem);
  expect_same(read_problem_file(path), problem);
}

TEST_F(ProblemFileOnDisk, SaysWhyAFileCannotBeRead) {
  const std::string missing = folder_ / "missing.json";
  EXPECT_EQ(refusal_of_file(missing), missing + ": cannot be read: No such file or directory");
  EXPECT_EQ(refusal_of_file(folder_), folder_.string() + ": cannot be read: is a directory");
  const std::string empty = folder_ / "empty.json";
  std::ofstream(empty).close();
  EXPECT_EQ(refusal_of_file(empty), "problem file: is empty");
}

TEST_F(ProblemFileOnDisk, SaysThatAFileIsProtected) {
  const std::string path = folder_ / "secret.json";
  std::ofstream(path) << kValid;
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const test_support::OrdinaryUser user;
  EXPECT_EQ(refusal_of_file(path), path + ": cannot be read: Permission denied");
}

TEST_F(ProblemFileOnDisk, AFileThatCannotBeWrittenLeavesNothing) {
  const std::string path = folder_ / "no_folder" / "problem.json";
  EXPECT_THROW(write_problem_file(path, parsed(kValid)), InputError);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

}  // namespace
}  // namespace vapor
