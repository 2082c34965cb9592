#include "vapor/record/trace_record.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/record/temporary_folder.h"
#include "vapor/core/check.h"
#include "vapor/record/file.h"

namespace vapor {
namespace {

using test_support::contents;
using test_support::write_contents;
using testing::ElementsAre;
using testing::HasSubstr;

TraceHeader trace_header() {
  TraceHeader trace_header;
  trace_header.definition = {{"problem", "chain.json"},
                             {"method", "newton"},
                             {"regulariser", "vapor"},
                             {"tolerance", 1e-9}};
  trace_header.command = "vapor solve chain.json --method newton";
  return trace_header;
}

const std::vector<TraceRow> kRows = {{0, 0.0, -1.0, 1e300}, {1, 0.25, 1.0 / 3.0, 0.5}};

class TraceRecordTest : public test_support::FolderTest {
 protected:
  std::string trace() const { return path("deep/er/trace"); }
  std::string file(const std::string& name) const { return trace() + "/" + name; }
};

TEST_F(TraceRecordTest, WhatIsWrittenIsRead) {
  write_trace(trace(), trace_header(), kRows);
  EXPECT_EQ(contents(file("trace.csv")),
            "iteration,seconds,lower_bound,upper_bound\n0,0.000000000,-1,1e+300\n"
            "1,0.250000000,0.3333333333333333,0.5\n");
  const TraceRecord record = read_trace(trace());
  EXPECT_TRUE(record.run.finished);
  EXPECT_EQ(record.run.definition, trace_header().definition);
  EXPECT_EQ(record.run.command, trace_header().command);
  EXPECT_THAT(record.trace.column("iteration"), ElementsAre(0.0, 1.0));
  EXPECT_THAT(record.trace.column("seconds"), ElementsAre(0.0, 0.25));
  EXPECT_THAT(record.trace.column("lower_bound"), ElementsAre(-1.0, 1.0 / 3.0));
  EXPECT_THAT(record.trace.column("upper_bound"), ElementsAre(1e300, 0.5));
}

TEST_F(TraceRecordTest, TheSameSolveAgainReplacesIt) {
  write_trace(trace(), trace_header(), kRows);
  write_trace(trace(), trace_header(), std::span(kRows).first(1));
  EXPECT_EQ(read_trace(trace()).trace.rows(), 1u);
  EXPECT_TRUE(read_trace(trace()).run.finished);
}

TEST_F(TraceRecordTest, AnotherSolveIsRefusedAndNothingIsWritten) {
  write_trace(trace(), trace_header(), kRows);
  const std::string before = contents(file("trace.csv"));
  TraceHeader other = trace_header();
  other.definition["tolerance"] = 1e-3;
  EXPECT_THAT(complaint([&] { write_trace(trace(), other, {}); }),
              HasSubstr("run.json: tolerance: is 1e-09 in this run, 0.001 was asked for"));
  EXPECT_EQ(contents(file("trace.csv")), before);
}

TEST_F(TraceRecordTest, AFolderOfOtherThingsIsRefused) {
  write_contents(path("notes.txt"), "mine");
  EXPECT_THAT(complaint([&] { write_trace(folder_, trace_header(), kRows); }),
              HasSubstr("holds notes.txt but no run.json"));
  EXPECT_THAT(complaint([&] { write_trace(path("notes.txt"), trace_header(), kRows); }),
              HasSubstr("notes.txt: is not a folder"));
  make_folder(trace());
  const FolderLock lock(trace());
  EXPECT_THAT(complaint([&] { write_trace(trace(), trace_header(), kRows); }),
              HasSubstr("is in use by another process"));
}

TEST_F(TraceRecordTest, OtherColumnsAreRefused) {
  write_trace(trace(), trace_header(), kRows);
  const std::string other = "iteration,gap\n1,0.5\n";
  write_contents(file("trace.csv"), other);
  EXPECT_THAT(complaint([&] { read_trace(trace()); }), HasSubstr("trace.csv: is damaged"));
  RunFile run = *read_run_file(trace());
  run.files.clear();  // a record of before there were checksums
  write_run_file(trace(), run);
  EXPECT_THAT(complaint([&] { read_trace(trace()); }),
              HasSubstr("trace.csv:1: the columns must be iteration,seconds,lower_bound,"
                        "upper_bound, got iteration,gap"));
  test_support::fs::remove(file("trace.csv"));
  EXPECT_THAT(complaint([&] { read_trace(trace()); }), HasSubstr("trace.csv: is missing"));
  EXPECT_THAT(complaint([&] { read_trace(path("none")); }), HasSubstr("holds no run.json"));
}

TEST_F(TraceRecordTest, ABoundThatIsNoNumberIsABug) {
  const std::vector<TraceRow> rows = {{0, 0.0, -INFINITY, 1.0}};
  EXPECT_THROW(write_trace(trace(), trace_header(), rows), InternalError);
  EXPECT_FALSE(test_support::fs::exists(trace()));
}

}  // namespace
}  // namespace vapor
