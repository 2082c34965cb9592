// Losses of one frame as functions of network outputs. Each returns its value and adds its gradient
// with respect to those outputs; whatever is held fixed (targets, advantages) is an argument.
#pragma once

#include <span>

#include "vapor/core/index.h"

namespace vapor::deep {

// pi and log pi of logits.
void softmax(const float* logits, std::span<double> pi, std::span<double> log_pi);

// -weight log pi_action, by its gradient with respect to the logits.
double policy_loss(std::span<const double> pi, std::span<const double> log_pi, Index action,
                   double weight, std::span<double> gradient);

// weight / 2 (prediction - target)^2.
double squared_loss(double prediction, double target, double weight, double& gradient);

// A dueling critic has the outputs (v, advantage_1, ..., advantage_A) and the values
// q_a = v + advantage_a - mean advantage (Wang et al., 2016).
void dueling_values(const float* outputs, std::span<double> q);

// Adds the gradient with respect to those outputs, given that with respect to q.
void add_dueling_gradient(std::span<const double> q_gradient, float* outputs_gradient);

// tau log sum_a exp(q_a / tau), and the policy that goes with it.
double soft_value(std::span<const double> q, double tau, std::span<double> pi);

// The largest q, and where it is: the first of equals.
Index greedy_action(std::span<const double> q);

}  // namespace vapor::deep
