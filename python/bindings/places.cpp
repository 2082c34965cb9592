// Environments side by side, a place each: a step is one call for all of them.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.h"
#include "core_module.h"
#include "vapor/core/random.h"
#include "vapor/env/environment.h"

namespace vapor::python {
namespace {

// When a place whose episode is over begins the next one, by Gymnasium's names.
enum class Autoreset { kNextStep, kSameStep, kDisabled };

using Flags = std::vector<std::uint8_t>;  // by place, 0 or 1

// What every place sees after a step, by place.
struct PlacesStep {
  std::vector<std::int64_t> states;  // the number of states where the episode is over
  std::vector<double> rewards;
  Flags ended;
  Flags success;       // of the episode that `states` belongs to, so far
  Flags last_success;  // where `ended`: of the episode that is over
};

class PlayedPlaces {
 public:
  PlayedPlaces(const Environment& environment, Index places)
      : environment_(&environment),
        state_(places, environment.shape().states()),
        has_begun_(places, 0),
        success_(places, 0),
        is_goal_(environment.shape().pairs(), 0),
        random_(places, RandomStream(0)) {
    for (const Index pair : environment.goals) is_goal_[pair] = 1;
    const Shape& shape = environment.shape();
    for (Index s = 0; s < shape.states(); ++s)
      actions_ = std::max(actions_, shape.pairs_of(s).size());
  }

  Index places() const { return static_cast<Index>(state_.size()); }

  void seed(Index place, std::uint64_t seed) {
    if (place < 0 || place >= places())
      throw InputError("place", "there is no place " + std::to_string(place));
    random_[place] = RandomStream(seed);
  }

  // Begins an episode at every place of `which`; the states of all places.
  std::vector<std::int64_t> reset(const Flags& which) {
    expect_size("which", which.size());
    for (Index place = 0; place < places(); ++place)
      if (which[place]) begin(place);
    return {state_.begin(), state_.end()};
  }

  // One action a place. On an error nothing has happened.
  PlacesStep step(const std::vector<std::int64_t>& actions, Autoreset autoreset) {
    expect_size("actions", actions.size());
    for (Index place = 0; place < places(); ++place) check(place, actions[place], autoreset);
    PlacesStep step;
    step.rewards.assign(places(), 0.0);
    step.ended.assign(places(), 0);
    step.last_success.assign(places(), 0);
    for (Index place = 0; place < places(); ++place) {
      if (is_over(place)) {
        begin(place);
        continue;
      }
      step.rewards[place] = take_action(place, static_cast<Index>(actions[place]));
      step.ended[place] = is_over(place) ? 1 : 0;
      step.last_success[place] = success_[place];
      if (is_over(place) && autoreset == Autoreset::kSameStep) begin(place);
    }
    step.states.assign(state_.begin(), state_.end());
    step.success = success_;
    return step;
  }

 private:
  bool is_over(Index place) const { return state_[place] == environment_->shape().states(); }

  void begin(Index place) {
    state_[place] = first_state(*environment_, random_[place]);
    success_[place] = 0;
    has_begun_[place] = 1;
  }

  double take_action(Index place, Index action) {
    // A state may have fewer actions than others: what is beyond its last one is its last one.
    const Range pairs = environment_->shape().pairs_of(state_[place]);
    const Index pair = pairs.first() + std::min(action, pairs.size() - 1);
    const Step step = take(*environment_, pair, random_[place]);
    if (is_goal_[pair]) success_[place] = 1;
    state_[place] = step.next_state >= 0 ? step.next_state : environment_->shape().states();
    return step.reward;
  }

  void check(Index place, std::int64_t action, Autoreset autoreset) const {
    if (action < 0 || action >= actions_)
      throw InputError(
          "actions[" + std::to_string(place) + "]",
          "must be in 0.." + std::to_string(actions_ - 1) + ", got " + std::to_string(action));
    if (has_begun_[place] && (autoreset == Autoreset::kNextStep || !is_over(place))) return;
    throw InputError("actions[" + std::to_string(place) + "]",
                     has_begun_[place] ? "the episode of this place is over: reset it first"
                                       : "this place has no episode yet: reset it first");
  }

  void expect_size(const char* place, std::size_t size) const {
    if (size != state_.size())
      throw InputError(
          place, "must have " + std::to_string(places()) + " entries, has " + std::to_string(size));
  }

  const Environment* environment_;
  std::vector<Index> state_;  // by place
  Flags has_begun_;           // its first episode
  Flags success_;
  Flags is_goal_;  // by pair
  Index actions_ = 0;
  std::vector<RandomStream> random_;
};

Autoreset autoreset_of(const std::string& name) {
  if (name == "next_step") return Autoreset::kNextStep;
  if (name == "same_step") return Autoreset::kSameStep;
  if (name == "disabled") return Autoreset::kDisabled;
  throw InputError("autoreset", "must be next_step, same_step or disabled, got " + name);
}

using StepArrays = std::tuple<ArrayOut<std::int64_t>, ArrayOut<double>, ArrayOut<std::uint8_t>,
                              ArrayOut<std::uint8_t>, ArrayOut<std::uint8_t>>;

StepArrays step_of(PlayedPlaces& places, const ArrayIn<std::int64_t>& actions,
                   const std::string& autoreset) {
  PlacesStep step = places.step(copied(actions), autoreset_of(autoreset));
  return {array_of(std::move(step.states)), array_of(std::move(step.rewards)),
          array_of(std::move(step.ended)), array_of(std::move(step.success)),
          array_of(std::move(step.last_success))};
}

}  // namespace

void bind_places(nb::module_& module) {
  using nb::arg;
  nb::class_<PlayedPlaces>(module, "Places")
      .def(
          "__init__",
          [](PlayedPlaces* self, const Environment& environment, Index places) {
            if (places < 1) throw InputError("places", "must be at least 1");
            new (self) PlayedPlaces(environment, places);
          },
          arg("environment"), arg("places"), nb::keep_alive<1, 2>())
      .def("seed", &PlayedPlaces::seed, arg("place"), arg("seed"))
      .def(
          "reset",
          [](PlayedPlaces& places, const ArrayIn<std::uint8_t>& which) {
            return array_of(places.reset(copied(which)));
          },
          arg("which"))
      .def("step", &step_of, arg("actions"), arg("autoreset"));
}

}  // namespace vapor::python
