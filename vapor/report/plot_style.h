// What the plots of a report share: an agent has the same colour, mark and dash in all of them, and
// log axes have ticks at 1, 2 and 5.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace vapor {

// The colours "theme:0", "theme:1", ... of agents, on a light or on a dark page.
std::span<const char* const> palette(bool dark);

// 2,500, 0.01: of the labels of an axis.
inline constexpr const char* kNumberFormat = ",.6~g";

// Gives agents their styles. VAPOR always has the first, and no other agent ever has it
// (of several beliefs of VAPOR's the first one); the others
// prefer the one they had where they were first met, and no two agents of a figure have the same.
class PlotStyle {
 public:
  // A number for each agent of a figure; colour, mark and dash follow from it.
  std::vector<std::size_t> numbers(std::span<const std::string> agents);

  // Encodings by the field `agent`. Vega-Lite makes one legend of them, as their domains agree.
  nlohmann::ordered_json colour(std::span<const std::string> agents);
  nlohmann::ordered_json shape(std::span<const std::string> agents);
  nlohmann::ordered_json dash(std::span<const std::string> agents);

  // For pictures that are on no page of ours.
  std::vector<std::string> colours_on_light(std::span<const std::string> agents);

 private:
  std::string vapor_;               // the name with a belief that VAPOR was first met by
  std::vector<std::string> known_;  // without VAPOR, in the order in which they were met
};

// The width of an agent's line: VAPOR's is the widest.
nlohmann::ordered_json line_width();

struct AxisRange {
  double low = 1.0;
  double high = 1.0;

  void include(double value);  // if it is finite and > 0
  bool empty = true;
};

// {"type": "log", "domain": ...}, from the least to the largest number; smaller ones, such as 0,
// are drawn at its lower end.
nlohmann::ordered_json log_scale(const AxisRange& range);

// The ticks of that scale: 1, 2 and 5 times powers of ten, or the powers alone if they are many;
// both ends if that leaves fewer than two.
nlohmann::ordered_json log_ticks(const AxisRange& range);

// {"field": ..., "type": "quantitative", "scale": ..., "axis": ...} of a log axis.
nlohmann::ordered_json log_axis(const std::string& field, const std::string& title,
                                const AxisRange& range);

// A line of a tooltip: four digits if `number`.
nlohmann::ordered_json tip(const std::string& field, const std::string& title, bool number = true);

// A number for a specification or a table: null if it is not finite.
nlohmann::ordered_json finite_or_null(double value);

}  // namespace vapor
