// A multilayer perceptron on one-hot observations. The first layer is a table: observation i reads
// row i of it, so a forward pass copies rows where a dense layer would multiply by zeros, and Adam
// steps only the rows that a batch touched (adam.h says how their moments are treated).
//
//   x_1 = max(row_i, 0),  x_{k+1} = max(W_k [x_k; 1], 0),  outputs = W_K [x_K; 1]
//
// Without hidden layers the rows are the outputs: a linear function of the one-hot vector. The
// first layer has no bias, which would only shift every row.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "vapor/core/random.h"
#include "vapor/nn/adam.h"
#include "vapor/nn/network.h"

namespace vapor::nn {

struct TableNetworkSettings {
  Index observations = 1;          // rows of the table, >= 1
  Index outputs = 1;               // >= 1
  std::vector<Index> hidden = {};  // widths of the hidden layers, each >= 1
  double row_std = 0.1;            // the rows start as N(0, row_std^2)
  double output_std = 1.0;         // output weights start as N(0, output_std^2 / width)
  AdamSettings adam = {};
};

class TableNetwork : public Network {
 public:
  TableNetwork(const TableNetworkSettings& settings, RandomStream random);

  Index outputs() const override { return settings_.outputs; }
  Rows forward(std::span<const Index> observations) override;
  Rows gradient() override { return gradient_.first(rows_); }
  void step() override;
  std::unique_ptr<FrozenFunction> frozen() override;
  void archive(Archive& archive) override;

  // Without the step: afterwards the gradients below are those of the last `forward`.
  void backward();

  // The parameters and their gradients. Of equal observations the first row has the sum.
  Index layers() const { return static_cast<Index>(layers_.size()); }
  Rows weights(Index layer);  // (inputs + 1) x outputs; the last row is the bias
  Rows weights_gradient(Index layer);
  std::span<float> table_row(Index observation);
  std::span<const float> table_gradient(Index row);

  const TableNetworkSettings& settings() const { return settings_; }

 private:
  struct Layer {
    Index inputs = 0;
    Index outputs = 0;
    Index stride = 0;               // of the rows of weight
    Floats weight, m, v, gradient;  // (inputs + 1) x outputs
    Floats transposed;              // outputs x inputs, for the backward pass
    RowBuffer x, d;                 // inputs with their 1, and the gradient with respect to them
  };

  void reserve(Index rows);
  void initialise(RandomStream random);
  void merge_equal_rows();
  void transpose(Layer& layer);
  float* block_of(Index observation);
  Rows first_gradient() { return layers_.empty() ? gradient() : layers_.front().d.first(rows_); }

  TableNetworkSettings settings_;
  Adam adam_;
  Index width_ = 0;   // of a row of the table
  Index stride_ = 0;  // padded
  Floats table_;      // by observation: row, first moment, second moment, each of `stride_`
  std::vector<std::uint32_t> steps_;  // of Adam, by observation
  std::vector<Layer> layers_;
  std::uint32_t layer_steps_ = 0;
  Index rows_ = 0;
  Index capacity_ = 0;
  std::vector<Index> observations_;  // of the last forward pass
  std::vector<Index> first_row_;     // by observation: the first row that has it, while merging
  RowBuffer outputs_, gradient_;
};

// The outputs of a network for every observation, in a table.
class FrozenTable : public FrozenFunction {
 public:
  FrozenTable(Network& source, Index observations);

  Index outputs() const override { return table_.columns(); }
  Rows forward(std::span<const Index> observations) override;
  void refresh(Network& source) override;
  void archive(Archive& archive) override;

 private:
  Index observations_;
  RowBuffer table_;
  RowBuffer rows_;
};

}  // namespace vapor::nn
