// The part with networks on arrays where there is none that can be used. That it is opened, and
// what it then does, is in tests/nn_torch.
#include "vapor/nn/torch_part.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "tests/record/temporary_folder.h"
#include "vapor/core/error.h"

namespace vapor::nn {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class TorchPartRefusals : public test_support::FolderTest {
 protected:
  void TearDown() override {
    unsetenv("VAPOR_TORCH_PART");
    FolderTest::TearDown();
  }

  // What is said about the file as a part, in one line that names the environment.
  std::string complaint_about(const std::string& file) {
    setenv("VAPOR_TORCH_PART", file.c_str(), 1);
    try {
      torch_part();
    } catch (const InputError& error) {
      EXPECT_EQ(error.place(), "env");
      EXPECT_EQ(open_torch_library(), "");
      const std::string text = error.what();
      EXPECT_EQ(std::ranges::count(text, '\n'), 0) << text;
      return text;
    }
    return "opened";
  }
};

TEST_F(TorchPartRefusals, OneThatIsMissingSaysWhatToInstall) {
  const std::string file = path("nowhere.so");
  EXPECT_THAT(complaint_about(file), AllOf(HasSubstr(file), HasSubstr("install libtorch-dev"),
                                           HasSubstr("./run train"), HasSubstr("the wheel")));
  EXPECT_FALSE(has_torch_part());
}

TEST_F(TorchPartRefusals, OneThatCannotBeLoadedSaysWhy) {
  test_support::write_contents(path("broken.so"), "not a shared object");
  EXPECT_THAT(complaint_about(path("broken.so")),
              AllOf(HasSubstr("cannot be loaded"), HasSubstr("broken.so"), HasSubstr("libtorch")));
}

TEST_F(TorchPartRefusals, OneOfAnotherBuildIsNamedWithBothBuilds) {
  EXPECT_THAT(complaint_about(VAPOR_OTHER_BUILD),
              AllOf(HasSubstr(VAPOR_OTHER_BUILD), HasSubstr("vapor 0.0.1 (0123456789ab)"),
                    HasSubstr(build_of_this_object())));
  EXPECT_THAT(complaint_about(VAPOR_NO_PART), HasSubstr("no build of VAPOR"));
}

}  // namespace
}  // namespace vapor::nn
