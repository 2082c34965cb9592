#include "vapor/nn/torch/torch_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <ostream>

#include "random_arrays.h"
#include "vapor/core/error.h"
#include "vapor/nn/remembered_function.h"

namespace vapor::nn {
namespace {

struct Case {
  const char* name;
  Torso torso;
  ObservationShape shape;
  bool unit_features = false;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

const Case kCases[] = {
    {"small", Torso::kSmall, {4, 36, 40}},
    {"large", Torso::kLarge, {4, 44, 36}},
    {"tiny", Torso::kTiny, {6, 10, 10}},
    {"mlp", Torso::kMlp, {1, 1, 7, Element::kFloat}},
    {"unit_features", Torso::kTiny, {3, 5, 4}, true},
};

TorchNetworkSettings settings_of(const Case& c) {
  TorchNetworkSettings s;
  s.torso = c.torso;
  s.hidden = 12;
  s.layers = 2;
  s.outputs = 5;
  s.output_std = 1.0;
  s.unit_features = c.unit_features;
  s.adam.learning_rate = 1e-3;
  return s;
}

struct NetworkFixture {
  explicit NetworkFixture(const Case& c)
      : store(random_arrays(c.shape, 6)),
        network(settings_of(c), std::make_shared<InputBuffer>(store), RandomStream(3)) {}

