// Whatever has a name on the command line has its line and its page, with its settings.
#include "vapor/agent/registry.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "vapor/env/registry.h"
#include "vapor/run/beliefs.h"
#include "vapor/solver/settings.h"

namespace vapor {
namespace {

using testing::HasSubstr;

const std::filesystem::path kRoot = VAPOR_SOURCE_DIR;

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(kRoot / file);
  EXPECT_TRUE(in) << file;
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// The row of a table whose first cell is the name, perhaps as a link; empty if there is none.
std::string row_of(const std::string& page, const std::string& name) {
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("| `" + name + "` |") || line.starts_with("| [`" + name + "`]("))
      return line;
  return "";
}

// "c=1, schedule=false" as its parts. A default in words may hold no comma.
std::vector<std::string> settings_of(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream all(text);
  for (std::string part; std::getline(all, part, ',');)
    parts.push_back(part.substr(part.find_first_not_of(' ')));
  return parts;
}

// The page that a row links to, from docs/.
std::string linked_page(const std::string& row) {
  std::smatch match;
  if (!std::regex_search(row, match, std::regex(R"(\]\(([^)]+\.md)\))"))) return "";
  return text_of(std::filesystem::path("docs") / match[1].str());
}

// From a heading to the next of its level.
std::string section_of(const std::string& page, const std::string& heading) {
  const std::size_t begin = page.find("\n## " + heading + "\n");
  if (begin == std::string::npos) return "";
  return page.substr(begin, page.find("\n## ", begin + 1) - begin);
}

TEST(Documentation, EveryAgentHasARowWithItsSettingsAndAPage) {
  const std::string overview = text_of("docs/agents.md");
  for (const AgentKind& agent : agent_kinds()) {
    SCOPED_TRACE(agent.name);
    const std::string row = row_of(overview, agent.name);
    ASSERT_NE(row, "");
    const std::string page = linked_page(row);
    EXPECT_THAT(page.substr(0, page.find('\n')), HasSubstr(agent.name));
    for (const std::string& setting : settings_of(agent.settings)) {
      EXPECT_THAT(row, HasSubstr("`" + setting + "`"));
      EXPECT_THAT(page, HasSubstr("`" + setting.substr(0, setting.find('=')) + "`"));
    }
    for (const char* heading : {"\n## The problem\n", "\n## Steps\n", "\n## Settings\n",
                                "\n## Cost\n", "\n## Differences from ", "\n## Good and bad at\n"})
      EXPECT_THAT(page, HasSubstr(heading));
  }
}

TEST(Documentation, EveryEnvironmentHasARowAndASectionWithItsSettings) {
  const std::string page = text_of("docs/environments.md");
  for (const EnvironmentKind& env : environment_kinds()) {
    SCOPED_TRACE(env.name);
    EXPECT_NE(row_of(page, env.name), "");
    const std::string section = section_of(page, env.name);
    ASSERT_NE(section, "");
    for (const std::string& setting : settings_of(env.settings))
      EXPECT_THAT(section, HasSubstr("`" + setting.substr(0, setting.find('=')) + "`"));
  }
}

TEST(Documentation, EveryMethodAndRegulariserHasARowAndAPage) {
  const std::string solver = text_of("docs/solver.md");
  const auto expect_page = [&](const std::string& name) {
    SCOPED_TRACE(name);
    const std::string row = row_of(solver, name);
    ASSERT_NE(row, "");
    EXPECT_THAT(linked_page(row), HasSubstr(name));
  };
  for (const Method method : all_methods()) expect_page(std::string(name_of(method)));
  for (const RegulariserKind kind : all_regularisers()) expect_page(std::string(name_of(kind)));
}

TEST(Documentation, EveryBeliefIsDescribedWithItsSettings) {
  const std::string section = section_of(text_of("docs/records.md"), "Beliefs by name");
  for (const BeliefKind& belief : belief_kinds()) {
    SCOPED_TRACE(belief.name);
    EXPECT_THAT(section, testing::ContainsRegex("`" + belief.name + "[:`]"));
    for (const std::string& setting : settings_of(belief.settings))
      EXPECT_THAT(section, HasSubstr("`" + setting.substr(0, setting.find('=')) + "`"));
  }
}

// The experiments that the build takes into the program are those with a sweep.
TEST(Documentation, EveryExperimentHasAPage) {
  int experiments = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kRoot / "experiments")) {
    if (!std::filesystem::exists(entry.path() / "sweep.toml")) continue;
    const std::string name = entry.path().filename().string();
    SCOPED_TRACE(name);
    ++experiments;
    const std::string page = text_of(std::filesystem::path("experiments") / name / "README.md");
    EXPECT_THAT(page, HasSubstr("vapor reproduce " + name));
    EXPECT_THAT(page, HasSubstr("\n## Differences from the paper\n"));
  }
  EXPECT_GE(experiments, 5);
}

}  // namespace
}  // namespace vapor
