// Learning time or coverage time of a study against its axis: a line an agent on log axes, with the
// bootstrap interval of its mean; a dot plot where nothing varies. Runs that did not get there
// count as the cap, and cells in which none did are hollow.
#pragma once

#include "vapor/report/figure.h"
#include "vapor/report/plot_style.h"
#include "vapor/report/study.h"

namespace vapor {

// The measure is not regret.
Figure time_figure(const Study& study, const std::string& id, PlotStyle& style);

}  // namespace vapor
