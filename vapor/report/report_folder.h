// The folder of a report: index.html and data/*.csv, and nothing that is not the report's.
#pragma once

#include <string>
#include <vector>

#include "vapor/report/data_table.h"

namespace vapor {

struct ReportFile {
  std::string name;  // data/NAME.csv
  const DataTable* table;
};

// Throws InputError that names the folder unless it is new, empty or holds an older report alone.
// Writes nothing.
void expect_room_for_report(const std::string& folder);

// The page first and then its data, each written aside and renamed; data of an older report that
// this one does not have is removed.
void write_report_folder(const std::string& folder, const std::string& page,
                         const std::vector<ReportFile>& files);

}  // namespace vapor
