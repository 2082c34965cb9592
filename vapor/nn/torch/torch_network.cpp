#include "vapor/nn/torch/torch_network.h"

#include <ATen/Parallel.h>
#include <malloc.h>
#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "vapor/core/check.h"
#include "vapor/core/error.h"

namespace vapor::nn {
namespace {

constexpr Index kCacheLine = 16;  // floats

// A convolution with its bias: kernel x kernel x inputs weights an output.
struct Layer {
  Index inputs;
  Index outputs;
  Index kernel;
  Index stride;
  bool dense;                 // on the whole of the image before it, as one pixel
  bool lstm = false;          // its weights and biases are those of an LSTM
  std::ptrdiff_t weight = 0;  // where it begins in the parameters
  std::ptrdiff_t bias = 0;

  Index fan_in() const { return inputs * kernel * kernel; }
  Index features() const { return lstm ? inputs - outputs / 4 : inputs; }  // from the layer below
};

std::vector<Layer> make_layers(const TorchNetworkSettings& s, const ObservationShape& shape) {
  const TorsoLayout layout = torso_layout(s.torso, s.hidden, s.layers, shape);
  std::vector<Layer> layers;
  Index channels = shape.channels;
  Index height = shape.height;
  Index width = shape.width;
  for (const Convolution& c : layout.convolutions) {
    layers.push_back({channels, c.channels, c.kernel, c.stride, false});
    channels = c.channels;
    height = (height - c.kernel) / c.stride + 1;
    width = (width - c.kernel) / c.stride + 1;
  }
  Index features = channels * height * width;
  const auto add_dense = [&](Index outputs) {
    layers.push_back({features, outputs, 1, 1, true});
    features = outputs;
  };
  for (const Index outputs : layout.dense) add_dense(outputs);
  if (s.lstm > 0) {
    layers.push_back({features + s.lstm, 4 * s.lstm, 1, 1, true, true});
    features = s.lstm;
  }
  add_dense(s.outputs);
  return layers;
}

// Gives every weight and bias its place; returns the number of floats.
std::ptrdiff_t lay_out(std::vector<Layer>& layers) {
  std::ptrdiff_t end = 0;
  const auto take = [&](std::ptrdiff_t n) {
    const std::ptrdiff_t begin = end;
    end += (n + kCacheLine - 1) / kCacheLine * kCacheLine;
    return begin;
  };
  for (Layer& layer : layers) {
    layer.weight = take(static_cast<std::ptrdiff_t>(layer.outputs) * layer.fan_in());
    layer.bias = take(layer.outputs);
  }
  return end;
}

// A view of images whose pixels have their channels side by side.
at::Tensor images(float* data, std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
  return torch::from_blob(data, {n, c, h, w}, {c * h * w, 1, w * c, c});
}

double norm(std::span<const float> x) {
  double squares = 0.0;
  for (const float value : x) squares += static_cast<double>(value) * value;
  return std::sqrt(squares);
}

}  // namespace

struct TorchNetwork::Graph {
  std::vector<Layer> layers;
  std::vector<at::Tensor> weights, biases;
  at::Tensor outputs;  // of the last pass
  bool unit_features = false;

  // Views of the parameters and their gradients.
  void bind(float* parameters, float* gradient) {
    const auto view = [&](const Layer& l, std::ptrdiff_t at) {
      at::Tensor w = images(parameters + at, l.outputs, l.inputs, l.kernel, l.kernel);
      w.set_requires_grad(true);
      w.mutable_grad() = images(gradient + at, l.outputs, l.inputs, l.kernel, l.kernel);
      return w;
    };
    for (const Layer& l : layers) {
      weights.push_back(view(l, l.weight));
      at::Tensor b = torch::from_blob(parameters + l.bias, {l.outputs});
      b.set_requires_grad(true);
      b.mutable_grad() = torch::from_blob(gradient + l.bias, {l.outputs});
      biases.push_back(b);
    }
  }

