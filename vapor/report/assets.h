// The files that pages are made of, as the build found them: our own of assets/ and Vega's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vapor {

// The whole file, e.g. asset("page.css"). A broken invariant if there is none of that name.
std::string_view asset(const std::string& name);

// The checksum of its bytes, in hexadecimal digits.
std::string_view asset_sha256(const std::string& name);

// The scripts of a page that draws plots: Vega's, then its own. Where Vega was not there to be
// built in, a script that says so in the place of every plot.
std::vector<std::string> with_plots(const std::string& script);

}  // namespace vapor
