#include "vapor/deep/uncertainty/random_distillation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "vapor/nn/table_network.h"

namespace vapor::deep {
namespace {

constexpr Index kDistilledObservations = 12;
constexpr Index kDistilledActions = 2;
constexpr RandomDistillationSettings kSettings{.features = 5, .sigma_scale = 3.0};

std::unique_ptr<TableNetwork> network(double row_std, double output_std, std::uint64_t seed) {
  TableNetworkSettings s;
  s.observations = kDistilledObservations;
  s.outputs = kDistilledActions * kSettings.features;
  s.hidden = {32};
  s.row_std = row_std;
  s.output_std = output_std;
  s.adam = {.learning_rate = 5e-3, .epsilon = 1e-5};
  return std::make_unique<TableNetwork>(s, RandomStream(seed));
}

RandomDistillation distillation() {
  return {kSettings, kDistilledActions, network(0.1, 0.1, 1),
          network(1.0, 0.4 * std::sqrt(2.0), 2)->frozen()};
}

// Action 1 at the observations 0, ..., 5, with rewards of any size.
Batch some_frames(float reward) {
  Batch batch(kDistilledObservations, 20);
  for (Index i = 0; i < 6; ++i)
    batch.add({.observation = i, .action = 1, .reward = reward, .last = true}, 0.9F, nullptr);
  batch.end_sequence(0);
  return batch;
}

std::vector<double> sigma_of(RandomDistillation& d) {
  std::vector<Index> all(kDistilledObservations);
  for (Index i = 0; i < kDistilledObservations; ++i) all[i] = i;
  std::vector<double> sigma(static_cast<std::size_t>(kDistilledObservations) * kDistilledActions);
  d.sigma(all, Pass::kPlay, sigma);
  return sigma;
}

void learn(RandomDistillation& d, const Batch& batch, int steps) {
  RandomStream random(5);
  std::vector<double> sigma(static_cast<std::size_t>(batch.rows()) * kDistilledActions);
  for (int i = 0; i < steps; ++i) {
    d.sigma(batch.observations.observations(), Pass::kLearn, sigma);
    d.learn(batch, random);
  }
}

TEST(RandomDistillation, ErrorVanishesAtWhatWasSeenAndStaysAtTheOtherActionAndElsewhere) {
  RandomDistillation d = distillation();
  learn(d, some_frames(7.0F), 2000);
  const std::vector<double> sigma = sigma_of(d);
  for (Index i = 0; i < kDistilledObservations; ++i) {
    if (i < 6) {
      EXPECT_LT(sigma[2 * i + 1], 0.02) << i;
    } else {
      EXPECT_GT(sigma[2 * i + 1], 0.2) << i;
    }
    EXPECT_GT(sigma[2 * i], 0.3) << i;
    EXPECT_LE(sigma[2 * i], 1.0) << i;
  }
}

TEST(RandomDistillation, DoesNotLookAtRewards) {
  RandomDistillation quiet = distillation();
  RandomDistillation loud = distillation();
  learn(quiet, some_frames(0.0F), 50);
  learn(loud, some_frames(1000.0F), 50);
  EXPECT_EQ(sigma_of(quiet), sigma_of(loud));
}

// The gradient with respect to the outputs g, by central differences in one of them at a time: the
// outputs are moved through the features, of which g - f knows no difference.
TEST(RandomDistillation, LossHasTheGradientOfFiniteDifferences) {
  // g and f are constant rows here: a linear network without steps, moved by a frozen one.
  class Moved : public FrozenFunction {
   public:
    explicit Moved(std::vector<float> shift) : shift_(std::move(shift)) {
      buffer_.resize(kDistilledObservations, outputs());
    }
    Index outputs() const override { return kDistilledActions * kSettings.features; }
    Rows forward(std::span<const Index> observations) override {
      const Rows rows = buffer_.first(static_cast<Index>(observations.size()));
      for (Index r = 0; r < rows.rows; ++r)
        for (Index j = 0; j < outputs(); ++j)
          rows[r][j] = 0.1F * static_cast<float>(r) - shift_[static_cast<std::size_t>(j)];
      return rows;
    }
    void archive(Archive& /*archive*/) override {}
    void refresh(Network& /*source*/) override {}

   private:
    std::vector<float> shift_;
    RowBuffer buffer_;
  };
  const Index outputs = kDistilledActions * kSettings.features;
  const Batch batch = some_frames(0.0F);
  // Loss and, summed over the rows, its gradient where all outputs j are raised by shift[j].
  const auto at = [&](const std::vector<float>& shift, std::vector<double>* slope) {
    RandomDistillation d(kSettings, kDistilledActions, network(0.1, 0.1, 1),
                         std::make_unique<Moved>(shift));
    std::vector<double> sigma(static_cast<std::size_t>(batch.rows()) * kDistilledActions);
    d.sigma(batch.observations.observations(), Pass::kLearn, sigma);
    RowBuffer gradient;
    gradient.resize(batch.rows(), outputs);
    const Rows rows = gradient.first(batch.rows());
    for (Index r = 0; r < rows.rows; ++r)
      for (Index j = 0; j < rows.stride; ++j) rows[r][j] = 0.0F;
    const double loss = d.loss(batch, rows);
    if (slope != nullptr)
      for (Index r = 0; r < rows.rows; ++r)
        for (Index j = 0; j < outputs; ++j) (*slope)[j] += rows[r][j];
    return loss;
  };
  std::vector<double> slope(outputs, 0.0);
  std::vector<float> shift(outputs, 0.25F);
  at(shift, &slope);
  constexpr float kDifference = 0.0625F;  // the loss is quadratic: any step is exact up to rounding
  for (Index j = 0; j < outputs; ++j) {
    shift[j] = 0.25F + kDifference;
    const double above = at(shift, nullptr);
    shift[j] = 0.25F - kDifference;
    EXPECT_NEAR((above - at(shift, nullptr)) / (2.0 * kDifference), slope[j], 1e-4) << j;
    EXPECT_EQ(slope[j] == 0.0, j < kSettings.features) << "action 0 has no frames";
    shift[j] = 0.25F;
  }
}

}  // namespace
}  // namespace vapor::deep
