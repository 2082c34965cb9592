// What is seen of an environment at one moment, in shades of grey, and the ways to show it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vapor/env/environment.h"
#include "vapor/env/vector_environment.h"

namespace vapor::command {

struct Picture {
  Index width = 0;
  Index height = 0;
  std::vector<std::uint8_t> grey;  // row by row, 255 is white

  std::uint8_t at(Index x, Index y) const { return grey[static_cast<std::size_t>(y) * width + x]; }
};

// The cells of an environment that has a drawing: where the episode has been and where it is.
Picture picture_of(const Environment& environment, std::span<const Index> states);

// The newest plane of a stack of images; of channels of another kind (`stacked` false) the
// brightest.
Picture picture_of(const ObservationShape& shape, std::span<const std::byte> observation,
                   bool stacked);

// Each pixel as factor x factor pixels.
Picture enlarged(const Picture& picture, Index factor);

// Two pixels a character, as lines of a terminal that knows 24-bit colours.
std::string terminal_text(const Picture& picture);

// A film. Throws InputError that names the file if it cannot be written.
class Gif {
 public:
  // `hundredths` of a second between pictures, which all have the size of the first.
  Gif(std::string file, int hundredths);
  ~Gif();
  Gif(const Gif&) = delete;
  Gif& operator=(const Gif&) = delete;

  void add(const Picture& picture);

  // Writes what is left; without it the file is not complete.
  void close();

 private:
  struct File;
  [[noreturn]] void fail(int code) const;
  void begin(const Picture& picture);

  std::string path_;
  int hundredths_;
  std::unique_ptr<File> file_;
};

}  // namespace vapor::command
