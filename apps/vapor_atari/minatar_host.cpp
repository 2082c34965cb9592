// MinAtar's games (Young and Tian, 2019) by their own package.
#include <pybind11/pybind11.h>

#include <vector>

#include "array_view.h"
#include "host.h"

namespace vapor::atari {
namespace {

namespace py = pybind11;
using namespace pybind11::literals;

class MinAtarHost final : public Host {
 public:
  MinAtarHost(const GameSettings& settings, Index places) {
    // The package warns when it finds nothing to draw with.
    py::module_::import("logging").attr("disable")();
    const py::object make = py::module_::import("minatar").attr("Environment");
    for (Index p = 0; p < places; ++p)
      games_.push_back(make(settings.game, "sticky_action_prob"_a = settings.sticky));
    const py::object& game = games_.front();
    if (settings.minimal_actions) {
      for (const py::handle action : game.attr("minimal_action_set")())
        actions_.push_back(action.cast<Index>());
    } else {
      for (Index a = 0; a < game.attr("num_actions")().cast<Index>(); ++a) actions_.push_back(a);
    }
    const py::sequence shape = game.attr("state_shape")();  // height, width, channels
    shape_ = {shape[2].cast<Index>(), shape[0].cast<Index>(), shape[1].cast<Index>(),
              Element::kFlag};
  }

  Index actions() const override { return static_cast<Index>(actions_.size()); }
  ObservationShape shape() const override { return shape_; }

  void reset(std::uint64_t seed, const SharedArrays& arrays) override {
    for (std::size_t p = 0; p < games_.size(); ++p) {
      games_[p].attr("seed")(place_seed(seed, static_cast<Index>(p)));
      games_[p].attr("last_action") = 0;  // else a sticky action could come from before
      games_[p].attr("reset")();
      observe(p, arrays.observations);
    }
  }

  void step(const SharedArrays& arrays) override {
    for (std::size_t p = 0; p < games_.size(); ++p) {
      const py::tuple result = games_[p].attr("act")(actions_[arrays.actions[p]]);
      arrays.rewards[p] = result[0].cast<float>();
      arrays.ended[p] = result[1].cast<bool>() ? 1 : 0;
      arrays.cut[p] = 0;
      if (arrays.ended[p] != 0) {
        observe(p, arrays.last_observations);
        games_[p].attr("reset")();
      }
      observe(p, arrays.observations);
    }
  }

 private:
  // From height x width x channels to channels x height x width.
  void observe(std::size_t p, std::span<std::byte> observations) const {
    const ArrayView<bool> cells(games_[p].attr("state")());
    const auto channels = static_cast<std::size_t>(shape_.channels);
    const std::size_t pixels = cells.elements().size() / channels;
    std::byte* const to = observations.data() + p * shape_.bytes();
    for (std::size_t c = 0; c < channels; ++c)
      for (std::size_t i = 0; i < pixels; ++i)
        to[c * pixels + i] = std::byte{cells[i * channels + c]};
  }

  std::vector<py::object> games_;
  std::vector<Index> actions_;  // ours -> the package's
  ObservationShape shape_;
};

}  // namespace

std::unique_ptr<Host> make_minatar_host(const GameSettings& settings, Index places) {
  return std::make_unique<MinAtarHost>(settings, places);
}

}  // namespace vapor::atari
