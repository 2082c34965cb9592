// A belief of Python as the library's own_belief.h takes one.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <utility>

#include "episodes.h"
#include "vapor/belief/own_belief.h"
#include "vapor/core/random.h"

namespace vapor::python {

// Holds a vapor.own_beliefs.Checked, which turns what a user's object gives into what the library
// knows, or raises. Called by threads that may not hold the interpreter; exceptions of Python pass
// as nanobind::python_error.
class PythonBelief {
 public:
  explicit PythonBelief(nanobind::object belief) : belief_(std::move(belief)) {}

  // The object goes with the interpreter held.
  ~PythonBelief() {
    if (!belief_.is_valid()) return;
    const nanobind::gil_scoped_acquire held;
    belief_.reset();
  }
  PythonBelief(PythonBelief&&) noexcept = default;
  PythonBelief& operator=(PythonBelief&&) = delete;
  PythonBelief(const PythonBelief&) = delete;
  PythonBelief& operator=(const PythonBelief&) = delete;

  Problem problem() {
    const nanobind::gil_scoped_acquire held;
    return nanobind::cast<Problem>(belief_.attr("problem")());
  }

  void update(const Episode& episode) {
    const nanobind::gil_scoped_acquire held;
    belief_.attr("update")(tables_of(episode));
  }

  Problem sample(RandomStream& random) {
    const nanobind::gil_scoped_acquire held;
    const nanobind::object stream = nanobind::cast(RandomStream(random));
    Problem drawn = nanobind::cast<Problem>(belief_.attr("sample")(stream));
    random = nanobind::cast<RandomStream>(stream);
    return drawn;
  }

  void archive(Archive& archive) {
    const nanobind::gil_scoped_acquire held;
    std::string state;
    if (!archive.is_restoring()) {
      const auto saved = nanobind::cast<nanobind::bytes>(belief_.attr("save")());
      state.assign(saved.c_str(), saved.size());
    }
    archive(state);
    if (archive.is_restoring())
      belief_.attr("restore")(nanobind::bytes(state.data(), state.size()));
  }

 private:
  nanobind::object belief_;
};

}  // namespace vapor::python