  ObservationStore store;
  TorchNetwork network;
};

const std::vector<Index> kArrays = {4, 0, 3};

float network_slope(Index row, Index column) { return std::sin(1.0F + 3.0F * row + 0.7F * column); }

void set_network_gradient(Network& network) {
  const Rows g = network.gradient();
  for (Index r = 0; r < g.rows; ++r)
    for (Index j = 0; j < g.columns; ++j) g[r][j] = network_slope(r, j);
}

double network_loss(Network& network) {
  const Rows out = network.evaluate(kArrays);
  double sum = 0.0;
  for (Index r = 0; r < out.rows; ++r)
    for (Index j = 0; j < out.columns; ++j)
      sum += static_cast<double>(network_slope(r, j)) * out[r][j];
  return sum;
}

void learn(Network& network, const std::vector<Index>& batch) {
  network.forward(batch);
  set_network_gradient(network);
  network.step();
}

class TorchNetworkCases : public testing::TestWithParam<Case> {};

// The parameters in pieces. Along the gradient g of one piece, the others held, the network_loss
// rises with network_slope |g|, and less along anything that is not its gradient. The network_loss,
// a sum of some 15 terms of size 1, is known to about 2e-6 in floats; so between two points 2e-3
// apart the network_slope is known to 2e-3, and between points four times nearer to 1e-2. A kink of
// a rectifier may lie between the points, but seldom between both pairs: the better one counts.
TEST_P(TorchNetworkCases, GradientsAreThoseOfFiniteDifferences) {
  NetworkFixture f(GetParam());
  f.network.forward(kArrays);
  set_network_gradient(f.network);
  f.network.backward();
  const std::vector<float> g(f.network.parameter_gradient().begin(),
                             f.network.parameter_gradient().end());
  const std::span<float> w = f.network.parameters();
  const std::vector<float> start(w.begin(), w.end());
  constexpr std::size_t kPieces = 30;
  for (std::size_t k = 0; k < kPieces; ++k) {
    const std::size_t begin = w.size() * k / kPieces;
    const std::size_t end = w.size() * (k + 1) / kPieces;
    const double length = std::sqrt(std::inner_product(&g[begin], &g[end], &g[begin], 0.0));
    if (length == 0.0) continue;
    const auto at = [&](double h) {
      for (std::size_t i = begin; i < end; ++i)
        w[i] = static_cast<float>(start[i] + h * g[i] / length);
      return network_loss(f.network);
    };
    double error = length;
    for (const double h : {1e-3, 2.5e-4})
      error = std::min(error, std::abs((at(h) - at(-h)) / (2.0 * h) - length));
    at(0.0);
    EXPECT_LT(error, 0.02 * length + 1e-2) << k;
  }
}

TEST_P(TorchNetworkCases, EvaluationIsForward) {
  NetworkFixture f(GetParam());
  const Rows out = f.network.evaluate(kArrays);
  const std::vector<float> first(out.data, out.data + out.rows * out.stride);
  const Rows again = f.network.forward(kArrays);
  for (Index r = 0; r < out.rows; ++r)
    for (Index j = 0; j < out.columns; ++j) EXPECT_FLOAT_EQ(again[r][j], first[r * out.stride + j]);
}

// What is remembered of a row must not depend on what it was computed with.
TEST_P(TorchNetworkCases, OfEquallyManyRowsEachIsTheSameBitsWhateverIsBesideIt) {
  NetworkFixture f(GetParam());
  const std::vector<Index> many = {0, 1, 2, 3, 4, 5, 4, 3, 2, 1, 0, 5, 3, 2, 2, 1};
  std::vector<std::vector<float>> first(6);
  for (std::size_t begin = 0; begin + RememberedFunction::kTogether <= many.size(); ++begin) {
    const auto some = std::span(many).subspan(begin, RememberedFunction::kTogether);
    const Rows out = f.network.evaluate(some);
    for (Index r = 0; r < out.rows; ++r) {
      const std::vector<float> row(out[r], out[r] + out.columns);
      if (first[some[r]].empty()) first[some[r]] = row;
      EXPECT_EQ(row, first[some[r]]);
    }
  }
}

TEST_P(TorchNetworkCases, ARestoredNetworkContinuesToTheSameBits) {
  NetworkFixture f(GetParam());
  for (int k = 0; k < 3; ++k) learn(f.network, kArrays);
  Archive saved;
  f.network.archive(saved);

  NetworkFixture other(GetParam());
  Archive restored = Archive::restoring(saved.bytes());
  other.network.archive(restored);
  restored.expect_end();
  for (NetworkFixture* each : {&f, &other})
    for (int k = 0; k < 3; ++k) learn(each->network, {5, 2, k});
  EXPECT_TRUE(std::ranges::equal(f.network.parameters(), other.network.parameters()));

  Archive playing;
  f.network.archive_parameters(playing);
  EXPECT_LT(playing.bytes().size(), saved.bytes().size() / 2);
}

TEST_P(TorchNetworkCases, AFrozenFunctionStaysUntilItIsRefreshed) {
  NetworkFixture f(GetParam());
  auto frozen = f.network.frozen();
  const float before = frozen->forward(kArrays)[2][1];
  EXPECT_EQ(f.network.evaluate(kArrays)[2][1], before);
  learn(f.network, kArrays);
  EXPECT_EQ(frozen->forward(kArrays)[2][1], before);
  EXPECT_NE(f.network.evaluate(kArrays)[2][1], before);
  frozen->refresh(f.network);
  EXPECT_EQ(frozen->forward(kArrays)[2][1], f.network.evaluate(kArrays)[2][1]);
}

INSTANTIATE_TEST_SUITE_P(Torsos, TorchNetworkCases, testing::ValuesIn(kCases),
                         [](const auto& param) { return param.param.name; });

TEST(TorchNetwork, StepsDownTheGradientNoFurtherThanItsNormAllows) {
  // Adam's first step is learning_rate g / (|g| + epsilon) a parameter: with a large epsilon it
  // shows the gradient's length, |step| = rate |g| / epsilon where |g| is far below epsilon.
  const auto length_of_step = [](double gradient_norm) {
    const ObservationStore store = random_arrays({2, 6, 6}, 6);
    TorchNetworkSettings s = settings_of({"", Torso::kTiny, {2, 6, 6}});
    s.adam = {.learning_rate = 1.0, .epsilon = 10.0};
    s.gradient_norm = gradient_norm;
    TorchNetwork network(s, std::make_shared<InputBuffer>(store), RandomStream(3));
    const std::vector<float> start(network.parameters().begin(), network.parameters().end());
    learn(network, kArrays);
    double squares = 0.0;
    for (std::size_t i = 0; i < start.size(); ++i)
      squares += std::pow(network.parameters()[i] - start[i], 2);
    return std::sqrt(squares);
  };
  EXPECT_NEAR(length_of_step(0.01), 0.001, 2e-5);
  EXPECT_NEAR(length_of_step(0.02), 0.002, 4e-5);
  EXPECT_GT(length_of_step(1e6), 0.01);
}

TEST(TorchNetwork, OutputsOfUnitFeaturesHaveTheirDeviationAtEveryArray) {
  const ObservationShape shape{2, 10, 10};
  ObservationStore store(shape, 3);
  std::vector<std::byte> array(shape.bytes());
  for (const int value : {0, 3, 255}) {  // black, dark and bright: all have it
    array.assign(array.size(), static_cast<std::byte>(value));
    store.add(array, -1);
  }
  TorchNetworkSettings s = settings_of({"", Torso::kTiny, shape, true});
  s.outputs = 4000;
  s.output_std = 0.4;
  TorchNetwork network(s, std::make_shared<InputBuffer>(store), RandomStream(9));
  const Rows out = network.evaluate(std::vector<Index>{0, 1, 2});
  for (Index r = 0; r < 3; ++r) {
    double squares = 0.0;
    for (Index j = 0; j < s.outputs; ++j) squares += static_cast<double>(out[r][j]) * out[r][j];
    // 4000 draws: the standard error of the deviation is 0.4 / sqrt(8000) = 0.0045.
    EXPECT_NEAR(std::sqrt(squares / s.outputs), 0.4, 0.018) << r;
  }
}

TEST(TorchNetwork, ArraysThatDoNotFitAreRefusedWithATorsoThatDoes) {
  const auto error_of = [](Torso torso, const ObservationShape& shape) -> std::string {
    const ObservationStore store = random_arrays(shape, 2);
    TorchNetworkSettings s;
    s.torso = torso;
    try {
      TorchNetwork(s, std::make_shared<InputBuffer>(store), RandomStream(1));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  using testing::HasSubstr;
  EXPECT_THAT(error_of(Torso::kLarge, {4, 10, 10}), HasSubstr("choose torso=tiny"));
  EXPECT_THAT(error_of(Torso::kLarge, {4, 84, 35}), HasSubstr("large needs images of 36 x 36"));
  EXPECT_THAT(error_of(Torso::kSmall, {4, 19, 84}), HasSubstr("small needs images of 20 x 20"));
  EXPECT_THAT(error_of(Torso::kTiny, {1, 1, 8}), HasSubstr("choose torso=mlp"));
  EXPECT_EQ(error_of(Torso::kLarge, {4, 36, 36}), "");
  EXPECT_EQ(error_of(Torso::kSmall, {4, 20, 20}), "");
}

}  // namespace
}  // namespace vapor::nn
