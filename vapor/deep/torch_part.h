// Networks on arrays are a part of their own, the shared object libvapor_torch.so: nothing else is
// linked with libtorch. It is opened when it is first asked for, so that whoever does without such
// networks neither needs a torch nor loads one.
#pragma once

#include <memory>
#include <string>

#include "vapor/core/random.h"
#include "vapor/deep/agent.h"
#include "vapor/deep/config.h"
#include "vapor/deep/observation_store.h"

namespace vapor::deep {

// What the part answers by its one symbol, vapor_torch_part(). Objects of C++ cross from it to
// here: both must come from the same headers and compiler, which is what `build` says.
struct TorchPart {
  const char* build;
  std::unique_ptr<Agent> (*make_agent)(const std::string& name, const Config& config,
                                       const ObservationStore& store, Index actions,
                                       const RandomStream& random);  // make_image_agent
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

}  // namespace vapor::deep
