// The Ray engine of `vapor sweep` is the Python package's: this program becomes it.
#pragma once

#include <string>

namespace vapor::command {

struct RaySweep {
  std::string file;
  std::string out;
  std::string address;  // of the cluster; empty: one of this machine alone
  bool json = false;
  bool quiet = false;
};

// Never returns. Throws InputError if there is no interpreter of Python: $VAPOR_PYTHON, else
// python3.
[[noreturn]] void become_ray_sweep(const RaySweep& sweep);

}  // namespace vapor::command
