// Rows of floats and the products that networks are made of. Rows are padded with zeros to whole
// vectors of eight, so no kernel has a remainder.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#include "vapor/core/index.h"
#include "vapor/core/matrix_product.h"

namespace vapor::nn {

// Starts at a cache line, so that no vector of eight lies across two of them.
template <typename T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};

  CacheLineAllocator() = default;
  template <typename U>
  explicit CacheLineAllocator(const CacheLineAllocator<U>& /*other*/) {}

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kLine)); }
  void deallocate(T* p, std::size_t /*n*/) { ::operator delete(p, kLine); }
  bool operator==(const CacheLineAllocator&) const = default;
};

using Floats = std::vector<float, CacheLineAllocator<float>>;

inline constexpr Index kLanes = kLanesOf<float>;
constexpr Index padded(Index n) { return (n + kLanes - 1) / kLanes * kLanes; }

// A view of rows that lie `stride` floats apart; only the first `columns` of each count.
struct Rows {
  float* data = nullptr;
  Index rows = 0;
  Index columns = 0;
  Index stride = 0;

  float* operator[](Index r) const { return data + static_cast<std::ptrdiff_t>(r) * stride; }
};

// Storage for up to `capacity` rows.
class RowBuffer {
 public:
  void resize(Index capacity, Index columns) {
    columns_ = columns;
    stride_ = padded(columns);
    values_.assign(static_cast<std::size_t>(capacity) * stride_, 0.0F);
  }
  Index capacity() const { return stride_ == 0 ? 0 : static_cast<Index>(values_.size()) / stride_; }
  Rows first(Index rows) { return {values_.data(), rows, columns_, stride_}; }
  const float* data() const { return values_.data(); }
  Index columns() const { return columns_; }

 private:
  Floats values_;
  Index columns_ = 0;
  Index stride_ = 0;
};

void multiply(const Product<float>& product);

// y_j = max(x_j, 0), and d_j = 0 where y_j <= 0; n is a multiple of kLanes.
void rectify(const float* x, float* y, Index n);
void rectify_gradient(const float* y, float* d, Index n);

}  // namespace vapor::nn
