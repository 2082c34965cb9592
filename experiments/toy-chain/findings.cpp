// Table 1 of the paper: what agents do in the chain of figure 1, and how many episodes they are
// expected to need until they reach s_L for the first time.
//
// Nothing is learned before s_L is reached, so an agent plays the same policy, or draws one from
// the same distribution, in every episode until then: the number of episodes is geometric and its
// mean is 1/p, p the probability that an episode arrives. Both are computed, not estimated; a
// simulation through the loop of `vapor run` stands beside them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/common/experiment.h"
#include "experiments/common/printing.h"
#include "vapor/agent/registry.h"
#include "vapor/belief/finite_belief.h"
#include "vapor/env/toy_chain.h"
#include "vapor/mdp/policy.h"
#include "vapor/record/run_summary.h"
#include "vapor/run/beliefs.h"
#include "vapor/run/table_run.h"

namespace vapor::experiments::toy_chain {
namespace {

constexpr double kClose = 1e-3;   // relative: a number of episodes agrees with the paper's
constexpr double kSamePi = 1e-6;  // policies of two states are called equal

// Episodes by table 1: a number, "Omega(2^L)", or null for an agent that is not in it.
ordered_json papers_number(const std::string& agent) {
  if (agent == "bayes-optimal" || agent == "vapor") return 1;
  if (agent == "conditional-optimality" || agent == "thompson") return 2;
  if (agent == "soft-q" || agent == "marginal-optimality") return "Omega(2^L)";
  return nullptr;
}

// What an agent plays until s_L is reached: one of these, drawn afresh each episode.
struct WeightedPolicy {
  double probability = 1.0;
  std::vector<double> policy;  // by pair
};

struct Chain {
  Environment environment;  // M+; M- differs in the reward of s_L alone
  Environment minus;
  std::string spec;  // for a run, which draws the sign

  Chain(int length, bool one_action)
      : spec(fmt::format("toy_chain:length={}{}", length, one_action ? ",one_action=true" : "")) {
    ToyChainPair pair = toy_chain_pair({.length = length, .one_action = one_action});
    environment = std::move(pair.plus);
    minus = std::move(pair.minus);
  }

