#include "vapor/agent/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "vapor/agent/bayes_optimal.h"
#include "vapor/agent/bayes_ucbvi.h"
#include "vapor/agent/beb.h"
#include "vapor/agent/belief_agent.h"
#include "vapor/agent/budget_agent.h"
#include "vapor/agent/count_agent.h"
#include "vapor/agent/dope.h"
#include "vapor/agent/epsilon_greedy.h"
#include "vapor/agent/equal_temperature.h"
#include "vapor/agent/eubrl.h"
#include "vapor/agent/ids.h"
#include "vapor/agent/k_learning.h"
#include "vapor/agent/max_entropy.h"
#include "vapor/agent/opsrl.h"
#include "vapor/agent/opt_cmdp.h"
#include "vapor/agent/optimality.h"
#include "vapor/agent/optimistic_q.h"
#include "vapor/agent/optpess_lp.h"
#include "vapor/agent/r_max.h"
#include "vapor/agent/rand_q.h"
#include "vapor/agent/rlsvi.h"
#include "vapor/agent/safe_psrl.h"
#include "vapor/agent/soft_q.h"
#include "vapor/agent/thompson.h"
#include "vapor/agent/ube.h"
#include "vapor/agent/ucbvi.h"
#include "vapor/agent/vapor.h"
#include "vapor/agent/vapor_budget.h"
#include "vapor/agent/vapor_lite.h"
#include "vapor/agent/vbrb.h"
#include "vapor/core/error.h"

