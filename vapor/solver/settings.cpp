#include "vapor/solver/settings.h"

#include <fmt/format.h>

#include <array>

#include "vapor/core/error.h"

namespace vapor {
namespace {

constexpr std::array kMethods = {Method::kNewton, Method::kNewtonCg, Method::kFrankWolfe,
                                 Method::kSaddlePoint};

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
  if (settings.threads < 1)
    throw InputError("threads", fmt::format("must be >= 1, got {}", settings.threads));
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

std::span<const Method> all_methods() { return kMethods; }

Method method_of(std::string_view name) {
  for (Method method : kMethods)
    if (name_of(method) == name) return method;
  std::string names;
  for (Method method : kMethods) names += fmt::format("{}{}", names.empty() ? "" : ", ", name_of(method));
  throw InputError("method", fmt::format("must be one of {}; got \"{}\"", names, name));
}

}  // namespace vapor
