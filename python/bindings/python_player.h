// A run that Python plays: an agent of the library in an environment that is not ours.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "vapor/core/error.h"
#include "vapor/run/player.h"

namespace vapor::python {

// Holds an object with `episodes` (how many are over), `is_over`, `play()`, which plays an episode
// and returns its return, length, value and regret, `save()` and `restore(bytes)`, and
// `end(folder)`. Called by threads that do not hold the interpreter; exceptions of Python pass as
// nanobind::python_error.
class PythonPlayer final : public Player {
 public:
  // The interpreter must be held.
  explicit PythonPlayer(nanobind::object player) : player_(std::move(player)) {}

  ~PythonPlayer() override {
    const nanobind::gil_scoped_acquire held;
    player_.reset();
  }

  PythonPlayer(const PythonPlayer&) = delete;
  PythonPlayer& operator=(const PythonPlayer&) = delete;

  std::int64_t episodes() const override {
    const nanobind::gil_scoped_acquire held;
    return nanobind::cast<std::int64_t>(player_.attr("episodes"));
  }

  bool is_over() const override {
    const nanobind::gil_scoped_acquire held;
    return nanobind::cast<bool>(player_.attr("is_over"));
  }

  void play(std::vector<EpisodeRow>& rows) override {
    const nanobind::gil_scoped_acquire held;
    const auto [episode_return, length, value, regret] =
        nanobind::cast<std::tuple<double, std::int64_t, double, double>>(player_.attr("play")());
    EpisodeRow& row = rows.emplace_back();
    row.episode_return = episode_return;
    row.length = length;
    row.value = value;
    row.regret = regret;
  }

  std::string save() override {
    const nanobind::gil_scoped_acquire held;
    const auto state = nanobind::cast<nanobind::bytes>(player_.attr("save")());
    return {state.c_str(), state.size()};
  }

  void restore(const std::string& state) override {
    const nanobind::gil_scoped_acquire held;
    try {
      player_.attr("restore")(nanobind::bytes(state.data(), state.size()));
    } catch (const nanobind::python_error& error) {
      if (!error.matches(PyExc_ValueError)) throw;
      throw InputError("checkpoint", error.what());  // the loop knows what that means
    }
  }

  void end(RunFolder& record) override {
    const nanobind::gil_scoped_acquire held;
    player_.attr("end")(record.path());
  }

 private:
  nanobind::object player_;
};

}  // namespace vapor::python
