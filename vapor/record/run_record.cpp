#include "vapor/record/run_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include "vapor/core/error.h"
#include "vapor/record/file.h"

namespace vapor {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 33;  // bytes

// Takes the text up to `end`, and the end, off the front.
std::string_view take_until(std::string_view& text, char end) {
  const std::size_t at = std::min(text.find(end), text.size());
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return part;
}

std::size_t fields_of(std::string_view line) {
  return static_cast<std::size_t>(std::count(line.begin(), line.end(), ',')) + 1;
}

double number_of(const std::string& place, std::string_view field) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size() || !std::isfinite(value))
    throw InputError(place,
                     fmt::format("must be a finite number, got \"{}\"", field.substr(0, 40)));
  return value;
}

void read_row(const std::string& place, std::string_view line, NumberTable& table) {
  if (fields_of(line) != table.columns.size())
    throw InputError(
        place, fmt::format("must have {} fields, got {}", table.columns.size(), fields_of(line)));
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    table.values[c].push_back(
        number_of(fmt::format("{}: {}", place, table.columns[c]), take_until(line, ',')));
}

NumberTable parse_table(const std::string& path, std::string_view text) {
  text = text.substr(0, text.rfind('\n') + 1);  // without a torn last line (npos + 1 is 0)
  if (text.empty()) throw InputError(path + ":1", "must name the columns");
  NumberTable table;
  std::string_view names = take_until(text, '\n');
  for (std::size_t count = fields_of(names); count > 0; --count)
    table.columns.emplace_back(take_until(names, ','));
  table.values.resize(table.columns.size());
  for (int line = 2; !text.empty(); ++line)
    read_row(fmt::format("{}:{}", path, line), take_until(text, '\n'), table);
  return table;
}

// The episodes are 1, 2, ... in order.
void expect_episodes_in_order(const std::string& path, const NumberTable& table) {
  if (table.columns.front() != "episode")
    throw InputError(path + ":1", "the first column must be episode, got " + table.columns.front());
  const std::vector<double>& episode = table.values.front();
  for (std::size_t row = 0; row < episode.size(); ++row)
    if (episode[row] != static_cast<double>(row + 1))
      throw InputError(fmt::format("{}:{}", path, row + 2),
                       fmt::format("episode: must be {}, got {}", row + 1, episode[row]));
}

}  // namespace

std::span<const double> NumberTable::column(const std::string& name) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) throw InputError(name, "there is no such column");
  return values[static_cast<std::size_t>(found - columns.begin())];
}

NumberTable read_number_table(const std::string& path) {
  const std::optional<std::string> text = read_whole_file(path, kLargest);
  if (!text) throw InputError(path, "is missing");
  return parse_table(path, *text);
}

RunRecord read_run(const std::string& folder) {
  RunRecord record;
  record.folder = folder;
  std::optional<RunFile> run = read_run_file(folder);
  if (!run) throw InputError(folder, "is not a run: it holds no run.json");
  record.run = *std::move(run);
  const std::string episodes = folder + "/episodes.csv";
  record.episodes = read_number_table(episodes);
  expect_episodes_in_order(episodes, record.episodes);
  const std::string timing = folder + "/timing.csv";
  if (const std::optional<std::string> text = read_whole_file(timing, kLargest))
    record.timing = parse_table(timing, *text);
  return record;
}

}  // namespace vapor
