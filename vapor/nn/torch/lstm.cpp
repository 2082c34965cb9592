#include "vapor/nn/torch/lstm.h"

#include <torch/types.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "vapor/core/check.h"

namespace vapor::nn {
namespace {

struct Step {
  at::Tensor h, c;
};

// `gates` before they are squashed; `c` of the step before, undefined where it is 0.
Step step(const at::Tensor& gates, const at::Tensor& c) {
  const std::vector<at::Tensor> gate = gates.chunk(4, 1);
  at::Tensor next = gate[0].sigmoid() * gate[2].tanh();
  if (c.defined()) next = next + gate[1].sigmoid() * c;
  return {gate[3].sigmoid() * next.tanh(), next};
}

// A copy, which the graph keeps.
at::Tensor index_of(const std::vector<std::int64_t>& rows) { return torch::tensor(rows); }

}  // namespace

TimeOrder time_order(std::span<const Index> first_rows, Index rows) {
  VAPOR_CHECK_EQ(!first_rows.empty() && first_rows[0] == 0 && first_rows.back() < rows, true);
  const auto runs = static_cast<Index>(first_rows.size());
  const auto length = [&](Index run) {
    return (run + 1 < runs ? first_rows[run + 1] : rows) - first_rows[run];
  };
  std::vector<Index> by_length(runs);
  std::iota(by_length.begin(), by_length.end(), 0);
  std::ranges::stable_sort(by_length, std::greater<>(), length);
  TimeOrder order;
  order.position.resize(rows);
  for (Index t = 0; t < length(by_length[0]); ++t) {
    Index k = 0;
    for (; k < runs && length(by_length[k]) > t; ++k) {
      const Index row = first_rows[by_length[k]] + t;
      order.position[row] = std::ssize(order.row);
      order.row.push_back(row);
    }
    order.runs.push_back(k);
  }
  return order;
}

// What x adds to the gates is one product for all steps.
at::Tensor lstm_runs(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                     const TimeOrder& order) {
  const std::int64_t inputs = x.size(1);
  const at::Tensor on_x = weight.narrow(1, 0, inputs).contiguous();
  const at::Tensor on_h = weight.narrow(1, inputs, weight.size(1) - inputs).contiguous();
  const at::Tensor from_x = torch::conv2d(x, on_x, bias).index_select(0, index_of(order.row));
  std::vector<at::Tensor> h;
  Step last;
  std::int64_t begin = 0;
  for (const Index runs : order.runs) {
    at::Tensor gates = from_x.narrow(0, begin, runs);
    if (begin > 0) {
      gates = gates + torch::conv2d(last.h.narrow(0, 0, runs), on_h);
      last.c = last.c.narrow(0, 0, runs);
    }
    last = step(gates, last.c);
    h.push_back(last.h);
    begin += runs;
  }
  return torch::cat(h).index_select(0, index_of(order.position));
}

at::Tensor lstm_step(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                     LstmState& state) {
  const std::int64_t places = x.size(0);
  const std::int64_t units = weight.size(0) / 4;
  const auto floats = static_cast<std::size_t>(places * units);
  for (Floats* values : {&state.h, &state.c})
    if (values->size() < floats) values->resize(floats, 0.0F);
  const auto view = [&](Floats& values) {
    return torch::from_blob(values.data(), {places, units, 1, 1});
  };
  const Step next =
      step(torch::conv2d(torch::cat({x, view(state.h)}, 1), weight, bias), view(state.c));
  view(state.h).copy_(next.h);
  view(state.c).copy_(next.c);
  return next.h;
}

}  // namespace vapor::nn
