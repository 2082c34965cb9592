#include "vapor/report/training_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "vapor/report/findings.h"
#include "vapor/report/study.h"
#include "vapor/report/study_words.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;
using Trainings = std::vector<const RunDigest*>;

bool is_complete(const Definition& definition) {
  const auto seed = definition.find("seed");
  return !text_at(definition, "env").empty() && !text_at(definition, "agent").empty() &&
         seed != definition.end() && seed->is_number_unsigned();
}

std::string text_of(const ordered_json& value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// Those of the axis that can be drawn, each once.
Trainings drawable(std::span<const RunDigest> runs, bool by_frames, std::vector<LeftOut>& refused) {
  Trainings trainings;
  std::map<std::string, std::string> seen;  // definition, folder
  for (const RunDigest& run : runs) {
    if (!run.is_training() || run.returns.by_frames != by_frames) continue;
    if (!is_complete(run.run.definition)) {
      refused.push_back(
          {run.folder, "definition: env and agent must be text and seed a whole number >= 0"});
      continue;
    }
    if (run.returns.windows.empty()) {
      refused.push_back({run.folder, "is a training of which no episode is over yet"});
      continue;
    }
    const auto [first, is_new] = seen.try_emplace(text_of(run.run.definition), run.folder);
    if (is_new)
      trainings.push_back(&run);
    else
      refused.push_back({run.folder, "has the definition and the seed of " + first->second +
                                         "; a run counts once"});
  }
  return trainings;
}

// The fields of the definitions, other than those that lines are drawn by, that are not all equal.
std::vector<std::string> differing_fields(const Trainings& trainings) {
  std::map<std::string, std::set<std::string>> values;
  for (const RunDigest* run : trainings)
    for (const auto& [name, value] : run->run.definition.items()) values[name];
  for (auto& [name, texts] : values)
    for (const RunDigest* run : trainings)
      texts.insert(text_of(run->run.definition.value(name, ordered_json())));
  std::vector<std::string> fields;
  for (const auto& [name, texts] : values)
    if (texts.size() > 1 && name != "env" && name != "agent" && name != "seed")
      fields.push_back(name);
  return fields;
}

// Numbers in it with zeros before them, so that depth=5 sorts before depth=10.
std::string sorting_key(const std::string& text) {
  constexpr std::size_t kDigits = 12;
  std::string key, number;
  const auto end_number = [&] {
    if (!number.empty() && number.size() < kDigits) key.append(kDigits - number.size(), '0');
    key += std::exchange(number, "");
  };
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) end_number();
    (digit ? number : key) += c;
  }
  end_number();
  return key;
}

std::string name_of(const RunDigest& run, const std::vector<std::string>& fields) {
  std::string name = text_at(run.run.definition, "agent");
  for (const std::string& field : fields) {
    const ordered_json value = run.run.definition.value(field, ordered_json());
    name += fmt::format(", {} {}", field,
                        value.is_string() ? value.get<std::string>() : text_of(value));
  }
  return name;
}

}  // namespace

std::vector<TrainingLine> training_lines(std::span<const RunDigest> runs, bool by_frames,
                                         std::vector<LeftOut>& refused) {
  std::map<std::pair<std::string, std::string>, std::map<std::string, Trainings>> by_env;
  for (const RunDigest* run : drawable(runs, by_frames, refused)) {
    const std::string env = text_at(run->run.definition, "env");
    by_env[{sorting_key(env), env}][text_at(run->run.definition, "agent")].push_back(run);
  }
  std::vector<TrainingLine> lines;
  for (const auto& [env, of_env] : by_env) {
    std::map<std::string, Trainings, ByRank> by_name;
    for (const auto& [agent, of_agent] : of_env) {
      const std::vector<std::string> fields = differing_fields(of_agent);
      for (const RunDigest* run : of_agent) by_name[name_of(*run, fields)].push_back(run);
    }
    for (auto& [name, seeds] : by_name) {
      std::ranges::sort(seeds, {}, [](const RunDigest* run) { return seed_of(*run); });
      lines.push_back({env.second, name, seeds});
    }
  }
  return lines;
}

}  // namespace vapor
