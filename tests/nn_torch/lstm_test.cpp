#include "vapor/nn/torch/lstm.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <cmath>
#include <tuple>

#include "random_arrays.h"
#include "vapor/nn/network_parts.h"
#include "vapor/nn/torch/torch_network.h"

namespace vapor::nn {
namespace {

using Numbers = std::vector<Index>;
using Longs = std::vector<std::int64_t>;

TEST(TimeOrder, WorksAllRunsStepByStepTheLongestFirst) {
  // Runs of 2, 3, 1 and 3 rows.
  const TimeOrder order = time_order(Numbers{0, 2, 5, 6}, 9);
  EXPECT_EQ(order.row, (Longs{2, 6, 0, 5, 3, 7, 1, 4, 8}));
  EXPECT_EQ(order.position, (Longs{2, 6, 0, 4, 7, 3, 1, 5, 8}));
  EXPECT_EQ(order.runs, (Numbers{4, 3, 2}));
}

TorchNetworkSettings recurrent(Torso torso) {
  TorchNetworkSettings s;
  s.torso = torso;
  s.hidden = 0;
  s.lstm = 4;
  s.outputs = 3;
  s.output_std = 1.0;
  s.adam.learning_rate = 0.01;
  return s;
}

struct Fixture {
  explicit Fixture(Torso torso = Torso::kMlp)
      : store(random_arrays(torso == Torso::kMlp ? ObservationShape{1, 1, 5, Element::kFloat}
                                                 : ObservationShape{2, 6, 6},
                            12)),
        network(recurrent(torso), std::make_shared<InputBuffer>(store), RandomStream(3)) {}

  ObservationStore store;
  TorchNetwork network;
};

using Values = std::vector<std::vector<float>>;

Values values_of(const Rows& rows) {
  Values values;
  for (Index r = 0; r < rows.rows; ++r) values.emplace_back(rows[r], rows[r] + rows.columns);
  return values;
}

Values forward(Network& network, const Numbers& batch, const Numbers& first_rows) {
  network.set_first_rows(first_rows);
  return values_of(network.forward(batch));
}

void expect_close(const std::vector<float>& a, const std::vector<float>& b, const char* what) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t j = 0; j < a.size(); ++j) EXPECT_NEAR(a[j], b[j], 1e-5) << what << ' ' << j;
}

float slope(std::size_t row, std::size_t column) {
  return std::sin(1.0F + 3.0F * static_cast<float>(row) + 0.7F * static_cast<float>(column));
}

// Runs of 3, 1 and 5 rows.
const Numbers kBatch = {4, 0, 3, 7, 1, 1, 8, 2, 11};
const Numbers kFirstRows = {0, 3, 4};

// Every parameter by itself. The network is smooth and its loss, some 27 terms of size 1, is known
// to about 3e-6: at a distance of 1e-2 that is 3e-4 of the slope, as large as the curvature's part.
TEST(Lstm, GradientsThroughTimeAreThoseOfFiniteDifferences) {
  Fixture f;
  const auto loss = [&] {
    const Values out = forward(f.network, kBatch, kFirstRows);
    double sum = 0.0;
    for (std::size_t r = 0; r < out.size(); ++r)
      for (std::size_t j = 0; j < out[r].size(); ++j)
        sum += static_cast<double>(slope(r, j)) * out[r][j];
    return sum;
  };
  loss();
  const Rows g = f.network.gradient();
  for (Index r = 0; r < g.rows; ++r)
    for (Index j = 0; j < g.columns; ++j) g[r][j] = slope(r, j);
  f.network.backward();
  const std::vector<float> gradient(f.network.parameter_gradient().begin(),
                                    f.network.parameter_gradient().end());
  const std::span<float> w = f.network.parameters();
  constexpr float h = 1e-2F;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const float start = w[i];
    w[i] = start + h;
    const double above = loss();
    w[i] = start - h;
    const double below = loss();
    w[i] = start;
    if (above == below) {
      EXPECT_EQ(gradient[i], 0.0F) << i << " is between two layers";
      continue;
    }
    EXPECT_NEAR((above - below) / (2.0 * h), gradient[i], 2e-3 * (1.0 + std::abs(gradient[i])))
        << i;
  }
}

