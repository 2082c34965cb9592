// Bad problem files: each gets one line that names the place, whatever the bytes are.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "vapor/core/error.h"
#include "vapor/core/random.h"
#include "vapor/mdp/problem_file.h"

namespace vapor {
namespace {

const std::string kTwoLayers = R"({"format": "vapor-problem", "version": 1, "initial": [1],
"layers": [
{"reward_mean": [[0, 0.1]], "sigma": [[1, 0.5]], "next": [[[[0, 0.5], [1, 0.5]], [[1, 0.75]]]],
 "base": [0.4, 0.6], "base_weight": [[0, 0.25]]},
{"reward_mean": [[1], [2, -3]], "sigma": [[4], [0, 1e-08]]}]}
)";

std::string refusal_of(const std::string& text) {
  std::istringstream in(text);
  try {
    read_problem(in);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

struct Replacement {
  std::string piece;
  std::string by;
  std::string message;
};

void expect_refusals(const std::vector<Replacement>& replacements) {
  for (const Replacement& r : replacements) {
    std::string text = kTwoLayers;
    const std::size_t at = text.find(r.piece);
    ASSERT_NE(at, std::string::npos) << r.piece;
    EXPECT_EQ(refusal_of(text.replace(at, r.piece.size(), r.by)), r.message) << text;
  }
}

TEST(ProblemRefusal, TheUnchangedFileIsAccepted) { EXPECT_EQ(refusal_of(kTwoLayers), "no error"); }

TEST(ProblemRefusal, Numbers) {
  expect_refusals({
      {"[1, 0.5]]", "[1, -1]]", "layers[0].sigma[0][1]: must be >= 0, got -1"},
      {"[0, 0.1]", "[0, 1.1e100]",
       "layers[0].reward_mean[0][1]: must be between -1e100 and 1e100, got 1.1e+100"},
      {"[0, 0.1]", "[0, 1e999]",
       "layers[0].reward_mean[0][1]: must be a finite number, got "
       "\"1e999\""},
      {"[0, 0.1]", "[0, NaN]",
       "layers[0].reward_mean[0][1]: must be a finite number; JSON has no NaN or Infinity"},
      {"[0, 0.1]", "[nan, 1]",
       "layers[0].reward_mean[0][0]: must be a finite number; JSON has no NaN or Infinity"},
      {"[4]", "[-Infinity]",
       "layers[1].sigma[0][0]: must be a finite number; JSON has no NaN or Infinity"},
      {"[4]", "[inf]",
       "layers[1].sigma[0][0]: must be a finite number; JSON has no NaN or Infinity"},
      {"[4]", "[\"4\"]", "layers[1].sigma[0][0]: must be a number, got a string"},
      {"[4]", "[null]", "layers[1].sigma[0][0]: must be a number, got null"},
      {"[4]", "[true]", "layers[1].sigma[0][0]: must be a number, got true"},
      {"[4]", "[{}]", "layers[1].sigma[0][0]: must be a number, got an object"},
      {"[4]", "[[4]]", "layers[1].sigma[0][0]: must be a number, got a list"},
      {"[4]", "4", "layers[1].sigma[0]: must be a list, got a number"},
      {"[[4], [0, 1e-08]]", "4", "layers[1].sigma: must be a list, got a number"},
  });
}

TEST(ProblemRefusal, Distributions) {
  expect_refusals({
      {"[1],\n", "[0.5],\n", "initial: probabilities must sum to 1, got 0.5"},
      {"[1],\n", "[-1],\n", "initial[0]: must be a probability >= 0, got -1"},
      {"[1],\n", "[0.5, 0.5],\n", "initial: must have 1 entries, got 2"},
      {"[1],\n", "[],\n", "initial: must have 1 entries, got 0"},
      {"[0, 0.5], ", "", "layers[0].next[0][0]: probabilities must sum to 1, got 0.5"},
      {"[0, 0.5], ", "[0, 0.5], [0, 3e-9], ",
       "layers[0].next[0][0]: probabilities must sum to 1, got 1.000000003"},
      {"[1, 0.75]", "",
       "layers[0].next[0][1]: probabilities and base_weight must sum to 1, got 0.25"},
      {"[0, 0.25]", "[0, -0.25]",
       "layers[0].base_weight[0][1]: must be a probability >= 0, got -0.25"},
      {"[0, 0.5], ", "[0, 1.5], [0, -1], ",
       "layers[0].next[0][0][1]: must be a probability >= 0, got -1"},
      {"[0.4, 0.6]", "[0.4, 0.4]", "layers[0].base: probabilities must sum to 1, got 0.8"},
      {"[0.4, 0.6]", "[1.4, -0.4]", "layers[0].base[1]: must be a probability >= 0, got -0.4"},
      {"[0.4, 0.6]", "[0.4, 0.5, 0.1]",
       "layers[0].base: must have 2 entries, one a state of the next layer, got 3"},
      {"[0.4, 0.6]", "[]",
       "layers[0].base: must have 2 entries, one a state of the next layer, got 0"},
  });
}

TEST(ProblemRefusal, NextStates) {
  expect_refusals({
      {"[1, 0.75]", "[7, 0.75]", "layers[0].next[0][1][0]: next state must be in 0..1, got 7"},
      {"[1, 0.75]", "[-1, 0.75]", "layers[0].next[0][1][0]: next state must be >= 0, got -1"},
      {"[1, 0.75]", "[0.5, 0.75]",
       "layers[0].next[0][1][0]: next state must be a whole number, got 0.5"},
      {"[1, 0.75]", "[2147483647, 0.75]",
       "layers[0].next[0][1][0]: next state must be in 0..1, got 2147483647"},
      {"[1, 0.75]", "[2147483648, 0.75]",
       "layers[0].next[0][1][0]: next state is too large, got 2147483648"},
      {"[1, 0.75]", "[99999999999999999999, 0.75]",
       "layers[0].next[0][1][0]: next state is too large, got 1e+20"},
      {"[1, 0.75]", "[\"1\", 0.75]", "layers[0].next[0][1][0][0]: must be a number, got a string"},
      {"[1, 0.75]", "[1]",
       "layers[0].next[0][1][0]: must be [next state, probability], got a list "
       "of 1"},
      {"[1, 0.75]", "[]",
       "layers[0].next[0][1][0]: must be [next state, probability], got a list "
       "of 0"},
      {"[1, 0.75]", "[1, 0.5, 0.25]",
       "layers[0].next[0][1][0]: must be [next state, probability], got more than two numbers"},
      {"[1, 0.75]", "1, 0.75", "layers[0].next[0][1][0]: must be a list, got a number"},
  });
}

TEST(ProblemRefusal, Shapes) {
  expect_refusals({
      {"[[1, 0.5]]", "[[1]]",
       "layers[0].sigma[0]: must have 2 entries, one an action as in reward_mean, got 1"},
      {"[[1, 0.5]]", "[[1, 0.5], [1, 0.5]]",
       "layers[0].sigma: must have 1 entries, one a state as in reward_mean, got 2"},
      {"[[1, 0.5]]", "[]",
       "layers[0].sigma: must have 1 entries, one a state as in reward_mean, got 0"},
      {"[[0, 0.25]]", "[[0, 0.25, 0]]",
       "layers[0].base_weight[0]: must have 2 entries, one an action as in reward_mean, got 3"},
      {", [[1, 0.75]]", "",
       "layers[0].next[0]: must have 2 entries, one an action as in reward_mean, got 1"},
      {"[[1, 0.75]]]]", "[[1, 0.75]]], []]",
       "layers[0].next: must have 1 entries, one a state as in reward_mean, got 2"},
      {"[[1], [2, -3]]", "[]", "layers[1].reward_mean: must have at least one state"},
      {"[[1], [2, -3]]", "[[1], []]", "layers[1].reward_mean[1]: must have at least one action"},
      {"[[1], [2, -3]]", "[1, 2]", "layers[1].reward_mean[0]: must be a list, got a number"},
  });
}

TEST(ProblemRefusal, Layers) {
  const std::string first = kTwoLayers.substr(kTwoLayers.find("{\"reward_mean\": [[0"));
  const std::string layers = first.substr(0, first.find("]}\n"));
  const std::string last = "\"sigma\": [[4], [0, 1e-08]]";
  expect_refusals({
      {layers, "", "layers: must have at least one layer"},
      {layers, "{}", "layers[0].reward_mean: missing"},
      {layers, "[]", "layers[0]: must be an object, got a list"},
      {layers, "1", "layers[0]: must be an object, got a number"},
      {"[\n" + layers + "]", "{}", "layers: must be a list, got an object"},
      {"\"sigma\": [[1, 0.5]], ", "", "layers[0].sigma: missing"},
      {"\"base\": [0.4, 0.6], ", "", "layers[0].base: missing, though base_weight is given"},
      {", \"base_weight\": [[0, 0.25]]", "",
       "layers[0].base_weight: missing, though base is given"},
      {" \"base\": [0.4, 0.6], \"base_weight\": [[0, 0.25]]}", " \"base\": [0.4, 0.6]}",
       "layers[0].base_weight: missing, though base is given"},
      {layers,
       "{\"reward_mean\": [[1]], \"sigma\": [[1]]}, {\"reward_mean\": [[1]], \"sigma\": "
       "[[1]]}",
       "layers[0].next: missing; only the last layer may leave it out"},
      {last, last + ", \"next\": [[[[0, 1]]], []]",
       "layers[1].next[0][0]: must be empty in the last layer"},
      {last, last + ", \"base\": [1], \"base_weight\": [[0], [0, 0]]",
       "layers[1].base: must be absent in the last layer"},
      {last, last + ", \"base\": [], \"base_weight\": [[0], [0, 1]]",
       "layers[1].base_weight[1][1]: must be 0 in the last layer"},
  });
}

TEST(ProblemRefusal, Keys) {
  expect_refusals({
      {"\"format\": \"vapor-problem\", ", "", "format: missing"},
      {"vapor-problem", "other", "format: must be \"vapor-problem\", got \"other\""},
      {"\"vapor-problem\"", "1", "format: must be a string, got a number"},
      {"\"version\": 1, ", "", "version: missing"},
      {"\"version\": 1", "\"version\": 2", "version: must be 1, got 2"},
      {"\"version\": 1", "\"version\": \"1\"", "version: must be a number, got a string"},
      {", \"initial\": [1]", "", "initial: missing"},
      {"[1],", "1,", "initial: must be a list, got a number"},
      {"\"initial\"", "\"start\"",
       "problem file: unknown key \"start\"; known are format, version, initial, discount, layers, "
       "constraints"},
      {"\"sigma\"", "\"Sigma\"",
       "layers[0]: unknown key \"Sigma\"; known are reward_mean, sigma, belief, next, base, "
       "base_weight"},
      {"\"version\": 1", "\"version\": 1, \"version\": 1", "version: given twice"},
      {"\"sigma\": [[4]", "\"sigma\": [[4], [0, 1]], \"sigma\": [[4]",
       "layers[1].sigma: given twice"},
  });
  EXPECT_EQ(refusal_of(R"({"format": "vapor-problem", "version": 1, "initial": [1]})"),
            "layers: missing");
}

TEST(ProblemRefusal, NotJson) {
  EXPECT_EQ(refusal_of(""), "problem file: is empty");
  EXPECT_EQ(refusal_of(" \n\t\n"), "problem file: is empty");
  EXPECT_EQ(refusal_of("[]"), "problem file: must be a JSON object, got a list");
  EXPECT_EQ(refusal_of("3"), "problem file: must be a JSON object, got a number");
  EXPECT_EQ(refusal_of("null"), "problem file: must be a JSON object, got null");
  EXPECT_EQ(refusal_of("{}"), "format: missing");
  const auto begins = [](const std::string& text, const std::string& start) {
    const std::string message = refusal_of(text);
    EXPECT_EQ(message.substr(0, start.size()), start) << message;
  };
  begins("reward_mean = 3\n", "line 1, column 1: not valid JSON, ");
  begins("\x89PNG\r\n", "line 1, column 1: not valid JSON, ");
  begins(kTwoLayers + "x", "line 6, column 1: not valid JSON, ");
  begins(kTwoLayers + "{}", "line 6, column 1: not valid JSON, ");
  begins("{\"format\": \"vapor-problem\",\n \"version\" [", "line 2, column 12: not valid JSON, ");
  begins("{\"format\": \"\xff\"}", "line 1, column 13: not valid JSON, ");
  begins(kTwoLayers.substr(0, kTwoLayers.find("0.75")), "line 3, column 86: not valid JSON, ");
}

// What a parser must keep is bounded, so files of any size are refused at their first bytes.
TEST(ProblemRefusal, HugeTokensAndDeepNesting) {
  const std::size_t size = 10'000'000;
  EXPECT_EQ(refusal_of(std::string(size, '[')), "problem file: must be a JSON object, got a list");
  EXPECT_EQ(refusal_of("{\"layers\": [{\"next\": " + std::string(size, '[')),
            "layers[0].next[0][0][0][0]: must be a number, got a list");
  EXPECT_EQ(refusal_of("{\"" + std::string(size, 'x') + "\": 1}"),
            "line 1, column 4098: text or number longer than 4096 characters");
  EXPECT_EQ(refusal_of("{\"version\": " + std::string(size, '1') + "}"),
            "line 1, column 4109: text or number longer than 4096 characters");
  EXPECT_EQ(refusal_of(std::string(size, ' ')), "problem file: is empty");
}

TEST(ProblemRefusal, MessagesAreOneShortLine) {
  const std::string texts[] = {
      "{\"" + std::string(4000, 'x') + "\": 1}",
      "{\"format\": \"" + std::string(4000, 'y') + "\"}",
      "{\"version\": 1" + std::string(4000, '0') + "}",
      "{\"a\\nb\\u0000\": 1}",
      "{\"version\": \"\n\"}",
      "{\"version\": tru" + std::string(3000, 'z'),
  };
  for (const std::string& text : texts) {
    const std::string message = refusal_of(text);
    EXPECT_NE(message, "no error") << text;
    EXPECT_LT(message.size(), 300u) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_EQ(message.find('\0'), std::string::npos) << message;
  }
}

// A cut file is never a problem, and any other file is a problem or refused by an InputError: no
// other exception leaves the reader.
TEST(ProblemRefusal, EveryTruncation) {
  const std::size_t closing = kTwoLayers.rfind('}');
  for (std::size_t size = 0; size <= closing; ++size)
    EXPECT_NE(refusal_of(kTwoLayers.substr(0, size)), "no error") << size;
}

TEST(ProblemRefusal, RandomMutations) {
  RandomStream random(1);
  const std::string alphabet = "[]{},:\"0123456789.-+eE\\/ntfNI \n\x01\x7f\xc3\xff";
  int accepted = 0;
  const int trials = 20000;
  for (int i = 0; i < trials; ++i) {
    std::string text = kTwoLayers;
    const int edits = 1 + random.index(4);
    for (int e = 0; e < edits; ++e) {
      const std::size_t at = random.index(static_cast<Index>(text.size()));
      const char c = alphabet[random.index(static_cast<Index>(alphabet.size()))];
      switch (random.index(5)) {
        case 0:
          text[at] = c;
          break;
        case 1:
          text[at] = static_cast<char>(text[at] ^ (1 << random.index(8)));
          break;
        case 2:
          text.erase(at, 1 + random.index(8));
          break;
        case 3:
          text.insert(at, 1, c);
          break;
        default:
          text.insert(at, text.substr(random.index(static_cast<Index>(text.size())), 20));
      }
      if (text.empty()) text = " ";
    }
    const std::string message = refusal_of(text);
    accepted += message == "no error";
    EXPECT_LT(message.size(), 400u) << text;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
  EXPECT_GT(accepted, trials / 200);  // white space and digits of numbers
  EXPECT_LT(accepted, trials / 2);
}

}  // namespace
}  // namespace vapor
