// The one symbol of libvapor_torch.so (vapor/nn/torch_part.h).
#include "vapor/nn/torch/torch_network.h"

namespace vapor::nn {
namespace {

std::unique_ptr<Network> make_network(const TorchNetworkSettings& settings,
                                      const ObservationStore& store, const RandomStream& random) {
  set_up_torch(settings.threads);
  return std::make_unique<TorchNetwork>(settings, std::make_shared<InputBuffer>(store), random);
}

}  // namespace
}  // namespace vapor::nn

extern "C" __attribute__((visibility("default"))) const vapor::nn::TorchPart* vapor_torch_part() {
  static const vapor::nn::TorchPart part = {vapor::nn::build_of_this_object(),
                                            vapor::nn::make_network};
  return &part;
}
