// Environments of Python as vector environments of the library.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <tuple>
#include <vector>

#include "vapor/env/vector_environment.h"

namespace vapor::python {

// channels, height, width, and "byte", "flag" or "float".
using ShapeFields = std::tuple<Index, Index, Index, std::string>;

// Throws InputError.
ObservationShape observation_shape(const ShapeFields& fields);

// vapor::EnvironmentLost arrives in Python as vapor.errors.EnvironmentLost, and the other way
// round.
void translate_lost_environments();

// Plays a vapor.deep.vector_adapter.VectorAdapter, whose arrays are copied while the interpreter is
// held. Calls may come from any thread that does not hold it. Exceptions of Python pass as
// nanobind::python_error.
class PythonVectorEnvironment final : public VectorEnvironment {
 public:
  // The interpreter must be held.
  explicit PythonVectorEnvironment(nanobind::object adapter);
  ~PythonVectorEnvironment() override;
  PythonVectorEnvironment(const PythonVectorEnvironment&) = delete;
  PythonVectorEnvironment& operator=(const PythonVectorEnvironment&) = delete;

  Index places() const override { return places_; }
  Index actions() const override { return actions_; }
  ObservationShape shape() const override { return shape_; }
  std::span<const std::byte> reset(std::uint64_t seed) override;
  VectorStep step(std::span<const Index> actions) override;

 private:
  void copy_observations(nanobind::handle array, std::vector<std::byte>& observations) const;

  nanobind::object adapter_;
  Index places_;
  Index actions_;
  ObservationShape shape_;
  std::vector<std::byte> observations_, last_observations_;
  std::vector<float> rewards_;
  std::vector<std::uint8_t> ended_, cut_, idle_;
};

}  // namespace vapor::python
