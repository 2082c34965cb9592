// Frames a second that one learner learns from, its replay full: what benchmarks/deep/learner.py
// measures of the same learner in Python.
//
//   deep_learner_bench --net conv --torso small --batch 600 --steps 10
//   deep_learner_bench --net deep_sea --hidden 256
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <iostream>

#include "vapor/deep/agents.h"
#include "vapor/deep/learner.h"

namespace {

using namespace vapor;
using namespace vapor::deep;

struct Options {
  std::string net = "conv";
  std::string torso = "small";
  std::string agent = "vapor-lite";
  Index batch = 600;
  Index hidden = 256;
  Index actions = 6;
  int steps = 10;
  bool json = false;
};

// Of processor time, the best of several parts, because other work shares the machine.
double frames_per_second(Learner& learner, int steps) {
  constexpr int kParts = 5;
  learner.step();
  double best = 0.0;
  for (int part = 0; part < kParts; ++part) {
    const std::clock_t start = std::clock();
    const std::int64_t before = learner.frames();
    for (int k = 0; k < steps; ++k) learner.step();
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    best = std::max(best, static_cast<double>(learner.frames() - before) / seconds);
  }
  return best;
}

// Stacks of four planes of 84 x 84 that move on by one, as Atari's do.
double conv_learner(const Options& o) {
  constexpr Index kFrames = 4000;
  Spec spec("--agent",
            fmt::format("{}:torso={},batch={},replay={}", o.agent, o.torso, o.batch, kFrames));
  const Config config = read_config(spec, paper_config("--agent", o.agent));
  ObservationStore store({4, 84, 84}, kFrames + 1);
  const auto agent = make_array_agent(o.agent, config, store, o.actions, RandomStream(1));
  Learner learner(config, *agent, store.capacity(), RandomStream(2));
  RandomStream random(3);
  std::vector<std::byte> image(store.shape().bytes());
  const auto plane = static_cast<std::ptrdiff_t>(image.size() / 4);
  std::vector<double> pi(o.actions);
  Index number = store.add(image, -1);
  std::vector<Frame> episode;
  for (Index k = 0; k < kFrames; ++k) {
    std::rotate(image.begin(), image.begin() + plane, image.end());
    std::generate(image.end() - plane, image.end(),
                  [&] { return static_cast<std::byte>(random.bits()); });
    const Index next = store.add(image, number);
    episode.push_back({number, random.index(o.actions), next, random.uniform() < 0.1 ? 1.0F : 0.0F,
                       1.0F / static_cast<float>(o.actions), k % 500 == 499});
    // As the actor does: it is then that the prior functions are computed.
    double sigma = 0.0;
    agent->play(std::span(&number, 1), pi, std::span(&sigma, 1));
    number = next;
    if (episode.back().last) {
      learner.add(episode);
      episode.clear();
    }
  }
  return frames_per_second(learner, o.steps);
}

// Random walks down the sea: 100 frames an episode, one-hot cells.
double deep_sea_learner(const Options& o) {
  constexpr Index kDepth = 100;
  Config config = deep_sea_config("--agent", o.agent, kDepth);
  config.network.hidden = o.hidden;
  config.learning.batch_frames = o.batch;
  const Index cells = kDepth * kDepth;
  const auto agent = make_table_agent(o.agent, config, cells, 2, RandomStream(1));
  Learner learner(config, *agent, cells, RandomStream(2));
  RandomStream random(3);
  std::vector<Frame> episode(kDepth);
  for (Index k = 0; k < 1000; ++k) {
    Index column = 0;
    for (Index t = 0; t < kDepth; ++t) {
      Frame& frame = episode[t];
      frame.observation = t * kDepth + column;
      frame.action = random.index(2);
      column = std::clamp(column + 2 * frame.action - 1, 0, kDepth - 1);
      frame.last = t + 1 == kDepth;
      frame.next_observation = frame.last ? frame.observation : (t + 1) * kDepth + column;
      frame.reward = frame.action == 1 ? -0.01F / kDepth : 0.0F;
      frame.behaviour = 0.5F;
    }
    learner.add(episode);
  }
  return frames_per_second(learner, o.steps);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  CLI::App app("frames a second that one learner learns from");
  app.add_option("--net", o.net)->check(CLI::IsMember({"conv", "deep_sea"}));
  app.add_option("--torso", o.torso);
  app.add_option("--agent", o.agent);
  app.add_option("--batch", o.batch, "frames of a step");
  app.add_option("--hidden", o.hidden);
  app.add_option("--actions", o.actions, "of the conv learner");
  app.add_option("--steps", o.steps, "of each of five parts; the fastest part counts");
  app.add_flag("--json", o.json);
  CLI11_PARSE(app, argc, argv);
  try {
    const double rate = o.net == "conv" ? conv_learner(o) : deep_sea_learner(o);
    const std::string size = o.net == "conv" ? o.torso : std::to_string(o.hidden);
    std::cout << (o.json
                      ? fmt::format(R"({{"net": "{}", "size": "{}", "batch": {}, )"
                                    R"("frames_per_second": {:.0f}}})",
                                    o.net, size, o.batch, rate)
                      : fmt::format("{} {}, batch {}: {:.0f} frames/s", o.net, size, o.batch, rate))
              << '\n';
  } catch (const InputError& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
  return 0;
}
