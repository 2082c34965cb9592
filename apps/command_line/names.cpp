#include "names.h"

#include <algorithm>
#include <functional>
#include <map>

#include "deep_names.h"
#include "vapor/agent/registry.h"
#include "vapor/core/error.h"
#include "vapor/core/spec.h"
#include "vapor/env/registry.h"
#include "vapor/run/beliefs.h"
#include "vapor/solver/settings.h"

namespace vapor::command {
namespace {

template <typename Registered>
std::vector<Kind> copied(const Registered& registered) {
  std::vector<Kind> kinds;
  for (const auto& kind : registered) kinds.push_back({kind.name, kind.settings, kind.summary});
  return kinds;
}

std::vector<Kind> environments() { return copied(environment_kinds()); }
std::vector<Kind> agents() { return copied(agent_kinds()); }

std::vector<Kind> beliefs() {
  std::vector<Kind> kinds = copied(belief_kinds());
  for (std::size_t i = 0; i < kinds.size(); ++i)
    for (const BeliefChoice& choice : belief_kinds()[i].choices)
      kinds[i].choices.push_back({choice.setting + "=" + choice.value, choice.summary});
  return kinds;
}

template <typename Enumeration>
std::vector<Kind> named(const Enumeration& all) {
  std::vector<Kind> kinds;
  for (const auto each : all) kinds.push_back({std::string(name_of(each)), "", ""});
  return kinds;
}

std::vector<Kind> methods() {
  std::vector<Kind> kinds = named(all_methods());
  kinds.push_back({"all", "", "every method in turn"});
  return kinds;
}

// A name that options have for what they take.
struct Type {
  std::string name;
  Form form = Form::kFree;
  std::function<std::vector<Kind>()> kinds;
};

const std::vector<Type>& types() {
  using Kinds = std::vector<Kind>;
  const auto none = [] { return Kinds{}; };
  static const std::vector<Type> all = {
      {"ENV", Form::kSpec, environments},
      {"AGENT", Form::kSpec, agents},
      {"AGENTS", Form::kSpecs, agents},
      {"BELIEF", Form::kSpec, beliefs},
      {"WORLD", Form::kSpec, worlds},
      {"DEEP-AGENT", Form::kSpec, deep_agents},
      {"DEEP-AGENTS", Form::kSpecs, deep_agents},
      {"METHOD", Form::kName, methods},
      {"REGULARISER", Form::kName, [] { return named(all_regularisers()); }},
      {"RULE", Form::kName,
       [] {
         return Kinds{{"never", "", "after the last episode"},
                      {"solved", "", "the goal in a tenth of the episodes so far"},
                      {"covered", "", "every cell and action tried"}};
       }},
      {"TRANSFORM", Form::kName,
       [] {
         return Kinds{{"paper", "", "3.6^2 sigma^2 + (L-l)^2 / sum alpha"},
                      {"reward-only", "", "sigma^2"}};
       }},
      {"PLAYER", Form::kName,
       [] {
         return Kinds{{"vapor", "", "VAPOR's policy"}, {"uniform", "", "every action alike"}};
       }},
      {"ENGINE", Form::kName,
       [] {
         return Kinds{{"local", "", "processes of this machine"},
                      {"ray", "", "a Ray cluster, by the Python package"}};
       }},
      {"FILE", Form::kFile, none},
      {"DIR", Form::kFolder, none},
      {"RUN", Form::kFolder, none},
      {"RUNS", Form::kFolder, none},
  };
  return all;
}

std::map<std::string, std::function<Values()>, std::less<>>& defined_types() {
  static std::map<std::string, std::function<Values()>, std::less<>> all;
  return all;
}

}  // namespace

void define_type(const std::string& name, std::function<Values()> values) {
  defined_types()[name] = std::move(values);
}

std::vector<std::string> Values::names() const {
  std::vector<std::string> names;
  for (const Kind& kind : kinds) names.push_back(kind.name);
  return names;
}

Values values_of(std::string_view type) {
  while (type.ends_with('.')) type.remove_suffix(1);
  for (const Type& candidate : types())
    if (candidate.name == type) return {candidate.form, candidate.kinds()};
  if (const auto found = defined_types().find(type); found != defined_types().end())
    return found->second();
  return {};
}

std::vector<std::string> split_specs(const std::string& place, std::string_view text,
                                     std::string_view type) {
  const std::vector<std::string> specs = vapor::split_specs(text);
  const std::vector<std::string> names = values_of(type).names();
  for (const std::string& spec : specs) {
    const std::string name = Spec(place, spec).name();
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw unknown_name(place, name, names);
  }
  return specs;
}

}  // namespace vapor::command
