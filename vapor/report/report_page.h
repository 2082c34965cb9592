// The page of a report: what was read, sections with their figures, what was left out.
#pragma once

#include <string>
#include <vector>

#include "vapor/report/collection.h"
#include "vapor/report/figure.h"

namespace vapor {

struct ReportPage {
  std::string title;
  std::string read;  // a paragraph that says what was read
  std::vector<Section> sections;
  std::vector<LeftOut> left_out;
};

// Stands in every page of a report and in no other file, so that a report overwrites only reports.
inline constexpr const char* kReportMark = "<!-- made by vapor report -->";

std::string html_of(const ReportPage& report);

}  // namespace vapor
