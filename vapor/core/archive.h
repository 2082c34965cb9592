// The state of a learner as bytes, for checkpoints. One function of each class names its fields,
// and the same function saves and restores them:
//
//   void archive(Archive& a) override { a(visits_), a(reward_sum_), a(episodes_); }
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "vapor/core/error.h"

namespace vapor {

class Archive {
 public:
  // An archive to save into, or one to restore from what was saved.
  Archive() = default;
  static Archive restoring(std::string bytes) {
    Archive archive;
    archive.bytes_ = std::move(bytes);
    archive.restoring_ = true;
    return archive;
  }

  bool is_restoring() const { return restoring_; }
  const std::string& bytes() const { return bytes_; }
  std::string take_bytes() { return std::move(bytes_); }  // what was saved; nothing is left

  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void operator()(T& value) {
    raw(&value, sizeof value);
  }

  template <typename T, typename Allocator>
  void operator()(std::vector<T, Allocator>& values) {
    std::uint64_t size = values.size();
    raw(&size, sizeof size);
    constexpr bool whole = std::is_trivially_copyable_v<T>;  // the elements are saved as one block
    if (restoring_) {
      // Every element takes at least a byte, so a damaged size cannot ask for more than there is.
      if (size > (bytes_.size() - position_) / (whole ? sizeof(T) : 1)) damaged();
      values.resize(size);
    }
    if constexpr (whole)
      raw(values.data(), values.size() * sizeof(T));
    else
      for (T& value : values) (*this)(value);
  }

  void operator()(std::string& text) {
    std::uint64_t size = text.size();
    raw(&size, sizeof size);
    if (restoring_) {
      if (size > bytes_.size() - position_) damaged();
      text.resize(size);
    }
    raw(text.data(), text.size());
  }

  // Everything that was saved has been restored.
  void expect_end() const {
    if (restoring_ && position_ != bytes_.size()) damaged();
  }

 private:
  [[noreturn]] static void damaged() {
    throw InputError("checkpoint", "is damaged or of another version");
  }

  void raw(void* data, std::size_t size) {
    if (size == 0) return;  // an empty vector has no data to point to
    if (!restoring_) {
      bytes_.append(static_cast<const char*>(data), size);
      return;
    }
    if (size > bytes_.size() - position_) damaged();
    std::memcpy(data, bytes_.data() + position_, size);
    position_ += size;
  }

  std::string bytes_;
  std::size_t position_ = 0;
  bool restoring_ = false;
};

}  // namespace vapor
