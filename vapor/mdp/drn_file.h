// Storm's explicit text format, .drn: a header of @keys and, behind @model, states with their
// choices and successors,
//
//   @type: MDP
//   @reward_models
//   coins
//   @nr_states
//   2
//   @model
//   state 0 [0.5] init
//     action toss [1]
//       0 : 0.5
//       1 : 0.5
//   ...
//
// Numbers in brackets are rewards, one for each model of the header, of a state and of a choice;
// what follows a state's are its labels, of which `init` means something here. Read are models of
// discrete time with known probabilities: MDP and DTMC, and POMDP if observations may be ignored.
#pragma once

#include <istream>
#include <string>

#include "vapor/mdp/explicit_model.h"

namespace vapor {

struct DrnSettings {
  bool ignore_observations = false;  // a POMDP is read as the MDP below it
};

// Throws InputError that names the line. A row of probabilities sums to 1 within 1e-6, as files
// with six digits do, and is divided by its sum.
ExplicitModel read_drn(std::istream& in, const DrnSettings& settings = {});

// The same of a file, which it names too.
ExplicitModel read_drn_file(const std::string& path, const DrnSettings& settings = {});

}  // namespace vapor
