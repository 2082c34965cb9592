#include "vapor/deep/remembered_function.h"

#include <algorithm>

namespace vapor::deep {

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
  if (!missing_.empty()) {
    const Rows found = function_->forward(missing_);
    for (Index r = 0; r < found.rows; ++r) {
      std::copy_n(found[r], found.columns, known[slot(missing_[r])]);
      serial_[slot(missing_[r])] = store_->serial(missing_[r]);
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

}  // namespace vapor::deep