// Torch's own cell, run by run.
TEST(Lstm, IsTheCellOfTorch) {
  const TorchNetworkSettings s = recurrent(Torso::kMlp);
  Fixture f;
  const Values ours = forward(f.network, kBatch, kFirstRows);
  float* at = f.network.parameters().data();
  const auto take = [&](std::vector<std::int64_t> sizes) {
    torch::Tensor t = torch::from_blob(at, sizes).clone();
    at += (t.numel() + 15) / 16 * 16;
    return t;
  };
  const torch::Tensor weight = take({4 * s.lstm, 5 + s.lstm});
  const torch::Tensor bias = take({4 * s.lstm});
  const torch::Tensor head = take({s.outputs, s.lstm});
  EXPECT_EQ(bias.sum().item<float>(), 4.0F) << "the forget gate begins open";
  torch::Tensor h, c;
  for (std::size_t r = 0, run = 0; r < kBatch.size(); ++r) {
    if (run < kFirstRows.size() && static_cast<Index>(r) == kFirstRows[run]) {
      h = c = torch::zeros({1, s.lstm});
      ++run;
    }
    torch::Tensor x = torch::empty({1, 5});
    f.store.copy_to(kBatch[r], static_cast<std::byte*>(x.data_ptr()));
    std::tie(h, c) = torch::lstm_cell(x, {h, c}, weight.narrow(1, 0, 5).contiguous(),
                                      weight.narrow(1, 5, s.lstm).contiguous(), bias);
    const torch::Tensor out = torch::linear(h, head);
    for (Index j = 0; j < s.outputs; ++j)
      EXPECT_NEAR(ours[r][j], out[0][j].item<float>(), 1e-5) << r;
  }
}

// Three places; at the second an episode ends after two steps and the next one begins, and the
// third shows the same array all the time.
TEST(Lstm, PlayingStepByStepIsTheLearningPassOfTheEpisodes) {
  Fixture f(Torso::kTiny);
  const Numbers episodes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8};
  const Values learned = forward(f.network, episodes, {0, 4, 6, 8});
  for (Index place = 0; place < 3; ++place) f.network.begin_episode(place);
  for (Index t = 0; t < 4; ++t) {
    if (t == 2) f.network.begin_episode(1);
    const Values played = values_of(f.network.evaluate(Numbers{t, 4 + t, 8}));
    for (Index place = 0; place < 3; ++place)
      expect_close(played[place], learned[4 * place + t], "place and step");
    forward(f.network, kBatch, kFirstRows);  // learning in between does not touch what is played
  }
  EXPECT_GT(std::abs(learned[8][0] - learned[11][0]), 1e-3) << "the state matters";
  const Values anew = forward(f.network, {5, 6}, {0, 1});
  expect_close(anew[1], learned[6], "the first of an episode");
  EXPECT_GT(std::abs(anew[0][0] - learned[5][0]), 1e-4) << "the start matters";
}

// As an actor does in the middle of an episode.
TEST(Lstm, NewParametersLeaveTheStateOfThePlaces) {
  Fixture f, unbroken;
  const Numbers here = {5};
  const Values first = values_of(f.network.evaluate(here));
  EXPECT_EQ(values_of(unbroken.network.evaluate(here)), first);
  Archive published;
  unbroken.network.archive_parameters(published);
  Archive received = Archive::restoring(published.bytes());
  f.network.archive_parameters(received);
  received.expect_end();
  const Values second = values_of(f.network.evaluate(here));
  EXPECT_EQ(values_of(unbroken.network.evaluate(here)), second);
  EXPECT_NE(first, second);
  f.network.begin_episode(0);
  EXPECT_EQ(values_of(f.network.evaluate(here)), first);
}

TEST(Lstm, ARestoredNetworkContinuesToTheSameBits) {
  const auto learn = [](TorchNetwork& network, int steps) {
    for (int k = 0; k < steps; ++k) {
      forward(network, kBatch, kFirstRows);
      const Rows g = network.gradient();
      for (Index r = 0; r < g.rows; ++r)
        for (Index j = 0; j < g.columns; ++j) g[r][j] = slope(r + k, j);
      network.step();
    }
  };
  Fixture f, other;
  learn(f.network, 3);
  Archive saved;
  f.network.archive(saved);
  Archive restored = Archive::restoring(saved.bytes());
  other.network.archive(restored);
  restored.expect_end();
  for (Fixture* each : {&f, &other}) learn(each->network, 3);
  EXPECT_TRUE(std::ranges::equal(f.network.parameters(), other.network.parameters()));
}

// Two heads that are asked one after the other see one step, and either is told of episodes.
TEST(Lstm, ThePartsOfANetworkPlayOneStepTogether) {
  Fixture f, direct;
  auto whole = std::make_unique<TorchNetwork>(
      recurrent(Torso::kMlp), std::make_shared<InputBuffer>(f.store), RandomStream(3));
  const NetworkPart heads[] = {{2}, {1}};
  const auto parts = split_network(std::move(whole), heads);
  for (int t = 0; t < 6; ++t) {
    if (t == 2 || t == 4) {
      parts[t / 2 - 1]->begin_episode(1);
      direct.network.begin_episode(1);
    }
    const Numbers seen = {5, 6};  // the same numbers at every step
    const Values all = values_of(direct.network.evaluate(seen));
    const Values one = values_of(parts[1]->evaluate(seen));
    const Values two = values_of(parts[0]->evaluate(seen));
    for (std::size_t place = 0; place < 2; ++place) {
      EXPECT_EQ(one[place][0], all[place][2]) << t;
      EXPECT_EQ(two[place][0], all[place][0]) << t;
    }
  }
}

}  // namespace
}  // namespace vapor::nn
