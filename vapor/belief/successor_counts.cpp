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
  for (Waiting& w : waiting_) {
    if (w.pair != pair || w.next_state != next_state) continue;
    w.count += 1.0;
    return;
  }
  waiting_.push_back({pair, next_state, 1.0});
}

void SuccessorCounts::merge(Transitions& P) {
  if (waiting_.empty()) return;
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [](const Waiting& a, const Waiting& b) { return a.pair < b.pair; });
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
