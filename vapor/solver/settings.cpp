#include "vapor/solver/settings.h"

#include <fmt/format.h>

#include <array>

#include "vapor/core/error.h"

namespace vapor {
namespace {

constexpr std::array kMethods = {Method::kNewton, Method::kNewtonCg, Method::kFrankWolfe,
                                 Method::kSaddlePoint};
constexpr std::array kRegularisers = {RegulariserKind::kVapor, RegulariserKind::kWeightedEntropy,
                                      RegulariserKind::kLinear};

template <typename T>
T one_of(std::span<const T> all, const char* field, std::string_view name) {
  std::string names;
  for (T each : all) {
    if (name_of(each) == name) return each;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name_of(each));
  }
  throw InputError(field, fmt::format("must be one of {}; got \"{}\"", names, name));
}

}  // namespace

void validate(const Settings& settings) {
  if (!(settings.tolerance > 0.0 && settings.tolerance < 1.0))
    throw InputError("tolerance", fmt::format("must be in (0, 1), got {}", settings.tolerance));
  if (settings.max_iterations < 0)
    throw InputError("max_iterations",
                     fmt::format("must be >= 0, got {}", settings.max_iterations));
  if (!(settings.max_seconds > 0.0))
    throw InputError("max_seconds", fmt::format("must be > 0, got {}", settings.max_seconds));
  if (!(settings.max_bytes >= 0.0))
    throw InputError("max_bytes", fmt::format("must be >= 0, got {}", settings.max_bytes));
  if (!(settings.max_memory > 0.0))
    throw InputError("max_memory", fmt::format("must be > 0, got {}", settings.max_memory));
}

std::string_view name_of(Method method) {
  switch (method) {
    case Method::kNewton:
      return "newton";
    case Method::kNewtonCg:
      return "newton_cg";
    case Method::kFrankWolfe:
      return "frank_wolfe";
    case Method::kSaddlePoint:
      return "saddle_point";
  }
  return "unknown";
}

std::string_view name_of(RegulariserKind kind) {
  switch (kind) {
    case RegulariserKind::kVapor:
      return "vapor";
    case RegulariserKind::kWeightedEntropy:
      return "weighted_entropy";
    case RegulariserKind::kLinear:
      return "linear";
  }
  return "unknown";
}

bool takes_constraints(Method method) {
  return method == Method::kNewton || method == Method::kNewtonCg;
}

bool takes_discount(Method method) { return takes_constraints(method); }

std::span<const Method> all_methods() { return kMethods; }
std::span<const RegulariserKind> all_regularisers() { return kRegularisers; }

Method method_of(std::string_view name) { return one_of(all_methods(), "method", name); }

RegulariserKind regulariser_of(std::string_view name) {
  return one_of(all_regularisers(), "regulariser", name);
}

}  // namespace vapor
