// Statistics of few seeds, as the field reports them (Agarwal et al., "Deep Reinforcement Learning
// at the Edge of the Statistical Precipice", 2021): interquartile means, stratified bootstrap
// confidence intervals, probability of improvement. The axes of the data have names, and whatever
// does not have them all is refused rather than guessed.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace vapor {

// The scores of one agent: tasks x seeds, the same number of seeds for every task.
class Scores {
 public:
  // Throws InputError that names the agent and the task if there is no task, a task has no seed,
  // two tasks have different numbers of seeds, or a score is not finite.
  Scores(std::string agent, std::vector<std::string> tasks,
         std::vector<std::vector<double>> by_task);

  const std::string& agent() const { return agent_; }
  const std::vector<std::string>& tasks() const { return tasks_; }
  std::size_t seeds() const { return by_task_.front().size(); }
  std::span<const double> of_task(std::size_t task) const { return by_task_[task]; }

 private:
  std::string agent_;
  std::vector<std::string> tasks_;
  std::vector<std::vector<double>> by_task_;

  friend class Resample;  // of the bootstrap: draws seeds again without making new Scores
};

// The mean of the middle half: a quarter of the values (rounded down) is cut at either end.
double interquartile_mean(std::span<const double> values);

// Of an even number the mean of the middle two; values must not be empty.
double median(std::vector<double> values);

// Over all tasks and seeds together.
double mean(const Scores& scores);
double interquartile_mean(const Scores& scores);

// P(a score of X exceeds one of Y), ties counting half, averaged over the tasks, which must be the
// same; throws InputError that names the first that is not.
double probability_of_improvement(const Scores& X, const Scores& Y);

struct Interval {
  double low = 0.0;
  double high = 0.0;
};

struct BootstrapSettings {
  int resamples = 2000;
  double confidence = 0.95;
  std::uint64_t seed = 1;  // the same seed, the same interval
};

// Percentile intervals: seeds are drawn again with replacement within every task (the strata), and
// for two agents in each on its own.
using Statistic = std::function<double(const Scores&)>;
using PairStatistic = std::function<double(const Scores&, const Scores&)>;
Interval bootstrap(const Scores& scores, const Statistic& statistic,
                   const BootstrapSettings& settings = {});
Interval bootstrap(const Scores& X, const Scores& Y, const PairStatistic& statistic,
                   const BootstrapSettings& settings = {});

}  // namespace vapor
