#include "local_sweep.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <deque>
#include <memory>

#include "action.h"
#include "child_process.h"
#include "interruption.h"
#include "sweep_progress.h"

namespace vapor::command {
namespace {

constexpr int kPollMilliseconds = 200;
constexpr std::int64_t kDefaultEpisodes = 1000;  // of `vapor train`

// The episodes of a record that is being written, at the price of reading what is new in it.
class EpisodeCount {
 public:
  explicit EpisodeCount(const std::string& folder) : path_(folder + "/episodes.csv") {}

  std::int64_t update() {
    const int file = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
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

bool is_by_frames(const GridCell& cell) {
  return cell.train() != nullptr && cell.train()->frames.has_value();
}

// Of trainings by frames nobody knows how many episodes they have: they are one step.
std::int64_t steps_of(const GridCell& cell) {
  if (cell.run() != nullptr) return cell.run()->episodes;
  return is_by_frames(cell) ? 1 : cell.train()->episodes.value_or(kDefaultEpisodes);
}

std::string how_it_ended(const RunningChild& child, int exit_code) {
  std::string said = child.last_error();
  if (said.starts_with("vapor: ")) said.erase(0, 7);
  if (exit_code > 128) return fmt::format("ended by signal {}", strsignal(exit_code - 128));
  return said.empty() ? fmt::format("ended with code {}", exit_code) : said;
}

class LocalSweep {
 public:
  LocalSweep(const std::vector<GridCell>& cells, std::string out, const LocalSweepOptions& options)
      : cells_(cells),
        out_(std::move(out)),
        options_(options),
        outcomes_(cells.size()),
        line_(options.progress) {
    progress_.runs = cells.size();
    if (std::ranges::all_of(cells, is_by_frames)) progress_.step = "trainings";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      progress_.episodes += steps_of(cells[i]);
      outcomes_[i].status = status_on_disk(cells[i], out_);
      const bool made = outcomes_[i].status == CellStatus::kWasFinished;
      // A training is handed to its own program even then: it alone can tell another from this one.
      if (made && cells[i].run() != nullptr)
        count_as_ended(i, 0);
      else
        waiting_.push_back({.cell = i});
    }
  }

  std::vector<CellOutcome> run() {
    while (!running_.empty() || (!waiting_.empty() && !interrupted())) {
      if (interrupted() && !told_) {
        for (const Job& job : running_) job.child->terminate();
        told_ = true;
      }
      while (!interrupted() && !waiting_.empty() && std::ssize(running_) < options_.processes)
        start();
      wait_a_moment();
      look_at_children();
    }
    line_.clear();
    return outcomes_;
  }

 private:
  struct Job {
    std::size_t cell = 0;
    int attempts = 0;                               // so far
    std::unique_ptr<RunningChild> child = nullptr;  // null: waits
    std::unique_ptr<EpisodeCount> count = nullptr;
    std::int64_t known = 0;  // episodes that the progress counts
  };

  void start() {
    Job job = std::move(waiting_.front());
    waiting_.pop_front();
    const GridCell& cell = cells_[job.cell];
    if (job.attempts == 0) {
      job.count = std::make_unique<EpisodeCount>(path_of(cell, out_));
      job.known = steps_done(job);
      progress_.episodes_done += job.known;
    }
    ++job.attempts;
    job.child = std::make_unique<RunningChild>(words_of_child(cell, out_));
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
    line_.show(progress_);
  }

  std::int64_t steps_done(const Job& job) const {
    const GridCell& cell = cells_[job.cell];
    return is_by_frames(cell) ? 0 : std::min(job.count->update(), steps_of(cell));
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
      if (outcome.status != CellStatus::kWasFinished) outcome.status = CellStatus::kFinished;
      return count_as_ended(job.cell, job.known);
    }
    if (interrupted()) return;
    outcome.error = how_it_ended(*job.child, code);
    const bool again = code != kBadInput && job.attempts < kAttempts;
    line_.clear();
    fmt::print(stderr, "vapor: {}: {}{}\n", path_of(cells_[job.cell], out_), outcome.error,
               again ? fmt::format("; started again ({} of {})", job.attempts + 1, kAttempts) : "");
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
    progress_.episodes_done += steps_of(cells_[cell]) - known;
  }

  const std::vector<GridCell>& cells_;
  const std::string out_;
  const LocalSweepOptions options_;
  std::vector<CellOutcome> outcomes_;
  SweepProgress progress_;
  SweepProgressLine line_;
  std::deque<Job> waiting_;
  std::vector<Job> running_;
  bool told_ = false;  // the children, that they must end
};

}  // namespace

std::vector<CellOutcome> make_locally(const std::vector<GridCell>& cells, const std::string& out,
                                      const LocalSweepOptions& options) {
  return LocalSweep(cells, out, options).run();
}

}  // namespace vapor::command
