#include "vapor/deep/uncertainty/reward_ensemble.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "vapor/nn/table_network.h"

namespace vapor::deep {
namespace {

constexpr Index kEnsembleObservations = 20;
constexpr Index kEnsembleActions = 2;

TableNetworkSettings shape(Index outputs, Index hidden) {
  TableNetworkSettings s;
  s.observations = kEnsembleObservations;
  s.outputs = outputs;
  if (hidden > 0) s.hidden = {hidden};
  s.adam = {.learning_rate = 2e-3, .epsilon = 1e-5};
  return s;
}

RewardEnsemble ensemble(const RewardEnsembleSettings& settings, Index hidden = 32) {
  const Index outputs = kEnsembleActions * settings.heads;
  TableNetworkSettings prior = shape(outputs, hidden);
  prior.row_std = 1.0;
  prior.output_std = settings.prior_std * std::sqrt(2.0);
  return {settings, kEnsembleActions,
          std::make_unique<TableNetwork>(shape(outputs, hidden), RandomStream(1)),
          TableNetwork(prior, RandomStream(2)).frozen()};
}

// Frames of action 0 at the observations 0, ..., 9.
Batch seen_frames(const RewardEnsemble& e, std::vector<float>& extras, RandomStream random) {
  extras.resize(10 * static_cast<std::size_t>(e.extras()));
  Batch batch(kEnsembleObservations, 20);
  for (Index i = 0; i < 10; ++i) {
    float* extra = e.extras() > 0 ? extras.data() + i * e.extras() : nullptr;
    if (extra != nullptr) e.draw_extras({extra, static_cast<std::size_t>(e.extras())}, random);
    batch.add({.observation = i, .action = 0, .reward = 0.1F * static_cast<float>(i), .last = true},
              0.9F, extra);
  }
  batch.end_sequence(0);
  return batch;
}

struct Spread {
  double seen = 0.0;          // largest sigma of the pairs with data
  double other_action = 1.0;  // smallest of the other action there
  double elsewhere = 1.0;     // smallest at the observations without data
};

Spread spread(RewardEnsemble& e) {
  std::vector<Index> all(kEnsembleObservations);
  for (Index i = 0; i < kEnsembleObservations; ++i) all[i] = i;
  std::vector<double> sigma(static_cast<std::size_t>(kEnsembleObservations) * kEnsembleActions);
  e.sigma(all, Pass::kLearn, sigma);
  Spread s;
  for (Index i = 0; i < kEnsembleObservations; ++i) {
    if (i < 10) s.seen = std::max(s.seen, sigma[2 * i]);
    if (i < 10) s.other_action = std::min(s.other_action, sigma[2 * i + 1]);
    if (i >= 10) s.elsewhere = std::min({s.elsewhere, sigma[2 * i], sigma[2 * i + 1]});
  }
  return s;
}

void learn(RewardEnsemble& e, const Batch& batch, int steps) {
  RandomStream random(5);
  std::vector<double> sigma(static_cast<std::size_t>(batch.rows()) * kEnsembleActions);
  for (int i = 0; i < steps; ++i) {
    e.sigma(batch.observations.observations(), Pass::kLearn, sigma);
    e.learn(batch, random);
  }
}

TEST(RewardEnsemble, SpreadShrinksWithDataAndStaysHighOffIt) {
  for (const bool fresh : {false, true}) {
    RewardEnsemble e = ensemble({.noise = fresh ? 0.1 : 0.003, .fresh_noise = fresh});
    const Spread before = spread(e);
    EXPECT_GT(before.elsewhere, 0.4);
    std::vector<float> extras;
    const Batch batch = seen_frames(e, extras, RandomStream(3));
    learn(e, batch, 3000);
    const Spread after = spread(e);
    EXPECT_LT(after.seen, fresh ? 0.2 : 0.03);
    EXPECT_GT(after.other_action, 0.4);
    EXPECT_GT(after.elsewhere, 0.4);
  }
}

// Fitted exactly, the heads differ by the stored noise of the frames alone.
TEST(RewardEnsemble, StoredNoiseIsTheSpreadThatIsLeft) {
  RewardEnsemble e = ensemble({.heads = 50, .sigma_scale = 1.0, .noise = 0.05}, 0);
  std::vector<float> extras;
  const Batch batch = seen_frames(e, extras, RandomStream(3));
  learn(e, batch, 6000);
  std::vector<double> sigma(static_cast<std::size_t>(batch.rows()) * kEnsembleActions);
  e.sigma(batch.observations.observations(), Pass::kLearn, sigma);
  for (Index i = 0; i < 10; ++i) {
    double mean = 0.0;
    double squares = 0.0;
    for (Index h = 0; h < 50; ++h) mean += extras[50 * i + h] / 50.0;
    for (Index h = 0; h < 50; ++h) squares += std::pow(extras[50 * i + h] - mean, 2) / 50.0;
    EXPECT_NEAR(sigma[2 * i], std::sqrt(squares), 2e-3);
  }
}

// A batch that has an observation twice, for both actions.
TEST(RewardEnsemble, LossHasTheGradientOfFiniteDifferences) {
  constexpr Index kHeads = 3;
  TableNetworkSettings linear = shape(kEnsembleActions * kHeads, 0);
  TableNetworkSettings flat = linear;
  flat.row_std = 0.0;
  auto network = std::make_unique<TableNetwork>(linear, RandomStream(1));
  TableNetwork& rows = *network;  // linear: its rows are its outputs
  RewardEnsemble e({.heads = kHeads}, kEnsembleActions, std::move(network),
                   TableNetwork(flat, RandomStream(2)).frozen());
  const std::vector<float> noise = {0.5F, -0.25F, 0.125F};
  Batch batch(kEnsembleObservations, 20);
  for (const Index action : {0, 1, 0})
    batch.add({.observation = 4, .action = action, .reward = 0.75F, .last = true}, 0.9F,
              noise.data());
  batch.end_sequence(0);
  std::vector<double> sigma(kEnsembleActions);
  const auto loss = [&] {
    RowBuffer ignored;
    ignored.resize(1, kEnsembleActions * kHeads);
    e.sigma(batch.observations.observations(), Pass::kLearn, sigma);
    return e.loss(batch, ignored.first(1));
  };
  RowBuffer gradient;
  gradient.resize(1, kEnsembleActions * kHeads);
  e.sigma(batch.observations.observations(), Pass::kLearn, sigma);
  e.loss(batch, gradient.first(1));
  for (Index j = 0; j < kEnsembleActions * kHeads; ++j) {
    float& x = rows.table_row(4)[j];
    const float at = x;
    x = at + 0.125F;
    const double above = loss();
    x = at - 0.125F;
    EXPECT_NEAR(gradient.first(1)[0][j], (above - loss()) / 0.25, 1e-5) << j;
    x = at;
  }
}

TEST(RewardEnsemble, SigmaIsTheScaledSpreadUpToOne) {
  RewardEnsemble small = ensemble({.sigma_scale = 0.1});
  RewardEnsemble large = ensemble({.sigma_scale = 0.2});
  RewardEnsemble huge = ensemble({.sigma_scale = 1e3});
  const std::vector<Index> one = {7};
  std::vector<double> a(2), b(2), c(2);
  small.sigma(one, Pass::kLearn, a);
  large.sigma(one, Pass::kLearn, b);
  huge.sigma(one, Pass::kLearn, c);
  EXPECT_NEAR(b[0], 2.0 * a[0], 1e-9);
  EXPECT_EQ(c[1], 1.0);
}

TEST(CountUncertainty, IsThePosteriorDeviation) {
  CountUncertainty counts({.sigma_scale = 2.0, .prior_std = 0.4, .noise = 0.1}, 3, 2);
  const std::vector<Frame> frames(4, Frame{.observation = 1, .action = 1});
  counts.observe(frames);
  const std::vector<Index> rows = {1};
  std::vector<double> sigma(2);
  counts.sigma(rows, Pass::kLearn, sigma);
  EXPECT_NEAR(sigma[0], 0.8, 1e-12);
  EXPECT_NEAR(sigma[1], 2.0 / std::sqrt(1.0 / 0.16 + 4.0 / 0.01), 1e-12);
}

TEST(CountUncertainty, IsOneAtMost) {
  CountUncertainty counts({.sigma_scale = 3.0, .prior_std = 0.4, .noise = 0.1}, 1, 1);
  std::vector<double> sigma(1);
  counts.sigma(std::vector<Index>{0}, Pass::kLearn, sigma);
  EXPECT_EQ(sigma[0], 1.0) << "not 3 * 0.4";
}

}  // namespace
}  // namespace vapor::deep
