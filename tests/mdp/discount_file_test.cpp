// Problem files with a discount: read, written back to the same bits, and refused with their place.
#include <gtest/gtest.h>

#include <sstream>

#include "vapor/core/error.h"
#include "vapor/mdp/problem_file.h"

namespace vapor {
namespace {

const std::string kDiscounted = R"({"format": "vapor-problem", "version": 1, "initial": [1, 0],
"discount": 0.9, "layers": [
{"reward_mean": [[0, 0.1], [1]], "sigma": [[1, 0.5], [0.25]],
 "next": [[[[0, 0.5], [1, 0.5]], [[1, 0.75]]], [[[0, 1]]]],
 "base": [0.25, 0.75], "base_weight": [[0, 0.25], [0]]}]}
)";

std::string read_again(const std::string& text) {
  std::istringstream in(text);
  std::ostringstream out;
  write_problem(out, read_problem(in));
  return out.str();
}

std::string refusal_of_discounted(const std::string& piece, const std::string& by) {
  std::string text = kDiscounted;
  const std::size_t at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  try {
    read_again(text.replace(at, piece.size(), by));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(DiscountFile, RoundTrip) {
  std::istringstream in(kDiscounted);
  const Problem problem = read_problem(in);
  ASSERT_TRUE(problem.stationary());
  EXPECT_EQ(*problem.discount, 0.9);
  EXPECT_EQ(problem.transitions.next_state, (std::vector<Index>{0, 1, 1, 0}));
  EXPECT_EQ(problem.transitions.base, (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(problem.next_states_of(0).size(), 2);
  const std::string written = read_again(kDiscounted);
  EXPECT_EQ(read_again(written), written);
}

TEST(DiscountFile, WhatIsWrongIsNamed) {
  EXPECT_EQ(refusal_of_discounted("0.9", "1"), "discount: must be between 0 and 1, got 1");
  EXPECT_EQ(refusal_of_discounted("0.9", "0"), "discount: must be between 0 and 1, got 0");
  EXPECT_EQ(refusal_of_discounted("0.9", "[0.9]"), "discount: must be a number, got a list");
  EXPECT_EQ(refusal_of_discounted("[[[0, 1]]]]", "[[[2, 1]]]]"),
            "layers[0].next[1][0][0]: next state must be in 0..1, got 2");
  EXPECT_EQ(refusal_of_discounted("[0.25, 0.75]", "[1]"),
            "layers[0].base: must have 2 entries, one a state, got 1");
  EXPECT_EQ(refusal_of_discounted("[0.25, 0.75]", "[0.25, 0.5]"),
            "layers[0].base: probabilities must sum to 1, got 0.75");
  EXPECT_EQ(
      refusal_of_discounted("}]}", "}, {\"reward_mean\": [[0], [0]], \"sigma\": [[0], [0]]}]}"),
      "discount: stands with one layer, which leads back into itself; the problem has 2");
}

}  // namespace
}  // namespace vapor
