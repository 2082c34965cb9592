#include "vapor/deep/objective/losses.h"

#include <algorithm>
#include <cmath>

#include "vapor/core/check.h"

namespace vapor::deep {

void softmax(const float* logits, std::span<double> pi, std::span<double> log_pi) {
  const std::size_t actions = pi.size();
  VAPOR_CHECK_EQ(log_pi.size(), actions);
  const double largest = *std::max_element(logits, logits + actions);
  double sum = 0.0;
  for (std::size_t a = 0; a < actions; ++a) sum += pi[a] = std::exp(logits[a] - largest);
  const double log_sum = largest + std::log(sum);
  for (std::size_t a = 0; a < actions; ++a) {
    pi[a] /= sum;
    log_pi[a] = logits[a] - log_sum;
  }
}

double policy_loss(std::span<const double> pi, std::span<const double> log_pi, Index action,
                   double weight, std::span<double> gradient) {
  VAPOR_CHECK_EQ(log_pi.size(), pi.size());
  VAPOR_CHECK_EQ(gradient.size(), pi.size());
  VAPOR_CHECK_LT(static_cast<std::size_t>(action), pi.size());
  for (std::size_t a = 0; a < pi.size(); ++a) gradient[a] += weight * pi[a];
  gradient[action] -= weight;
  return -weight * log_pi[action];
}

double squared_loss(double prediction, double target, double weight, double& gradient) {
  const double error = prediction - target;
  gradient += weight * error;
  return 0.5 * weight * error * error;
}

void dueling_values(const float* outputs, std::span<double> q) {
  double mean = 0.0;
  for (std::size_t a = 0; a < q.size(); ++a) mean += outputs[1 + a];
  mean /= static_cast<double>(q.size());
  for (std::size_t a = 0; a < q.size(); ++a) q[a] = outputs[0] + outputs[1 + a] - mean;
}

void add_dueling_gradient(std::span<const double> q_gradient, float* outputs_gradient) {
  double sum = 0.0;
  for (const double g : q_gradient) sum += g;
  outputs_gradient[0] += static_cast<float>(sum);
  const double mean = sum / static_cast<double>(q_gradient.size());
  for (std::size_t a = 0; a < q_gradient.size(); ++a)
    outputs_gradient[1 + a] += static_cast<float>(q_gradient[a] - mean);
}

double soft_value(std::span<const double> q, double tau, std::span<double> pi) {
  VAPOR_CHECK_EQ(pi.size(), q.size());
  const double largest = *std::max_element(q.begin(), q.end());
  double sum = 0.0;
  for (std::size_t a = 0; a < q.size(); ++a) sum += pi[a] = std::exp((q[a] - largest) / tau);
  for (double& p : pi) p /= sum;
  return largest + tau * std::log(sum);
}

Index greedy_action(std::span<const double> q) {
  return static_cast<Index>(std::max_element(q.begin(), q.end()) - q.begin());
}

}  // namespace vapor::deep