namespace vapor {
namespace {

// What an agent is made of, beside its spec.
struct Parts {
  std::unique_ptr<Belief> belief;
  Places places;
  std::optional<Cost> cost;
};

struct Entry {
  AgentKind kind;
  std::unique_ptr<Agent> (*make)(Spec& spec, Parts parts);
};

std::unique_ptr<Agent> with_rule(Parts& parts, PolicyRule rule) {
  return std::make_unique<BeliefAgent>(std::move(parts.belief), std::move(rule));
}

Settings solver_settings(Spec& spec) {
  return {.tolerance = spec.number("tolerance", 1e-9, 1e-13, 0.1)};
}

int samples(Spec& spec, int otherwise = 100) {
  return static_cast<int>(spec.integer("samples", otherwise, 2, 1'000'000));
}

// The settings `low` and `high` of the agents that assume bounded rewards.
template <typename Bounded>
void read_reward_range(Spec& spec, Bounded& settings) {
  settings.low = spec.number("low", settings.low, -1e9, 1e9);
  settings.high = spec.number("high", settings.high, -1e9, 1e9);
  if (settings.high < settings.low)
    throw InputError(spec.where("high"),
                     fmt::format("must be >= low, got {} < {}", settings.high, settings.low));
}

// The setting `counts` of the agents that keep counts of their own: auto is pooled where places are
// stationary.
Places counted_places(Spec& spec, Places places) {
  static const std::array<std::string, 3> names = {"auto", "pooled", "layer"};
  const std::string counts = spec.choice("counts", "auto", names);
  if (counts == "pooled" && !places.stationary)
    throw InputError(spec.where("counts"), "pooled asks for places that are stationary");
  places.stationary = places.stationary && counts != "layer";
  return places;
}

Cost expect_cost(Spec& spec, Parts& parts) {
  if (!parts.cost)
    throw InputError(spec.place().within(spec.name()),
                     "learns under a budget: it needs an environment with a cost");
  return std::move(*parts.cost);
}

std::unique_ptr<Agent> make_vapor_budget(Spec& spec, Parts& parts) {
  static const std::array<std::string, 2> costs = {"known", "learned"};
  VaporBudgetSettings settings;
  const std::string budget = spec.text("budget", "none");
  settings.cost_is_known = spec.choice("cost", costs[0], costs) == costs[0];
  settings.k = spec.number("k", settings.k, 0.0, 1e6);
  if (budget == "none") return nullptr;
  Cost cost = expect_cost(spec, parts);
  settings.budget = budget == "auto" ? cost.budget : parse_number(spec.where("budget"), budget);
  if (!(settings.budget >= 0.0 && settings.budget <= 1e9))
    throw InputError(spec.where("budget"),
                     fmt::format("must be in [0, 1e9], auto or none, got {}", budget));
  // A baseline that is known to keep to another budget is none.
  if (cost.baseline_cost > settings.budget) cost.baseline.clear();
  return std::make_unique<VaporBudgetAgent>(std::move(parts.belief), std::move(cost), settings,
                                            solver_settings(spec));
}

std::unique_ptr<Agent> make_vapor(Spec& spec, Parts parts) {
  if (auto agent = make_vapor_budget(spec, parts)) return agent;
  for (const char* key : {"cost", "k"})
    if (spec.has(key) && !spec.has("budget"))
      throw InputError(spec.where(key), "asks for a budget");
  return std::make_unique<VaporAgent>(std::move(parts.belief), solver_settings(spec));
}

std::unique_ptr<Agent> make_vapor_lite(Spec& spec, Parts parts) {
  VaporLiteSettings settings;
  settings.c = spec.number("c", settings.c, 1e-9, 1e6);
  settings.schedule = spec.flag("schedule", settings.schedule);
  if (settings.schedule && spec.has("c"))
    throw InputError(spec.where("c"), "is set by schedule=true: give one");
  return with_rule(parts, vapor_lite_rule(settings));
}

std::unique_ptr<Agent> make_equal_temperature(Spec& spec, Parts parts) {
  return with_rule(parts, equal_temperature_rule(solver_settings(spec)));
}

std::unique_ptr<Agent> make_k_learning(Spec&, Parts parts) {
  return with_rule(parts, k_learning_rule());
}

std::unique_ptr<Agent> make_thompson(Spec&, Parts parts) {
  return with_rule(parts, thompson_rule());
}

std::unique_ptr<Agent> make_rlsvi(Spec&, Parts parts) { return with_rule(parts, rlsvi_rule()); }

std::unique_ptr<Agent> make_soft_q(Spec& spec, Parts parts) {
  return with_rule(parts, soft_q_rule(spec.number("temperature", 1.0, 1e-9, 1e9)));
}

std::unique_ptr<Agent> make_marginal(Spec& spec, Parts parts) {
  return with_rule(parts, marginal_optimality_rule(samples(spec)));
}

std::unique_ptr<Agent> make_conditional(Spec& spec, Parts parts) {
  return with_rule(parts, conditional_optimality_rule(samples(spec)));
}

std::unique_ptr<Agent> make_epsilon_greedy(Spec& spec, Parts parts) {
  EpsilonGreedySettings settings;
  settings.epsilon = spec.number("epsilon", settings.epsilon, 0.0, 1.0);
  settings.learning_rate = spec.number("learning_rate", settings.learning_rate, 1e-9, 1.0);
  return std::make_unique<EpsilonGreedyAgent>(parts.belief->shape(), settings,
                                              counted_places(spec, std::move(parts.places)));
}

std::unique_ptr<Agent> make_ucbvi(Spec& spec, Parts parts) {
  static const std::array<std::string, 2> bonuses = {"hoeffding", "bernstein"};
  UcbviSettings settings;
  if (spec.choice("bonus", bonuses[0], bonuses) == bonuses[1])
    settings.bonus = UcbviBonus::kBernstein;
  settings.scale = spec.number("scale", settings.scale, 0.0, 1e6);
  settings.delta = spec.number("delta", settings.delta, 1e-12, 1.0);
  read_reward_range(spec, settings);
  return std::make_unique<UcbviAgent>(parts.belief->shape(), settings,
                                      counted_places(spec, std::move(parts.places)));
}

std::unique_ptr<Agent> make_optimistic_q(Spec& spec, Parts parts) {
  OptimisticQSettings settings;
  settings.c = spec.number("c", settings.c, 0.0, 1e6);
  settings.delta = spec.number("delta", settings.delta, 1e-12, 1.0);
  read_reward_range(spec, settings);
  return std::make_unique<OptimisticQAgent>(parts.belief->shape(), settings,
                                            counted_places(spec, std::move(parts.places)));
}

std::unique_ptr<Agent> with_counts(Spec& spec, Parts& parts, CountAgent::Rule rule) {
  return std::make_unique<CountAgent>(
      parts.belief->shape(), counted_places(spec, std::move(parts.places)), std::move(rule));
}

std::unique_ptr<Agent> make_r_max(Spec& spec, Parts parts) {
  RMaxSettings settings;
  settings.m = static_cast<double>(spec.integer("m", 5, 1, 1'000'000'000));
  settings.high = spec.number("high", settings.high, -1e9, 1e9);
  return with_counts(spec, parts, r_max_rule(settings));
}

std::unique_ptr<Agent> make_eubrl(Spec& spec, Parts parts) {
  EubrlSettings settings;
  settings.alpha = spec.number("alpha", settings.alpha, 1e-12, 1e6);
  settings.beta = spec.number("beta", settings.beta, 1e-12, 1e6);
  settings.scale = spec.number("scale", settings.scale, 0.0, 1e6);
  return with_counts(spec, parts, eubrl_rule(settings));
}

std::unique_ptr<Agent> make_beb(Spec& spec, Parts parts) {
  BebSettings settings;
  settings.beta = spec.number("beta", settings.beta, 0.0, 1e9);
  settings.theorem = spec.flag("theorem", settings.theorem);
  if (settings.theorem && spec.has("beta"))
    throw InputError(spec.where("beta"), "is set by theorem=true: give one");
  settings.mass = spec.number("mass", settings.mass, 1e-12, 1e6);
  return with_counts(spec, parts, beb_rule(settings));
}

std::unique_ptr<Agent> make_vbrb(Spec& spec, Parts parts) {
  VbrbSettings settings;
  settings.reward_scale = spec.number("reward_scale", settings.reward_scale, 0.0, 1e9);
  settings.transition_scale = spec.number("transition_scale", settings.transition_scale, 0.0, 1e9);
  settings.mass = spec.number("mass", settings.mass, 1e-12, 1e6);
  settings.beta = spec.number("beta", settings.beta, 1e-12, 1e6);
  return with_counts(spec, parts, vbrb_rule(settings));
}

std::unique_ptr<Agent> make_bayes_ucbvi(Spec& spec, Parts parts) {
  BayesUcbviSettings settings;
  settings.level = spec.number("level", settings.level, 0.0, 1.0);
  settings.n0 = spec.number("n0", settings.n0, 0.0, 1e9);
  settings.r0 = spec.number("r0", settings.r0, -1e9, 1e9);
  settings.samples = samples(spec, settings.samples);
  return with_counts(spec, parts, bayes_ucbvi_rule(settings));
}

std::unique_ptr<Agent> make_opsrl(Spec& spec, Parts parts) {
  OpsrlSettings settings;
  settings.samples = samples(spec, settings.samples);
  settings.n0 = spec.number("n0", settings.n0, 0.0, 1e9);
  settings.r0 = spec.number("r0", settings.r0, -1e9, 1e9);
  return with_counts(spec, parts, opsrl_rule(settings));
}

std::unique_ptr<Agent> make_ube(Spec& spec, Parts parts) {
  static const std::array<std::string, 2> equations = {"exact", "upper"};
  UbeSettings settings;
  if (spec.choice("equation", equations[0], equations) == equations[1])
    settings.equation = UbeEquation::kUpper;
  settings.gain = spec.number("gain", settings.gain, 0.0, 1e9);
  settings.mass = spec.number("mass", settings.mass, 1e-12, 1e6);
  settings.beta = spec.number("beta", settings.beta, 1e-12, 1e6);
  return with_counts(spec, parts, ube_rule(settings));
}

std::unique_ptr<Agent> make_ids(Spec& spec, Parts parts) {
  return with_rule(parts, ids_rule(samples(spec, 20)));
}

std::unique_ptr<Agent> make_rand_q(Spec& spec, Parts parts) {
  RandQSettings settings;
  settings.samples = static_cast<int>(spec.integer("samples", settings.samples, 1, 10'000));
  settings.n0 = spec.number("n0", settings.n0, 1e-9, 1e9);
  settings.kappa = spec.number("kappa", settings.kappa, 1e-3, 1e6);
  settings.high = spec.number("high", settings.high, -1e9, 1e9);
  return std::make_unique<RandQAgent>(parts.belief->shape(), settings,
                                      counted_places(spec, std::move(parts.places)));
}

// The agents of constrained MDPs that keep counts of their own.
std::unique_ptr<Agent> with_budget(Spec& spec, Parts& parts, BudgetAgent::Rule rule) {
  Cost cost = expect_cost(spec, parts);
  const Problem& problem = parts.belief->problem();
  return std::make_unique<BudgetAgent>(problem.shape, problem.initial,
                                       counted_places(spec, std::move(parts.places)),
                                       std::move(cost), std::move(rule));
}

// The settings of the agents whose confidence sets are to hold for so many episodes.
template <typename Confident>
void read_confidence(Spec& spec, Confident& settings) {
  settings.episodes = spec.integer("episodes", settings.episodes, 1, 1'000'000'000'000);
  settings.delta = spec.number("delta", settings.delta, 1e-300, 1.0);
  settings.scale = spec.number("scale", settings.scale, 0.0, 1e9);
}

std::unique_ptr<Agent> make_dope(Spec& spec, Parts parts) {
  DopeSettings settings;
  read_confidence(spec, settings);
  settings.optimism = spec.number("optimism", settings.optimism, 0.0, 1e9);
  return with_budget(spec, parts, dope_rule(settings));
}

std::unique_ptr<Agent> make_opt_cmdp(Spec& spec, Parts parts) {
  OptCmdpSettings settings;
  read_confidence(spec, settings);
  return with_budget(spec, parts, opt_cmdp_rule(settings));
}

std::unique_ptr<Agent> make_optpess_lp(Spec& spec, Parts parts) {
  OptPessLpSettings settings;
  read_confidence(spec, settings);
  return with_budget(spec, parts, optpess_lp_rule(settings));
}

std::unique_ptr<Agent> make_safe_psrl(Spec& spec, Parts parts) {
  static const std::array<std::string, 2> methods = {"primal-dual", "program"};
  SafePsrlSettings settings;
  settings.program = spec.choice("method", methods[0], methods) == methods[1];
  settings.mass = spec.number("mass", settings.mass, 1e-6, 1e6);
  settings.rate = spec.number("rate", settings.rate, 1e-9, 1e9);
  settings.pessimism = spec.number("pessimism", settings.pessimism, 0.0, 1e9);
  return with_budget(spec, parts, safe_psrl_rule(settings));
}

std::unique_ptr<Agent> make_bayes_optimal(Spec& spec, Parts parts) {
  const std::int64_t episodes = spec.integer("episodes", 100, 1, 1'000'000);
  if (parts.belief->as_finite() == nullptr)
    throw InputError(spec.place().within(spec.name()), "needs a belief over finitely many models");
  return std::make_unique<BayesOptimalAgent>(std::move(parts.belief), episodes);
}

std::unique_ptr<Agent> make_max_entropy(Spec& spec, Parts parts) {
  static const std::array<std::string, 2> methods = {"game", "program"};
  MaxEntropySettings settings;
  settings.weighted = spec.name() == "weighted-max-entropy";
  if (spec.choice("method", methods[0], methods) == methods[1])
    settings.method = MaxEntropyMethod::kProgram;
  settings.prior_count = spec.number("n0", settings.prior_count, 1e-9, 1e9);
  static const std::array<std::string, 2> counts = {"layer", "pooled"};
  settings.pooled = spec.choice("counts", counts[0], counts) == counts[1];
  std::vector<Index> pairs = place_pairs(parts.places, parts.belief->shape());
  return std::make_unique<MaxEntropyAgent>(std::move(parts.belief), settings, std::move(pairs));
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
      {{"vapor", "tolerance=1e-9, budget=none, cost=known, k=2",
        "the VAPOR program, solved and certified every episode (Tarbouriech et al., 2023); "
        "budget=auto: under the budget of the environment"},
       make_vapor},
      {{"vapor-lite", "c=1, schedule=false",
        "VAPOR with the policy's entropy: one backward pass (Tarbouriech et al., 2023)"},
       make_vapor_lite},
      {{"vapor-equal-temperature", "tolerance=1e-9",
        "VAPOR with one temperature for all pairs (Tarbouriech et al., 2023)"},
       make_equal_temperature},
      {{"thompson", "", "the optimal policy of an MDP drawn from the belief (PSRL; Strens, 2000)"},
       make_thompson},
      {{"k-learning", "",
        "soft values of optimistic rewards under one learned temperature (O'Donoghue, 2021)"},
       make_k_learning},
      {{"rlsvi", "",
        "the optimal policy of E P under rewards drawn from N(E r, sigma_hat^2) (Osband et al., "
        "2019)"},
       make_rlsvi},
      {{"conditional-optimality", "samples=100",
        "P(pi* | Gamma*): consistent action optimality (Tarbouriech et al., 2023)"},
       make_conditional},
      {{"marginal-optimality", "samples=100",
        "P(pi*) state by state: inconsistent, for contrast (Tarbouriech et al., 2023)"},
       make_marginal},
      {{"bayes-optimal", "episodes=100",
        "exact planning over finitely many models (Bellman, 1956)"},
       make_bayes_optimal},
      {{"soft-q", "temperature=1",
        "soft values of the mean model: ignores uncertainty (Levine, 2018)"},
       make_soft_q},
      {{"epsilon-greedy", "epsilon=0.1, learning_rate=0.1, counts=auto",
        "tabular Q-learning (Watkins, 1989)"},
       make_epsilon_greedy},
      {{"ucbvi",
        "bonus=hoeffding, scale=1, delta=0.05, low=0, high=1, "
        "counts=auto",
        "optimistic value iteration on counts (Azar et al., 2017); scale=0.001 learns, 1 is the "
        "theorem's"},
       make_ucbvi},
      {{"optimistic-q", "c=1, delta=0.05, low=0, high=1, counts=auto",
        "Q-learning with a Hoeffding bonus (Jin et al., 2018); c=0.0001 learns"},
       make_optimistic_q},
      {{"rand-q", "samples=10, n0=0.01, kappa=1, high=1, counts=auto",
        "Q-learning with random learning rates (Tiapkin et al., 2023)"},
       make_rand_q},
      {{"r-max", "m=5, high=1, counts=auto",
        "untried pairs pay the most; m=1 searches them (Brafman and Tennenholtz, 2002)"},
       make_r_max},
      {{"eubrl", "alpha=1e-06, beta=0.05, scale=1, counts=auto",
        "reward and bonus weighted by the probability of being uncertain (Ma and Lee, 2026)"},
       make_eubrl},
      {{"beb", "beta=0.1, theorem=false, mass=1, counts=auto",
        "the mean model with a bonus of 1/n (Kolter and Ng, 2009)"},
       make_beb},
      {{"vbrb", "reward_scale=1, transition_scale=1, mass=0.1, beta=0.0001, counts=auto",
        "the mean model with a bonus of posterior deviations (Sorg, Singh and Lewis, 2010)"},
       make_vbrb},
      {{"ube", "equation=exact, gain=1, mass=0.1, beta=0.0001, counts=auto",
        "mean values plus their deviation, by its own Bellman equation (Luis et al., 2023)"},
       make_ube},
      {{"bayes-ucbvi", "level=0.9, n0=0.01, r0=1, samples=20, counts=auto",
        "a quantile of the bootstrapped values (Tiapkin et al., 2022)"},
       make_bayes_ucbvi},
      {{"opsrl", "samples=8, n0=0.001, r0=1, counts=auto",
        "the best of a few bootstrapped values (Tiapkin et al., 2022)"},
       make_opsrl},
      {{"ids", "samples=20",
        "least squared regret for what it tells of the best action (Russo and Van Roy, 2018)"},
       make_ids},
      {{"max-entropy", "method=game, n0=1, counts=layer",
        "covers the pairs of every layer, rewards ignored (Hazan et al., 2019)"},
       make_max_entropy},
      {{"weighted-max-entropy", "method=game, n0=1, counts=layer",
        "covers what was never tried, rewards ignored (Tarbouriech et al., 2023)"},
       make_max_entropy},
      {{"opt-cmdp", "episodes=100000, delta=0.01, scale=1, counts=auto",
        "optimistic about reward and cost, under a budget (Efroni et al., 2020)"},
       make_opt_cmdp},
      {{"optpess-lp", "episodes=100000, delta=0.01, scale=1, counts=auto",
        "bonuses on reward and cost, under a budget (Liu et al., 2021)"},
       make_optpess_lp},
      {{"dope", "episodes=100000, delta=0.01, scale=1, optimism=0, counts=auto",
        "an optimistic model and pessimistic costs, under a budget (Bura et al., 2022)"},
       make_dope},
      {{"safe-psrl", "method=primal-dual, mass=1, rate=1, pessimism=1, counts=auto",
        "a drawn MDP and a multiplier for the budget (Kalagarla et al., 2023)"},
       make_safe_psrl},
  };
  return all;
}

}  // namespace

std::span<const AgentKind> agent_kinds() {
  static const std::vector<AgentKind> kinds = [] {
    std::vector<AgentKind> all;
    for (const Entry& entry : entries()) all.push_back(entry.kind);
    return all;
  }();
  return kinds;
}

std::unique_ptr<Agent> make_agent(Spec spec, std::unique_ptr<Belief> belief,
                                  std::optional<Places> places, std::optional<Cost> cost) {
  const auto entry = std::ranges::find(entries(), spec.name(),
                                       [](const Entry& candidate) { return candidate.kind.name; });
  if (entry == entries().end()) {
    std::vector<std::string> names;
    for (const AgentKind& kind : agent_kinds()) names.push_back(kind.name);
    throw unknown_name(spec.place(), spec.name(), names);
  }
  if (!places) places = belief->places();
  validate(*places, belief->shape());
  auto agent = entry->make(spec, {std::move(belief), std::move(*places), std::move(cost)});
  spec.refuse_unknown_keys();
  return agent;
}

}  // namespace vapor
