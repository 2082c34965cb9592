// The optimum of a reduced problem to the last digits, with all that its derivatives are made of.
//
// A solution is certified to a gap, and lambda is then good to the gap's root only. Newton's method
// on stationarity, flow and the constraints that hold with equality (response.h) takes it from
// there: a step or two. lambda and V are both variables, since lambda is known better than what V
// implies where sigmas are small; near lambda = 1, where 1 - lambda has few digits, it is V that
// lambda follows.
//
// Which pairs without sigma have lambda > 0, and which inequalities hold with equality, is read off
// the solution and checked at the end.
#pragma once

#include <concepts>
#include <span>
#include <string_view>
#include <vector>

#include "vapor/solver/presolve.h"
#include "vapor/solver/regulariser.h"
#include "vapor/solver/response.h"
#include "vapor/solver/solution.h"

namespace vapor {

// Whether an optimum has derivatives.
enum class Differentiability {
  kSmooth,      // all derivatives exist
  kTies,        // the optimum is not unique, or a pair without sigma or an inequality is about to
                // change sides: those of the value are one-sided, the others do not exist
  kInaccurate,  // rounding, or a solution far from the optimum: no derivative is known
  kInfeasible,  // no occupancy measure meets the constraints
};

std::string_view name_of(Differentiability status);

struct PolishedOptimum {
  using Table = std::vector<double>;

  enum class Kind : char {
    kCurved,   // sigma > 0
    kForced,   // every policy has lambda = 1
    kBasic,    // sigma = 0 and lambda > 0: delta stays 0
    kUnused,   // sigma = 0 and lambda = 0: stays so
    kPinned,   // of a state that nothing used leads to: the one that its V follows
    kLeftOut,  // another of such a state
  };

  Differentiability status = Differentiability::kInaccurate;
  std::vector<Kind> kind;  // by pair
  // Of one copy of each pair:
  Table lambda;
  Table response;        // d lambda / d delta = 1 / -f''; of kBasic, kForced, kPinned a weight
  Table slope_by_sigma;  // d f' / d sigma, 0 where lambda does not follow sigma
  Table value;           // f
  Table value_by_sigma;  // d f / d sigma
  Table V;               // by state
  Table prices;          // by constraint
  ResponseSystem system;
};

// The tables of the start are those of one copy of each pair, as the solution has them; the
// reduced problem is kept by `optimum`.
struct OptimumStart {
  std::span<const double> lambda, policy, V, prices;
};

template <ScalarRegulariser R>
void find_optimum(const Reduced& reduced, const OptimumStart& start, double max_bytes,
                  PolishedOptimum& optimum);

// The functions here are sigma times another, so that d f / d sigma is f of sigma = 1.
template <typename Parameter>
Parameter with_unit_sigma(Parameter parameter) {
  if constexpr (std::same_as<Parameter, double>)
    parameter = 1.0;
  else
    parameter.sigma = 1.0;
  return parameter;
}

}  // namespace vapor
