// The one symbol of libvapor_torch.so (vapor/deep/torch_part.h).
#include "vapor/deep/torch/image_agents.h"
#include "vapor/deep/torch_part.h"

extern "C" __attribute__((visibility("default"))) const vapor::deep::TorchPart* vapor_torch_part() {
  static const vapor::deep::TorchPart part = {vapor::deep::build_of_this_object(),
                                              vapor::deep::make_image_agent};
  return &part;
}
