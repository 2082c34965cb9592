#include "vapor/env/inventory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "vapor/core/error.h"
#include "vapor/env/budget.h"
#include "vapor/env/unroll.h"

namespace vapor {
namespace {

constexpr Index kStock = 6;  // 0..5 items
constexpr std::array<double, kStock> kDemand = {0.3, 0.2, 0.2, 0.2, 0.05, 0.05};

std::array<double, kStock> stock_after(Index held) {
  std::array<double, kStock> probability{};
  for (Index d = 0; d < kStock; ++d) probability[std::max(held - d, 0)] += kDemand[d];
  return probability;
}

double sales(Index held) {
  const std::array<double, kStock> probability = stock_after(held);
  double sum = 0.0;
  for (Index d = 0; d <= held; ++d) sum += probability[held - d] * 8.0 * d / 100.0;
  return sum;
}

double expense(Index stock, Index order) {
  return (order > 0 ? 4.0 + 2.0 * order : 0.0) + stock + order;
}

StationaryMdp store() {
  StationaryMdp mdp;
  mdp.rows = 1;
  mdp.columns = kStock;
  mdp.actions = kStock;
  mdp.initial.assign(kStock, 0.0);
  mdp.initial[0] = 1.0;
  mdp.next.resize(kStock * kStock);
  for (Index s = 0; s < kStock; ++s)
    for (Index a = 0; s + a < kStock; ++a) {
      const std::array<double, kStock> probability = stock_after(s + a);
      for (Index after = 0; after < kStock; ++after)
        if (probability[after] > 0.0)
          mdp.next[s * kStock + a].emplace_back(after, probability[after]);
    }
  return mdp;
}

}  // namespace

void validate(const InventorySettings& settings) {
  if (settings.horizon < 1 || settings.horizon > 10000)
    throw InputError("horizon", fmt::format("must be in 1..10000, got {}", settings.horizon));
}

Environment inventory(const InventorySettings& settings) {
  validate(settings);
  double most_sales = 0.0, most_expense = 0.0;
  for (Index s = 0; s < kStock; ++s)
    for (Index a = 0; s + a < kStock; ++a) {
      most_sales = std::max(most_sales, sales(s + a));
      most_expense = std::max(most_expense, expense(s, a));
    }
  Environment world = unroll(store(), settings.horizon, Layers::kAll);
  const Shape& shape = world.shape();
  world.stationary = true;
  world.known.reward_high = 1.0;
  std::vector<double> cost(shape.pairs(), 0.0);
  for (Index s = 0; s < shape.states(); ++s)
    for (Index p : shape.pairs_of(s)) {
      const Index stock = cell_of(world, s), order = p - shape.pairs_of(s).first();
      world.model.reward_mean[p] = sales(stock + order) / most_sales;
      cost[p] = expense(stock, order) / most_expense;
    }
  set_cost(world, std::move(cost),
           settings.budget > 0.0 ? settings.budget : settings.horizon / 2.0);
  return world;
}

}  // namespace vapor
