// Experiments at a small size, as options make them, in a folder of the test's own.
#pragma once

#include <map>
#include <string>

#include "experiments/common/experiment.h"
#include "tests/record/temporary_folder.h"

namespace vapor::test_support {

using Given = std::map<std::string, std::string>;

class ExperimentTest : public FolderTest {
 protected:
  // The quick version of an experiment with these options, in the folder out/.
  Findings reproduce(const std::string& name, const Given& given, int threads = 1) const {
    const experiments::Experiment& of = experiments::experiment(name);
    ReproductionOptions options;
    options.out = path("out");
    options.threads = threads;
    return experiments::reproduce(of, experiments::study_of(of, "quick", given), options);
  }

  // Why it is refused; nothing is written.
  std::string refusal(const std::string& name, const Given& given) const {
    const std::string message = complaint([&] { reproduce(name, given); });
    EXPECT_FALSE(fs::exists(path("out"))) << message;
    return message;
  }
};

// `given` with some options changed.
inline Given with(Given given, const Given& changes) {
  for (const auto& [name, text] : changes) given[name] = text;
  return given;
}

}  // namespace vapor::test_support
