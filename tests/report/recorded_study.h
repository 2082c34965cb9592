// Studies from runs on disk, as a report reads them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/record/temporary_folder.h"
#include "tests/report/recorded_run.h"
#include "vapor/report/collection.h"
#include "vapor/report/figure.h"
#include "vapor/report/study.h"

namespace vapor::test_support {

class StudyTest : public FolderTest {
 protected:
  // The run goes to a folder of its own.
  void record(const RecordedRun& run) { write_run(path("runs/" + std::to_string(count_++)), run); }

  // A run that is solved in that episode, or not at all (0).
  void record_solved(const std::string& agent, int depth, std::uint64_t seed, std::int64_t at) {
    RecordedRun run;
    run.agent = agent;
    run.env = "deep_sea:depth=" + std::to_string(depth);
    run.seed = seed;
    run.stop = "solved";
    run.episodes = 100;
    run.success_at = at;
    run.played = at == 0 ? 100 : at;
    record(run);
  }

  // The one study of what was recorded.
  const Study& study() {
    const std::vector<std::string> paths = {path("runs")};
    collection_ = collect(paths);
    studies_ = studies_of(collection_.runs);
    EXPECT_EQ(collection_.left_out.size() + studies_.refused.size(), 0u);
    EXPECT_EQ(studies_.studies.size(), 1u);
    return studies_.studies.at(0);
  }

  Collection collection_;

 private:
  int count_ = 0;
  Studies studies_;
};

// The rows of a picture whose column has that value.
inline std::vector<std::size_t> rows_where(const DataTable& table, const std::string& column,
                                           const nlohmann::ordered_json& value) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    if (table.at(row, column) == value) rows.push_back(row);
  return rows;
}

inline std::string text_of(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += sentence + "\n";
  return text;
}

}  // namespace vapor::test_support
