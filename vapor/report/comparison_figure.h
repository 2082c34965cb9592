// The agents of a study compared over all its tasks: interquartile means of normalised numbers, and
// the probability that the first agent improves on each other.
#pragma once

#include <string>
#include <vector>

#include "vapor/report/figure.h"
#include "vapor/report/plot_style.h"
#include "vapor/report/study.h"

namespace vapor {

struct Comparison {
  std::vector<Figure> figures;
  std::string refused;  // why there are none, as a sentence; empty if there is nothing to compare
};

Comparison comparison_figures(const Study& study, const std::string& id, PlotStyle& style);

}  // namespace vapor
