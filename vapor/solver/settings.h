// What a caller may choose about a solve.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace vapor {

enum class Method {
  kNewton,       // primal-dual Newton; factorises, or falls back to kNewtonCg above max_bytes
  kNewtonCg,     // the same with conjugate gradients: memory of the problem only
  kFrankWolfe,   // forward and backward messages, appendix E.2
  kSaddlePoint,  // the policy player against the temperature player, section 4.4
};

enum class RegulariserKind {
  kVapor,            // sigma lambda sqrt(-2 log lambda)
  kWeightedEntropy,  // -sigma lambda log lambda
  kLinear,           // sigma is ignored: a plain MDP
};

// What a running solve reports after each iteration: bounds in doubles, without their own rounding.
struct Progress {
  int iteration = 0;
  double lower_bound = 0.0;
  double upper_bound = 0.0;
  double seconds = 0.0;
};

struct Settings {
  Method method = Method::kNewton;
  RegulariserKind regulariser = RegulariserKind::kVapor;
  double tolerance = 1e-9;  // on gap / max(1, |value|)
  int max_iterations = 0;   // 0: the method's own limit (docs/solver.md)
  // The solve ends with the bounds that it has; looked at between iterations, and inside the
  // longest of their parts.
  double max_seconds = std::numeric_limits<double>::infinity();
  double max_bytes = 4e9;  // newton keeps its factor below this
  // Bytes of the problem and all that is made of it; a solve that needs more is refused before it
  // takes them (memory.h), and newton does without a factor first.
  double max_memory = std::numeric_limits<double>::infinity();
  std::function<bool(const Progress&)> progress =
      {};  // called every iteration; false stops the solve
};

// Throws InputError that names the field.
void validate(const Settings& settings);

// The names on the command line and in files. The second of each throws InputError that lists them.
std::string_view name_of(Method method);
Method method_of(std::string_view name);
std::string_view name_of(RegulariserKind kind);
RegulariserKind regulariser_of(std::string_view name);

// Whether a method solves problems with constraints, and problems with a discount.
bool takes_constraints(Method method);
bool takes_discount(Method method);

std::span<const Method> all_methods();
std::span<const RegulariserKind> all_regularisers();

}  // namespace vapor
