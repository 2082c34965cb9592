#include "vapor/nn/remembered_function.h"

#include <algorithm>

namespace vapor::nn {

RememberedFunction::RememberedFunction(std::unique_ptr<FrozenFunction> function,
                                       const ObservationStore& store)
    : function_(std::move(function)), store_(&store), serial_(store.held(), -1) {
  known_.resize(store.held(), function_->outputs());
}

Rows RememberedFunction::forward(std::span<const Index> observations) {
  missing_.clear();
  for (const Index number : observations)
    if (serial_[slot(number)] != store_->serial(number)) missing_.push_back(number);
  const Rows known = known_.first(store_->held());
  while (missing_.size() % kTogether != 0) missing_.push_back(missing_.back());
  for (std::size_t begin = 0; begin < missing_.size(); begin += kTogether) {
    const auto some = std::span(missing_).subspan(begin, kTogether);
    const Rows found = function_->forward(some);
    for (Index r = 0; r < found.rows; ++r) {
      std::copy_n(found[r], found.columns, known[slot(some[r])]);
      serial_[slot(some[r])] = store_->serial(some[r]);
    }
  }
  const auto n = static_cast<Index>(observations.size());
  if (n > rows_.capacity()) rows_.resize(n, outputs());
  const Rows rows = rows_.first(n);
  for (Index r = 0; r < n; ++r) std::copy_n(known[slot(observations[r])], rows.columns, rows[r]);
  return rows;
}

void RememberedFunction::refresh(Network& source) {
  function_->refresh(source);
  std::ranges::fill(serial_, -1);
}

void RememberedFunction::archive(Archive& archive) {
  function_->archive(archive);
  if (archive.is_restoring()) std::ranges::fill(serial_, -1);
}

}  // namespace vapor::nn
