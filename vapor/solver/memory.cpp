#include "vapor/solver/memory.h"

#include <fmt/format.h>

#include <array>

#include "vapor/core/error.h"

namespace vapor {
namespace {

constexpr double kDouble = sizeof(double);
constexpr double kTwoDoubles = 2 * sizeof(double);
constexpr double kIndex = sizeof(Index);
constexpr double kOffset = sizeof(Offset);
constexpr double kGrown = 2.0;  // a vector that was appended to may have so much more room

struct Sizes {
  double layers, states, pairs, transitions;

  explicit Sizes(const Problem& problem)
      : layers(problem.shape.layers()),
        states(problem.shape.states()),
        pairs(problem.shape.pairs()),
        transitions(static_cast<double>(problem.transitions.next_state.size())) {}
};

double problem_bytes(const Sizes& n) {
  return n.transitions * (kIndex + kDouble) + n.pairs * (kOffset + 3 * kDouble) +
         n.states * (kIndex + 2 * kDouble) + n.layers * kIndex;
}

// Reduced without its problem.
double classes_bytes(const Sizes& given, const Sizes& small) {
  return small.pairs * (3 * kDouble + kIndex) + small.states * (kDouble + kIndex) +
         (given.pairs + given.states) * kIndex;
}

// Newton and its linear systems.
double newton_bytes(const Sizes& n) {
  const double tables = n.pairs * (22 + 8) * kDouble + n.states * 8 * kDouble;
  const double flow =
      n.transitions * kIndex + n.pairs * (kIndex + kDouble) + n.states * 4 * kDouble;
  // The places of the nonzeros of B, or the sweep; the first is more.
  const double couplings = n.transitions * (2 * kOffset + kDouble + kGrown * 2 * kIndex + kIndex) +
                           n.states * (2 * kOffset + 3 * kDouble);
  const double answer = 2 * (n.pairs * 3 * kDouble + n.states * kDouble);
  return tables + flow + couplings + answer;
}

double certification_bytes(const Sizes& n) {
  return n.pairs * (3 * kTwoDoubles + 6 * kDouble + 2 * kDouble) + n.states * 4 * kTwoDoubles;
}

}  // namespace

double bytes_of(const Problem& problem) { return problem_bytes(Sizes(problem)); }

double presolve_bytes(const Problem& problem) {
  const Sizes n(problem);
  // The largest table of the smaller problem stands twice while it grows.
  return problem_bytes(n) + kGrown * (problem_bytes(n) + classes_bytes(n, n)) +
         n.transitions * kDouble + n.states * (4 * kDouble + kOffset + 1);
}

double solve_bytes(const Problem& given, const Problem& small, const Settings& settings) {
  const Sizes whole(given);
  const Sizes n(small);
  const bool linear = settings.regulariser == RegulariserKind::kLinear;
  double bytes = problem_bytes(whole) * (linear ? 2.0 : 1.0) + kGrown * problem_bytes(n) +
                 kGrown * classes_bytes(whole, n);
  bytes += certification_bytes(n);
  bytes += whole.pairs * 4 * kDouble + whole.states * kDouble;  // the solution
  bytes += n.pairs * 4 * kDouble;                               // starts, and those of a restart
  if (linear) return bytes + n.pairs * 2 * kDouble + n.states * kDouble;
  if (settings.method == Method::kFrankWolfe)
    return bytes + n.pairs * 14 * kDouble + n.states * 4 * kDouble;
  if (settings.method == Method::kSaddlePoint)
    bytes += problem_bytes(n) + classes_bytes(whole, n) + n.pairs * 14 * kDouble +
             n.states * 4 * kDouble + n.transitions * kIndex;
  return bytes + newton_bytes(n);
}

void expect_room(const Settings& settings, double bytes, const char* what) {
  if (bytes <= settings.max_memory) return;
  throw InputError(setting("max_memory"),
                   fmt::format("{} takes about {}, and {} are allowed", what, bytes_text(bytes),
                               bytes_text(settings.max_memory)));
}

std::string bytes_text(double bytes) {
  constexpr std::array kUnits = {"bytes", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (; bytes >= 1000.0 && unit + 1 < kUnits.size(); ++unit) bytes /= 1000.0;
  return fmt::format("{:.3g} {}", bytes, kUnits[unit]);
}

}  // namespace vapor
