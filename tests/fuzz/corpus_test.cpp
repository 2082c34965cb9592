// Every stored input of every target, with whatever compiler and sanitisers the tests are built.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "scratch.h"
#include "targets.h"
#include "vapor/core/error.h"

namespace vapor::fuzz {
namespace {

namespace fs = std::filesystem;

const fs::path kCorpus = fs::path(VAPOR_SOURCE_DIR) / "tests/fuzz/corpus";

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

class Corpus : public testing::TestWithParam<Target> {};

TEST_P(Corpus, IsReadOrRefused) {
  std::size_t good = 0;
  for (const fs::path& file : files_in(kCorpus / GetParam().name)) {
    SCOPED_TRACE(file.filename().string());
    const bool must_be_read = file.filename().string().starts_with("good");
    good += must_be_read ? 1 : 0;
    try {
      GetParam().read(contents_of(file));
    } catch (const InputError& refusal) {
      EXPECT_FALSE(must_be_read) << refusal.what();
      EXPECT_STRNE(refusal.what(), "");
    } catch (const std::exception& bug) {
      ADD_FAILURE() << bug.what();
    }
  }
  EXPECT_GT(good, 0U) << "nothing of what is stored is read";
}

// What differs from a good file by one byte, or ends early, comes to one of the two ends too.
TEST_P(Corpus, AByteMoreOrLess) {
  for (const fs::path& file : files_in(kCorpus / GetParam().name)) {
    if (!file.filename().string().starts_with("good")) continue;
    const std::string whole = contents_of(file);
    const std::size_t step = std::max<std::size_t>(1, whole.size() / 50);
    for (std::size_t at = 0; at < whole.size(); at += step) {
      std::string flipped = whole;
      flipped[at] = static_cast<char>(flipped[at] ^ 1);
      for (const std::string& bytes : {whole.substr(0, at), flipped}) {
        SCOPED_TRACE(file.filename().string() + " at byte " + std::to_string(at));
        try {
          GetParam().read(bytes);
        } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): all that may come out
        } catch (const std::exception& bug) {
          ADD_FAILURE() << bug.what();
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Readers, Corpus, testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(CorpusFolder, BelongsToATarget) {
  for (const fs::path& folder : files_in(kCorpus))
    EXPECT_NO_THROW(target_of(folder.filename().string()));
}

}  // namespace
}  // namespace vapor::fuzz
