// Trained policies, to be played on environments of Python.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrays.h"
#include "core_module.h"
#include "deep_environment.h"
#include "in_use.h"
#include "vapor/deep/policy_file.h"
#include "vapor/record/run_file.h"
#include "vapor/run/episode_training.h"
#include "vapor/run/frame_training.h"
#include "vapor/run/worlds.h"

namespace vapor::python {
namespace {

constexpr Index kMostPlaces = 1024;          // of arrays, which are kept
constexpr Index kMostTablePlaces = 1 << 20;  // of indices, e.g. all states at once

// An agent with what it was trained for. Observations are indices or arrays; either way the agent
// is asked about numbers, one a place.
class Policy {
 public:
  virtual ~Policy() = default;

  virtual Index actions() const = 0;
  virtual std::optional<ShapeFields> shape() const { return std::nullopt; }  // of arrays
  virtual Index states() const { return 0; }                                 // of indices

  // An episode begins at each of these places.
  void begin(const ArrayIn<std::int64_t>& places, std::uint64_t seed) {
    const InUse use(busy_);
    const std::vector<std::int64_t> chosen = copied(places);
    for (const std::int64_t place : chosen)
      if (place < 0 || place >= most_places())
        throw InputError("places", "must be 0.." + std::to_string(most_places() - 1) + ", got " +
                                       std::to_string(place));
    RandomStream random(seed);
    for (const std::int64_t place : chosen) begin_at(static_cast<Index>(place), random);
  }

  // Policies place by place. What is seen is kept until it was played, so both are one use.
  ArrayOut<double> act(const nb::object& observations) {
    const InUse use(busy_);
    const std::vector<Index> numbers = see(observations);
    if (std::ssize(numbers) > most_places())
      throw InputError("observations",
                       "must be of at most " + std::to_string(most_places()) + " places");
    if (numbers.empty()) return array_of(std::vector<double>());
    RandomStream random(0);
    for (Index place = 0; place < std::ssize(numbers); ++place)
      if (place >= std::ssize(begun_) || !begun_[place]) begin_at(place, random);
    std::vector<double> pi(numbers.size() * static_cast<std::size_t>(actions()));
    std::vector<double> sigma(numbers.size());
    {
      const nb::gil_scoped_release released;
      agent().play(numbers, pi, sigma);
    }
    return array_of(std::move(pi));
  }

 private:
  virtual deep::Agent& agent() = 0;
  virtual Index most_places() const = 0;
  // The numbers of observations, by which the agent is asked about them.
  virtual std::vector<Index> see(const nb::object& observations) = 0;

  void begin_at(Index place, RandomStream& random) {
    if (place >= std::ssize(begun_)) begun_.resize(place + 1, false);
    agent().begin_episode(place, random);
    begun_[place] = true;
  }

  std::atomic<bool> busy_ = false;
  std::vector<bool> begun_;  // place by place; others begin when they are played
};

class TablePolicy final : public Policy {
 public:
  TablePolicy(const RunSettings& settings, const std::string& folder) : training_(settings) {
    deep::read_policy(folder, training_.agent());
  }

  Index actions() const override { return training_.environment().shape().pairs_of(0).size(); }
  Index states() const override { return training_.environment().shape().states(); }

 private:
  deep::Agent& agent() override { return training_.agent(); }
  Index most_places() const override { return kMostTablePlaces; }

  std::vector<Index> see(const nb::object& observations) override {
    std::vector<Index> numbers;
    for (const std::int64_t state : copied(nb::cast<ArrayIn<std::int64_t>>(observations))) {
      if (state < 0 || state >= states())
        throw InputError("observations", "there is no state " + std::to_string(state));
      numbers.push_back(static_cast<Index>(state));
    }
    return numbers;
  }

  EpisodeTraining training_;
};

class ArrayPolicy final : public Policy {
 public:
  ArrayPolicy(const RunSettings& settings, const TrainingParts& parts,
              const ObservationShape& shape, Index actions, const std::string& folder)
      : store_(shape, kMostPlaces), actions_(actions) {
    agent_ = trained_agent(settings, parts, store_, actions, folder);
  }

  Index actions() const override { return actions_; }
  std::optional<ShapeFields> shape() const override {
    const ObservationShape& s = store_.shape();
    const char* element = s.element == Element::kByte   ? "byte"
                          : s.element == Element::kFlag ? "flag"
                                                        : "float";
    return ShapeFields(s.channels, s.height, s.width, element);
  }

 private:
  deep::Agent& agent() override { return *agent_; }
  Index most_places() const override { return kMostPlaces; }

  // Bytes, as a VectorAdapter gives them.
  std::vector<Index> see(const nb::object& observations) override {
    const auto bytes = nb::cast<ArrayIn<std::uint8_t>>(observations);
    const std::size_t size = store_.shape().bytes();
    const std::size_t places = bytes.size() / size;
    if (bytes.size() % size != 0 || places > kMostPlaces)
      throw InputError("observations", "must be at most " + std::to_string(kMostPlaces) +
                                           " places of " + std::to_string(size) + " bytes");
    std::vector<Index> numbers;
    for (std::size_t p = 0; p < places; ++p)
      numbers.push_back(store_.add(
          std::span(reinterpret_cast<const std::byte*>(bytes.data()) + p * size, size), -1));
    return numbers;
  }

  nn::ObservationStore store_;
  std::unique_ptr<deep::Agent> agent_;
  Index actions_;
};

// `shape` and `actions` are those of environments of Python, of which the record knows the name
// alone.
std::unique_ptr<Policy> read_policy(const std::string& folder,
                                    const std::optional<ShapeFields>& shape, Index actions) {
  const std::optional<RunFile> run = read_run_file(folder);
  if (!run) throw InputError(folder, "is not a run: it has no run.json");
  if (run->definition.contains("belief"))
    throw InputError(folder, "is a run of vapor run, which has no networks");
  const RunSettings settings = settings_of(folder, run->definition);
  if (!settings.by_frames) return std::make_unique<TablePolicy>(settings, folder);
  if (shape)
    return std::make_unique<ArrayPolicy>(
        settings, parts_for(nn::fitting_torso(observation_shape(*shape)), nullptr),
        observation_shape(*shape), actions, folder);
  const TrainingParts parts = parts_of(settings.env);
  const std::unique_ptr<VectorEnvironment> environment = parts.make_environment(1);
  return std::make_unique<ArrayPolicy>(settings, parts, environment->shape(),
                                       environment->actions(), folder);
}

}  // namespace

void bind_policy(nb::module_& module) {
  using nb::arg;
  nb::class_<Policy>(module, "Policy")
      .def_prop_ro("actions", &Policy::actions)
      .def_prop_ro("shape", &Policy::shape)
      .def_prop_ro("states", &Policy::states)
      .def("begin", &Policy::begin, arg("places"), arg("seed"))
      .def("act", &Policy::act, arg("observations"));
  module.def("read_policy", &read_policy, arg("folder"), arg("shape").none(), arg("actions"));
}

}  // namespace vapor::python
