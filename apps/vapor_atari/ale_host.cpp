// Atari 2600 games by ale-py's vector environment.
#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "array_view.h"
#include "host.h"

namespace vapor::atari {
namespace {

namespace py = pybind11;
using namespace pybind11::literals;

py::object array(Index places, const char* type) {
  return py::module_::import("numpy").attr("ones")(places, type);
}

// A lost life is reported, not followed by a new game as ale-py's own `episodic_life` would:
// later lives are played too.
py::object make_environment(const GameSettings& settings, Index places) {
  return py::module_::import("ale_py.vector_env")
      .attr("AtariVectorEnv")(
          settings.game, places, "num_threads"_a = std::min(settings.threads, places),
          "autoreset_mode"_a = "SameStep", "max_num_frames_per_episode"_a = settings.max_frames,
          "repeat_action_probability"_a = settings.sticky,
          "full_action_space"_a = !settings.minimal_actions, "img_height"_a = settings.size,
          "img_width"_a = settings.size, "stack_num"_a = settings.stack,
          "frameskip"_a = settings.skip, "noop_max"_a = settings.noop,
          "life_loss_info"_a = settings.life, "reward_clipping"_a = false,
          "use_fire_reset"_a = settings.fire);
}

class AleHost final : public Host {
 public:
  AleHost(const GameSettings& settings, Index places)
      : settings_(settings),
        environment_(make_environment(settings, places)),
        emulators_(environment_.attr("ale")),
        actions_(environment_.attr("single_action_space").attr("n").cast<Index>()),
        played_(array(places, "int32")),
        played_view_(played_),
        strengths_(array(places, "float32")),
        first_frames_(static_cast<std::size_t>(places)) {}

  Index actions() const override { return actions_; }
  ObservationShape shape() const override {
    return {settings_.stack, settings_.size, settings_.size, Element::kByte};
  }

  void reset(std::uint64_t seed, const SharedArrays& arrays) override {
    const auto places = static_cast<Index>(arrays.actions.size());
    const py::object seeds = array(places, "int32");
    for (Index p = 0; p < places; ++p)
      ArrayView<std::int32_t>(seeds).elements()[p] = place_seed(seed, p);
    const py::tuple result = environment_.attr("reset")("seed"_a = seeds);
    copy(result[0], arrays.observations);
    const ArrayView<std::int32_t> total(result[1]["frame_number"]);
    const ArrayView<std::int32_t> own(result[1]["episode_frame_number"]);
    for (std::size_t p = 0; p < first_frames_.size(); ++p) first_frames_[p] = total[p] - own[p];
  }

  void step(const SharedArrays& arrays) override {
    std::copy(arrays.actions.begin(), arrays.actions.end(), played_view_.elements().begin());
    emulators_.attr("send")(played_, strengths_);
    const py::tuple result = emulators_.attr("recv")();
    copy(result[0], arrays.observations);
    const ArrayView<std::int32_t> rewards(result[1]);
    const ArrayView<bool> terminated(result[2]);
    const ArrayView<bool> truncated(result[3]);
    bool over = false;
    for (std::size_t p = 0; p < arrays.rewards.size(); ++p) {
      arrays.rewards[p] = static_cast<float>(rewards[p]);
      arrays.ended[p] = terminated[p] ? 1 : 0;
      arrays.cut[p] = truncated[p] && !terminated[p] ? 1 : 0;
      over = over || terminated[p] || truncated[p];
    }
    if (over) write_last(result[4], arrays);
  }

 private:
  static void copy(const py::object& observations, std::span<std::byte> to) {
    const ArrayView<std::uint8_t> view(observations);
    if (view.elements().size() != to.size())
      throw py::value_error("ale-py gave observations of another size");
    std::memcpy(to.data(), view.elements().data(), to.size());
  }

  // ale-py gives the last observation of a place only where a new game began there. Where just a
  // life was lost the present observation is the last of one episode and the first of the next.
  void write_last(const py::object& info, const SharedArrays& arrays) {
    const ArrayView<std::int32_t> total(info["frame_number"]);
    const ArrayView<std::int32_t> own(info["episode_frame_number"]);
    const ArrayView<std::uint8_t> last(info["final_obs"]);
    const std::size_t bytes = arrays.observations.size() / arrays.rewards.size();
    for (std::size_t p = 0; p < arrays.rewards.size(); ++p) {
      if (arrays.ended[p] == 0 && arrays.cut[p] == 0) continue;
      const std::int32_t first_frame = total[p] - own[p];
      const bool new_game = first_frame != first_frames_[p];
      first_frames_[p] = first_frame;
      const auto from = (new_game ? std::as_bytes(last.elements())
                                  : std::span<const std::byte>(arrays.observations))
                            .subspan(p * bytes, bytes);
      std::copy(from.begin(), from.end(), arrays.last_observations.begin() + p * bytes);
    }
  }

  GameSettings settings_;
  py::object environment_;
  py::object emulators_;
  Index actions_;
  py::object played_;
  ArrayView<std::int32_t> played_view_;
  py::object strengths_;                    // all 1: for games with a paddle, the whole way
  std::vector<std::int32_t> first_frames_;  // the emulator's count when the game began, by place
};

}  // namespace

std::unique_ptr<Host> make_ale_host(const GameSettings& settings, Index places) {
  const py::object path = py::module_::import("ale_py.roms").attr("get_rom_path")(settings.game);
  if (path.is_none()) throw InputError("", "ale-py has no game " + settings.game);
  return std::make_unique<AleHost>(settings, places);
}

}  // namespace vapor::atari
