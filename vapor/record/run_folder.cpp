#include "vapor/record/run_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "vapor/core/check.h"
#include "vapor/core/error.h"
#include "vapor/core/output_file.h"
#include "vapor/core/version.h"
#include "vapor/record/damage.h"
#include "vapor/record/older_records.h"

namespace vapor {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kTimingColumns = "episode,seconds\n";

// A folder without run.json may hold what a run leaves that was killed while it was being made, and
// nothing else. What an environment shows is written before there is a run.
void refuse_foreign_folder(const std::string& folder) {
  static const std::set<std::string> ours = {"lock", "run.json.tmp", "observations.json",
                                             "observations.json.new"};
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (!ours.contains(entry.path().filename().string()))
      throw InputError(folder, fmt::format("holds {} but no run.json: it is not a run",
                                           entry.path().filename().string()));
  if (error) throw InputError(folder, "cannot be read: " + error.message());
}

// The longest beginning of a table of times that can be read: its names, and rows whose episodes
// rise up to `last`.
std::string_view rows_in_order(std::string_view text, std::string_view names, std::int64_t last) {
  if (!text.starts_with(names)) return {};
  std::size_t end = names.size();
  for (std::int64_t before = 0;;) {
    const std::size_t stop = text.find('\n', end);
    if (stop == std::string_view::npos) return text.substr(0, end);
    std::int64_t episode = 0;
    double seconds = 0.0;
    const char* const line_end = text.data() + stop;
    const auto [comma, bad] = std::from_chars(text.data() + end, line_end, episode);
    if (bad != std::errc() || comma == line_end || *comma != ',' || episode <= before ||
        episode > last)
      return text.substr(0, end);
    const auto [at, wrong] = std::from_chars(comma + 1, line_end, seconds);
    if (wrong != std::errc() || at != line_end || !std::isfinite(seconds))
      return text.substr(0, end);
    before = episode;
    end = stop + 1;
  }
}

Clock::duration as_duration(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

std::optional<RunFile> expect_room_for(const std::string& folder, const Definition& definition) {
  std::error_code error;
  if (!fs::exists(folder, error)) {
    expect_room_for_folder(folder);
    return std::nullopt;
  }
  refuse_other_than_folder(folder);
  std::optional<RunFile> run = read_run_file(folder);
  if (!run) {
    refuse_foreign_folder(folder);
    return std::nullopt;
  }
  const std::string place = folder + "/run.json";
  expect_same_definition(place, run->definition, definition);
  if (!run->finished && run->version != kVersion)
    throw InputError(place, fmt::format("version: the run was begun by {} and cannot be resumed "
                                        "by {}",
                                        run->version, kVersion));
  return run;
}

RunFolder::RunFolder(std::string folder, const RunHeader& header, const CheckpointPeriod& period)
    : folder_(std::move(folder)),
      columns_(fmt::format("{}\n", fmt::join(header.columns, ","))),
      width_(header.columns.size()),
      period_(period) {
  VAPOR_CHECK_GE(width_, 1u);
  VAPOR_CHECK_EQ(header.columns.front(), "episode");
  run_ = {.definition = header.definition, .command = header.command, .version = kVersion};
  open();
}

void RunFolder::open() {
  std::optional<RunFile> old = expect_room_for(folder_, run_.definition);
  if (!old || !old->finished) {
    make_folder(folder_);
    lock_.emplace(folder_);
    // It may have been made, or finished, before the lock was ours.
    old = expect_room_for(folder_, run_.definition);
  }
  if (!old) {
    write_run_file(folder_, run_);
    return go_on();
  }
  run_ = *std::move(old);
  if (run_.finished) {
    for (const DamagedFile& damaged : damaged_files(folder_))
      throw InputError(folder_ + "/" + damaged.name,
                       damaged.problem + "; delete the folder to make the run again");
    return let_go();  // it may have been killed just before it did so itself
  }
  go_on();
}

// Cuts the files back to the checkpoint; without one, to their first line.
void RunFolder::go_on() {
  std::optional<Checkpoint> last = read_checkpoint(file("checkpoint"));
  if (run_.format < kRunFormat) {
    if (last) last = bring_to_this_format(folder_, *std::move(last));
    run_.format = kRunFormat;
    write_run_file(folder_, run_);
  }
  episodes_.emplace(file("episodes.csv"));
  timing_.emplace(file("timing.csv"));
  if (last) {
    go_on_from(*std::move(last));
  } else {
    episodes_->cut_to(0, {});
    episodes_->append(columns_);
    timing_->cut_to(0, {});
    timing_->append(kTimingColumns);
  }
  episodes_at_save_ = checkpoint_.episodes;
  next_save_ = Clock::now() + as_duration(period_.seconds);
}

void RunFolder::go_on_from(Checkpoint last) {
  constexpr const char* kRemedy = "delete the checkpoint to run from the start";
  if (episodes_->size() < last.episodes_bytes)
    throw InputError(episodes_->path(),
                     fmt::format("has {} bytes, fewer than the {} that the checkpoint counts; {}",
                                 episodes_->size(), last.episodes_bytes, kRemedy));
  const Checksum sum = episodes_->checksum_of_first(last.episodes_bytes);
  if (last.summed && sum.value() != last.episodes_sum)
    throw InputError(episodes_->path(),
                     fmt::format("is damaged: the {} bytes that the checkpoint counts have another "
                                 "checksum; {}",
                                 last.episodes_bytes, kRemedy));
  for (const DamagedFile& damaged : damaged_files(folder_, last.episodes))
    throw InputError(folder_ + "/" + damaged.name, fmt::format("{}; {}", damaged.problem, kRemedy));
  episodes_->cut_to(last.episodes_bytes, sum);
  mend_timing(last);
  checkpoint_ = std::move(last);
}

// Wall times promise nothing: of a file that is not what the checkpoint counts, the rows that can
// be read stay, and what is missing stays missing.
void RunFolder::mend_timing(const CountedFiles& counted) {
  const Checksum sum = timing_->checksum_of_first(counted.timing_bytes);
  const bool whole = timing_->size() >= counted.timing_bytes &&
                     (!counted.summed || sum.value() == counted.timing_sum);
  if (whole) return timing_->cut_to(counted.timing_bytes, sum);
  const std::string text = timing_->text();
  const std::string_view good = rows_in_order(text, kTimingColumns, counted.episodes);
  mended_.push_back(
      fmt::format("{}: was damaged; {} of its {} times are kept, and the rest of the run is timed",
                  timing_->path(), std::max<std::ptrdiff_t>(0, std::ranges::count(good, '\n') - 1),
                  counted.episodes));
  Checksum of_good;
  of_good.add(good);
  timing_->cut_to(std::ssize(good), of_good);
  if (good.empty()) timing_->append(kTimingColumns);
}

void RunFolder::append(std::span<const double> values, double seconds) {
  VAPOR_CHECK_EQ(run_.finished, false);
  VAPOR_CHECK_EQ(values.size(), width_ - 1);
  for (const double value : values) VAPOR_CHECK_EQ(std::isfinite(value), true);
  ++checkpoint_.episodes;
  std::string line = std::to_string(checkpoint_.episodes);
  for (const double value : values) line += fmt::format(",{}", value);
  episodes_->append(line + "\n");
  timing_->append(fmt::format("{},{:.9f}\n", checkpoint_.episodes, seconds));
}

void RunFolder::write_snapshot(const std::string& name, const std::string& text) {
  make_folder(file("snapshots"));
  replace_file(file("snapshots/") + name, text);
}

bool RunFolder::checkpoint_due() const {
  const std::int64_t since = checkpoint_.episodes - episodes_at_save_;
  if (since == 0) return false;
  return (period_.episodes > 0 && since >= period_.episodes) || Clock::now() >= next_save_;
}

void RunFolder::save(std::string state) {
  const Clock::time_point begin = Clock::now();
  episodes_->flush_to_disk();
  timing_->flush_to_disk();
  checkpoint_.episodes_bytes = episodes_->size();
  checkpoint_.episodes_sum = episodes_->checksum().value();
  checkpoint_.timing_bytes = timing_->size();
  checkpoint_.timing_sum = timing_->checksum().value();
  checkpoint_.summed = true;
  checkpoint_.state = std::move(state);
  write_checkpoint(file("checkpoint"), checkpoint_);
  checkpoint_.state = std::string();  // it can be large, and nobody asks for it again
  episodes_at_save_ = checkpoint_.episodes;
  const Clock::time_point end = Clock::now();
  next_save_ = end + std::max(as_duration(period_.seconds), 20 * (end - begin));
}

void RunFolder::finish() {
  episodes_->flush_to_disk();
  timing_->flush_to_disk();
  run_.files["episodes.csv"] = {episodes_->size(), episodes_->checksum().text()};
  run_.finished = true;
  write_run_file(folder_, run_);
  let_go();
}

void RunFolder::let_go() {
  std::error_code ignored;
  fs::remove(file("checkpoint"), ignored);
  // Of a kill in the middle of writing one.
  for (const char* name : {"checkpoint.tmp", "run.json.tmp", "policy.tmp"})
    fs::remove(file(name), ignored);
  episodes_.reset();
  timing_.reset();
  lock_.reset();
}

}  // namespace vapor
