#include "vapor/nn/table_network.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "vapor/core/archive.h"

namespace vapor::nn {
namespace {

// The same network in double precision, written out: parameters in one list.
struct Reference {
  TableNetworkSettings settings;
  std::vector<double> parameters;

  explicit Reference(TableNetwork& network) : settings(network.settings()) {
    for (Index i = 0; i < settings.observations; ++i)
      for (const float x : network.table_row(i)) parameters.push_back(x);
    for (Index k = 0; k < network.layers(); ++k) {
      const Rows w = network.weights(k);
      for (Index i = 0; i < w.rows; ++i)
        parameters.insert(parameters.end(), w[i], w[i] + w.columns);
    }
  }

  std::vector<double> outputs(Index observation) const {
    const std::vector<Index>& hidden = settings.hidden;
    const Index width = hidden.empty() ? settings.outputs : hidden[0];
    const double* row = parameters.data() + static_cast<std::ptrdiff_t>(observation) * width;
    std::vector<double> x(row, row + width);
    const double* w =
        parameters.data() + static_cast<std::ptrdiff_t>(settings.observations) * width;
    for (std::size_t k = 0; k < hidden.size(); ++k) {
      const Index n = k + 1 < hidden.size() ? hidden[k + 1] : settings.outputs;
      for (double& value : x) value = std::max(value, 0.0);
      x.push_back(1.0);
      std::vector<double> y(n, 0.0);
      for (const double value : x)
        for (Index j = 0; j < n; ++j) y[j] += value * *w++;
      x = y;
    }
    return x;
  }

  // sum over the batch of sum_j coefficient_j(row) output_j.
  double loss(const std::vector<Index>& batch, const std::vector<double>& coefficient) const {
    double sum = 0.0;
    for (std::size_t r = 0; r < batch.size(); ++r) {
      const std::vector<double> y = outputs(batch[r]);
      for (Index j = 0; j < settings.outputs; ++j)
        sum += coefficient[r * settings.outputs + j] * y[j];
    }
    return sum;
  }

