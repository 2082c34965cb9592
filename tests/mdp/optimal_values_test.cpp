// Backward induction beside an independent package: pymdptoolbox's FiniteHorizon on random layered
// MDPs, stored (tests/reference/environments).
#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "vapor/mdp/backward_induction.h"
#include "vapor/mdp/problem_file.h"

namespace vapor {
namespace {

TEST(BackwardInduction, AgreesWithPymdptoolbox) {
  std::ifstream in(VAPOR_SOURCE_DIR "/tests/reference/environments/optimal_values.json");
  const nlohmann::json stored = nlohmann::json::parse(in);
  ASSERT_EQ(stored.size(), 30u);
  for (std::size_t i = 0; i < stored.size(); ++i) {
    std::istringstream text(stored[i]["problem"].dump());
    const Problem problem = read_problem(text);
    const OptimalValues values = backward_induction(problem, problem.reward_mean);
    Index s = 0;
    for (Index l = 0; l < problem.shape.layers(); ++l)
      for (std::size_t k = 0; k < stored[i]["V"][l].size(); ++k, ++s) {
        EXPECT_NEAR(values.V[s], stored[i]["V"][l][k].get<double>(), 1e-13) << i << ' ' << s;
        const Index best = stored[i]["best"][l][k].get<Index>();
        EXPECT_EQ(values.policy[problem.shape.pairs_of(s).first() + best], 1.0) << i << ' ' << s;
      }
    EXPECT_EQ(s, problem.shape.states());
  }
}

}  // namespace
}  // namespace vapor
