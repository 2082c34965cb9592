#include "options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "vapor/core/error.h"
#include "vapor/core/spec.h"
#include "vapor/core/text.h"

namespace vapor::command {
namespace {

// A check that may rewrite the text; InputError becomes the parser's message.
template <typename Check>
CLI::Validator checked(Check check) {
  return CLI::Validator(
      [check](std::string& text) -> std::string {
        try {
          check(text);
          return "";
        } catch (const InputError& error) {
          return error.what();
        }
      },
      "");
}

}  // namespace

void add_output_flags(CLI::App& command, Output& output) {
  command.add_flag("--json", output.json, "Print one JSON object on standard output");
  command.add_flag("--quiet", output.quiet, "Print nothing but errors (and the JSON)");
}

double parse_bytes(const vapor::Place& place, std::string_view text) {
  const std::size_t letters = std::min(text.find_first_not_of("0123456789.eE+-"), text.size());
  std::string unit(text.substr(letters));
  if (unit.ends_with('B')) unit.pop_back();
  const bool binary = unit.ends_with('i');
  if (binary) unit.pop_back();
  constexpr std::string_view kUnits = "kMGT";
  if (unit == "K") unit = "k";
  const std::size_t at = unit.empty() ? 0 : kUnits.find(unit) + 1;
  const double bytes = parse_number(place, text.substr(0, letters)) *
                       std::pow(binary ? 1024.0 : 1000.0, static_cast<double>(at));
  if (unit.size() > 1 || (!unit.empty() && at == 0) || !(bytes >= 1.0) || bytes > 1e18)
    throw InputError(
        place,
        fmt::format("must be an amount of memory such as 500M, 1.5GB or 2GiB, got {}", text));
  return bytes;
}

CLI::Option* add_bytes(CLI::App& command, const char* name, double& variable,
                       const std::string& help) {
  return command.add_option(name, variable, help)
      ->transform(
          checked([](std::string& text) { text = fmt::format("{:.0f}", parse_bytes("", text)); }))
      ->type_name("SIZE");
}

double machine_memory() {
  const double machine =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  double group = machine;
  std::ifstream("/sys/fs/cgroup/memory.max") >> group;  // "max" is no number: 0
  return group > 0.0 ? std::min(group, machine) : machine;
}

CLI::Validator whole_in(WholeRange range) {
  return checked([range](std::string& text) {
    const std::int64_t value = parse_integer("", text);
    if (value < range.low || value > range.high)
      throw InputError("",
                       range.high == std::numeric_limits<int>::max()
                           ? fmt::format("must be >= {}, got {}", range.low, text)
                           : fmt::format("must be in {}..{}, got {}", range.low, range.high, text));
    text = std::to_string(value);
  });
}

CLI::Validator number_in(NumberRange range) {
  return checked([range](const std::string& text) {
    // Without limits here, the library has its own, and says what it thinks of nan.
    if (std::isinf(range.low) && (text == "nan" || text == "inf" || text == "-inf")) return;
    const double value = parse_number("", text);
    const bool low = range.above_low ? value > range.low : value >= range.low;
    if (low && value <= range.high) return;
    if (std::isinf(range.high))
      throw InputError("", fmt::format("must be {} {:g}, got {}",
                                       range.above_low ? ">" : ">=", range.low, text));
    throw InputError("", fmt::format("must be in {}{:g}, {:g}], got {}",
                                     range.above_low ? "(" : "[", range.low, range.high, text));
  });
}

CLI::Validator not_empty() {
  return checked([](const std::string& text) {
    if (text.empty()) throw InputError("", "must not be empty");
  });
}

CLI::Validator name_of_type(const char* type) {
  return checked([type](const std::string& text) {
    const std::vector<std::string> names = values_of(type).names();
    if (std::ranges::find(names, text) == names.end()) throw unknown_name("", text, names);
  });
}

std::vector<int> parse_list(const std::string& place, const std::string& text) {
  std::vector<int> numbers;
  for (const std::string& item : CLI::detail::split(text, ',')) {
    const std::int64_t number = parse_integer(place, item);
    if (number < 1 || number > 1'000'000)
      throw InputError(place, fmt::format("must be in 1..1000000, got {}", number));
    numbers.push_back(static_cast<int>(number));
  }
  return numbers;
}

std::string command_line_of(const CLI::App& command) {
  static constexpr std::array kAside = {"--out", "--threads", "--json", "--quiet"};
  std::string line;
  for (const CLI::App* at = &command; at->get_parent() != nullptr; at = at->get_parent())
    line.insert(0, " " + at->get_name());
  line.insert(0, "vapor");
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name(false, true);
    if (option->count() == 0 || std::ranges::find(kAside, name) != kAside.end()) continue;
    line += " " + name;
    if (option->get_items_expected_max() == 0) continue;
    for (const std::string& word : option->results()) line += " " + shell_word(word);
  }
  return line;
}

}  // namespace vapor::command
