#include "vapor/nn/remembered_function.h"

#include <gtest/gtest.h>

#include "vapor/nn/table_network.h"

namespace vapor::nn {
namespace {

// The first byte of an observation; counts the calls.
class FirstByte : public FrozenFunction {
 public:
  FirstByte(const ObservationStore& store, int& rows) : store_(&store), computed_(&rows) {}
  Index outputs() const override { return 1; }
  Rows forward(std::span<const Index> observations) override {
    const auto n = static_cast<Index>(observations.size());
    rows_.resize(n, 1);
    for (Index r = 0; r < n; ++r) {
      std::byte value[2];
      store_->copy_to(observations[r], value);
      rows_.first(n)[r][0] = static_cast<float>(value[0]);
    }
    EXPECT_EQ(observations.size(), RememberedFunction::kTogether);
    ++*computed_;
    return rows_.first(n);
  }
  void refresh(Network& /*source*/) override {}
  void archive(Archive& /*archive*/) override {}

 private:
  const ObservationStore* store_;
  int* computed_;
  RowBuffer rows_;
};

TEST(RememberedFunction, ComputesEachObservationOnceAlsoWhenNumbersAreGivenAgain) {
  ObservationStore store({1, 1, 2}, 4);
  int computed = 0;
  RememberedFunction function(std::make_unique<FirstByte>(store, computed), store);
  std::vector<Index> held;  // the last three, and what they are
  std::vector<float> value;
  for (int k = 0; k < 40; ++k) {  // five times round
    const std::byte array[2] = {static_cast<std::byte>(100 + k), std::byte{1}};
    held.push_back(store.add(array, -1));
    value.push_back(static_cast<float>(100 + k));
    if (held.size() > 3) held.erase(held.begin()), value.erase(value.begin());
    const Rows rows = function.forward(held);
    for (std::size_t r = 0; r < held.size(); ++r) ASSERT_EQ(rows[r][0], value[r]) << k;
    ASSERT_EQ(computed, k + 1);
  }
}

TEST(RememberedFunction, ForgetsWhatItKnewWhenItsFunctionChanges) {
  ObservationStore store({1, 1, 2}, 4);
  const std::byte array[2] = {std::byte{7}, std::byte{1}};
  const std::vector<Index> observations = {store.add(array, -1)};
  int computed = 0;
  RememberedFunction function(std::make_unique<FirstByte>(store, computed), store);
  function.forward(observations);
  function.forward(observations);
  EXPECT_EQ(computed, 1);
  TableNetwork any({}, RandomStream(1));
  function.refresh(any);
  EXPECT_EQ(function.forward(observations)[0][0], 7.0F);
  EXPECT_EQ(computed, 2);
}

TEST(ObservationStoreSerial, TellsObservationsOfOneNumberApart) {
  ObservationStore store({1, 1, 2}, 3);
  const std::byte array[2] = {};
  EXPECT_LT(store.serial(0), 0);
  for (std::int64_t k = 0; k < 20; ++k) EXPECT_EQ(store.serial(store.add(array, -1)), k);
}

}  // namespace
}  // namespace vapor::nn
