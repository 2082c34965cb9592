// Adam (Kingma and Ba, 2015). Every block of parameters has a count of its own steps: a row of a
// table that is seldom touched is corrected for its own few steps, not for those of the others. A
// block that is not touched does not move and its moments do not decay (the lazy treatment of
// sparse rows); a block touched in every step is exactly dense Adam.
#pragma once

#include <cstdint>
#include <vector>

#include "vapor/core/index.h"

namespace vapor::nn {

struct AdamSettings {
  double learning_rate = 1e-3;  // > 0
  double beta_1 = 0.9;          // decay of the mean of the gradient, in [0, 1)
  double beta_2 = 0.999;        // decay of the mean of its square, in [0, 1)
  double epsilon = 1e-8;  // >= 1e-30; gradients far below it move as under plain gradient descent
};

// Throws InputError that names the field, after `place`.
void validate(const AdamSettings& settings, const char* place);

class Adam {
 public:
  explicit Adam(const AdamSettings& settings);

  // Step number t = 1, 2, ... of the n parameters w with moments m and v; n is a multiple of
  // kLanes.
  void step(std::uint32_t t, const float* gradient, float* w, float* m, float* v, Index n) const;

 private:
  struct Correction {
    float rate;    // learning_rate / (1 - beta_1^t)
    float square;  // 1 / (1 - beta_2^t)
  };

  float beta_1_, beta_2_, epsilon_;
  std::vector<Correction> corrections_;  // by step; the last holds for all after it
};

}  // namespace vapor::nn
