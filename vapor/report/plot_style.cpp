#include "vapor/report/plot_style.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace vapor {
namespace {

using nlohmann::ordered_json;

// Okabe and Ito's colours, which people with any colour vision tell apart, each darkened or
// lightened until it stands out from the background. The first is VAPOR's.
constexpr std::size_t kColours = 8;
constexpr std::array<const char*, kColours> kOnLight = {"#d55e00", "#0072b2", "#008763", "#a8457c",
                                                        "#a67200", "#4d5563", "#7a7a00", "#3f9bd4"};
constexpr std::array<const char*, kColours> kOnDark = {"#ff7f2a", "#4aa3e0", "#1fc294", "#e08fbb",
                                                       "#f0b429", "#b4bcc9", "#f0e442", "#8ccdf5"};

constexpr std::array kShapes = {"circle",        "square",         "triangle-up",  "diamond",
                                "triangle-down", "triangle-right", "triangle-left"};

const std::array<ordered_json, 4>& dashes() {
  static const std::array<ordered_json, 4> all = {
      ordered_json::array({1, 0}), ordered_json::array({6, 3}), ordered_json::array({2, 2}),
      ordered_json::array({8, 3, 2, 3})};
  return all;
}

struct Look {
  std::size_t colour;
  std::size_t shape;
  std::size_t dash;
};

// Who has a colour for the second time has another mark and another dash.
Look look_of(std::size_t number) {
  if (number == 0) return {0, 0, 0};
  const std::size_t colour = 1 + (number - 1) % (kColours - 1);
  const std::size_t round = (number - 1) / (kColours - 1);
  return {colour, (colour + 3 * round) % kShapes.size(), (colour + round) % dashes().size()};
}

// Mantissas of ticks.
constexpr std::array kSteps = {1.0, 2.0, 5.0};

ordered_json encoding(std::span<const std::string> agents, const std::vector<ordered_json>& range) {
  ordered_json domain = ordered_json::array();
  for (const std::string& agent : agents) domain.push_back(agent);
  return {{"field", "agent"},
          {"type", "nominal"},
          {"title", nullptr},
          {"scale", {{"domain", domain}, {"range", range}}}};
}

}  // namespace

std::span<const char* const> palette(bool dark) { return dark ? kOnDark : kOnLight; }

std::vector<std::string> PlotStyle::colours_on_light(std::span<const std::string> agents) {
  std::vector<std::string> colours;
  for (const std::size_t n : numbers(agents)) colours.emplace_back(kOnLight[look_of(n).colour]);
  return colours;
}

std::vector<std::size_t> PlotStyle::numbers(std::span<const std::string> agents) {
  std::vector<std::size_t> numbers;
  const auto taken = [&](std::size_t n) { return std::ranges::find(numbers, n) != numbers.end(); };
  for (const std::string& agent : agents) {
    if (vapor_.empty() && agent.starts_with("vapor,")) vapor_ = agent;
    if (agent == "vapor" || (agent == vapor_ && !taken(0))) {
      numbers.push_back(0);
      continue;
    }
    const auto found = std::ranges::find(known_, agent);
    std::size_t number = 1 + static_cast<std::size_t>(found - known_.begin()) % (kColours - 1);
    if (found == known_.end()) known_.push_back(agent);
    for (std::size_t tries = 0; taken(number) && tries < kColours; ++tries)
      number = 1 + number % (kColours - 1);
    for (std::size_t next = kColours; taken(number); ++next) number = next;
    numbers.push_back(number);
  }
  return numbers;
}

ordered_json PlotStyle::colour(std::span<const std::string> agents) {
  std::vector<ordered_json> range;
  for (const std::size_t n : numbers(agents))
    range.emplace_back(fmt::format("theme:{}", look_of(n).colour));
  return encoding(agents, range);
}

ordered_json PlotStyle::shape(std::span<const std::string> agents) {
  std::vector<ordered_json> range;
  for (const std::size_t n : numbers(agents)) range.emplace_back(kShapes[look_of(n).shape]);
  return encoding(agents, range);
}

ordered_json PlotStyle::dash(std::span<const std::string> agents) {
  std::vector<ordered_json> range;
  for (const std::size_t n : numbers(agents)) range.push_back(dashes()[look_of(n).dash]);
  return encoding(agents, range);
}

ordered_json line_width() {
  return {{"condition", {{"test", "datum.agent === 'vapor'"}, {"value", 3.2}}}, {"value", 1.8}};
}

void AxisRange::include(double value) {
  if (!std::isfinite(value) || value <= 0.0) return;
  value = std::clamp(value, 1e-100, 1e100);  // an axis beyond that has no ticks
  low = empty ? value : std::min(low, value);
  high = empty ? value : std::max(high, value);
  empty = false;
}

ordered_json log_scale(const AxisRange& range) {
  const bool one_number = range.low == range.high;
  return {{"type", "log"},
          {"domain",
           {one_number ? range.low / 2.0 : range.low, one_number ? 2.0 * range.high : range.high}},
          {"nice", false},
          {"clamp", true}};
}

ordered_json log_ticks(const AxisRange& range) {
  const ordered_json domain = log_scale(range)["domain"];
  const auto low = domain[0].get<double>();
  const auto high = domain[1].get<double>();
  const bool powers_alone = high / low > 2e3;
  ordered_json ticks = ordered_json::array();
  for (int e = static_cast<int>(std::floor(std::log10(low))); std::pow(10.0, e) <= high; ++e)
    for (const double step : kSteps) {
      if (powers_alone && step > 1.0) continue;
      // Written as text, so that 5e-07 is not 4.9999999999999998e-07.
      const double tick = std::stod(fmt::format("{}e{}", step, e));
      if (tick >= low * (1.0 - 1e-9) && tick <= high * (1.0 + 1e-9)) ticks.push_back(tick);
    }
  if (ticks.size() > 1) return ticks;
  return {std::stod(fmt::format("{:.3g}", low)), std::stod(fmt::format("{:.3g}", high))};
}

ordered_json log_axis(const std::string& field, const std::string& title, const AxisRange& range) {
  return {{"field", field},
          {"type", "quantitative"},
          {"scale", log_scale(range)},
          {"axis",
           {{"title", title},
            {"values", log_ticks(range)},
            {"format", range.low < 1e-3 ? ".0e" : kNumberFormat},
            {"labelOverlap", true}}}};
}

ordered_json tip(const std::string& field, const std::string& title, bool number) {
  ordered_json line = {{"field", field}, {"title", title}};
  line["type"] = number ? "quantitative" : "nominal";
  if (number) line["format"] = ".4~g";
  return line;
}

ordered_json finite_or_null(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

}  // namespace vapor
