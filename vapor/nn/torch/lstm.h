// A long short-term memory (Hochreiter and Schmidhuber, 1997; with the forget gate of Gers,
// Schmidhuber and Cummins, 2000) of N units:
//
//   (i, f, g, o) = W (x_t, h_{t-1}) + b,
//   c_t = sigmoid(f) c_{t-1} + sigmoid(i) tanh(g),   h_t = sigmoid(o) tanh(c_t).
//
// W has 4N rows, gate by gate, as a convolution of 1 x 1; x and h are images of one pixel.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vapor/core/index.h"
#include "vapor/nn/matrix.h"

namespace at {
class Tensor;
}

namespace vapor::nn {

// In which order rows are worked that follow one another in runs of different length: the first
// rows of all runs, then their second rows, ..., in each step the longest run first. So the runs of
// a step are the first ones of the step before.
struct TimeOrder {
  std::vector<std::int64_t> row;       // by position in this order
  std::vector<std::int64_t> position;  // by row
  std::vector<Index> runs;             // by step
};

// `first_rows`, rising from 0, are the rows at which a run begins.
TimeOrder time_order(std::span<const Index> first_rows, Index rows);

// Between two steps, by place; all zero where an episode begins.
struct LstmState {
  Floats h, c;
};

// Rows of h for rows of x, every run from the state 0.
at::Tensor lstm_runs(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                     const TimeOrder& order);

// The same for one step at as many places as x has rows, which takes their states on.
at::Tensor lstm_step(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                     LstmState& state);

}  // namespace vapor::nn