  // `lstm` is called with rows of features and the parameters of its layer.
  template <typename Lstm>
  void run(InputBuffer& input, Index rows, const Lstm& lstm) {
    const ObservationShape& s = input.shape();
    at::Tensor x = images(input.row(0), rows, s.channels, s.height, s.width);
    for (std::size_t k = 0; k < layers.size(); ++k) {
      const Layer& l = layers[k];
      if (l.dense) x = x.permute({0, 2, 3, 1}).reshape({rows, l.features(), 1, 1});
      if (l.lstm) {
        x = lstm(x, weights[k], biases[k]);
        continue;
      }
      if (unit_features && k + 1 == layers.size())
        x = x * (x.square().mean(1, true) + 1e-12).rsqrt();
      x = torch::conv2d(x, weights[k], biases[k], l.stride);
      if (k + 1 < layers.size()) x = x.relu_();
    }
    outputs = x.view({rows, layers.back().outputs});
  }
};

void set_up_torch(Index threads) {
  at::set_num_threads(threads);
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
}

TorchNetwork::TorchNetwork(const TorchNetworkSettings& settings, std::shared_ptr<InputBuffer> input,
                           RandomStream random)
    : settings_(settings),
      input_(std::move(input)),
      user_(input_->add_user()),
      adam_(settings.adam),
      graph_(std::make_unique<Graph>()) {
  validate(settings.adam, "");
  VAPOR_CHECK_GT(settings.gradient_norm, 0.0);
  VAPOR_CHECK_GE(settings.outputs, 1);
  graph_->layers = make_layers(settings, input_->shape());
  graph_->unit_features = settings.unit_features;
  const std::ptrdiff_t floats = lay_out(graph_->layers);
  for (Floats* block : {&parameters_, &parameter_gradient_, &m_, &v_}) block->assign(floats, 0.0F);
  graph_->bind(parameters_.data(), parameter_gradient_.data());
  initialise(random);
}

TorchNetwork::~TorchNetwork() = default;

// Rectified layers keep the mean square of what enters them (He et al., 2015), with the bias as one
// input more; biases of the outputs begin at 0. Those of an LSTM do too, but for the forget gate's,
// which begin at 1: what is not yet learned to be kept is kept (Gers et al., 2000).
void TorchNetwork::initialise(RandomStream random) {
  for (const Layer& layer : graph_->layers) {
    const bool last = &layer == &graph_->layers.back();
    const double deviation = last         ? settings_.output_std / std::sqrt(layer.fan_in())
                             : layer.lstm ? 1.0 / std::sqrt(layer.fan_in())
                                          : std::sqrt(2.0 / (layer.fan_in() + 1.0));
    const auto draw = [&](std::ptrdiff_t at, std::ptrdiff_t n) {
      for (std::ptrdiff_t i = at; i < at + n; ++i)
        parameters_[i] = static_cast<float>(deviation * random.normal());
    };
    draw(layer.weight, static_cast<std::ptrdiff_t>(layer.outputs) * layer.fan_in());
    if (layer.lstm)
      std::fill_n(&parameters_[layer.bias + settings_.lstm], settings_.lstm, 1.0F);
    else if (!last)
      draw(layer.bias, layer.outputs);
  }
}

Rows TorchNetwork::read_outputs(Index rows) {
  if (rows > outputs_.capacity()) outputs_.resize(rows, settings_.outputs);
  const Rows out = outputs_.first(rows);
  const float* from = graph_->outputs.data_ptr<float>();
  for (Index r = 0; r < rows; ++r)
    std::copy_n(from + static_cast<std::ptrdiff_t>(r) * out.columns, out.columns, out[r]);
  return out;
}

Rows TorchNetwork::forward(std::span<const Index> observations) {
  rows_ = static_cast<Index>(observations.size());
  observations_.assign(observations.begin(), observations.end());
  input_->gather(user_, observations);
  graph_->outputs.reset();
  const auto in_time = [&](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) {
    return lstm_runs(x, w, b, time_order(first_rows_, rows_));
  };
  graph_->run(*input_, rows_, in_time);
  first_rows_.clear();
  gradient_.resize(rows_, settings_.outputs);
  return read_outputs(rows_);
}

Rows TorchNetwork::evaluate(std::span<const Index> observations) {
  const c10::InferenceMode guard;
  const auto rows = static_cast<Index>(observations.size());
  rows_ = 0;
  input_->gather(user_, observations);
  graph_->outputs.reset();
  const auto one_step = [&](const at::Tensor& x, const at::Tensor& w, const at::Tensor& b) {
    return lstm_step(x, w, b, state_);
  };
  graph_->run(*input_, rows, one_step);
  return read_outputs(rows);
}

void TorchNetwork::set_first_rows(std::span<const Index> first_rows) {
  first_rows_.assign(first_rows.begin(), first_rows.end());
}

// A place that has not been played has no state yet, which is as good as 0.
void TorchNetwork::begin_episode(Index place) {
  const std::size_t at = static_cast<std::size_t>(place) * settings_.lstm;
  for (Floats* values : {&state_.h, &state_.c})
    if (at < values->size()) std::fill_n(&(*values)[at], settings_.lstm, 0.0F);
}

void TorchNetwork::backward() {
  // Another network may have filled the input buffer that this one's graph still reads.
  VAPOR_CHECK_GT(rows_, 0);
  VAPOR_CHECK_EQ(std::ranges::equal(observations_, input_->observations()), true);
  std::ranges::fill(parameter_gradient_, 0.0F);
  const Rows g = gradient_.first(rows_);
  graph_->outputs.backward(torch::from_blob(g.data, {g.rows, g.columns}, {g.stride, 1}));
  graph_->outputs.reset();
  rows_ = 0;
}

void TorchNetwork::step() {
  backward();
  const double length = norm(parameter_gradient_);
  if (length > settings_.gradient_norm) {
    const auto factor = static_cast<float>(settings_.gradient_norm / length);
    for (float& g : parameter_gradient_) g *= factor;
  }
  adam_.step(++steps_, parameter_gradient_.data(), parameters_.data(), m_.data(), v_.data(),
             static_cast<Index>(parameters_.size()));
}

void TorchNetwork::archive_parameters(Archive& archive) {
  if (!archive.is_restoring()) return archive(parameters_);
  Floats values;  // the tensors are views of the other ones, which must not move
  archive(values);
  if (values.size() != parameters_.size())
    throw InputError("checkpoint", "is of a network of another shape");
  std::ranges::copy(values, parameters_.begin());
}

void TorchNetwork::archive(Archive& archive) {
  archive_parameters(archive);
  archive(m_), archive(v_), archive(steps_);
}

namespace {

// A copy of the parameters, refreshed on demand.
class FrozenTorch : public FrozenFunction {
 public:
  explicit FrozenTorch(TorchNetwork& source)
      : copy_(source.settings(), source.input(), RandomStream(0)) {
    take(source);
  }

  Index outputs() const override { return copy_.outputs(); }
  Rows forward(std::span<const Index> observations) override {
    return copy_.evaluate(observations);
  }
  void refresh(Network& source) override { take(dynamic_cast<TorchNetwork&>(source)); }
  void archive(Archive& archive) override { copy_.archive_parameters(archive); }

 private:
  void take(TorchNetwork& source) {
    std::ranges::copy(source.parameters(), copy_.parameters().begin());
  }

  TorchNetwork copy_;
};

}  // namespace

std::unique_ptr<FrozenFunction> TorchNetwork::frozen() {
  VAPOR_CHECK_EQ(settings_.lstm, 0);
  return std::make_unique<FrozenTorch>(*this);
}

}  // namespace vapor::nn
