#include "vapor/record/older_records.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "vapor/core/error.h"
#include "vapor/record/file.h"

namespace vapor {

void bring_to_this_format(NumberTable& episodes) {
  if (!episodes.has_column("learner_frames") || episodes.has_column("length")) return;
  const auto at = std::ranges::find(episodes.columns, "frames") - episodes.columns.begin();
  episodes.columns.insert(episodes.columns.begin() + at, "length");
  const std::vector<double> length = episodes.values[static_cast<std::size_t>(at)];
  episodes.values.insert(episodes.values.begin() + at, length);
  for (std::size_t c = 0; c < episodes.columns.size(); ++c) {
    if (episodes.columns[c] != "frames" && episodes.columns[c] != "learner_frames") continue;
    std::vector<double>& values = episodes.values[c];
    std::partial_sum(values.begin(), values.end(), values.begin());
  }
}

Checkpoint bring_to_this_format(const std::string& folder, Checkpoint checkpoint) {
  const std::string path = folder + "/episodes.csv";
  NumberTable table = read_number_table(path);
  if (!table.has_column("learner_frames")) return checkpoint;
  const auto rows = static_cast<std::size_t>(checkpoint.episodes);
  if (table.rows() < rows)
    throw InputError(path, fmt::format("has {} episodes, fewer than the {} that the checkpoint "
                                       "counts; delete the checkpoint to run from the start",
                                       table.rows(), rows));
  bring_to_this_format(table);
  std::string text = fmt::format("{}\n", fmt::join(table.columns, ","));
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      text += fmt::format("{}{}", c == 0 ? "" : ",", table.values[c][row]);
    text += '\n';
  }
  replace_file(path, text);
  checkpoint.episodes_bytes = static_cast<std::int64_t>(text.size());
  checkpoint.summed = false;
  write_checkpoint(folder + "/checkpoint", checkpoint);
  return checkpoint;
}

}  // namespace vapor
