// What agents earned as they learned: a panel an environment, a line an agent.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "vapor/report/collection.h"
#include "vapor/report/figure.h"
#include "vapor/report/plot_style.h"
#include "vapor/report/study.h"

namespace vapor {

struct TrainingFigures {
  std::vector<Figure> figures;   // against frames, against episodes; ids ID-frames, ID-episodes
  std::vector<LeftOut> refused;  // trainings that stand in none, e.g. because no episode is over
};

// Of those of the runs that are trainings, finished or not.
TrainingFigures training_figures(std::span<const RunDigest> runs, const std::string& id,
                                 PlotStyle& style);

// Of the runs of a study, against episodes: a panel a task.
Figure returns_of(const Study& study, const std::string& id, PlotStyle& style);

}  // namespace vapor
