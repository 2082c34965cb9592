#include "vapor/record/run_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include "vapor/core/checksum.h"
#include "vapor/core/error.h"
#include "vapor/core/regular_file.h"
#include "vapor/record/checkpoint.h"
#include "vapor/record/older_records.h"

namespace vapor {
namespace {

constexpr std::int64_t kLargestTable = std::int64_t{1} << 33;  // bytes

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

bool is_finite_number(std::string_view field) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  return error == std::errc() && end == field.data() + field.size() && std::isfinite(value);
}

// Why a line is not a row of the table; it is looked at twice only if something is wrong.
[[noreturn]] void refuse_row(const std::string& place, std::string_view line,
                             const NumberTable& table) {
  const std::size_t fields = fields_of(line);
  if (fields != table.columns.size())
    throw InputError(place,
                     fmt::format("must have {} fields, got {}", table.columns.size(), fields));
  for (const std::string& column : table.columns) {
    const std::string_view field = take_until(line, ',');
    if (!is_finite_number(field))
      throw InputError(fmt::format("{}: {}", place, column),
                       fmt::format("must be a finite number, got \"{}\"", field.substr(0, 40)));
  }
  throw InputError(place, "is not a row of numbers");
}

// Takes one line off the front; false, and nothing taken, if it is not a row of the table.
bool take_row(std::string_view& text, NumberTable& table) {
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    double value = 0.0;
    const auto [stop, error] = std::from_chars(at, end, value);
    const char after = c + 1 < table.columns.size() ? ',' : '\n';
    if (error != std::errc() || !std::isfinite(value) || stop == end || *stop != after)
      return false;
    table.values[c].push_back(value);
    at = stop + 1;
  }
  text.remove_prefix(static_cast<std::size_t>(at - text.data()));
  return true;
}

NumberTable parse_table(const std::string& path, std::string_view text) {
  text = text.substr(0, text.rfind('\n') + 1);  // without a torn last line (npos + 1 is 0)
  if (text.empty()) throw InputError(path + ":1", "must name the columns");
  NumberTable table;
  std::string_view names = take_until(text, '\n');
  for (std::size_t count = fields_of(names); count > 0; --count)
    table.columns.emplace_back(take_until(names, ','));
  const auto rows = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  table.values.resize(table.columns.size());
  for (std::vector<double>& column : table.values) column.reserve(rows);
  for (std::size_t line = 2; !text.empty(); ++line)
    if (!take_row(text, table))
      refuse_row(fmt::format("{}:{}", path, line), take_until(text, '\n'), table);
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

NumberTable parse_times(const std::string& path, std::string_view text) {
  NumberTable table = parse_table(path, text);
  if (table.columns != std::vector<std::string>{"episode", "seconds"})
    throw InputError(path + ":1", "the columns must be episode,seconds");
  return table;
}

void expect_as_counted(const CountedFiles& counted, const std::string& path,
                       std::string_view text) {
  const auto size = static_cast<std::size_t>(counted.episodes_bytes);
  if (text.size() < size)
    throw InputError(path, fmt::format("is damaged: it has {} bytes, fewer than the {} that the "
                                       "checkpoint counts",
                                       text.size(), size));
  if (counted.summed && crc32c(text.substr(0, size)) != counted.episodes_sum)
    throw InputError(path, fmt::format("is damaged: the {} bytes that the checkpoint counts have "
                                       "another checksum",
                                       size));
}

}  // namespace

bool NumberTable::has_column(const std::string& name) const {
  return std::ranges::find(columns, name) != columns.end();
}

std::span<const double> NumberTable::column(const std::string& name) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) throw InputError(name, "there is no such column");
  return values[static_cast<std::size_t>(found - columns.begin())];
}

NumberTable read_number_table(const std::string& path,
                              const std::function<void(std::string_view text)>& check) {
  const std::optional<std::string> text = read_whole_file(path, kLargestTable);
  if (!text) throw InputError(path, "is missing");
  if (check) check(*text);
  return parse_table(path, *text);
}

RunRecord read_run(const std::string& folder) {
  RunRecord record;
  record.folder = folder;
  std::optional<RunFile> run = read_run_file(folder);
  if (!run) throw InputError(folder, "is not a run: it holds no run.json");
  record.run = *std::move(run);
  // Before the table, which may be growing.
  std::optional<CountedFiles> counted;
  if (!record.run.finished) counted = read_counted_files(folder + "/checkpoint");
  const std::string episodes = folder + "/episodes.csv";
  record.episodes = read_number_table(episodes, [&](std::string_view text) {
    expect_as_finished(record.run, folder, "episodes.csv", text);
    if (counted) expect_as_counted(*counted, episodes, text);
  });
  expect_episodes_in_order(episodes, record.episodes);
  if (record.run.format < kRunFormat) bring_to_this_format(record.episodes);
  const std::string timing = folder + "/timing.csv";
  try {
    const std::optional<std::string> text = read_whole_file(timing, kLargestTable);
    if (text && !text->empty()) record.timing = parse_times(timing, *text);
  } catch (const InputError& error) {
    record.timing_problem = error.what();
  }
  return record;
}

}  // namespace vapor
