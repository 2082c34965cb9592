#include "vapor/record/snapshot_record.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/record/temporary_folder.h"

namespace vapor {
namespace {

using nlohmann::json;
using test_support::write_contents;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsNan;
using testing::SizeIs;
namespace fs = test_support::fs;

// Two layers: a state with two actions, then one with two and one with one.
json drawing() {
  return json::parse(R"({"format": "vapor-drawing", "format_version": 1, "rows": 2, "columns": 3,
    "cells": [[[0, 0]], [[1, 0], [1, 2]]], "goals": [[[0, 0]], [[0, 1], [0]]],
    "next": [[[1, 0]], [[null, null], [null]]]})");
}

json snapshot() {
  return json::parse(R"({"format": "vapor-snapshot", "format_version": 1, "episodes": 7,
    "program": "vapor",
    "policy": [[[0.25, 0.75]], [[1, 0], [1]]], "lambda": [[[0.25, 0.75]], [[0.75, 0], [0.25]]],
    "tau": [[[0.5, 2]], [[1, null], [1]]], "V": [[3.5], [1.5, null]],
    "next_value": [[[0, 1.5]], [[0, 0], [null]]],
    "reward_mean": [[[-1, 0]], [[0, 0], [0]]], "sigma_hat": [[[1, 1]], [[1, 0], [1]]],
    "counts": [[[3, 4]], [[7, 0], [0]]]})");
}

class SnapshotRecordTest : public test_support::FolderTest {
 protected:
  SnapshotRecordTest() { fs::create_directories(path("snapshots")); }

  std::string run() const { return folder_; }
  void put(const std::string& name, const std::string& text) const {
    write_contents(path("snapshots/" + name), text);
  }

  Drawing read_drawing_of(const json& value) const {
    put("drawing.json", value.dump());
    return read_drawing(run());
  }
  Snapshot read_snapshot_of(const json& value) const {
    put("000000007.json", value.dump());
    return read_snapshot(run(), 7, read_drawing_of(drawing()));
  }

  std::string drawing_complaint(const json& value) const {
    return complaint([&] { read_drawing_of(value); });
  }
  std::string snapshot_complaint(const json& value) const {
    return complaint([&] { read_snapshot_of(value); });
  }
};

TEST_F(SnapshotRecordTest, ADrawingIsRead) {
  const Drawing read = read_drawing_of(drawing());
  EXPECT_EQ(read.rows, 2);
  EXPECT_EQ(read.columns, 3);
  EXPECT_THAT(read.layer_states, ElementsAre(1, 2));
  EXPECT_THAT(read.actions, ElementsAre(2, 2, 1));
  EXPECT_THAT(read.row, ElementsAre(0, 1, 1));
  EXPECT_THAT(read.column, ElementsAre(0, 0, 2));
  EXPECT_THAT(read.goal, ElementsAre(0, 0, 0, 1, 0));
  EXPECT_THAT(read.next, ElementsAre(2, 1, -1, -1, -1));
  EXPECT_THAT(read.action_names, IsEmpty());
}

TEST_F(SnapshotRecordTest, ActionsMayHaveNames) {
  json value = drawing();
  value["action_names"] = {"left", "right"};
  EXPECT_THAT(read_drawing_of(value).action_names, ElementsAre("left", "right"));
  value["action_names"] = {"left", 2};
  EXPECT_THAT(complaint([&] { read_drawing_of(value); }),
              HasSubstr("action_names[1]: must be a string, got number"));
}

TEST_F(SnapshotRecordTest, ASnapshotIsReadAndWhatDoesNotExistIsNaN) {
  const Snapshot read = read_snapshot_of(snapshot());
  EXPECT_EQ(read.episodes, 7);
  EXPECT_EQ(read.program, SnapshotProgram::kVapor);
  EXPECT_THAT(read.policy, ElementsAre(0.25, 0.75, 1.0, 0.0, 1.0));
  EXPECT_THAT(read.lambda, ElementsAre(0.25, 0.75, 0.75, 0.0, 0.25));
  EXPECT_THAT(read.tau, ElementsAre(0.5, 2.0, 1.0, IsNan(), 1.0));
  EXPECT_THAT(read.V, ElementsAre(3.5, 1.5, IsNan()));
  EXPECT_THAT(read.next_value, ElementsAre(0.0, 1.5, 0.0, 0.0, IsNan()));
  EXPECT_THAT(read.reward_mean, ElementsAre(-1.0, 0.0, 0.0, 0.0, 0.0));
  EXPECT_THAT(read.counts, ElementsAre(3.0, 4.0, 7.0, 0.0, 0.0));
}

TEST_F(SnapshotRecordTest, AnAgentWithoutAProgramHasNoTemperaturesAndNoPrices) {
  json value = snapshot();
  for (const char* table : {"program", "tau", "V", "next_value"}) value[table] = nullptr;
  const Snapshot read = read_snapshot_of(value);
  EXPECT_EQ(read.program, SnapshotProgram::kNone);
  EXPECT_THAT(read.tau, IsEmpty());
  EXPECT_THAT(read.V, IsEmpty());
  EXPECT_THAT(read.next_value, IsEmpty());
  EXPECT_THAT(read.lambda, SizeIs(5));
}

