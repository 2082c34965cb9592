// Observations of a batch. An observation is an index: of the one-hot vector that is 1 there, or of
// whatever a network keeps under that number. Equal observations of a batch become one row,
// exactly: each network works a row once, and the gradients of its frames are summed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vapor/core/check.h"
#include "vapor/core/index.h"

namespace vapor::deep {

class ObservationRows {
 public:
  // Indices 0, ..., observations - 1; at most `capacity` rows. Without merging every observation
  // that is added has a row of its own.
  ObservationRows(Index observations, Index capacity, bool merge = true)
      : merge_(merge), stamp_(observations, 0), row_(observations, 0) {
    rows_.reserve(capacity);
  }

  void clear() {
    rows_.clear();
    ++now_;
  }

  // The row of this observation.
  Index add(Index observation) {
    if (merge_ && stamp_[observation] == now_) return row_[observation];
    VAPOR_CHECK_LT(rows_.size(), rows_.capacity());
    stamp_[observation] = now_;
    row_[observation] = static_cast<Index>(rows_.size());
    rows_.push_back(observation);
    return row_[observation];
  }

  std::span<const Index> observations() const { return rows_; }  // by row
  Index size() const { return static_cast<Index>(rows_.size()); }

 private:
  bool merge_;
  std::uint64_t now_ = 1;
  std::vector<std::uint64_t> stamp_;  // by observation: when it was last added
  std::vector<Index> row_;
  std::vector<Index> rows_;
};

}  // namespace vapor::deep
