// A network maps rows of observations to rows of outputs and takes back the gradient of a loss with
// respect to those outputs. Losses know nothing else about it, and it knows nothing about losses.
#pragma once

#include <memory>
#include <span>

#include "vapor/core/archive.h"
#include "vapor/nn/matrix.h"

namespace vapor::nn {

// Rows of observations to rows of outputs.
class OutputFunction {
 public:
  virtual ~OutputFunction() = default;

  virtual Index outputs() const = 0;

  // A row an observation, valid until the next call.
  virtual Rows forward(std::span<const Index> observations) = 0;

  // The same without a gradient to come back, which some networks compute with less work. What an
  // earlier `forward` kept for its gradient may be gone afterwards.
  virtual Rows evaluate(std::span<const Index> observations) { return forward(observations); }

  // All of its state; and as much of it as `evaluate` needs.
  virtual void archive(Archive& archive) = 0;
  virtual void archive_parameters(Archive& archive) { this->archive(archive); }
};

// What the outputs are wanted for.
enum class Pass { kPlay, kLearn };

inline Rows run(OutputFunction& function, std::span<const Index> observations, Pass pass) {
  return pass == Pass::kLearn ? function.forward(observations) : function.evaluate(observations);
}

class Network;

// What a network computed at one moment: a prior function, or a target network.
class FrozenFunction : public OutputFunction {
 public:
  // Computes from now on what `source`, the network it came from, computes now.
  virtual void refresh(Network& source) = 0;
};

class Network : public OutputFunction {
 public:
  // Where the gradient of a loss with respect to the outputs of the last `forward` is added up; all
  // zero after `forward`.
  virtual Rows gradient() = 0;

  // Where the rows of the next `forward` begin, the first of them 0: a recurrent network goes on
  // from the row before at all others. It must be told before each `forward`.
  virtual void set_first_rows(std::span<const Index> /*first_rows*/) {}

  // Rows of `evaluate` are places, of which a recurrent network keeps a state each, and each call
  // is a step of all of them. An episode begins at a place.
  virtual void begin_episode(Index /*place*/) {}

  // One step of the optimiser down that gradient.
  virtual void step() = 0;

  virtual std::unique_ptr<FrozenFunction> frozen() = 0;
};

}  // namespace vapor::nn
