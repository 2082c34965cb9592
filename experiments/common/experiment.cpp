#include "experiments/common/experiment.h"

#include <algorithm>

#include "vapor/core/check.h"
#include "vapor/core/error.h"
#include "vapor/core/spec.h"

namespace vapor::experiments {
namespace {

// An option that replaces a spec may leave values that nothing asks for any more.
void forget_unused_values(SweepTable& table) {
  const auto is_used = [&](const std::string& name) {
    const auto asks = [&](const PlacedText& spec) {
      return spec.text.find("{" + name + "}") != std::string::npos;
    };
    return std::ranges::any_of(table.envs, asks) || std::ranges::any_of(table.agents, asks) ||
           std::ranges::any_of(table.beliefs, asks);
  };
  std::erase_if(table.vary, [&](const auto& entry) { return !is_used(entry.first); });
  std::erase_if(table.vary_places, [&](const auto& entry) { return !is_used(entry.first); });
}

}  // namespace

const Experiment& experiment(const std::string& name) {
  std::vector<std::string> names;
  for (const Experiment& candidate : experiments()) {
    if (candidate.name == name) return candidate;
    names.push_back(candidate.name);
  }
  throw unknown_name("experiment", name, names);
}

Tables tables_of(const Experiment& experiment, const std::string& part) {
  Tables tables = parse_sweep(experiment.sweep, "experiments/" + experiment.name + "/sweep.toml");
  std::erase_if(tables, [&](const SweepTable& table) { return table.name != part; });
  VAPOR_CHECK_GE(tables.size(), 1u);
  return tables;
}

Study study_of(const Experiment& experiment, const std::string& part,
               const std::map<std::string, std::string>& given) {
  Study study = {part, tables_of(experiment, part), given};
  for (const Option& option : experiment.options)
    if (const auto found = given.find(option.name); found != given.end())
      option.apply(study, found->second);
  for (SweepTable& table : study.tables) forget_unused_values(table);
  return study;
}

Findings reproduce(const Experiment& experiment, const Study& study,
                   const ReproductionOptions& options) {
  Findings findings = {{"experiment", experiment.name}};
  if (experiment.compute) {
    findings.update(experiment.compute(study, options));
  } else {
    const std::vector<Cell> cells = cells_of(study, options.out);
    make(cells, options);
    findings.update(experiment.findings(study, cells));
  }
  if (!experiment.columns.is_null()) findings["columns"].update(experiment.columns);
  return findings;
}

}  // namespace vapor::experiments
