// Runs the built `vapor` as a user does, and keeps all that it says.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/record/temporary_folder.h"

namespace vapor::test_support {

struct Outcome {
  int exit_code = -1;
  std::string out;
  std::string err;

  long error_lines() const { return std::count(err.begin(), err.end(), '\n'); }
};

// The command runs in the folder of the test.
class CommandTest : public FolderTest {
 protected:
  using Words = std::vector<std::string>;

  static Words with(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  std::string write(const std::string& name, const std::string& text) const {
    write_contents(path(name), text);
    return path(name);
  }

  // `input` and `output` are the files that standard input and standard output are.
  Outcome vapor(const std::vector<std::string>& arguments, const std::string& input = "/dev/null",
                const std::string& output = "") const {
    const std::string out = output.empty() ? path(".stdout") : output;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, input.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, path(".stderr").c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    std::vector<std::string> words = {VAPOR_COMMAND};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_t process = 0;
    const int error = posix_spawn(&process, VAPOR_COMMAND, &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    EXPECT_EQ(error, 0) << VAPOR_COMMAND;
    int status = 0;
    EXPECT_EQ(waitpid(process, &status, 0), process);
    EXPECT_TRUE(WIFEXITED(status)) << "killed by signal " << WTERMSIG(status);
    return {WEXITSTATUS(status), output.empty() ? contents(out) : "", contents(path(".stderr"))};
  }

  // Bad input: exit code 2, one line on standard error, nothing on standard output. Returns the
  // line.
  std::string refusal(const std::vector<std::string>& arguments,
                      const std::string& input = "/dev/null") const {
    const Outcome outcome = vapor(arguments, input);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.error_lines(), 1) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("vapor: ")) << outcome.err;
    return outcome.err;
  }
};

}  // namespace vapor::test_support