  // s_l, l = 1, ..., L.
  Index state(Index l) const { return environment.shape().states_of(l - 1).first(); }
};

// Thompson sampling is enumerated: the optimal policy of each model, with its probability. The
// other agents of the sweep give their policy without a draw.
std::vector<WeightedPolicy> first_policies(const std::string& agent, const Chain& chain) {
  std::vector<WeightedPolicy> policies;
  RandomStream random(0);
  if (agent == "thompson") {
    for (const Environment* model : {&chain.environment, &chain.minus}) {
      policies.push_back({0.5, std::vector<double>(chain.environment.shape().pairs())});
      FiniteBelief({{model->model, 1.0}}).sample_optimal_policy(random, policies.back().policy);
    }
    return policies;
  }
  // The table is of the program itself, not of a learner's answer to it.
  const auto player = make_agent(Spec("--agents", with_tolerance(agent, 1e-9)),
                                 make_belief(Spec("--belief", "finite"), chain.environment));
  const std::span<const double> policy = player->policy(random);
  policies.push_back({1.0, {policy.begin(), policy.end()}});
  return policies;
}

using DownRight = std::array<double, 2>;  // probabilities of the actions down and right

// The exact part of a row.
struct Exploration {
  double arrival = 0.0;       // p, the probability that an episode reaches s_L
  std::vector<DownRight> pi;  // of s_1, ..., s_{L-1}, given that the agent got there
  std::vector<WeightedPolicy> policies;
};

Exploration explore(const std::string& agent, const Chain& chain) {
  const Shape& shape = chain.environment.shape();
  const Index L = shape.layers();
  Exploration result;
  result.policies = first_policies(agent, chain);
  std::vector<double> occupancy(shape.pairs());
  std::vector<double> mass(shape.states());
  std::vector<std::vector<double>> arrivals;  // by policy, by l: reaches s_l, and plays this one
  for (const WeightedPolicy& play : result.policies) {
    forward_flow(chain.environment.model, play.policy, occupancy, mass);
    arrivals.emplace_back();
    for (Index l = 1; l <= L; ++l)
      arrivals.back().push_back(play.probability * mass[chain.state(l)]);
    result.arrival += arrivals.back().back();
  }
  for (Index l = 1; l < L; ++l) {
    double total = 0.0;
    for (const auto& arrival : arrivals) total += arrival[l - 1];
    DownRight pi = {0.0, 0.0};
    const Index down = shape.pairs_of(chain.state(l)).first();
    for (std::size_t k = 0; k < arrivals.size(); ++k) {
      const double weight =
          total > 0.0 ? arrivals[k][l - 1] / total : result.policies[k].probability;
      pi[0] += weight * result.policies[k].policy[down];
      pi[1] += weight * result.policies[k].policy[down + 1];
    }
    result.pi.push_back(pi);
  }
  return result;
}

// Episodes until s_L is reached, by playing them.
MeanAndError simulate(const std::string& agent, const Chain& chain, const SweepTable& table,
                      const ReproductionOptions& options) {
  RunSettings settings;
  settings.env = chain.spec;
  settings.agent = agent;
  settings.belief = "finite";
  std::vector<double> episodes;
  for (const std::uint64_t seed : table.seeds) {
    settings.seed = seed;
    TableRun run(settings);
    do {
      if (options.interrupted()) throw Interrupted{};
      run.choose_policy();
    } while (!run.play_episode().success);
    episodes.push_back(static_cast<double>(run.episodes()));
  }
  return mean_and_error(episodes);
}

// Whether the number is that of table 1; "Omega(2^L)" is read as at least 2^(L-1), one fair coin a
// step to the right.
ordered_json agreement(const ordered_json& paper, double episodes, int L) {
  if (paper.is_null()) return nullptr;
  if (paper.is_number()) return std::abs(episodes / paper.get<double>() - 1.0) <= kClose;
  return episodes >= std::ldexp(1.0 - kClose, L - 1);
}

// "(0, 1) w.p. 0.5, (1, 0) w.p. 0.5": the draws behind the mean in s_1.
std::string draws_of(const Exploration& found, const Chain& chain) {
  std::string text;
  const Index down = chain.environment.shape().pairs_of(chain.state(1)).first();
  for (const WeightedPolicy& play : found.policies)
    text += fmt::format("{}({}, {}) w.p. {}", text.empty() ? "" : ", ", play.policy[down],
                        play.policy[down + 1], play.probability);
  return text;
}

ordered_json row_of(const std::string& agent, int L, bool one_action, const SweepTable& table,
                    const ReproductionOptions& options) {
  const Chain chain(L, one_action);
  const Exploration found = explore(agent, chain);
  const double episodes = 1.0 / found.arrival;
  const bool finite = std::isfinite(episodes);
  const bool simulated = finite && episodes <= static_cast<double>(table.request.episodes.value());
  ordered_json row = {{"agent", agent}, {"L", L}};
  row["episodes"] = finite ? ordered_json(episodes) : nullptr;
  row["pi_s1"] = found.pi.front();
  row["pi_sl"] = L > 2 ? ordered_json(found.pi[1]) : nullptr;
  row["pi_sl_right"] = nullptr;
  std::string note = found.policies.size() > 1 ? "s_1: " + draws_of(found, chain) : "";
  if (L > 2) {  // of right over all 1 < l < L
    const auto [low, high] =
        std::minmax_element(found.pi.begin() + 1, found.pi.end(),
                            [](const DownRight& a, const DownRight& b) { return a[1] < b[1]; });
    row["pi_sl_right"] = {(*low)[1], (*high)[1]};
    if ((*high)[1] - (*low)[1] > kSamePi) note += "pi_sl is of l = 2, and varies with l";
  }
  row["episodes_simulated"] = nullptr;
  row["episodes_se"] = nullptr;
  if (simulated) {
    const MeanAndError played = simulate(agent, chain, table, options);
    row["episodes_simulated"] = played.mean;
    row["episodes_se"] = played.standard_error;
  } else {
    note += fmt::format("{}not simulated: over {} episodes", note.empty() ? "" : "; ",
                        table.request.episodes.value());
  }
  if (!one_action) {
    row["paper"] = papers_number(agent);
    row["agrees"] = agreement(row["paper"], episodes, L);
  }
  row["note"] = note.empty() ? ordered_json(nullptr) : ordered_json(note);
  return row;
}

// `rows` is table 1, `one_action_rows` the same for the chain as figure 1 is drawn, with one action
// in s_L and in the absorbing states.
Findings compute(const Study& study, const ReproductionOptions& options) {
  const SweepTable& table = study.tables.front();
  Findings found;
  SweepProgress progress;
  progress.step = "rows";
  progress.episodes = 2 * std::ssize(table.vary.at("length")) * std::ssize(table.agents);
  for (const bool one_action : {false, true}) {
    ordered_json& rows = found[one_action ? "one_action_rows" : "rows"] = ordered_json::array();
    for (const std::string& length : table.vary.at("length"))
      for (const PlacedText& agent : table.agents) {
        if (options.interrupted()) throw Interrupted{};
        if (options.progress) options.progress(progress);
        ++progress.episodes_done;
        ++progress.episodes_played;
        rows.push_back(row_of(agent.text, std::stoi(length), one_action, table, options));
      }
  }
  found["variants"] = {{"rows", "two-actions"}, {"one_action_rows", "one-action"}};
  found["epsilon"] = "0.1 / L";
  found["repetitions"] = table.seeds.size();
  found["first_seed"] = first_seed(study);
  return found;
}

void print(const Findings& found) {
  Findings shown = found;
  for (auto& row : shown["rows"])  // a number that is not the paper's is marked there
    if (row["agrees"] == false)
      row["paper"] = "not " + (row["paper"].is_string() ? row["paper"].get<std::string>()
                                                        : row["paper"].dump());
  print_findings(shown, "rows", "table 1: episodes until the end of the chain is reached",
                 {"pi_sl_right", "agrees"});
  print_findings(shown, "one_action_rows", "the same chain as figure 1 is drawn", {"pi_sl_right"});
  fmt::print("{}\n", dim("pi s1, pi sl: probabilities of (down, right) in the first state and "
                         "in those after it"));
}

}  // namespace

Experiment experiment() {
  Experiment experiment;
  experiment.summary = "Table 1: episodes to the end of the toy chain, exactly";
  experiment.options = {
      // beyond L = 1000, 2^L leaves the range of a double
      list_of("--lengths", "length", {2, 1000}, "Lengths of the chain, e.g. 5,10,20"),
      seed_count("Simulated repetitions beside the exact numbers", "--repetitions",
                 {1, 1'000'000})};
  experiment.footer =
      "Examples:\n"
      "  vapor reproduce toy-chain\n"
      "  vapor reproduce toy-chain --lengths 3,50 --json";
  experiment.columns = {{"episodes", in("episodes")}, {"episodes_simulated", in("episodes")}};
  experiment.compute = compute;
  experiment.print = print;
  return experiment;
}

}  // namespace vapor::experiments::toy_chain
