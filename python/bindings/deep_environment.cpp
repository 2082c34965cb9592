#include "deep_environment.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <utility>

#include "arrays.h"
#include "vapor/core/check.h"

namespace vapor::python {
namespace {

nb::object lost_type() { return nb::module_::import_("vapor.errors").attr("EnvironmentLost"); }

// Calls Python from a thread that does not hold the interpreter.
template <typename Call>
void in_python(const Call& call) {
  const nb::gil_scoped_acquire held;
  try {
    call();
  } catch (nb::python_error& error) {
    if (!error.matches(lost_type())) throw;
    throw EnvironmentLost(nb::cast<std::string>(nb::str(error.value())));
  }
}

template <typename T>
void copy_numbers(nb::handle array, std::size_t size, T* numbers) {
  const auto values = nb::cast<ArrayIn<T>>(array);
  VAPOR_CHECK_EQ(values.size(), size);
  std::copy_n(values.data(), size, numbers);
}

}  // namespace

ObservationShape observation_shape(const ShapeFields& fields) {
  const auto& [channels, height, width, element] = fields;
  ObservationShape shape{channels, height, width, Element::kByte};
  if (element == "flag")
    shape.element = Element::kFlag;
  else if (element == "float")
    shape.element = Element::kFloat;
  else if (element != "byte")
    throw InputError("element", "must be byte, flag or float, got " + element);
  for (const Index side : {channels, height, width})
    if (side < 1) throw InputError("shape", "must have sides >= 1");
  return shape;
}

void translate_lost_environments() {
  nb::register_exception_translator([](const std::exception_ptr& error, void* /*unused*/) {
    try {
      std::rethrow_exception(error);
    } catch (const EnvironmentLost& lost) {
      PyErr_SetString(lost_type().ptr(), lost.what());
    }
  });
}

PythonVectorEnvironment::PythonVectorEnvironment(nb::object adapter)
    : adapter_(std::move(adapter)),
      places_(nb::cast<Index>(adapter_.attr("places"))),
      actions_(nb::cast<Index>(adapter_.attr("actions"))),
      shape_(observation_shape(nb::cast<ShapeFields>(adapter_.attr("shape")))),
      observations_(static_cast<std::size_t>(places_) * shape_.bytes()),
      last_observations_(observations_.size()),
      rewards_(places_),
      ended_(places_),
      cut_(places_),
      idle_(places_) {}

PythonVectorEnvironment::~PythonVectorEnvironment() {
  const nb::gil_scoped_acquire held;
  try {
    adapter_.attr("close")();
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("closing an environment");
  }
  adapter_.reset();
}

void PythonVectorEnvironment::copy_observations(nb::handle array,
                                                std::vector<std::byte>& observations) const {
  copy_numbers(array, observations.size(), reinterpret_cast<std::uint8_t*>(observations.data()));
}

std::span<const std::byte> PythonVectorEnvironment::reset(std::uint64_t seed) {
  in_python([&] { copy_observations(adapter_.attr("reset")(seed), observations_); });
  return observations_;
}

VectorStep PythonVectorEnvironment::step(std::span<const Index> actions) {
  in_python([&] {
    const nb::object answer =
        adapter_.attr("step")(array_of(std::vector<std::int64_t>(actions.begin(), actions.end())));
    copy_observations(answer.attr("observations"), observations_);
    copy_observations(answer.attr("last_observations"), last_observations_);
    copy_numbers(answer.attr("rewards"), rewards_.size(), rewards_.data());
    copy_numbers(answer.attr("ended"), ended_.size(), ended_.data());
    copy_numbers(answer.attr("cut"), cut_.size(), cut_.data());
    copy_numbers(answer.attr("idle"), idle_.size(), idle_.data());
  });
  return {observations_, rewards_, ended_, cut_, last_observations_, idle_};
}

}  // namespace vapor::python
