#include "vapor/nn/table_network.h"

#include <algorithm>
#include <cmath>

#include "vapor/core/check.h"

namespace vapor::nn {
namespace {

// Rows of a large table are far apart, so each is asked for while the one before it is worked on.
void prefetch(const float* row, Index n) {
  constexpr Index kLine = 16;  // floats
  for (Index j = 0; j < n; j += kLine) __builtin_prefetch(row + j);
}

void fill_normal(RandomStream& random, double deviation, float* values, Index n) {
  for (Index j = 0; j < n; ++j) values[j] = static_cast<float>(deviation * random.normal());
}

}  // namespace

TableNetwork::TableNetwork(const TableNetworkSettings& settings, RandomStream random)
    : settings_(settings), adam_(settings.adam) {
  width_ = settings.hidden.empty() ? settings.outputs : settings.hidden.front();
  stride_ = padded(width_);
  table_.assign(3 * static_cast<std::size_t>(settings.observations) * stride_, 0.0F);
  steps_.assign(settings.observations, 0);
  first_row_.assign(settings.observations, -1);
  for (std::size_t k = 0; k < settings.hidden.size(); ++k) {
    Layer layer;
    layer.inputs = settings.hidden[k];
    layer.outputs = k + 1 < settings.hidden.size() ? settings.hidden[k + 1] : settings.outputs;
    layer.stride = padded(layer.outputs);
    const std::size_t size = static_cast<std::size_t>(layer.inputs + 1) * layer.stride;
    for (Floats* values : {&layer.weight, &layer.m, &layer.v, &layer.gradient})
      values->assign(size, 0.0F);
    layer.transposed.assign(static_cast<std::size_t>(layer.outputs) * padded(layer.inputs), 0.0F);
    layers_.push_back(std::move(layer));
  }
  initialise(random);
}

void TableNetwork::initialise(RandomStream random) {
  RandomStream rows = random.split("rows");
  for (Index i = 0; i < settings_.observations; ++i)
    fill_normal(rows, settings_.row_std, block_of(i), width_);
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    Layer& layer = layers_[k];
    RandomStream weights = random.split("layer").split(k);
    // He's scale inside, so that rectified values keep their size; the caller's at the end.
    const double scale = k + 1 < layers_.size() ? std::sqrt(2.0) : settings_.output_std;
    for (Index i = 0; i < layer.inputs; ++i)
      fill_normal(weights, scale / std::sqrt(static_cast<double>(layer.inputs)),
                  layer.weight.data() + static_cast<std::size_t>(i) * layer.stride, layer.outputs);
    transpose(layer);
  }
}

float* TableNetwork::block_of(Index observation) {
  return table_.data() + 3 * static_cast<std::size_t>(observation) * stride_;
}

void TableNetwork::reserve(Index rows) {
  if (rows <= capacity_) return;
  capacity_ = rows;
  observations_.reserve(rows);
  outputs_.resize(rows, settings_.outputs);
  gradient_.resize(rows, settings_.outputs);
  for (Layer& layer : layers_) {
    layer.x.resize(rows, layer.inputs + 1);
    layer.d.resize(rows, layer.inputs);
  }
}

Rows TableNetwork::forward(std::span<const Index> observations) {
  rows_ = static_cast<Index>(observations.size());
  reserve(rows_);
  observations_.assign(observations.begin(), observations.end());
  const Rows out = outputs_.first(rows_);
  const Rows gradient = gradient_.first(rows_);
  std::fill_n(gradient.data, static_cast<std::size_t>(rows_) * gradient.stride, 0.0F);
  if (layers_.empty()) {
    for (Index r = 0; r < rows_; ++r) std::copy_n(block_of(observations_[r]), stride_, out[r]);
    return out;
  }
  const Rows x_1 = layers_.front().x.first(rows_);
  for (Index r = 0; r < rows_; ++r) {
    if (r + 1 < rows_) prefetch(block_of(observations_[r + 1]), stride_);
    rectify(block_of(observations_[r]), x_1[r], stride_);
    x_1[r][width_] = 1.0F;
  }
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    Layer& layer = layers_[k];
    const bool last = k + 1 == layers_.size();
    const Rows x = layer.x.first(rows_);
    const Rows y = last ? out : layers_[k + 1].x.first(rows_);
    multiply({x.data, x.stride, 1, layer.weight.data(), layer.stride, y.data, y.stride, rows_,
              layer.inputs + 1, layer.stride});
    if (last) break;
    for (Index r = 0; r < rows_; ++r) {
      rectify(y[r], y[r], layer.stride);
      y[r][layer.outputs] = 1.0F;
    }
  }
  return out;
}

