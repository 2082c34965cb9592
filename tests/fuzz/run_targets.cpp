// What defines a run: sweep files and specs.
#include <algorithm>
#include <cctype>
#include <string>

#include "targets.h"
#include "vapor/agent/registry.h"
#include "vapor/atari/game_settings.h"
#include "vapor/atari/games.h"
#include "vapor/core/check.h"
#include "vapor/core/error.h"
#include "vapor/deep/config.h"
#include "vapor/env/registry.h"
#include "vapor/env/vector_registry.h"
#include "vapor/run/beliefs.h"
#include "vapor/run/sweep_grid.h"

namespace vapor::fuzz {
namespace {

// What would be made of the text is small: no number of more than two digits before the point, and
// no power of ten. (Sizes that are refused are in the stored inputs of the tests of each registry.)
bool is_small(std::string_view text) {
  int digits = 0;
  char last = ' ';
  for (const char c : text) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if ((c == 'e' || c == 'E' || c == '_') && digits > 0) return false;
    if (digit && last == '.') digits = -10;  // behind a point
    digits = digit ? digits + 1 : 0;
    if (digits > 2) return false;
    last = c;
  }
  return true;
}

std::string written(const Spec& spec) {
  std::string text = spec.name();
  char separator = ':';
  for (const auto& [key, value] : spec.values()) {
    text.append(1, separator).append(key).append("=").append(value);
    separator = ',';
  }
  return text;
}

void expect_same_spec(const Spec& spec) {
  const Spec again(setting("spec"), written(spec));
  VAPOR_CHECK_EQ(again.name(), spec.name());
  VAPOR_CHECK_EQ(again.values() == spec.values(), true);
}

// "belief tabular:repeat=2" or "agent vapor": a belief or an agent of a small environment; "deep"
// the settings of one that learns networks; all else names an environment.
void make(const std::string& what, const Spec& spec) {
  Spec copy = spec;
  if (what == "env") {
    if (is_vector_environment(spec.name()))
      make_vector_environment(spec, 2);
    else if (atari::is_game(spec.name()))
      atari::game_settings(copy);
    else
      make_environment(spec, 1);
    return;
  }
  if (what == "deep") {
    deep::read_config(copy, deep::paper_config(copy.place(), copy.name()));
    return;
  }
  static const Environment environment =
      make_environment(Spec(setting("env"), "deep_sea:depth=2"), 1);
  if (what == "belief") {
    make_belief(spec, environment);
    return;
  }
  const std::string belief = default_belief("deep_sea", environment);
  const auto agent =
      make_agent(spec, make_belief(Spec(setting("belief"), belief), environment), {},
                 Cost{.of_pair = std::vector<double>(environment.shape().pairs()), .baseline = {}});
  agent->policy(RandomStream(1));
}

}  // namespace

void read_spec_bytes(std::string_view bytes) {
  const std::string_view what = bytes.substr(0, bytes.find(' '));
  const std::string_view text = bytes.substr(std::min(what.size() + 1, bytes.size()));
  if (what != "env" && what != "agent" && what != "belief" && what != "deep")
    throw InputError("spec", "of what?");
  for (const std::string& each : split_specs(text)) {
    const Spec spec(setting(std::string(what)), each);
    expect_same_spec(spec);
    if (!is_small(each)) throw InputError("spec", "is not tried");
    make(std::string(what), spec);
  }
}

void read_sweep_bytes(std::string_view bytes) {
  const std::vector<SweepTable> tables = parse_sweep(std::string(bytes), "sweep.toml");
  std::size_t cells = 0;
  for (const SweepTable& table : tables) {
    for (const auto* specs : {&table.envs, &table.agents, &table.beliefs})
      for (const PlacedText& spec : *specs)
        if (!is_small(spec.text)) throw InputError("sweep", "is not tried");
    for (const auto& [name, values] : table.vary)
      for (const std::string& value : values)
        if (!is_small(value)) throw InputError("sweep", "is not tried");
    cells += table.seeds.size();
  }
  if (cells > 1000) throw InputError("sweep", "is not tried");
  for (const SweepCell& cell : cells_of(tables)) {
    // Nothing in a file leads out of the folder of its sweep.
    VAPOR_CHECK_EQ(("/" + cell.folder + "/").find("/../") == std::string::npos, true);
    VAPOR_CHECK_EQ(cell.folder.front() == '/', false);
    VAPOR_CHECK_EQ(cell.folder.find('\0') == std::string::npos, true);
  }
}

}  // namespace vapor::fuzz
