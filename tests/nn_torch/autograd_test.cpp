// Networks of ours against torch's own differentiation of the same functions.
#include <gtest/gtest.h>
#include <torch/types.h>

#include <cmath>

#include "random_arrays.h"
#include "vapor/nn/table_network.h"
#include "vapor/nn/torch/torch_network.h"

namespace vapor::nn {
namespace {

float slope(Index row, Index column) { return std::sin(1.0F + 3.0F * row + 0.7F * column); }

torch::Tensor slopes(Index rows, Index columns) {
  torch::Tensor t = torch::empty({rows, columns});
  for (Index r = 0; r < rows; ++r)
    for (Index j = 0; j < columns; ++j) t[r][j] = slope(r, j);
  return t;
}

void set_gradient(Network& network) {
  const Rows g = network.gradient();
  for (Index r = 0; r < g.rows; ++r)
    for (Index j = 0; j < g.columns; ++j) g[r][j] = slope(r, j);
}

torch::Tensor copy_of(const Rows& rows) {
  return torch::from_blob(rows.data, {rows.rows, rows.columns}, {rows.stride, 1}).clone();
}

// Both sides sum a few hundred products of size 1 in floats.
void expect_close(const torch::Tensor& a, const torch::Tensor& b) {
  ASSERT_EQ(a.sizes(), b.sizes());
  EXPECT_LT((a - b).abs().max().item<float>(), 2e-5F * (1.0F + b.abs().max().item<float>()));
}

class TableNetworkAutograd : public testing::TestWithParam<std::vector<Index>> {};

// An embedding and linear layers, rectified in between.
TEST_P(TableNetworkAutograd, OutputsAndGradientsAreThoseOfTorch) {
  TableNetworkSettings s;
  s.observations = 40;
  s.outputs = 7;
  s.hidden = GetParam();
  s.row_std = 0.5;
  TableNetwork network(s, RandomStream(2));

  const auto width = static_cast<std::int64_t>(network.table_row(0).size());
  torch::Tensor table = torch::empty({s.observations, width});
  for (Index i = 0; i < s.observations; ++i)
    for (std::int64_t j = 0; j < width; ++j) table[i][j] = network.table_row(i)[j];
  table.set_requires_grad(true);
  std::vector<torch::Tensor> layers;  // (inputs + 1) x outputs, the last row the bias
  for (Index k = 0; k < network.layers(); ++k)
    layers.push_back(copy_of(network.weights(k)).set_requires_grad(true));

  const std::vector<Index> batch = {3, 0, 3, 17, 39, 3, 0, 21};  // observations repeat
  torch::Tensor x =
      torch::embedding(table, torch::tensor(std::vector<std::int64_t>(batch.begin(), batch.end())));
  for (const torch::Tensor& layer : layers) {
    const auto inputs = layer.size(0) - 1;
    x = torch::addmm(layer[inputs], x.relu(), layer.narrow(0, 0, inputs));
  }
  expect_close(copy_of(network.forward(batch)), x.detach());

  x.backward(slopes(x.size(0), x.size(1)));
  set_gradient(network);
  network.backward();
  for (Index k = 0; k < network.layers(); ++k)
    expect_close(copy_of(network.weights_gradient(k)), layers[k].grad());
  torch::Tensor rows = torch::zeros_like(table.grad());
  std::vector<bool> seen(s.observations, false);
  for (Index r = 0; r < std::ssize(batch); ++r) {
    if (seen[batch[r]]) continue;
    seen[batch[r]] = true;
    for (std::int64_t j = 0; j < width; ++j) rows[batch[r]][j] = network.table_gradient(r)[j];
  }
  expect_close(rows, table.grad());
}

INSTANTIATE_TEST_SUITE_P(Shapes, TableNetworkAutograd,
                         testing::Values(std::vector<Index>{}, std::vector<Index>{16},
                                         std::vector<Index>{33, 12}));

// The small torso written with torch's own layers, on contiguous images, channel by channel.
TEST(TorchNetworkAutograd, ChannelsLastGivesTheOutputsAndGradientsOfContiguousImages) {
  const ObservationShape shape{4, 44, 36};
  const ObservationStore store = random_arrays(shape, 5);
  TorchNetworkSettings s;
  s.outputs = 6;
  s.output_std = 1.0;
  TorchNetwork network(s, std::make_shared<InputBuffer>(store), RandomStream(4));

  const std::vector<Index> batch = {2, 4, 1};
  torch::Tensor x = torch::empty({3, 4, 44, 36});
  std::vector<std::byte> bytes(shape.bytes());
  for (std::size_t r = 0; r < batch.size(); ++r) {
    store.copy_to(batch[r], bytes.data());
    x[static_cast<std::int64_t>(r)] =
        torch::from_blob(bytes.data(), {4, 44, 36}, torch::kUInt8).to(torch::kFloat) / 255.0;
  }

  // Weights of the network lie output by output, pixel by pixel, each at a whole cache line.
  float* at = network.parameters().data();
  const float* gradient_at = network.parameter_gradient().data();
  std::vector<torch::Tensor> weights, biases;
  const auto take = [&](std::vector<std::int64_t> sizes) {
    torch::Tensor t = torch::from_blob(at, sizes).clone();
    at += (t.numel() + 15) / 16 * 16;
    return t;
  };
  const auto layer = [&](std::int64_t outputs, std::int64_t inputs, std::int64_t kernel) {
    weights.push_back(take({outputs, kernel, kernel, inputs})
                          .permute({0, 3, 1, 2})
                          .contiguous()
                          .set_requires_grad(true));
    biases.push_back(take({outputs}).set_requires_grad(true));
  };
  layer(16, 4, 8), layer(32, 16, 4), layer(256, 32 * 4 * 3, 1), layer(6, 256, 1);

  x = torch::conv2d(x, weights[0], biases[0], 4).relu();
  x = torch::conv2d(x, weights[1], biases[1], 2).relu();
  x = x.permute({0, 2, 3, 1}).reshape({3, -1});
  x = torch::linear(x, weights[2].flatten(1), biases[2]).relu();
  x = torch::linear(x, weights[3].flatten(1), biases[3]);
  expect_close(copy_of(network.forward(batch)), x.detach());

  x.backward(slopes(3, 6));
  set_gradient(network);
  network.backward();
  for (std::size_t k = 0; k < weights.size(); ++k)
    for (torch::Tensor g : {weights[k].grad().permute({0, 2, 3, 1}), biases[k].grad()}) {
      const torch::Tensor ours =
          torch::from_blob(const_cast<float*>(gradient_at), {g.numel()}).clone();
      expect_close(ours, g.reshape({-1}));
      gradient_at += (g.numel() + 15) / 16 * 16;
    }
}

}  // namespace
}  // namespace vapor::nn
