// Event files as TensorBoard reads them: records of TensorFlow's framing (length, masked CRC-32C,
// data, masked CRC-32C), each an Event in protocol buffer encoding. Scalars are all there is.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "vapor/record/file.h"

namespace vapor {

struct Scalar {
  std::string_view name;
  double value = 0.0;
};

class EventFile {
 public:
  // Begins a file of its own in this folder, which is made if it is missing. What older files there
  // have from `first_step` on is void: TensorBoard leaves it out.
  EventFile(const std::string& folder, std::int64_t first_step);

  // All of them at one step.
  void add(std::int64_t step, std::span<const Scalar> scalars);

  const std::string& path() const { return file_->path(); }

 private:
  std::optional<AppendedFile> file_;
};

}  // namespace vapor
