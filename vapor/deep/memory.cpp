#include "vapor/deep/memory.h"

#include <fmt/format.h>
#include <unistd.h>

#include "vapor/core/error.h"

namespace vapor::deep {

void expect_memory(const Place& place, const std::string& what, double bytes,
                   const std::string& remedy) {
  constexpr double kGigabyte = 1e9;
  const double machine =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  if (bytes <= machine) return;
  throw InputError(place, fmt::format("{} would take {:.0f} GB, and this machine has {:.0f}; {}",
                                      what, bytes / kGigabyte, machine / kGigabyte, remedy));
}

}  // namespace vapor::deep
