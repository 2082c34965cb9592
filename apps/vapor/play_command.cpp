// `vapor play`: a policy that was trained, watched in the terminal or saved as a film.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "commands.h"
#include "interruption.h"
#include "json_answer.h"
#include "options.h"
#include "policy_show.h"
#include "vapor/core/output_file.h"

namespace vapor::command {
namespace {

using nlohmann::ordered_json;

struct PlayOptions {
  std::string run;
  std::int64_t episodes = 1;
  std::int64_t seed = 1;
  std::string gif;
  Index scale = 0;
  double pictures_per_second = 15.0;
  bool watch = false;
  Output output;
};

struct Shown {
  double episode_return = 0.0;
  std::int64_t length = 0;
};

// Redraws the picture in place.
class TerminalView {
 public:
  explicit TerminalView(double pictures_per_second) : pause_(1.0 / pictures_per_second) {}

  void show(const Picture& picture, const Shown& so_far) {
    if (lines_ > 0) fmt::print("\x1b[{}A", lines_);
    fmt::print("{}return {:g}, {} actions\x1b[K\n", terminal_text(picture), so_far.episode_return,
               so_far.length);
    std::fflush(stdout);
    lines_ = (picture.height + 1) / 2 + 1;
    std::this_thread::sleep_for(pause_);
  }

 private:
  std::chrono::duration<double> pause_;
  Index lines_ = 0;
};

// A film of at least 160 pixels, unless the scale is given.
Index scale_of(const PlayOptions& options, const Picture& picture) {
  constexpr Index kWidth = 160;
  return options.scale > 0 ? options.scale : std::max(1, kWidth / picture.width);
}

std::vector<Shown> show(const PlayOptions& options, PolicyShow& player) {
  std::optional<Gif> film;
  if (!options.gif.empty())
    film.emplace(options.gif, static_cast<int>(100.0 / options.pictures_per_second));
  std::optional<TerminalView> view;
  if (options.watch) view.emplace(options.pictures_per_second);
  std::vector<Shown> episodes;
  for (std::int64_t k = 1; k <= options.episodes && !interrupted(); ++k) {
    player.begin(static_cast<std::uint64_t>(options.seed), k);
    Shown episode;
    for (bool going = true; going && !interrupted();) {
      if (film || view) {
        const Picture picture = player.picture();
        if (film) film->add(enlarged(picture, scale_of(options, picture)));
        if (view) view->show(picture, episode);
      }
      going = player.step();
      episode = {player.episode_return(), player.length()};
    }
    episodes.push_back(episode);
  }
  if (film) film->close();
  return episodes;
}

void print(const PlayOptions& options, const std::vector<Shown>& episodes) {
  if (options.output.json) {
    ordered_json answer = {{"run", options.run}, {"seed", options.seed}};
    answer["episodes"] = ordered_json::array();
    for (const Shown& episode : episodes)
      answer["episodes"].push_back(
          {{"return", episode.episode_return}, {"length", episode.length}});
    if (!options.gif.empty()) answer["gif"] = options.gif;
    print_json(answer);
  }
  if (!options.output.for_people()) return;
  Rows rows = {{"episode", "return", "actions"}};
  for (std::size_t k = 0; k < episodes.size(); ++k)
    rows.push_back(
        {std::to_string(k + 1), number(episodes[k].episode_return), whole(episodes[k].length)});
  print_table(rows, 0);
  if (!options.gif.empty()) fmt::print("{}\n", dim("film in " + options.gif));
}

int run(const PlayOptions& options) {
  if (!options.gif.empty()) expect_room_for_file(options.gif);
  const std::unique_ptr<PolicyShow> player = make_show(options.run);
  catch_signals();
  const std::vector<Shown> episodes = show(options, *player);
  if (interrupted()) return end_interrupted();
  print(options, episodes);
  return kGood;
}

}  // namespace

void add_play(CLI::App& app, Action& action) {
  auto options = std::make_shared<PlayOptions>();
  CLI::App* command = app.add_subcommand("play", "Watch a trained policy, or save a film of it");
  add_path(*command, "run", options->run, "RUN", "Folder of a run of vapor train, DIR/seed-S")
      ->required();
  add_whole(*command, "--episodes", options->episodes, {1, 1'000'000}, "Episodes to play")
      ->capture_default_str();
  add_whole(*command, "--seed", options->seed, kSeeds, "Of what is random in them")
      ->capture_default_str();
  command->add_flag("--watch", options->watch, "Draw the game in the terminal as it is played");
  add_path(*command, "--gif", options->gif, "FILE", "Save it as a film");
  add_whole(*command, "--scale", options->scale, {0, 64},
            "Pixels of the film for each that is seen; 0: as many as give 160 across")
      ->capture_default_str();
  add_number(*command, "--rate", options->pictures_per_second, {1.0, 100.0},
             "Pictures a second, watched or in the film")
      ->capture_default_str();
  add_output_flags(*command, options->output);
  command->footer(
      "The policy is the one at the end of the training, or where it was interrupted.\n"
      "Exit code: 0 played, 2 bad input, 3 internal error, 130 interrupted (Ctrl-C).\n"
      "Examples:\n"
      "  vapor play out/train/deep_sea-depth=20/vapor-lite/seed-1 --watch\n"
      "  vapor play out/train/atari-game=pong/vapor-lite/seed-1 --gif pong.gif --episodes 1");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace vapor::command