void TableNetwork::backward() {
  for (std::size_t k = layers_.size(); k-- > 0;) {
    Layer& layer = layers_[k];
    const bool last = k + 1 == layers_.size();
    const Rows x = layer.x.first(rows_);
    const Rows d_out = last ? gradient() : layers_[k + 1].d.first(rows_);
    const Rows d = layer.d.first(rows_);
    multiply({x.data, 1, x.stride, d_out.data, d_out.stride, layer.gradient.data(), layer.stride,
              layer.inputs + 1, rows_, layer.stride});
    multiply({d_out.data, d_out.stride, 1, layer.transposed.data(), d.stride, d.data, d.stride,
              rows_, layer.outputs, d.stride});
    for (Index r = 0; r < rows_; ++r) rectify_gradient(x[r], d[r], d.stride);
  }
  merge_equal_rows();
}

void TableNetwork::merge_equal_rows() {
  const Rows d = first_gradient();
  for (Index r = 0; r < rows_; ++r) {
    Index& first = first_row_[observations_[r]];
    if (first < 0) {
      first = r;
      continue;
    }
    for (Index j = 0; j < width_; ++j) d[first][j] += d[r][j];
    observations_[r] = -1;
  }
  for (Index i : observations_)
    if (i >= 0) first_row_[i] = -1;
}

void TableNetwork::step() {
  backward();
  const Rows d = first_gradient();
  for (Index r = 0; r < rows_; ++r) {
    const Index i = observations_[r];
    if (r + 1 < rows_ && observations_[r + 1] >= 0)
      prefetch(block_of(observations_[r + 1]), 3 * stride_);
    if (i < 0) continue;
    float* row = block_of(i);
    adam_.step(++steps_[i], d[r], row, row + stride_, row + 2 * stride_, stride_);
  }
  ++layer_steps_;
  for (Layer& layer : layers_) {
    adam_.step(layer_steps_, layer.gradient.data(), layer.weight.data(), layer.m.data(),
               layer.v.data(), static_cast<Index>(layer.weight.size()));
    transpose(layer);
  }
}

void TableNetwork::transpose(Layer& layer) {
  const Index stride = padded(layer.inputs);
  for (Index i = 0; i < layer.inputs; ++i)
    for (Index j = 0; j < layer.outputs; ++j)
      layer.transposed[static_cast<std::size_t>(j) * stride + i] =
          layer.weight[static_cast<std::size_t>(i) * layer.stride + j];
}

std::unique_ptr<FrozenFunction> TableNetwork::frozen() {
  return std::make_unique<FrozenTable>(*this, settings_.observations);
}

void TableNetwork::archive(Archive& archive) {
  archive(table_), archive(steps_), archive(layer_steps_);
  for (Layer& layer : layers_) {
    archive(layer.weight), archive(layer.m), archive(layer.v);
    if (archive.is_restoring()) transpose(layer);
  }
}

Rows TableNetwork::weights(Index layer) {
  Layer& l = layers_[layer];
  return {l.weight.data(), l.inputs + 1, l.outputs, l.stride};
}

Rows TableNetwork::weights_gradient(Index layer) {
  Layer& l = layers_[layer];
  return {l.gradient.data(), l.inputs + 1, l.outputs, l.stride};
}

std::span<float> TableNetwork::table_row(Index observation) {
  return {block_of(observation), static_cast<std::size_t>(width_)};
}

std::span<const float> TableNetwork::table_gradient(Index row) {
  return {first_gradient()[row], static_cast<std::size_t>(width_)};
}

FrozenTable::FrozenTable(Network& source, Index observations) : observations_(observations) {
  table_.resize(observations, source.outputs());
  refresh(source);
}

Rows FrozenTable::forward(std::span<const Index> observations) {
  const auto rows = static_cast<Index>(observations.size());
  const Rows table = table_.first(observations_);
  if (rows > rows_.capacity()) rows_.resize(rows, table.columns);
  const Rows out = rows_.first(rows);
  for (Index r = 0; r < rows; ++r) std::copy_n(table[observations[r]], table.stride, out[r]);
  return out;
}

void FrozenTable::refresh(Network& source) {
  constexpr Index kChunk = 256;
  std::vector<Index> chunk;
  const Rows table = table_.first(observations_);
  for (Index begin = 0; begin < observations_; begin += kChunk) {
    chunk.clear();
    for (Index i = begin; i < std::min(begin + kChunk, observations_); ++i) chunk.push_back(i);
    const Rows out = source.forward(chunk);
    VAPOR_CHECK_EQ(out.columns, table.columns);
    std::copy_n(out.data, static_cast<std::size_t>(out.rows) * out.stride, table[begin]);
  }
}

void FrozenTable::archive(Archive& archive) {
  const Rows table = table_.first(observations_);
  for (Index i = 0; i < observations_; ++i)
    for (Index j = 0; j < table.columns; ++j) archive(table[i][j]);
}

}  // namespace vapor::nn
