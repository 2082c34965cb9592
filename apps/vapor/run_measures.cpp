#include "run_measures.h"

#include "terminal.h"

namespace vapor::command {
namespace {

using nlohmann::ordered_json;
using Measures = std::vector<NamedMeasure>;

template <auto member>
std::optional<double> of(const RunSummary& summary) {
  if constexpr (requires { (summary.*member).has_value(); })
    return summary.*member ? std::optional(static_cast<double>(*(summary.*member))) : std::nullopt;
  else
    return static_cast<double>(summary.*member);
}

using S = RunSummary;
constexpr MeasureForm kWhole = MeasureForm::kWhole;
constexpr NamedMeasure kEpisodesPlayed = {"episodes", "episodes", of<&S::episodes>, kWhole};
constexpr NamedMeasure kFirstSuccess = {"first_success", "first success", of<&S::first_success>,
                                        kWhole};
constexpr NamedMeasure kSolved = {"solved", "solved", of<&S::solved>, kWhole};
constexpr NamedMeasure kMeanReturn = {"mean_return", "mean return", of<&S::mean_return>};
constexpr NamedMeasure kSeconds = {"seconds", "time", of<&S::seconds>, MeasureForm::kDuration};
constexpr NamedMeasure kFramesPerSecond = {"frames_per_second", "frames/s",
                                           of<&S::frames_per_second>};
constexpr NamedMeasure kLearnerFrames = {"learner_frames", "", of<&S::learner_frames>, kWhole};
constexpr NamedMeasure kLearnerFramesPerSecond = {"learner_frames_per_second", "learned/s",
                                                  of<&S::learner_frames_per_second>};

const Measures kOfTables = {kEpisodesPlayed,
                            kFirstSuccess,
                            kSolved,
                            {"total_regret", "total regret", of<&S::total_regret>},
                            kMeanReturn,
                            {"last_value", "last value", of<&S::last_value>},
                            {"ms_per_episode", "ms per episode", of<&S::ms_per_episode>}};

const Measures kOfEpisodes = {kSolved,
                              kFirstSuccess,
                              kEpisodesPlayed,
                              kMeanReturn,
                              {"frames", "", of<&S::frames>, kWhole},
                              kLearnerFrames,
                              kSeconds,
                              kFramesPerSecond,
                              kLearnerFramesPerSecond};

// A game has no goal that would be reached: both are there for readers of either training.
const Measures kOfFrames = {{"solved", "", of<&S::solved>, kWhole},
                            {"first_success", "", of<&S::first_success>, kWhole},
                            {"frames", "frames", of<&S::frames>, kWhole},
                            kEpisodesPlayed,
                            kLearnerFrames,
                            kMeanReturn,
                            {"recent_mean_return", "of the last 100", of<&S::recent_mean_return>},
                            {"best_return", "best", of<&S::best_return>},
                            kSeconds,
                            kFramesPerSecond,
                            kLearnerFramesPerSecond};

}  // namespace

std::string NamedMeasure::text(const std::optional<double>& value) const {
  if (!value) return "-";
  return form == MeasureForm::kDuration ? duration(*value)
         : form == MeasureForm::kWhole  ? whole(static_cast<std::int64_t>(*value))
                                        : number(*value);
}

const Measures& measures_of(const RunSettings& settings) {
  if (settings.by_frames) return kOfFrames;
  return settings.kind == RunKind::kTable ? kOfTables : kOfEpisodes;
}

MeanAndError over_seeds(const std::vector<RunSummary>& summaries, const NamedMeasure& measure) {
  std::vector<double> values;
  for (const RunSummary& summary : summaries)
    if (const std::optional<double> value = measure.of(summary)) values.push_back(*value);
  return mean_and_error(values);
}

void add_measures(ordered_json& row, const Measures& measures, const RunSummary& summary) {
  for (const NamedMeasure& measure : measures) {
    const std::optional<double> value = measure.of(summary);
    if (!value)
      row[measure.name] = nullptr;
    else if (measure.form == MeasureForm::kWhole)
      row[measure.name] = static_cast<std::int64_t>(*value);
    else
      row[measure.name] = *value;
  }
}

ordered_json json_of_means(const Measures& measures, const std::vector<RunSummary>& summaries) {
  ordered_json means = ordered_json::object();
  for (const NamedMeasure& measure : measures) {
    const MeanAndError total = over_seeds(summaries, measure);
    const bool some = total.count > 0;
    means[measure.name] = {
        {"mean", some ? ordered_json(total.mean) : ordered_json(nullptr)},
        {"standard_error", some ? ordered_json(total.standard_error) : ordered_json(nullptr)},
        {"count", total.count}};
  }
  return means;
}

}  // namespace vapor::command
