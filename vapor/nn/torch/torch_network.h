// A network on arrays, by libtorch: a torso (torso.h), an LSTM (lstm.h) if it is wanted, and a
// linear layer of outputs on top. Arrays are fetched by their numbers from the store that the input
// buffer reads.
//
// Parameters, their gradients and the moments of Adam are one block of floats each, which the
// tensors of torch are views of: Adam and the norm of the gradient are one pass over it, and an
// archive is exact. Convolutions have the channels of a pixel side by side. Dense layers are
// convolutions of 1 x 1: torch leaves matrix products to whatever BLAS is installed, which may be
// the slow reference one, and convolutions to oneDNN, which is always fast.
//
// This header and the others of the folder do without torch's headers, which compile slowly.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "vapor/core/random.h"
#include "vapor/nn/torch/input_buffer.h"
#include "vapor/nn/torch/lstm.h"
#include "vapor/nn/torch_part.h"

namespace vapor::nn {

// How torch works in this process: `threads` of its own within an operation, and freed memory is
// kept for the next step: pages that go back to the system and come again are 6000 page faults a
// step of 600 images. The last call holds.
void set_up_torch(Index threads);

class TorchNetwork : public Network {
 public:
  // Throws InputError if the arrays do not fit the torso.
  TorchNetwork(const TorchNetworkSettings& settings, std::shared_ptr<InputBuffer> input,
               RandomStream random);
  ~TorchNetwork() override;

  Index outputs() const override { return settings_.outputs; }
  Rows forward(std::span<const Index> observations) override;
  Rows evaluate(std::span<const Index> observations) override;
  Rows gradient() override { return gradient_.first(rows_); }
  void set_first_rows(std::span<const Index> first_rows) override;
  void begin_episode(Index place) override;
  void step() override;
  std::unique_ptr<FrozenFunction> frozen() override;  // of a network without LSTM

  // The states of the places are no part of it: they belong to what is being played.
  void archive(Archive& archive) override;
  void archive_parameters(Archive& archive) override;

  // Without the step: afterwards the gradient below is that of the last `forward`.
  void backward();

  // Layer by layer, weights (output by output, pixel by pixel, channels side by side) and then
  // biases; each begins at a cache line, with zeros before it.
  std::span<float> parameters() { return parameters_; }
  std::span<const float> parameter_gradient() const { return parameter_gradient_; }

  const TorchNetworkSettings& settings() const { return settings_; }
  const std::shared_ptr<InputBuffer>& input() const { return input_; }

 private:
  struct Graph;  // what is made of tensors

  void initialise(RandomStream random);
  Rows read_outputs(Index rows);

  TorchNetworkSettings settings_;
  std::shared_ptr<InputBuffer> input_;
  Index user_;  // of the input buffer
  Adam adam_;
  Floats parameters_, parameter_gradient_, m_, v_;
  std::uint32_t steps_ = 0;
  Index rows_ = 0;                   // of the last `forward`
  std::vector<Index> observations_;  // of the last `forward`
  RowBuffer outputs_, gradient_;
  std::vector<Index> first_rows_;  // of the next `forward`
  LstmState state_;                // of `evaluate`
  std::unique_ptr<Graph> graph_;
};

}  // namespace vapor::nn
