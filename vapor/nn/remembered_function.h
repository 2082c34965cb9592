// A function that does not change, computed once for each observation of a store: a prior function
// costs as much as the forward pass of the network it stands beside, and a frame is learned from
// ten times.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "vapor/nn/network.h"
#include "vapor/nn/observation_store.h"

namespace vapor::nn {

class RememberedFunction : public FrozenFunction {
 public:
  // Takes outputs() floats for each observation that the store holds.
  RememberedFunction(std::unique_ptr<FrozenFunction> function, const ObservationStore& store);

  Index outputs() const override { return function_->outputs(); }
  Rows forward(std::span<const Index> observations) override;
  void refresh(Network& source) override;
  void archive(Archive& archive) override;

  // Rows are always computed in this number: libraries choose other kernels for another number,
  // which differ in the last bits, and a resumed run computes again what this one remembers.
  static constexpr std::size_t kTogether = 8;

 private:
  // Numbers that are held at the same time are less than held() apart.
  Index slot(Index number) const { return number % store_->held(); }

  std::unique_ptr<FrozenFunction> function_;
  const ObservationStore* store_;
  RowBuffer known_;                   // by slot
  std::vector<std::int64_t> serial_;  // by slot: of the observation whose outputs are known
  std::vector<Index> missing_;
  RowBuffer rows_;
};

}  // namespace vapor::nn
