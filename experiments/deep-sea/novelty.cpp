#include "experiments/deep-sea/novelty.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "vapor/core/spec.h"
#include "vapor/env/registry.h"
#include "vapor/mdp/policy.h"
#include "vapor/record/run_summary.h"

namespace vapor::experiments::deep_sea {
namespace {

// layers x states x actions in the order of pairs.
std::vector<double> by_pair(const ordered_json& nested) {
  std::vector<double> table;
  for (const ordered_json& layer : nested)
    for (const ordered_json& state : layer)
      for (const ordered_json& value : state) table.push_back(value.get<double>());
  return table;
}

// The part of an occupancy that lies on pairs which were never tried, over the length of an
// episode.
double untried_share(const std::vector<double>& occupancy, const std::vector<double>& counts,
                     Index layers) {
  double sum = 0.0;
  for (std::size_t p = 0; p < occupancy.size(); ++p)
    if (counts[p] == 0.0) sum += occupancy[p];
  return sum / static_cast<double>(layers);
}

// A snapshot, which is what the agent thinks before its next episode.
struct Moment {
  std::int64_t episodes = 0;
  double tried = 0.0;     // pairs
  double expected = 0.0;  // share of untried pairs, in the true model
  double believed = 0.0;  // under lambda
};

Moment moment_of(const std::filesystem::path& file, const Problem& model) {
  std::ifstream stream(file);
  const ordered_json snapshot = ordered_json::parse(stream);
  const std::vector<double> counts = by_pair(snapshot.at("counts"));
  const Index layers = model.shape.layers();
  Moment moment;
  moment.episodes = snapshot.at("episodes").get<std::int64_t>();
  moment.tried =
      static_cast<double>(counts.size()) - static_cast<double>(std::ranges::count(counts, 0.0));
  moment.expected =
      untried_share(occupancy_of(model, by_pair(snapshot.at("policy"))), counts, layers);
  moment.believed = untried_share(by_pair(snapshot.at("lambda")), counts, layers);
  return moment;
}

// Those before the first success, and the first after it: the number of tried pairs at the success
// lies between its last two.
std::vector<Moment> moments_of(const SweepCell& run, const Problem& model, std::int64_t success) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(run.folder + "/snapshots"))
    if (entry.path().filename() != "drawing.json") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<Moment> moments;
  for (const std::filesystem::path& file : files) {
    moments.push_back(moment_of(file, model));
    if (moments.back().episodes >= success) break;
  }
  return moments;
}

double tried_at(const std::vector<Moment>& moments, std::int64_t success) {
  const Moment& after = moments.back();
  if (moments.size() == 1 || after.episodes <= success) return after.tried;
  const Moment& before = moments[moments.size() - 2];
  const double part = static_cast<double>(success - before.episodes) /
                      static_cast<double>(after.episodes - before.episodes);
  return before.tried + part * (after.tried - before.tried);
}

double mean_of(const std::vector<Moment>& moments, std::size_t begin, std::size_t end,
               double Moment::* share) {
  double sum = 0.0;
  for (std::size_t i = begin; i < end; ++i) sum += moments[i].*share;
  return sum / static_cast<double>(end - begin);
}

// The columns of one seed.
void add_seed(const SweepCell& run, std::map<std::string, std::vector<double>>& columns) {
  const std::optional<std::int64_t> success = summarise(read_run(run.folder)).first_success;
  if (!success) return;
  const Problem model =
      make_environment(Spec(setting("env"), run.settings.env), run.settings.seed).model;
  std::vector<Moment> moments = moments_of(run, model, *success);
  const double tried = tried_at(moments, *success);
  if (moments.size() > 1) moments.pop_back();
  const std::size_t third = std::max<std::size_t>(1, moments.size() / 3);
  const auto steps = static_cast<double>(*success * model.shape.layers());
  columns["first_success"].push_back(static_cast<double>(*success));
  columns["tried"].push_back(tried / static_cast<double>(model.shape.pairs()));
  columns["new"].push_back(tried / steps);
  columns["early"].push_back(mean_of(moments, 0, third, &Moment::expected));
  columns["late"].push_back(
      mean_of(moments, moments.size() - third, moments.size(), &Moment::expected));
  columns["believed"].push_back(mean_of(moments, 0, moments.size(), &Moment::believed));
}

}  // namespace

ordered_json novelty_rows(const std::vector<Cell>& cells) {
  ordered_json rows = ordered_json::array();
  for (const Cell& cell : sorted_by(cells, {&Cell::env})) {
    std::map<std::string, std::vector<double>> columns;
    for (const SweepCell& run : cell.runs) add_seed(run, columns);
    ordered_json row = {{"agent", cell.agent()},
                        {"depth", cell.number("depth")},
                        {"seeds", columns["first_success"].size()}};
    for (const char* name : {"first_success", "tried", "new", "early", "late", "believed"})
      add_mean(row, name, columns[name], !columns[name].empty());
    rows.push_back(row);
  }
  return rows;
}

}  // namespace vapor::experiments::deep_sea
