// The files that pages are made of, as the build found them: our own of assets/ and Vega's.
#pragma once

#include <string>
#include <string_view>

namespace vapor {

// The whole file, e.g. asset("page.css"). A broken invariant if there is none of that name.
std::string_view asset(const std::string& name);

}  // namespace vapor
