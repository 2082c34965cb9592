// Networks on arrays are a part of their own, the shared object libvapor_torch.so: nothing else is
// linked with libtorch. It is opened when it is first asked for, so that whoever does without such
// networks neither needs a torch nor loads one.
#pragma once

#include <memory>
#include <string>

#include "vapor/core/random.h"
#include "vapor/nn/adam.h"
#include "vapor/nn/network.h"
#include "vapor/nn/observation_store.h"
#include "vapor/nn/torso.h"

namespace vapor::nn {

struct TorchNetworkSettings {
  Torso torso = Torso::kSmall;
  Index hidden = 128;          // width of the mlp's layers; 0: linear
  Index layers = 1;            // of the mlp
  Index lstm = 0;              // units of the LSTM; 0: none
  Index outputs = 1;           // >= 1
  double output_std = 0.1;     // output weights start as N(0, output_std^2 / width)
  bool unit_features = false;  // the last hidden layer is divided by its root mean square
  AdamSettings adam = {};
  double gradient_norm = 40.0;  // longer gradients are cut to it, > 0
  Index threads = 1;            // of torch within an operation; the last network's holds for all
};

// A network on the arrays of a store, which must live as long as it. Opens the part if it is not
// open yet. Throws InputError if the arrays do not fit the torso.
std::unique_ptr<Network> make_torch_network(const TorchNetworkSettings& settings,
                                            const ObservationStore& store,
                                            const RandomStream& random);

// What the part answers by its one symbol, vapor_torch_part(). Objects of C++ cross from it to
// here: both must come from the same headers and compiler, which is what `build` says.
struct TorchPart {
  const char* build;
  std::unique_ptr<Network> (*make_network)(const TorchNetworkSettings& settings,
                                           const ObservationStore& store,
                                           const RandomStream& random);
};

// The build of the object that this is linked into: a program, a module of Python or the part.
const char* build_of_this_object();

// Whether a part can be found: in the file that VAPOR_TORCH_PART names, else beside the object that
// this is linked into or in a folder lib/vapor near it.
bool has_torch_part();

// Two torches in one process register the same operators and share symbols by name.
inline constexpr const char* kOneTorch =
    "two copies of torch in one process crash it. Use the other one in a process of its own, or "
    "install the PyTorch that VAPOR was built with (Debian: python3-torch)";

// Opens it, once in a process. Throws InputError that says what to do if it is missing or of
// another build, if its libtorch is missing, or if another torch is loaded already.
const TorchPart& torch_part();

// The libtorch of the part that is open; empty: none is.
std::string open_torch_library();

}  // namespace vapor::nn
