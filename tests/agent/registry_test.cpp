#include "vapor/agent/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/agent/gaussian_belief.h"
#include "vapor/core/error.h"

namespace vapor {
namespace {

using testing::HasSubstr;

std::unique_ptr<Agent> make(const std::string& text) {
  return make_agent(Spec("--agent", text),
                    test_support::ignorant_belief(test_support::small_deep_sea(3, 0.0)));
}

// The same where steps cost something.
std::unique_ptr<Agent> make_with_cost(const std::string& text) {
  const Problem sea = test_support::small_deep_sea(3, 0.0);
  return make_agent(Spec("--agent", text), test_support::ignorant_belief(sea), {},
                    Cost{.of_pair = std::vector<double>(sea.shape.pairs(), 1.0),
                         .budget = 3.0,
                         .baseline = {},
                         .baseline_cost = 3.0});
}

std::string refusal(const std::string& text) {
  try {
    make(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(AgentRegistry, EveryKindIsMadeFromItsStatedDefaults) {
  for (const AgentKind& kind : agent_kinds()) {
    if (kind.name == "bayes-optimal") continue;  // wants a finite belief
    std::string text = kind.name;
    if (!kind.settings.empty()) text += ":" + kind.settings;
    std::erase(text, ' ');
    EXPECT_NE(make_with_cost(text), nullptr) << text;
    EXPECT_FALSE(kind.summary.empty());
  }
}

TEST(AgentRegistry, RefusalsNameThePlace) {
  EXPECT_THAT(refusal("vapour"), HasSubstr("--agent: must be one of vapor, "));
  EXPECT_THAT(refusal("vapour"), HasSubstr("(did you mean vapor?)"));
  EXPECT_THAT(refusal("vapor:tolerence=1"), HasSubstr("tolerence"));
  EXPECT_THAT(refusal("epsilon-greedy:epsilon=2"), HasSubstr("--agent epsilon-greedy:epsilon: "));
  EXPECT_THAT(refusal("ucbvi:bonus=hoefding"), HasSubstr("did you mean hoeffding?"));
  EXPECT_THAT(refusal("ucbvi:low=2"), HasSubstr("--agent ucbvi:high: must be >= low"));
  EXPECT_THAT(refusal("vapor-lite:schedule=true,c=2"), HasSubstr("give one"));
  EXPECT_THAT(refusal("conditional-optimality:samples=0"), HasSubstr("samples"));
  EXPECT_THAT(refusal("dope"), HasSubstr("--agent dope: learns under a budget"));
  EXPECT_THAT(refusal("vapor:budget=auto"), HasSubstr("needs an environment with a cost"));
  EXPECT_THAT(refusal("vapor:k=2"), HasSubstr("--agent vapor:k: asks for a budget"));
  EXPECT_THROW(make_with_cost("vapor:budget=-1"), InputError);
  EXPECT_THROW(make_with_cost("vapor:budget=some"), InputError);
}

}  // namespace
}  // namespace vapor