  std::vector<double> slopes(const std::vector<Index>& batch,
                             const std::vector<double>& coefficient) {
    std::vector<double> slope;
    for (double& p : parameters) {
      const double at = p;
      p = at + 1e-6;
      const double above = loss(batch, coefficient);
      p = at - 1e-6;
      slope.push_back((above - loss(batch, coefficient)) / 2e-6);
      p = at;
    }
    return slope;
  }
};

std::vector<double> coefficients(std::size_t n) {
  std::vector<double> c;
  for (std::size_t i = 0; i < n; ++i) c.push_back(std::sin(1.0 + 3.7 * static_cast<double>(i)));
  return c;
}

void set_gradient(TableNetwork& network, const std::vector<double>& coefficient) {
  const Rows g = network.gradient();
  for (Index r = 0; r < g.rows; ++r)
    for (Index j = 0; j < g.columns; ++j)
      g[r][j] = static_cast<float>(coefficient[static_cast<std::size_t>(r) * g.columns + j]);
}

// In the order of Reference's parameters.
std::vector<double> gradients(TableNetwork& network, const std::vector<Index>& batch) {
  const TableNetworkSettings& s = network.settings();
  const std::size_t width = network.table_row(0).size();
  std::vector<double> all(width * s.observations, 0.0);
  std::vector<bool> seen(s.observations, false);
  for (std::size_t r = 0; r < batch.size(); ++r) {
    if (seen[batch[r]]) continue;
    seen[batch[r]] = true;
    const auto g = network.table_gradient(static_cast<Index>(r));
    std::copy(g.begin(), g.end(), all.begin() + static_cast<std::ptrdiff_t>(batch[r] * width));
  }
  for (Index k = 0; k < network.layers(); ++k) {
    const Rows g = network.weights_gradient(k);
    for (Index i = 0; i < g.rows; ++i) all.insert(all.end(), g[i], g[i] + g.columns);
  }
  return all;
}

TableNetworkSettings shape(std::vector<Index> hidden) {
  TableNetworkSettings s;
  s.observations = 7;
  s.outputs = 3;
  s.hidden = std::move(hidden);
  s.row_std = 0.5;
  return s;
}

class TableNetworkShapes : public testing::TestWithParam<std::vector<Index>> {};

// A batch with observations that repeat and some that are missing.
const std::vector<Index> kTableBatch = {3, 0, 3, 5, 3, 0, 6};

TEST_P(TableNetworkShapes, OutputsAreThoseOfTheReference) {
  TableNetwork network(shape(GetParam()), RandomStream(1));
  const Reference reference(network);
  const Rows out = network.forward(kTableBatch);
  for (Index r = 0; r < out.rows; ++r) {
    const std::vector<double> y = reference.outputs(kTableBatch[r]);
    for (Index j = 0; j < out.columns; ++j) EXPECT_NEAR(out[r][j], y[j], 1e-6);
  }
}

TEST_P(TableNetworkShapes, GradientsAreThoseOfFiniteDifferences) {
  TableNetwork network(shape(GetParam()), RandomStream(2));
  Reference reference(network);
  const std::vector<double> c = coefficients(kTableBatch.size() * 3);
  network.forward(kTableBatch);
  set_gradient(network, c);
  network.backward();
  const std::vector<double> found = gradients(network, kTableBatch);
  const std::vector<double> wanted = reference.slopes(kTableBatch, c);
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 2e-6) << i;
}

// Merging: one row an observation with the summed gradient is the same step.
TEST_P(TableNetworkShapes, MergedRowsStepAsUnmergedOnes) {
  TableNetwork unmerged(shape(GetParam()), RandomStream(3));
  TableNetwork merged(shape(GetParam()), RandomStream(3));
  for (int step = 0; step < 5; ++step) {
    const std::vector<double> c = coefficients(kTableBatch.size() * 3);
    unmerged.forward(kTableBatch);
    set_gradient(unmerged, c);
    unmerged.step();
    const std::vector<Index> distinct = {3, 0, 5, 6};
    merged.forward(distinct);
    const Rows g = merged.gradient();
    for (std::size_t r = 0; r < kTableBatch.size(); ++r)
      for (std::size_t d = 0; d < distinct.size(); ++d)
        if (distinct[d] == kTableBatch[r])
          for (Index j = 0; j < 3; ++j)
            g[static_cast<Index>(d)][j] += static_cast<float>(c[r * 3 + j]);
    merged.step();
  }
  const Reference a(unmerged);
  const Reference b(merged);
  for (std::size_t i = 0; i < a.parameters.size(); ++i)
    EXPECT_NEAR(a.parameters[i], b.parameters[i], 1e-5) << i;
}

TEST_P(TableNetworkShapes, RowsThatABatchDoesNotTouchStay) {
  TableNetwork network(shape(GetParam()), RandomStream(4));
  const std::vector<float> before(network.table_row(1).begin(), network.table_row(1).end());
  const std::vector<float> touched(network.table_row(3).begin(), network.table_row(3).end());
  network.forward(kTableBatch);
  set_gradient(network, coefficients(kTableBatch.size() * 3));
  network.step();
  EXPECT_TRUE(std::equal(before.begin(), before.end(), network.table_row(1).begin()));
  EXPECT_FALSE(std::equal(touched.begin(), touched.end(), network.table_row(3).begin()));
}

TEST_P(TableNetworkShapes, ArchivedInTheMiddleItGoesOnToTheSameBits) {
  const std::vector<double> c = coefficients(kTableBatch.size() * 3);
  const auto learn = [&](TableNetwork& network, int steps) {
    for (int i = 0; i < steps; ++i) {
      network.forward(kTableBatch);
      set_gradient(network, c);
      network.step();
    }
  };
  TableNetwork unbroken(shape(GetParam()), RandomStream(5));
  learn(unbroken, 3);
  Archive saved;
  unbroken.archive(saved);
  learn(unbroken, 3);
  TableNetwork resumed(shape(GetParam()), RandomStream(99));
  Archive restored = Archive::restoring(saved.bytes());
  resumed.archive(restored);
  restored.expect_end();
  learn(resumed, 3);
  EXPECT_EQ(Reference(unbroken).parameters, Reference(resumed).parameters);
}

TEST_P(TableNetworkShapes, AFrozenTableKeepsWhatTheNetworkComputed) {
  TableNetwork network(shape(GetParam()), RandomStream(6));
  const Reference before(network);
  const auto frozen = network.frozen();
  network.forward(kTableBatch);
  set_gradient(network, coefficients(kTableBatch.size() * 3));
  network.step();
  const auto expect_outputs = [&](const Reference& reference) {
    const Rows out = frozen->forward(kTableBatch);
    for (Index r = 0; r < out.rows; ++r)
      for (Index j = 0; j < 3; ++j)
        EXPECT_NEAR(out[r][j], reference.outputs(kTableBatch[r])[j], 1e-6);
  };
  expect_outputs(before);
  frozen->refresh(network);
  expect_outputs(Reference(network));
}

INSTANTIATE_TEST_SUITE_P(Hidden, TableNetworkShapes,
                         testing::Values(std::vector<Index>{}, std::vector<Index>{5},
                                         std::vector<Index>{16}, std::vector<Index>{9, 24},
                                         std::vector<Index>{8, 4, 11}));

// Products of all sizes around the blocks of the kernel, both ways to read A.
TEST(Matrix, ProductsOfAllSizesAreThoseOfTheDefinition) {
  RandomStream random(7);
  for (const Index rows : {1, 3, 4, 7, 8, 13})
    for (const Index inner : {1, 5, 255, 256, 300})
      for (const Index columns : {8, 16, 24, 32, 48, 56}) {
        Floats A(static_cast<std::size_t>(rows) * inner);
        Floats B(static_cast<std::size_t>(inner) * columns);
        Floats C(static_cast<std::size_t>(rows) * columns, 5.0F);
        for (float& x : A) x = static_cast<float>(random.normal());
        for (float& x : B) x = static_cast<float>(random.normal());
        for (const bool transposed : {false, true}) {
          multiply({A.data(), transposed ? 1 : inner, transposed ? rows : 1, B.data(), columns,
                    C.data(), columns, rows, inner, columns});
          for (Index m = 0; m < rows; ++m)
            for (Index n = 0; n < columns; ++n) {
              double sum = 0.0;
              for (Index k = 0; k < inner; ++k)
                sum += static_cast<double>(A[transposed ? k * rows + m : m * inner + k]) *
                       B[k * columns + n];
              ASSERT_NEAR(C[m * columns + n], sum, 2e-4);
            }
        }
      }
}

}  // namespace
}  // namespace vapor::nn
