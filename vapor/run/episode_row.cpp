#include "vapor/run/episode_row.h"

#include <algorithm>
#include <array>

#include "vapor/core/check.h"

namespace vapor {
namespace {

constexpr std::array<EpisodeColumn, 15> kColumns = {{
    {"return", [](const EpisodeRow& r) { return r.episode_return; }},
    {"value", [](const EpisodeRow& r) { return r.value; }},
    {"regret", [](const EpisodeRow& r) { return r.regret; }},
    {"cost", [](const EpisodeRow& r) { return r.cost; }},
    {"expected_cost", [](const EpisodeRow& r) { return r.expected_cost; }},
    {"violation", [](const EpisodeRow& r) { return r.violation; }},
    {"success", [](const EpisodeRow& r) { return r.success ? 1.0 : 0.0; }},
    {"length", [](const EpisodeRow& r) { return static_cast<double>(r.length); }},
    {"frames", [](const EpisodeRow& r) { return static_cast<double>(r.frames); }},
    {"learner_frames", [](const EpisodeRow& r) { return static_cast<double>(r.learner_frames); }},
    {"sigma", [](const EpisodeRow& r) { return r.sigma; }},
    {"entropy", [](const EpisodeRow& r) { return r.entropy; }},
    {"policy_loss", [](const EpisodeRow& r) { return r.losses.policy; }},
    {"value_loss", [](const EpisodeRow& r) { return r.losses.value; }},
    {"reward_loss", [](const EpisodeRow& r) { return r.losses.reward; }},
}};

}  // namespace

std::vector<EpisodeColumn> columns_named(std::span<const std::string> names) {
  std::vector<EpisodeColumn> columns;
  for (const std::string& name : names) {
    const auto* const found =
        std::ranges::find_if(kColumns, [&](const EpisodeColumn& c) { return name == c.name; });
    VAPOR_CHECK_EQ(found != kColumns.end(), true);
    columns.push_back(*found);
  }
  return columns;
}

}  // namespace vapor
