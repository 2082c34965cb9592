// The solver's methods side by side on one problem, and the record of how each closes its gap.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "vapor/mdp/problem.h"
#include "vapor/solver/settings.h"
#include "vapor/solver/solution.h"

namespace vapor {

struct MethodSolution {
  Method method = Method::kNewton;
  Solution solution;
  std::string trace;  // the folder of its record; empty: none was asked for
};

// The methods that solve with this regulariser.
std::vector<Method> methods_for(const Problem& problem, RegulariserKind regulariser);

// Solves the problem from the start with each of the methods, whatever settings.method says, and
// writes FOLDER/METHOD (vapor/record/trace_record.h) as soon as a method is done. `name` is what
// the records call the problem, as a rule the file that it came from. An empty folder: no records.
// Throws InputError before the first solve if a folder holds something else.
std::vector<MethodSolution> trace_methods(const Problem& problem, const std::string& name,
                                          std::span<const Method> methods, const Settings& settings,
                                          const std::string& folder);

}  // namespace vapor
