#include "policy_show.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "vapor/core/error.h"
#include "vapor/deep/policy_file.h"
#include "vapor/env/registry.h"
#include "vapor/record/run_file.h"
#include "vapor/run/episode_training.h"
#include "vapor/run/frame_training.h"
#include "vapor/run/worlds.h"

namespace vapor::command {
namespace {

RandomStream stream_of(std::uint64_t seed, std::int64_t episode) {
  return RandomStream(seed).split("show").split(static_cast<std::uint64_t>(episode));
}

// In an environment whose states are known by index.
class TableShow : public PolicyShow {
 public:
  TableShow(const RunSettings& settings, const std::string& folder)
      : training_(settings), environment_(training_.environment()) {
    deep::read_policy(folder, training_.agent());
    pi_.resize(environment_.shape().pairs_of(0).size());
  }

  void begin(std::uint64_t seed, std::int64_t episode) override {
    random_.emplace(stream_of(seed, episode));
    training_.agent().begin_episode(0, *random_);
    states_.assign(1, first_state(environment_, *random_));
    return_ = 0.0;
    length_ = 0;
  }

  bool step() override {
    const Index state = states_.back();
    double sigma = 0.0;
    training_.agent().play({&state, 1}, pi_, {&sigma, 1});
    const Index action = random_->categorical(pi_);
    const Step taken =
        take(environment_, environment_.shape().pairs_of(state).first() + action, *random_);
    return_ += taken.reward;
    ++length_;
    if (taken.next_state < 0) return false;
    states_.push_back(taken.next_state);
    return true;
  }

  double episode_return() const override { return return_; }
  std::int64_t length() const override { return length_; }
  Picture picture() override { return picture_of(environment_, states_); }

 private:
  EpisodeTraining training_;
  const Environment& environment_;
  std::optional<RandomStream> random_;
  std::vector<Index> states_;  // of the episode so far
  std::vector<double> pi_;
  double return_ = 0.0;
  std::int64_t length_ = 0;
};

// In an environment that is observed as arrays.
class ArrayShow : public PolicyShow {
 public:
  ArrayShow(const RunSettings& settings, const std::string& folder)
      : parts_(parts_of(settings.env)),
        environment_(parts_.make_environment(1)),
        stacked_(Spec("", settings.env).name() == "atari"),
        store_(environment_->shape(), kObservations),
        pi_(static_cast<std::size_t>(environment_->actions())) {
    agent_ = trained_agent(settings, parts_, store_, environment_->actions(), folder);
  }

  void begin(std::uint64_t seed, std::int64_t episode) override {
    random_.emplace(stream_of(seed, episode));
    agent_->begin_episode(0, *random_);
    see(environment_->reset(random_->split("environment").bits()), -1);
    return_ = 0.0;
    length_ = 0;
  }

  bool step() override {
    double sigma = 0.0;
    agent_->play({&number_, 1}, pi_, {&sigma, 1});
    const Index action = random_->categorical(pi_);
    const VectorStep taken = environment_->step({&action, 1});
    return_ += taken.rewards[0];
    ++length_;
    const bool over = taken.ended[0] != 0 || taken.cut[0] != 0;
    see(over ? taken.last_observations : taken.observations, number_);
    return !over;
  }

  double episode_return() const override { return return_; }
  std::int64_t length() const override { return length_; }
  Picture picture() override { return picture_of(environment_->shape(), seen_, stacked_); }

 private:
  // Enough for a stack and the one before it.
  static constexpr Index kObservations = 64;

  void see(std::span<const std::byte> observation, Index previous) {
    seen_.assign(observation.begin(), observation.end());
    number_ = store_.add(observation, previous);
  }

  TrainingParts parts_;
  std::unique_ptr<VectorEnvironment> environment_;
  bool stacked_;
  nn::ObservationStore store_;
  std::unique_ptr<deep::Agent> agent_;
  std::optional<RandomStream> random_;
  std::vector<double> pi_;
  std::vector<std::byte> seen_;
  Index number_ = -1;
  double return_ = 0.0;
  std::int64_t length_ = 0;
};

}  // namespace

std::unique_ptr<PolicyShow> make_show(const std::string& folder) {
  const std::optional<RunFile> run = read_run_file(folder);
  if (!run) throw InputError(folder, "is not a run: it has no run.json");
  if (run->definition.contains("belief"))
    throw InputError(folder, "is a run of vapor run; vapor view shows it");
  if (run->command.starts_with("vapor.deep."))
    throw InputError(folder, "was trained in an environment of Python; vapor.deep.Policy plays it");
  const RunSettings settings = settings_of(folder, run->definition);
  if (settings.by_frames) return std::make_unique<ArrayShow>(settings, folder);
  return std::make_unique<TableShow>(settings, folder);
}

}  // namespace vapor::command
