// Reading a run: its definition and its table of episodes. What a report knows about a run is this
// and nothing else. A run may be read while it is being written.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vapor/record/run_file.h"

namespace vapor {

// A table of numbers with named columns.
struct NumberTable {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> values;  // by column, then by row

  std::size_t rows() const { return values.empty() ? 0 : values.front().size(); }

  bool has_column(const std::string& name) const;

  // Throws InputError that names the column if there is none of that name.
  std::span<const double> column(const std::string& name) const;
};

// A CSV file of finite numbers under one line of names. A last line without its end is taken for
// torn and passed over; anything else that is wrong throws InputError with file and line. `check`,
// if given, sees the whole text first.
NumberTable read_number_table(const std::string& path,
                              const std::function<void(std::string_view text)>& check = {});

struct RunRecord {
  std::string folder;
  RunFile run;
  NumberTable episodes;  // the first column is `episode`: 1, 2, ...
  NumberTable timing;    // episode, seconds; empty if there is no such file, or nothing in it yet
  std::string timing_problem;  // why it is left out, if it is: wall times promise nothing
};

// Throws InputError that names the file if run.json or episodes.csv is missing, wrong, or not what
// was written: a finished run says what it holds, an unfinished one's checkpoint what it counts.
RunRecord read_run(const std::string& folder);

}  // namespace vapor
