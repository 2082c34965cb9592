// How often each successor of a pair was seen, beside the Transitions whose entries they are. A
// successor seen for the first time waits until `merge`, so that any number of them costs one pass
// over the arrays. The successors of a pair stand in the order in which they were first seen,
// whenever the merges happen.
#pragma once

#include <span>
#include <vector>

#include "vapor/core/archive.h"
#include "vapor/mdp/transitions.h"

namespace vapor {

class SuccessorCounts {
 public:
  // Counts one more transition.
  void add(const Transitions& P, Index pair, Index next_state);

  // Gives the waiting successors their entries, with probability 0 for the caller to set.
  void merge(Transitions& P);

  std::span<const double> counts() const { return counts_; }  // by entry of the transitions

  // The counts and the entries they belong to; merge before.
  void archive(Archive& archive, Transitions& P);

 private:
  struct Waiting {
    Index pair = 0;
    Index next_state = 0;
    double count = 0.0;
  };

  void sort_waiting();

  std::vector<double> counts_;
  std::vector<Waiting> waiting_;
};

}  // namespace vapor
