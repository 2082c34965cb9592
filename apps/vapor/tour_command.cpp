// `vapor tour`, and `vapor` without arguments: in a few minutes from a belief to a report. It is a
// script of the other subcommands, which it shows, calls with --json and explains; their records
// stay, so a second tour is over in seconds.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "interruption.h"
#include "json_answer.h"
#include "options.h"
#include "terminal.h"
#include "vapor/core/error.h"
#include "vapor/core/text.h"
#include "vapor/record/file.h"
#include "vapor/run/child_process.h"

namespace vapor::command {
namespace {

using nlohmann::ordered_json;
using Words = std::vector<std::string>;

// A subcommand ended with another exit code than 0, which is the tour's as well.
struct Stopped {
  int code;
};

// One line a row of the sea, two characters a cell: how likely the optimal path passes there.
std::string drawn_sea(const ordered_json& occupancy) {
  constexpr std::string_view kShades = " .:-=+*#%@";
  std::string text;
  for (const ordered_json& layer : occupancy) {
    text += "    ";
    for (const ordered_json& state : layer) {
      double mass = 0.0;
      for (const ordered_json& pair : state) mass += pair.get<double>();
      text += kShades[std::min<std::size_t>(9, static_cast<std::size_t>(10.0 * mass))];
      text += ' ';
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::string learning_time(const ordered_json& row, std::int64_t cap) {
  const double solved = row.at("solved_fraction").get<double>();
  if (solved == 0.0) return fmt::format("> {}", cap);
  const std::string time =
      with_error(row.at("solved").get<double>(), row.at("solved_se").get<double>());
  return solved < 1.0 ? "> " + time : time;
}

// The names in the order in which rows have them first.
Words names_in(const ordered_json& rows, const char* key) {
  Words names;
  for (const ordered_json& row : rows) {
    const ordered_json& value = row.at(key);
    const std::string name = value.is_string() ? value.get<std::string>() : value.dump();
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

// Agents downwards, the values of `axis` across.
template <typename Text>
Rows crossed(const ordered_json& rows, const char* axis, const std::string& head,
             const Text& text) {
  Rows table = {{"agent"}};
  for (const std::string& value : names_in(rows, axis)) table[0].push_back(head + value);
  for (const std::string& agent : names_in(rows, "agent")) {
    table.push_back({agent});
    for (const ordered_json& row : rows)
      if (row.at("agent") == agent) table.back().push_back(text(row));
  }
  return table;
}

struct TourOptions {
  std::string out = "out";
  Output output;
};

class Tour {
 public:
  explicit Tour(const TourOptions& options) : options_(options) {}

  // A signal ends the subcommand that runs, which saves its work; the tour waits for that.
  int run() {
    if (options_.out.empty()) throw InputError("--out", "must name a folder");
    catch_signals();
    try {
      solve_a_belief();
      walk_the_toy_chain();
      learn_deep_sea();
      watch_two_agents();
      compare_occupancies();
      cover_rooms_and_count_regret();
      write_the_report();
    } catch (const Stopped& stopped) {
      return stopped.code;
    }
    if (options_.output.json) print_json(result_);
    return kGood;
  }

 private:
  static constexpr int kSteps = 7;

  template <typename... Args>
  void say(fmt::format_string<Args...> text, Args&&... args) const {
    if (!options_.output.for_people()) return;
    fmt::print(text, std::forward<Args>(args)...);
    std::fflush(stdout);
  }

  void begin_step(const char* title) {
    say("\n{}\n", bold(fmt::format("[{}/{}] {}", ++step_, kSteps, title)));
  }

  std::string folder(const std::string& name) const { return options_.out + "/tour/" + name; }

  // Calls `vapor WORDS... --json` and returns what it said; its progress is on standard error.
  ordered_json call(Words words) {
    if (interrupted()) throw Stopped{end_interrupted()};
    Words shown;
    for (const std::string& word : words) shown.push_back(shell_word(word));
    say("  {}\n", dim(fmt::format("$ {} {}", program(), fmt::join(shown, " "))));
    words.emplace_back("--json");
    if (options_.output.quiet) words.emplace_back("--quiet");
    const ChildOutcome outcome = run_this_program(words);
    if (outcome.exit_code != kGood) throw Stopped{outcome.exit_code};
    return ordered_json::parse(outcome.out);
  }

  void solve_a_belief() {
    begin_step("A belief, solved with a certificate");
    say("  DeepSea is a grid. Every step goes down, to the left or to the right; the treasure\n"
        "  lies in the bottom right corner. Here is what an agent believes after 8 episodes:\n");
    const std::string belief = folder("belief.json");
    make_folder(options_.out + "/tour");
    call({"generate", "deep-sea", "--depth", "12", "--episodes", "8", "--repeat", "10000",
          "--transform", "reward-only", "--variance-scale", "0.03", "--out", belief});
    const ordered_json answer = call({"solve", belief, "--out", folder("answer.json")});
    std::ifstream file(folder("answer.json"));
    say("  How likely is each cell to lie on the optimal path? '.' a tenth, '@' nine tenths:\n\n"
        "{}\n",
        drawn_sea(ordered_json::parse(file).at("occupancy")));
    say("    value  {:.12f}   this occupancy attains it\n"
        "    bound  {:.12f}   no occupancy measure exceeds it\n"
        "    gap    {:.1e}, closed in {} iterations and {}\n\n",
        answer.at("value").get<double>(), answer.at("upper_bound").get<double>(),
        answer.at("gap").get<double>(), answer.at("iterations").get<int>(),
        duration(answer.at("seconds").get<double>()));
    result_["certificate"] = answer;
    call({"solve", belief, "--method", "all", "--tol", "1e-6", "--trace", folder("solver")});
    say("  The report shows how fast each method of the solver gets there.\n");
  }

  void walk_the_toy_chain() {
    begin_step("The toy pair: two chains that differ in their last reward");
    say("  Only walking to the end of the chain tells which one is true. Episodes until an agent\n"
        "  has done that, by the length L of the chain:\n");
    const ordered_json found = call({"reproduce", "toy-chain", "--lengths", "5,10,20",
                                     "--repetitions", "100", "--out", folder("toy-chain")});
    result_["toy_chain"] = found.at("rows");
    show(crossed(found.at("rows"), "L", "L = ", [](const ordered_json& row) {
      return number(row.at("episodes").get<double>());
    }));
    say("  Soft Q-learning and P(pi*) state by state get there by chance, VAPOR on purpose.\n");
  }

  void learn_deep_sea() {
    begin_step("Learning DeepSea: VAPOR and its rivals");
    say("  Episodes until the treasure was found in a tenth of them: the mean over five seeds and\n"
        "  its standard error. All agents have the default belief; a run ends after 600 "
        "episodes.\n");
    const ordered_json found =
        call({"reproduce", "deep-sea", "--setting", "default", "--depths", "10,20,30,40", "--seeds",
              "5", "--episodes", "600", "--agents",
              "vapor,vapor-lite,k-learning,thompson,rlsvi,ucbvi,soft-q,epsilon-greedy", "--out",
              folder("deep-sea")});
    result_["deep_sea"] = found.at("rows");
    const auto cap = found.at("episodes").get<std::int64_t>();
    show(crossed(found.at("rows"), "depth", "depth ",
                 [cap](const ordered_json& row) { return learning_time(row, cap); }));
  }

  void watch_two_agents() {
    begin_step("Watching two agents think");
    Words view = {"view"};
    for (const std::string agent : {"vapor", "thompson"}) {
      const std::string runs = folder("watched/" + agent);
      call({"run", "--env", "deep_sea:depth=20", "--agent", agent, "--episodes", "60", "--seed",
            "101", "--snapshot-every", "2", "--out", runs});
      view.push_back(runs + "/seed-101");
    }
    const std::string page = options_.out + "/view.html";
    view.insert(view.end(), {"--out", page});
    call(view);
    result_["view"] = page;
    say("  Both agents, episode by episode, with the reason for every action: {}\n", bold(page));
  }

  void compare_occupancies() {
    begin_step("Occupancies on a grid world");
    say("  VAPOR's lambda beside P(Gamma*), the posterior probability that a cell lies on the\n"
        "  optimal path, estimated by 1,000 samples. Total variation from P(Gamma*), the mean\n"
        "  over four worlds and its standard error:\n");
    const ordered_json found =
        call({"reproduce", "grid-world", "--seeds", "4", "--out", folder("grid-world")});
    result_["grid_world"] = found.at("rows");
    Rows table = {{"method", "of cells", "of pairs"}};
    for (const ordered_json& row : found.at("rows"))
      table.push_back({row.at("method").get<std::string>(), distance(row, "tv_state"),
                       distance(row, "tv_occupancy")});
    show(table);
    say("  Four worlds are few: over twenty K-learning is closer (experiments/grid-world).\n");
  }

  static std::string distance(const ordered_json& row, const std::string& name) {
    return with_error(row.at(name).get<double>(), row.at(name + "_se").get<double>());
  }

  void cover_rooms_and_count_regret() {
    begin_step("Covering four rooms; regret under its bound");
    const ordered_json rooms =
        call({"reproduce", "four-rooms", "--quick", "--out", folder("four-rooms")});
    const ordered_json regret = call({"reproduce", "regret", "--quick", "--episodes", "1000",
                                      "--seeds", "8", "--out", folder("regret")});
    result_["four_rooms"] = rooms.at("rows");
    result_["regret"] = regret.at("rows");
    say("  Weighted entropy covers the rooms faster at every size: {}. The proven bounds hold: {}\n"
        "  (tested in {} rows; elsewhere a bound exceeds what can be lost at all).\n",
        rooms.at("weighted_faster_at_every_size").get<bool>() ? "yes" : "no",
        regret.at("proven_bounds_hold").get<bool>() ? "yes" : "no",
        regret.at("proven_bounds_tested").get<int>());
  }

  void write_the_report() {
    begin_step("The report");
    const ordered_json report = call({"report", options_.out + "/tour", "--title", "VAPOR: a tour",
                                      "--out", options_.out + "/report"});
    result_["report"] = report.at("page");
    say("  {} runs in {} figures; each names its command, its seeds and its data:\n"
        "  {}\n",
        whole(report.at("runs").get<std::int64_t>()), report.at("figures").get<int>(),
        bold(report.at("page").get<std::string>()));
    say("\n{}\n"
        "  {} run --env deep_sea:depth=50 --agent vapor --seeds 4 --stop-when-solved\n"
        "  {} reproduce deep-sea --quick\n"
        "  {} --help\n",
        bold("Next"), program(), program(), program());
  }

  void show(const Rows& table) const {
    if (options_.output.for_people()) print_table(table);
  }

  const TourOptions& options_;
  int step_ = 0;
  ordered_json result_;
};

}  // namespace

void add_tour(CLI::App& app, Action& action) {
  auto options = std::make_shared<TourOptions>();
  CLI::App* command = app.add_subcommand(
      "tour", "From a belief to a report in a few minutes; what vapor does without a subcommand");
  add_path(*command, "--out", options->out, "DIR",
           "Writes DIR/report/index.html, DIR/view.html and the records in DIR/tour")
      ->capture_default_str();
  add_output_flags(*command, options->output);
  command->footer(
      "Examples:\n"
      "  vapor tour\n"
      "  vapor tour --out /tmp/tour --json");
  action = [options] { return Tour(*options).run(); };
  command->callback([options, &action] { action = [options] { return Tour(*options).run(); }; });
}

}  // namespace vapor::command
