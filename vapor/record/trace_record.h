// The record of one solve, a folder of two files:
//
//   run.json    what defines it (problem, method, regulariser, tolerance), its command, its status
//   trace.csv   iteration,seconds,lower_bound,upper_bound: the accuracy over time
//
// It holds wall times, so the same solve gives another trace each time: the newest one stands.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "vapor/record/run_file.h"
#include "vapor/record/run_record.h"

namespace vapor {

struct TraceHeader {
  Definition definition = Definition::object();
  std::string command;  // that makes this trace
};

// The optimum lies between the bounds, up to rounding; both are finite.
struct TraceRow {
  std::int64_t iteration = 0;
  double seconds = 0.0;  // since the solve began
  double lower_bound = 0.0;
  double upper_bound = 0.0;
};

// Makes the folder, or replaces the trace of the same definition that it holds. Throws InputError
// that names the file if the folder holds something else, if another process is writing to it, or
// if it cannot be written; expect_room_for (run_folder.h) finds most of that out before the solve.
void write_trace(const std::string& folder, const TraceHeader& header,
                 std::span<const TraceRow> rows);

struct TraceRecord {
  std::string folder;
  RunFile run;
  NumberTable trace;  // the columns above
};

// Throws InputError that names the file and the place in it.
TraceRecord read_trace(const std::string& folder);

}  // namespace vapor
