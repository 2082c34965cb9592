#include "picture.h"

#include <fmt/format.h>

#include <algorithm>

namespace vapor::command {
namespace {

constexpr std::uint8_t kGround = 24;
constexpr std::uint8_t kPath = 140;
constexpr std::uint8_t kHere = 255;

}  // namespace

Picture picture_of(const Environment& environment, std::span<const Index> states) {
  Picture picture{environment.columns, environment.rows, {}};
  picture.grey.assign(static_cast<std::size_t>(picture.width) * picture.height, 0);
  const auto paint = [&](Index state, std::uint8_t shade) {
    const Cell& cell = environment.cells[state];
    picture.grey[static_cast<std::size_t>(cell.row) * picture.width + cell.column] = shade;
  };
  for (Index s = 0; s < environment.shape().states(); ++s) paint(s, kGround);
  for (const Index s : states) paint(s, kPath);
  if (!states.empty()) paint(states.back(), kHere);
  return picture;
}

Picture picture_of(const ObservationShape& shape, std::span<const std::byte> observation,
                   bool stacked) {
  Picture picture{shape.width, shape.height, {}};
  const std::size_t plane = static_cast<std::size_t>(shape.width) * shape.height;
  const auto shade = [&](std::size_t element) -> std::uint8_t {
    if (shape.element != Element::kFloat) {
      const auto value = std::to_integer<std::uint8_t>(observation[element]);
      return shape.element == Element::kFlag ? static_cast<std::uint8_t>(255 * value) : value;
    }
    float value = 0.0F;
    std::copy_n(observation.data() + element * sizeof value, sizeof value,
                reinterpret_cast<std::byte*>(&value));
    return static_cast<std::uint8_t>(255.0F * std::clamp(value, 0.0F, 1.0F));
  };
  const auto channels = static_cast<std::size_t>(shape.channels);
  picture.grey.resize(plane);
  for (std::size_t p = 0; p < plane; ++p) {
    if (stacked) {
      picture.grey[p] = shade((channels - 1) * plane + p);
      continue;
    }
    // Channels are kinds of things: each has a shade of its own.
    for (std::size_t c = 0; c < channels; ++c)
      if (shade(c * plane + p) > 0)
        picture.grey[p] = static_cast<std::uint8_t>(255 * (c + 1) / channels);
  }
  return picture;
}

Picture enlarged(const Picture& picture, Index factor) {
  Picture large{picture.width * factor, picture.height * factor, {}};
  large.grey.reserve(static_cast<std::size_t>(large.width) * large.height);
  for (Index y = 0; y < large.height; ++y)
    for (Index x = 0; x < large.width; ++x)
      large.grey.push_back(picture.at(x / factor, y / factor));
  return large;
}

std::string terminal_text(const Picture& picture) {
  std::string text;
  for (Index y = 0; y < picture.height; y += 2) {
    for (Index x = 0; x < picture.width; ++x) {
      const int above = picture.at(x, y);
      const int below = y + 1 < picture.height ? picture.at(x, y + 1) : 0;
      text += fmt::format("\x1b[38;2;{0};{0};{0}m\x1b[48;2;{1};{1};{1}m\u2580", above, below);
    }
    text += "\x1b[0m\n";
  }
  return text;
}

}  // namespace vapor::command
