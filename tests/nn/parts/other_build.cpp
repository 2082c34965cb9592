// What looks like the part with networks on arrays, of a build that is not this one. It would be
// called with objects that it does not know.
#include <cstdlib>

namespace {

struct Part {
  const char* build;
  void (*make_agent)();
};

}  // namespace

extern "C" const Part* vapor_torch_part() {
  static const Part part = {"vapor 0.0.1 (0123456789ab)", std::abort};
  return &part;
}
