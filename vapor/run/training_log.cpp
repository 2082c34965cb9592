#include "vapor/run/training_log.h"

#include <array>

namespace vapor {

TrainingLog::TrainingLog(const std::string& run_folder, std::int64_t frames,
                         std::int64_t learner_frames)
    : file_(run_folder + "/tensorboard", frames == 0 ? 0 : frames + 1),
      frames_(frames),
      learner_frames_(learner_frames) {}

void TrainingLog::add(const EpisodeRow& e) {
  const double seconds = seconds_since(begin_);
  const auto rate = [&](std::int64_t frames) {
    return seconds > 0.0 ? static_cast<double>(frames) / seconds : 0.0;
  };
  const std::array<Scalar, 9> scalars = {
      {{"return", e.episode_return},
       {"length", static_cast<double>(e.length)},
       {"sigma", e.sigma},
       {"entropy", e.entropy},
       {"losses/policy", e.losses.policy},
       {"losses/value", e.losses.value},
       {"losses/reward", e.losses.reward},
       {"frames_per_second", rate(e.frames - frames_)},
       {"learner_frames_per_second", rate(e.learner_frames - learner_frames_)}}};
  file_.add(e.frames, scalars);
}

}  // namespace vapor
