#include "vapor/belief/successor_counts.h"

#include <algorithm>

#include "vapor/core/check.h"

namespace vapor {

void SuccessorCounts::add(const Transitions& P, Index pair, Index next_state) {
  for (Offset k = P.begin[pair]; k < P.begin[pair + 1]; ++k) {
    if (P.next_state[k] != next_state) continue;
    counts_[k] += 1.0;
    return;
  }
  waiting_.push_back({pair, next_state, 1.0});
}

// Sorts by pair, keeping the order in which the successors of a pair came, and adds up those that
// came more than once.
void SuccessorCounts::sort_waiting() {
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [](const Waiting& a, const Waiting& b) { return a.pair < b.pair; });
  std::size_t kept = 0;
  std::size_t first_of_pair = 0;
  for (const Waiting& w : waiting_) {
    if (kept > 0 && waiting_[kept - 1].pair != w.pair) first_of_pair = kept;
    std::size_t k = first_of_pair;
    while (k < kept && waiting_[k].next_state != w.next_state) ++k;
    if (k < kept)
      waiting_[k].count += w.count;
    else
      waiting_[kept++] = w;
  }
  waiting_.resize(kept);
}

void SuccessorCounts::merge(Transitions& P) {
  if (waiting_.empty()) return;
  sort_waiting();
  Offset to = static_cast<Offset>(P.next_state.size() + waiting_.size());
  P.next_state.resize(to);
  P.probability.resize(to);
  counts_.resize(to);
  // From the last pair backward: its new entries, then its old ones, moved by as many places as
  // new entries are still to come before them.
  Offset old_end = P.begin.back();
  for (auto pair = static_cast<Index>(P.begin.size()) - 2; !waiting_.empty(); --pair) {
    const Offset old_begin = P.begin[pair];
    P.begin[pair + 1] = to;
    for (; !waiting_.empty() && waiting_.back().pair == pair; waiting_.pop_back()) {
      --to;
      P.next_state[to] = waiting_.back().next_state;
      P.probability[to] = 0.0;
      counts_[to] = waiting_.back().count;
    }
    for (Offset k = old_end; k-- > old_begin;) {
      --to;
      P.next_state[to] = P.next_state[k];
      P.probability[to] = P.probability[k];
      counts_[to] = counts_[k];
    }
    old_end = old_begin;
  }
  VAPOR_CHECK_EQ(to, old_end);
}

void SuccessorCounts::archive(Archive& archive, Transitions& P) {
  VAPOR_CHECK_EQ(waiting_.size(), 0u);
  archive(P.begin);
  archive(P.next_state);
  archive(counts_);
  P.probability.resize(P.next_state.size());
}

}  // namespace vapor
