// What every environment must do, whatever its kind. A new kind adds its specs to kCases.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "vapor/core/error.h"
#include "vapor/env/registry.h"
#include "vapor/env/stationary_pair.h"
#include "vapor/mdp/policy.h"

namespace vapor {
namespace {

struct Case {
  const char* spec;
  bool seeded;  // whether the seed changes the environment
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.spec; }

const Case kCases[] = {
    {"toy_chain", true},
    {"toy_chain:length=2,sign=-1,epsilon=0", false},
    {"toy_chain:length=30,one_action=true", true},
    {"deep_sea:depth=1,mapping_seed=3", false},
    {"deep_sea", true},
    {"deep_sea:depth=30,randomise_actions=false", false},
    {"deep_sea:depth=7,stochastic=true,move_cost=0.5", true},
    {"deep_sea:depth=1,stochastic=true,mapping_seed=0", false},
    {"grid_world", true},
    {"grid_world:size=5,start=centre,horizon=7,slip=0.3,noise=0", true},
    {"grid_world:size=2,stationary_prior=false,mean_scale=0,slip=1", true},
    {"four_rooms", false},
    {"four_rooms:size=5,horizon=3", false},
    {"four_rooms:goal=true,size=5", false},
    {"lazy_chain", false},
    {"lazy_chain:length=1,horizon=1", false},
    {"lazy_chain:length=4,horizon=12,slip=0.2", false},
    {"frozen_lake", false},
    {"frozen_lake:slippery=false,horizon=8", false},
    {"river_swim", false},
    {"river_swim:states=3,horizon=2,noise=0.5", false},
    {"random_mdp", true},
    {"random_mdp:layers=1,states=1,actions=1", true},
    {"random_mdp:layers=4,states=20,actions=2,dirichlet_mass=0.001,known_dynamics=true", true},
    {"random_mdp:layers=3,states=4,actions=5,dirichlet_mass=1000", true},
    {"factored_cmdp", false},
    {"factored_cmdp:horizon=3,budget=1", false},
    {"inventory", false},
    {"media_streaming", false},
    {"media_streaming:buffer=4,horizon=5", false},
    {"lava_grid", false},
    {"lava_grid:size=4,slip=0.3,budget=2", false},
    {"bandit", true},
    {"bandit:arms=1", true},
};

Environment make(const std::string& spec, std::uint64_t seed) {
  return make_environment(Spec("--env", spec), seed);
}

class EveryEnvironment : public testing::TestWithParam<Case> {
 protected:
  const Environment environment = make(GetParam().spec, 1);
  const Problem& model = environment.model;
  const Shape& shape = environment.shape();
  const Transitions& P = model.transitions;
};

std::string name_of(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.spec;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Env, EveryEnvironment, testing::ValuesIn(kCases), name_of);

TEST(EveryEnvironmentKind, HasACase) {
  for (const EnvironmentKind& kind : environment_kinds()) {
    const bool found = std::any_of(std::begin(kCases), std::end(kCases), [&](const Case& c) {
      return Spec("", c.spec).name() == kind.name;
    });
    EXPECT_TRUE(found) << kind.name;
    EXPECT_FALSE(kind.summary.empty() || kind.settings.empty()) << kind.name;
  }
}

bool same(const Environment& a, const Environment& b) {
  const auto same_transitions = [](const Transitions& x, const Transitions& y) {
    return x.begin == y.begin && x.next_state == y.next_state && x.probability == y.probability &&
           x.base_weight == y.base_weight && x.base == y.base;
  };
  return a.shape() == b.shape() && a.model.initial == b.model.initial &&
         a.model.reward_mean == b.model.reward_mean &&
         same_transitions(a.model.transitions, b.model.transitions) && a.noise == b.noise &&
         a.goals == b.goals && a.known.reward_mean == b.known.reward_mean &&
         a.known.reward_variance == b.known.reward_variance;
}

TEST_P(EveryEnvironment, HasAValidModelWithoutUncertainty) {
  Environment copy = environment;
  ASSERT_NO_THROW(validate_and_normalise(copy.model));
  EXPECT_TRUE(same(copy, environment)) << "was not normalised";
  for (double sigma : model.sigma) EXPECT_EQ(sigma, 0.0);
}

TEST_P(EveryEnvironment, HasTablesOfTheRightSizes) {
  const auto pairs = static_cast<std::size_t>(shape.pairs());
  ASSERT_EQ(environment.noise.size(), pairs);
  for (double noise : environment.noise) EXPECT_GE(noise, 0.0);
  if (environment.reward_noise == RewardNoise::kBernoulli) {
    for (double mean : model.reward_mean) EXPECT_TRUE(mean >= 0.0 && mean <= 1.0) << mean;
  }
  const PublicKnowledge& known = environment.known;
  EXPECT_EQ(known.reward_mean.size(), known.reward_variance.size());
  EXPECT_TRUE(known.reward_mean.empty() || known.reward_mean.size() == pairs);
  for (double variance : known.reward_variance) EXPECT_GE(variance, 0.0);
  const std::set<Index> goals(environment.goals.begin(), environment.goals.end());
  EXPECT_EQ(goals.size(), environment.goals.size());
  for (Index p : goals) EXPECT_TRUE(p >= 0 && p < shape.pairs()) << p;
}

TEST_P(EveryEnvironment, DrawsTheStatesOfALayerInCellsOfTheirOwn) {
  ASSERT_EQ(environment.cells.size(), static_cast<std::size_t>(shape.states()));
  for (Index l = 0; l < shape.layers(); ++l) {
    std::set<std::pair<Index, Index>> taken;
    for (Index s : shape.states_of(l)) {
      const Cell& cell = environment.cells[s];
      EXPECT_TRUE(cell.row >= 0 && cell.row < environment.rows);
      EXPECT_TRUE(cell.column >= 0 && cell.column < environment.columns);
      EXPECT_TRUE(taken.emplace(cell.row, cell.column).second) << "layer " << l;
    }
  }
}

TEST_P(EveryEnvironment, NumbersStationaryPairsByCellAndActionWithoutGaps) {
  const std::vector<Index> number = stationary_pair(environment);
  std::set<Index> used(number.begin(), number.end());
  EXPECT_EQ(*used.begin(), 0);
  EXPECT_EQ(*used.rbegin() + 1, static_cast<Index>(used.size()));
  for (Index l = 0; l < shape.layers(); ++l) {
    std::set<Index> of_layer;
    for (Index p : shape.pairs_of_layer(l)) EXPECT_TRUE(of_layer.insert(number[p]).second);
  }
}

TEST_P(EveryEnvironment, PlaysOneStepALayer) {
  RandomStream random(3);
  for (int i = 0; i < 50; ++i) {
    const Episode episode = play(environment, uniform_policy(shape), random);
    ASSERT_EQ(episode.size(), static_cast<std::size_t>(shape.layers()));
    for (Index l = 0; l < shape.layers(); ++l) {
      const Range pairs = shape.pairs_of_layer(l);
      ASSERT_TRUE(episode[l].pair >= pairs.first() && episode[l].pair < pairs.last());
      if (l == 0) continue;
      const Range from = shape.pairs_of(episode[l - 1].next_state);
      ASSERT_TRUE(episode[l].pair >= from.first() && episode[l].pair < from.last());
    }
    EXPECT_EQ(episode.back().next_state, -1);
  }
}

// 5 standard deviations of a binomial count, and 5 for counts too small to be normal.
double binomial_bound(int n, double p) { return 5.0 * std::sqrt(n * p * (1.0 - p)) + 5.0; }

// Visits under the uniform policy are binomial, with the occupancy measure as their probability.
TEST_P(EveryEnvironment, VisitsPairsAsItsModelSays) {
  const std::vector<double> policy = uniform_policy(shape);
  std::vector<double> occupancy(shape.pairs());
  std::vector<double> mass(shape.states());
  forward_flow(model, policy, occupancy, mass);
  const int n = 3000;
  std::vector<double> visits(shape.pairs(), 0.0);
  RandomStream random(4);
  for (int i = 0; i < n; ++i)
    for (const Step& step : play(environment, policy, random)) visits[step.pair] += 1.0;
  for (Index p = 0; p < shape.pairs(); ++p) {
    EXPECT_NEAR(visits[p], n * occupancy[p], binomial_bound(n, occupancy[p])) << p;
    EXPECT_TRUE(occupancy[p] > 0.0 || visits[p] == 0.0) << p;
  }
}

double reward_deviation(const Environment& environment, Index pair) {
  const double mean = environment.model.reward_mean[pair];
  return environment.reward_noise == RewardNoise::kBernoulli ? std::sqrt(mean * (1.0 - mean))
                                                             : environment.noise[pair];
}

TEST_P(EveryEnvironment, PaysWhatItsModelSays) {
  RandomStream random(5);
  const int n = 1000;
  for (Index p = 0; p < shape.pairs(); p += 1 + shape.pairs() / 40) {
    const double deviation = reward_deviation(environment, p);
    double sum = 0.0;
    double squares = 0.0;
    for (int i = 0; i < n; ++i) {
      const double centred = take(environment, p, random).reward - model.reward_mean[p];
      sum += centred;
      squares += centred * centred;
    }
    if (deviation == 0.0) {
      EXPECT_EQ(squares, 0.0) << p;
      continue;
    }
    EXPECT_LT(std::abs(sum / n), 5.0 * deviation / std::sqrt(n)) << p;
    // The fourth moment of either kind is at most 3 or 1 / (p (1 - p)) times the squared variance.
    const double kurtosis = std::max(3.0, 1.0 / (deviation * deviation));
    EXPECT_NEAR(squares / n, deviation * deviation,
                5.0 * deviation * deviation * std::sqrt(kurtosis / n))
        << p;
  }
}

// The k-th next state of a pair is taken between the (k-1)-th and the k-th cumulative probability.
TEST_P(EveryEnvironment, TakesNextStatesAtTheirQuantiles) {
  for (Index p = 0; p < shape.pairs(); ++p) {
    double cumulative = 0.0;
    for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k) {
      const double middle = cumulative + 0.5 * P.probability[k];
      cumulative += P.probability[k];
      if (cumulative <= middle || P.probability[k] < 1e-12) continue;  // lost to rounding
      ASSERT_EQ(take(environment, p, middle, 0.0).next_state, P.next_state[k]) << p;
    }
    const Index at_the_end = take(environment, p, std::nextafter(1.0, 0.0), 0.0).next_state;
    EXPECT_EQ(at_the_end == -1, p >= shape.pairs_of_layer(shape.layers() - 1).first()) << p;
  }
}

TEST_P(EveryEnvironment, DrawsNothingWhereNothingIsOpen) {
  for (Index p = 0; p < shape.pairs(); ++p) {
    const bool one_successor = P.begin[p + 1] - P.begin[p] <= 1 && P.base_weight[p] == 0.0;
    if (!one_successor || reward_deviation(environment, p) > 0.0) continue;
    RandomStream used(6);
    RandomStream untouched(6);
    take(environment, p, used);
    ASSERT_EQ(used.bits(), untouched.bits()) << p;
  }
}

TEST_P(EveryEnvironment, IsDrawnFromItsSeed) {
  EXPECT_TRUE(same(make(GetParam().spec, 1), environment));
  bool changes = false;
  for (std::uint64_t seed = 2; seed < 12; ++seed)
    changes = changes || !same(make(GetParam().spec, seed), environment);
  EXPECT_EQ(changes, GetParam().seeded);
}

TEST_P(EveryEnvironment, CanReachItsGoals) {
  std::vector<double> occupancy(shape.pairs());
  std::vector<double> mass(shape.states());
  forward_flow(model, uniform_policy(shape), occupancy, mass);
  double reached = 0.0;
  for (Index p : environment.goals) {
    reached += occupancy[p];
    EXPECT_TRUE(reached_goal(environment, {{.pair = p, .reward = 0.0, .next_state = -1}}));
  }
  EXPECT_TRUE(environment.goals.empty() || reached > 0.0);
  EXPECT_FALSE(reached_goal(environment, {}));
}

}  // namespace
}  // namespace vapor
