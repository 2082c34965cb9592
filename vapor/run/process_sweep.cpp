#include "vapor/run/process_sweep.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <deque>
#include <filesystem>
#include <memory>
#include <system_error>

#include "vapor/core/error.h"
#include "vapor/record/file.h"
#include "vapor/record/sweep_manifest.h"
#include "vapor/run/child_process.h"

namespace vapor {
namespace {

constexpr int kPollMilliseconds = 200;
constexpr int kGood = 0, kBadInput = 2;  // exit codes of the program

// The episodes of a record that is being written, at the price of reading what is new in it.
class EpisodeCount {
 public:
  explicit EpisodeCount(const std::string& folder) : path_(folder + "/episodes.csv") {}

  std::int64_t update() {
    const int file = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return episodes();
    if (lseek(file, 0, SEEK_END) < read_) read_ = lines_ = 0;  // cut back to a checkpoint
    std::array<char, 1 << 16> part;
    for (ssize_t count = 0; (count = pread(file, part.data(), part.size(), read_)) > 0;) {
      read_ += count;
      lines_ += std::count(part.begin(), part.begin() + count, '\n');
    }
    close(file);
    return episodes();
  }

 private:
  std::int64_t episodes() const { return std::max<std::int64_t>(0, lines_ - 1); }  // one is names

  std::string path_;
  std::int64_t read_ = 0;
  std::int64_t lines_ = 0;
};

bool is_by_frames(const SweepCell& cell) { return cell.settings.by_frames.has_value(); }

// Of trainings by frames nobody knows how many episodes they have: they are one step.
std::int64_t episodes_of(const SweepCell& cell) {
  return is_by_frames(cell) ? 1 : cell.settings.episodes;
}

// {"run", ..., "--out", ..., "--threads", "1", "--quiet"}: what a child is started with.
std::vector<std::string> words_of_child(const SweepCell& cell, const std::string& out) {
  std::vector<std::string> words = words_of(cell.settings);
  if (cell.checkpoint_every > 0)
    words.insert(words.end(), {"--checkpoint-every", std::to_string(cell.checkpoint_every)});
  const std::string folder = path_of(cell, out);
  words.insert(words.end(),
               {"--out", folder.substr(0, folder.rfind('/')), "--threads", "1", "--quiet"});
  return words;
}

std::string how_it_ended(const RunningChild& child, int exit_code) {
  std::string said = child.last_error();
  if (said.starts_with("vapor: ")) said.erase(0, 7);
  if (exit_code > 128) return fmt::format("ended by signal {}", strsignal(exit_code - 128));
  return said.empty() ? fmt::format("ended with code {}", exit_code) : said;
}

class ProcessSweep {
 public:
  ProcessSweep(const std::vector<SweepCell>& cells, std::string out,
               const ProcessSweepOptions& options)
      : cells_(cells), out_(std::move(out)), options_(options), outcomes_(cells.size()) {
    progress_.runs = cells.size();
    if (std::ranges::all_of(cells, is_by_frames)) progress_.step = "trainings";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      progress_.episodes += episodes_of(cells[i]);
      outcomes_[i].status = status_on_disk(cells[i], out_);
      if (outcomes_[i].status == CellStatus::kWasFinished)
        count_as_ended(i, 0);
      else
        waiting_.push_back({.cell = i});
    }
  }

  std::vector<CellOutcome> run() {
    while (!running_.empty() || ((!waiting_.empty() || !elsewhere_.empty()) && !stopped())) {
      if (stopped() && !told_) {
        for (const Job& job : running_) job.child->terminate();
        told_ = true;
      }
      while (!stopped() && !waiting_.empty() && std::ssize(running_) < processes_) start();
      wait_a_moment();
      look_at_children();
      look_elsewhere();
    }
    return outcomes_;
  }

 private:
  struct Job {
    std::size_t cell = 0;
    int attempts = 0;                               // so far
    std::unique_ptr<RunningChild> child = nullptr;  // null: waits
    std::unique_ptr<EpisodeCount> count = nullptr;
    std::int64_t known = 0;  // episodes that the progress counts
    bool said = false;       // that another process has it
  };

  void start() {
    Job job = std::move(waiting_.front());
    waiting_.pop_front();
    const SweepCell& cell = cells_[job.cell];
    if (is_in_use(path_of(cell, out_))) return wait_for_other(std::move(job));
    if (!job.count) {
      job.count = std::make_unique<EpisodeCount>(path_of(cell, out_));
      job.known = steps_done(job);
      progress_.episodes_done += job.known;
    }
    try {
      job.child = std::make_unique<RunningChild>(options_.program, words_of_child(cell, out_));
    } catch (const std::system_error&) {
      if (running_.empty()) throw;
      processes_ = static_cast<int>(running_.size());  // the machine gives no more of them
      return waiting_.push_front(std::move(job));
    }
    ++job.attempts;
    running_.push_back(std::move(job));
  }

  // Until a child says something or ends, a signal comes, or the progress is due.
  void wait_a_moment() const {
    std::vector<pollfd> descriptors;
    for (const Job& job : running_)
      descriptors.push_back({.fd = job.child->wakes_on(), .events = POLLIN, .revents = 0});
    poll(descriptors.data(), descriptors.size(), kPollMilliseconds);
  }

