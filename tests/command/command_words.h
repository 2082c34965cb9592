// What the command says about its own words, by its completion.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "tests/command/run_command.h"

namespace vapor::test_support {

class CommandWordsTest : public CommandTest {
 protected:
  // The ways to complete the last word, without what they mean.
  Words completions(const Words& words) const {
    const Outcome outcome = vapor(with({"complete", "--"}, words));
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.err, "");
    Words lines;
    std::istringstream text(outcome.out);
    for (std::string line; std::getline(text, line);)
      lines.push_back(line.substr(0, line.find('\t')));
    return lines;
  }

  // Every subcommand that has none below it, e.g. {"generate", "random"}.
  std::vector<Words> subcommands(const Words& above = {}) const {
    std::vector<Words> all;
    for (const std::string& name : completions(with(above, {""}))) {
      if (name.starts_with('-') || name.starts_with(':')) continue;
      const Words here = with(above, {name});
      const std::vector<Words> below = subcommands(here);
      if (below.empty())
        all.push_back(here);
      else
        all.insert(all.end(), below.begin(), below.end());
    }
    return all;
  }
};

}  // namespace vapor::test_support
