// Cumulative regret against episodes, on log axes: the mean over the seeds with a band, a panel a
// task, and the proven bound where findings of `vapor reproduce regret` belong to the runs.
#pragma once

#include <span>

#include "vapor/report/figure.h"
#include "vapor/report/plot_style.h"
#include "vapor/report/study.h"

namespace vapor {

Figure regret_figure(const Study& study, std::span<const ExperimentFindings> findings,
                     const std::string& id, PlotStyle& style);

}  // namespace vapor