  void look_at_children() {
    for (std::size_t k = 0; k < running_.size();) {
      Job& job = running_[k];
      const std::optional<int> code = job.child->exit_code();
      count_episodes(job);
      if (!code) {
        ++k;
        continue;
      }
      Job ended = std::move(job);
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(k));
      settle(std::move(ended), *code);
    }
    options_.progress(progress_);
  }

  // Another sweep of this folder, or a run by hand, is making it: what it makes is what this one
  // would have made.
  void wait_for_other(Job job) {
    if (!job.said)
      options_.say(path_of(cells_[job.cell], out_) + ": " + kInUse + "; waiting for it");
    job.said = true;
    job.child = nullptr;
    elsewhere_.push_back(std::move(job));
  }

  // Cells that were let go, finished or not.
  void look_elsewhere() {
    for (std::size_t k = 0; k < elsewhere_.size();) {
      const std::size_t cell = elsewhere_[k].cell;
      if (is_in_use(path_of(cells_[cell], out_))) {
        ++k;
        continue;
      }
      Job job = std::move(elsewhere_[k]);
      elsewhere_.erase(elsewhere_.begin() + static_cast<std::ptrdiff_t>(k));
      if (status_on_disk(cells_[cell], out_) == CellStatus::kWasFinished) {
        outcomes_[cell].status = CellStatus::kWasFinished;
        count_as_ended(cell, job.known);
      } else {
        waiting_.push_front(std::move(job));
      }
    }
  }

  std::int64_t steps_done(const Job& job) const {
    const SweepCell& cell = cells_[job.cell];
    return is_by_frames(cell) ? 0 : std::min(job.count->update(), episodes_of(cell));
  }

  void count_episodes(Job& job) {
    const std::int64_t now = steps_done(job);
    progress_.episodes_done += now - job.known;
    progress_.episodes_played += std::max<std::int64_t>(0, now - job.known);
    job.known = now;
  }

  void settle(Job job, int code) {
    CellOutcome& outcome = outcomes_[job.cell];
    if (code == kGood) {
      outcome.status = CellStatus::kFinished;
      return count_as_ended(job.cell, job.known);
    }
    if (stopped()) return;
    outcome.error = how_it_ended(*job.child, code);
    if (code == kBadInput && outcome.error.ends_with(kInUse)) {  // taken in the same moment
      outcome.error.clear();
      --job.attempts;
      return wait_for_other(std::move(job));
    }
    const bool again = code != kBadInput && job.attempts < kAttempts;
    options_.say(fmt::format(
        "{}: {}{}", path_of(cells_[job.cell], out_), outcome.error,
        again ? fmt::format("; started again ({} of {})", job.attempts + 1, kAttempts) : ""));
    if (again) {
      job.child = nullptr;
      return waiting_.push_front(std::move(job));
    }
    outcome.status = CellStatus::kFailed;
    count_as_ended(job.cell, job.known);
  }

  // What it does not play counts as done.
  void count_as_ended(std::size_t cell, std::int64_t known) {
    ++progress_.runs_ended;
    progress_.episodes_done += episodes_of(cells_[cell]) - known;
  }

  bool stopped() const {
    stopped_ = stopped_ || !options_.keep_going();
    return stopped_;
  }

  const std::vector<SweepCell>& cells_;
  const std::string out_;
  const ProcessSweepOptions options_;
  int processes_ = options_.processes;  // at the same time
  std::vector<CellOutcome> outcomes_;
  SweepProgress progress_;
  std::deque<Job> waiting_;
  std::vector<Job> running_;
  std::vector<Job> elsewhere_;  // cells that other processes are making
  mutable bool stopped_ = false;
  bool told_ = false;  // the children, that they must end
};

}  // namespace

const char* name_of(CellStatus status) {
  switch (status) {
    case CellStatus::kUnfinished:
      return "unfinished";
    case CellStatus::kFinished:
    case CellStatus::kWasFinished:
      return "finished";
    case CellStatus::kFailed:
      return "failed";
  }
  return "unfinished";
}

std::string path_of(const SweepCell& cell, const std::string& out) {
  return out + "/" + cell.folder;
}

CellStatus status_on_disk(const SweepCell& cell, const std::string& out) {
  const std::optional<RunFile> run =
      expect_room_for(path_of(cell, out), header_of(cell.settings).definition);
  // One that was killed just before it let go of its checkpoint does so when it is opened again.
  std::error_code ignored;
  const bool holds_on = std::filesystem::exists(path_of(cell, out) + "/checkpoint", ignored);
  return run && run->finished && !holds_on ? CellStatus::kWasFinished : CellStatus::kUnfinished;
}

void write_manifest(const std::vector<SweepCell>& cells, const std::string& out) {
  std::vector<ManifestCell> all;
  for (const SweepCell& cell : cells)
    all.push_back({cell.folder, header_of(cell.settings).definition, cell.varied});
  add_to_manifest(out, all);
}

std::vector<CellOutcome> sweep_in_processes(const std::vector<SweepCell>& cells,
                                            const std::string& out,
                                            const ProcessSweepOptions& options) {
  ProcessSweep sweep(cells, out, options);
  write_manifest(cells, out);
  return sweep.run();
}

}  // namespace vapor