// The format gained program, next_value and next without a new version.
TEST_F(SnapshotRecordTest, OlderRecordsAreRead) {
  json value = snapshot();
  value.erase("program");
  value.erase("next_value");
  const Snapshot read = read_snapshot_of(value);
  EXPECT_EQ(read.program, SnapshotProgram::kUnknown);
  EXPECT_THAT(read.next_value, IsEmpty());
  EXPECT_THAT(read.tau, SizeIs(5));
  json old_drawing = drawing();
  old_drawing.erase("next");
  EXPECT_THAT(read_drawing_of(old_drawing).next, IsEmpty());
}

TEST_F(SnapshotRecordTest, SnapshotsAreFoundInOrderAmongOtherFiles) {
  for (const char* name : {"000000010.json", "000000000.json", "1000000000.json", "drawing.json",
                           "000000020.json.tmp", "notes.txt"})
    put(name, "");
  EXPECT_THAT(snapshot_episodes(run()), ElementsAre(0, 10, 1'000'000'000));
  EXPECT_THAT(snapshot_episodes(path("nowhere")), IsEmpty());
}

TEST_F(SnapshotRecordTest, NewerVersionsAreRefusedAsSuch) {
  json value = snapshot();
  value["format_version"] = 2;
  EXPECT_THAT(snapshot_complaint(value),
              AllOf(HasSubstr("snapshots/000000007.json"), HasSubstr("newer vapor")));
  value = drawing();
  value["format_version"] = 2;
  EXPECT_THAT(drawing_complaint(value), AllOf(HasSubstr("drawing.json"), HasSubstr("newer vapor")));
  value["format_version"] = "1";
  EXPECT_THAT(drawing_complaint(value), HasSubstr("format_version: must be 1"));
  value["format"] = "vapor-run";
  EXPECT_THAT(drawing_complaint(value), HasSubstr("format: must be vapor-drawing"));
}

TEST_F(SnapshotRecordTest, WhatIsWrongIsNamed) {
  const auto wrong = [&](const char* pointer, const json& part) {
    json value = snapshot();
    value[json::json_pointer(pointer)] = part;
    return snapshot_complaint(value);
  };
  EXPECT_THAT(wrong("/lambda/1/0/0", "x"), HasSubstr("lambda[1][0][0]: must be a number or null"));
  EXPECT_THAT(wrong("/lambda/1/0/0", -0.1), HasSubstr("lambda[1][0][0]: must be >= 0, got -0.1"));
  EXPECT_THAT(wrong("/policy/0/0/1", 1.1), HasSubstr("policy[0][0][1]: must be <= 1"));
  EXPECT_THAT(wrong("/sigma_hat/0/0/1", -1), HasSubstr("sigma_hat[0][0][1]: must be >= 0"));
  EXPECT_THAT(wrong("/counts/1", json::array({})),
              HasSubstr("counts[1]: must have 2 states, has 0"));
  EXPECT_THAT(wrong("/tau/1/1", {1, 2}), HasSubstr("tau[1][1]: must have 1 actions, has 2"));
  EXPECT_THAT(wrong("/V", json::array({})), HasSubstr("V: must have 2 layers, has 0"));
  EXPECT_THAT(wrong("/policy", nullptr), HasSubstr("policy: must be a list, got null"));
  EXPECT_THAT(wrong("/program", "linear"), HasSubstr("program: must be vapor"));
  EXPECT_THAT(wrong("/episodes", 8), HasSubstr("episodes: must be 7, got 8"));
  json value = snapshot();
  value.erase("sigma_hat");
  EXPECT_THAT(snapshot_complaint(value), HasSubstr("sigma_hat: is missing"));
}

TEST_F(SnapshotRecordTest, AProgramHasTemperaturesAndPrices) {
  json value = snapshot();
  value["tau"] = nullptr;
  EXPECT_THAT(snapshot_complaint(value), HasSubstr("tau and V must not be null"));
}

TEST_F(SnapshotRecordTest, WhatIsWrongInADrawingIsNamed) {
  const auto wrong = [&](const char* pointer, const json& part) {
    json value = drawing();
    value[json::json_pointer(pointer)] = part;
    return drawing_complaint(value);
  };
  EXPECT_THAT(wrong("/rows", 0), HasSubstr("rows: must be a whole number from 1"));
  EXPECT_THAT(wrong("/cells/1/1/0", 2),
              HasSubstr("cells[1][1][0]: must be a whole number from 0 to 1"));
  EXPECT_THAT(wrong("/cells/1/1", {0}), HasSubstr("cells[1][1]: must have 2 numbers, has 1"));
  EXPECT_THAT(wrong("/cells", json::array()), HasSubstr("cells: must have a layer"));
  EXPECT_THAT(wrong("/goals/0/0/1", 0.5), HasSubstr("goals[0][0][1]"));
  EXPECT_THAT(wrong("/next/0/0/1", 2),
              HasSubstr("next[0][0][1]: must be a whole number from 0 to 1"));
}

TEST_F(SnapshotRecordTest, BrokenFilesAreRefusedByName) {
  const Drawing shape = read_drawing_of(drawing());
  EXPECT_THAT(complaint([&] { read_snapshot(run(), 7, shape); }), HasSubstr("is missing"));
  const std::string whole = snapshot().dump();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    put("000000007.json", whole.substr(0, size));
    EXPECT_THAT(complaint([&] { read_snapshot(run(), 7, shape); }),
                HasSubstr("snapshots/000000007.json"));
  }
  put("000000007.json", "{\"format\": 1e999}");
  EXPECT_THAT(complaint([&] { read_snapshot(run(), 7, shape); }), HasSubstr("range of doubles"));
}

}  // namespace
}  // namespace vapor
