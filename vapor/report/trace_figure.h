// Accuracy against time of the solver's methods: the relative gap of the certificate, a line a
// method, a panel a problem.
#pragma once

#include <span>

#include "vapor/report/collection.h"
#include "vapor/report/figure.h"

namespace vapor {

Figure trace_figure(std::span<const TraceDigest> traces, const std::string& id);

}  // namespace vapor
