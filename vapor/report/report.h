// `vapor report`: records in, one page and its data out.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "vapor/report/collection.h"

namespace vapor {

struct ReportOptions {
  std::string title = "VAPOR report";
  std::function<void(const std::string& doing)> progress;  // what is being done at the moment
};

struct ReportSummary {
  std::string page;  // its path
  std::size_t bytes = 0;
  std::size_t runs = 0;       // of `vapor run`
  std::size_t trainings = 0;  // of `vapor train`
  std::size_t studies = 0;
  std::size_t experiments = 0;  // with findings
  std::size_t traces = 0;
  std::size_t figures = 0;
  std::vector<LeftOut> left_out;
};

// Writes OUT/index.html and OUT/data/*.csv. Throws InputError, and writes nothing, if a path does
// not exist, if there is nothing to show, or if OUT is neither new, nor empty, nor an older report,
// which is replaced.
ReportSummary write_report(std::span<const std::string> paths, const std::string& out,
                           const ReportOptions& options = {});

}  // namespace vapor
