#include "vapor/mdp/drn_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "vapor/core/error.h"
#include "vapor/core/input_file.h"

namespace vapor {
namespace {

constexpr std::size_t kLongestLine = 1 << 20;
constexpr double kRowTolerance = 1e-6;
constexpr double kLargestReward = 1e100;

// A piece of the input for a message: short and printable.
std::string shown(std::string_view text) {
  std::string quoted;
  for (char c : text.substr(0, 40))
    quoted +=
        static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e ? '?' : c;
  return fmt::format("\"{}\"{}", quoted, text.size() > 40 ? "..." : "");
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// Takes the next word off the text.
std::string_view next_word(std::string_view& text) {
  text = trimmed(text);
  const std::string_view word = text.substr(0, text.find_first_of(" \t\r"));
  text = trimmed(text.substr(word.size()));
  return word;
}

class DrnReader {
 public:
  DrnReader(std::istream& in, const DrnSettings& settings) : in_(in), settings_(settings) {}

  ExplicitModel read() {
    read_header();
    while (next_line()) read_model_line();
    close_choice();
    finish();
    return std::move(model_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(fmt::format("line {}", line_number_), why);
  }

  bool next_line();
  std::string_view line_of_key(std::string_view key);
  void read_header();
  void read_key();
  void check_type(std::string_view type) const;
  void read_model_line();
  void open_state(std::string_view rest);
  void open_choice(std::string_view rest);
  void add_successor(std::string_view target, std::string_view probability);
  void close_choice();
  void check_choices() const;
  void finish();
  std::vector<double> take_rewards(std::string_view& rest) const;
  Index whole(std::string_view text, const char* what, Index low) const;
  double number(std::string_view text, const char* what) const;

  std::istream& in_;
  DrnSettings settings_;
  std::string buffer_;
  std::string_view line_;  // the one being read, without what surrounds it
  Offset line_number_ = 0;

  bool typed_ = false;
  bool one_choice_ = false;  // a DTMC
  std::optional<Index> states_, choices_;
  ExplicitModel model_;

  std::vector<double> state_rewards_;
  std::vector<Index> choices_of_;  // by state so far
  Index pairs_ = 0;
  bool in_choice_ = false;
  Offset state_line_ = 0;
  Offset choice_line_ = 0;
};

// The next line that says something; false at the end.
bool DrnReader::next_line() {
  while (std::getline(in_, buffer_)) {
    ++line_number_;
    if (buffer_.size() > kLongestLine) refuse("is too long");
    line_ = trimmed(buffer_);
    if (!line_.empty() && !line_.starts_with("//")) return true;
  }
  if (in_.bad()) refuse("cannot be read");
  return false;
}

// What stands in the line behind a key, which may be empty.
std::string_view DrnReader::line_of_key(std::string_view key) {
  if (!std::getline(in_, buffer_)) refuse(fmt::format("nothing follows {}", key));
  ++line_number_;
  if (buffer_.size() > kLongestLine) refuse("is too long");
  return trimmed(buffer_);
}

Index DrnReader::whole(std::string_view text, const char* what, Index low) const {
  Index value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low)
    refuse(fmt::format("{} must be a whole number >= {}, got {}", what, low, shown(text)));
  return value;
}

// A decimal number, or a fraction of two.
double DrnReader::number(std::string_view text, const char* what) const {
  const auto decimal = [&](std::string_view part) {
    double value = 0.0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size() || !std::isfinite(value))
      refuse(fmt::format("{} must be a number, got {}", what, shown(text)));
    return value;
  };
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return decimal(text);
  const double quotient = decimal(text.substr(0, slash)) / decimal(text.substr(slash + 1));
  if (!std::isfinite(quotient))
    refuse(fmt::format("{} must be a number, got {}", what, shown(text)));
  return quotient;
}

void DrnReader::check_type(std::string_view type) const {
  if (type == "MDP" || type == "DTMC") return;
  if (type == "POMDP" && settings_.ignore_observations) return;
  if (type == "POMDP")
    refuse("a POMDP is only partially observed; its MDP can be read if observations are ignored");
  refuse(fmt::format("the type must be MDP, DTMC or POMDP, got {}", shown(type)));
}

void DrnReader::read_key() {
  const std::size_t colon = line_.find(':');
  const std::string key(trimmed(line_.substr(0, colon)));
  const std::string value(colon == std::string_view::npos ? std::string_view()
                                                          : trimmed(line_.substr(colon + 1)));
  if (key == "@type") {
    check_type(value);
    typed_ = true;
    one_choice_ = value == "DTMC";
  } else if (key == "@value_type") {
    if (value != "double" && value != "rational")
      refuse(fmt::format("the value type must be double or rational, got {}", shown(value)));
  } else if (key == "@parameters") {
    if (!line_of_key(key).empty())
      refuse("parameters have no values: the model must be instantiated");
  } else if (key == "@reward_models") {
    std::string_view names = line_of_key(key);
    while (!names.empty()) {
      const std::string name(next_word(names));
      if (std::ranges::find(model_.reward_names, name) != model_.reward_names.end())
        refuse(fmt::format("the reward model {} stands twice", shown(name)));
      model_.reward_names.push_back(name);
    }
    model_.rewards.resize(model_.reward_names.size());
  } else if (key == "@nr_states") {
    states_ = whole(line_of_key(key), "the number of states", 1);
  } else if (key == "@nr_choices") {
    choices_ = whole(line_of_key(key), "the number of choices", 1);
  } else {
    refuse(fmt::format("unknown key {}", shown(key)));
  }
}

void DrnReader::read_header() {
  while (next_line()) {
    if (!line_.starts_with('@')) refuse(fmt::format("must be a key, got {}", shown(line_)));
    if (line_ != "@model") {
      read_key();
      continue;
    }
    if (!typed_) refuse("@type is missing before the model");
    if (!states_) refuse("@nr_states is missing before the model");
    return;
  }
  ++line_number_;
  refuse(line_number_ == 1 ? "the file is empty" : "@model is missing");
}

// "[1, 0.5]", if it is there: as many as there are reward models.
std::vector<double> DrnReader::take_rewards(std::string_view& rest) const {
  std::vector<double> rewards(model_.reward_names.size(), 0.0);
  if (!rest.starts_with('[')) return rewards;
  const std::size_t end = rest.find(']');
  if (end == std::string_view::npos) refuse("a list of rewards is not closed");
  std::string_view list = trimmed(rest.substr(1, end - 1));
  rest = trimmed(rest.substr(end + 1));
  std::size_t count = 0;
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    const double reward = number(trimmed(list.substr(0, comma)), "a reward");
    if (std::abs(reward) > kLargestReward) refuse("a reward must be between -1e100 and 1e100");
    if (count < rewards.size()) rewards[count] = reward;
    ++count;
    list = comma == std::string_view::npos ? std::string_view() : trimmed(list.substr(comma + 1));
  }
  if (count != rewards.size())
    refuse(fmt::format("must have {} rewards, one for each reward model, got {}", rewards.size(),
                       count));
  return rewards;
}

void DrnReader::read_model_line() {
  std::string_view rest = line_;
  const std::string_view word = next_word(rest);
  if (word == "state") return open_state(rest);
  if (word == "action") return open_choice(rest);
  const std::size_t colon = line_.find(':');
  if (colon == std::string_view::npos)
    refuse(fmt::format("must be a state, an action or \"target : probability\", got {}",
                       shown(line_)));
  add_successor(trimmed(line_.substr(0, colon)), trimmed(line_.substr(colon + 1)));
}

void DrnReader::open_state(std::string_view rest) {
  close_choice();
  check_choices();
  const Index state = whole(next_word(rest), "a state", 0);
  const auto expected = static_cast<Index>(choices_of_.size());
  if (state != expected) refuse(fmt::format("state {} is expected here, got {}", expected, state));
  if (state >= *states_)
    refuse(fmt::format("there are {} states, as @nr_states says, got one more", *states_));
  while (!rest.empty() && (rest.front() == '!' || rest.front() == '{')) {
    if (rest.front() == '!') refuse("a rate belongs to continuous time");
    next_word(rest);  // an observation
  }
  state_rewards_ = take_rewards(rest);
  while (!rest.empty())
    if (next_word(rest) == "init") model_.initial_states.push_back(state);
  choices_of_.push_back(0);
  state_line_ = line_number_;
}

void DrnReader::open_choice(std::string_view rest) {
  close_choice();
  if (choices_of_.empty()) refuse("an action needs a state before it");
  if (one_choice_ && choices_of_.back() > 0) refuse("a state of a DTMC has one action");
  next_word(rest);  // its name, which need not be there twice
  const std::vector<double> rewards = take_rewards(rest);
  if (!rest.empty()) refuse(fmt::format("{} stands behind an action", shown(rest)));
  for (std::size_t i = 0; i < rewards.size(); ++i)
    model_.rewards[i].push_back(state_rewards_[i] + rewards[i]);
  if (++pairs_ == std::numeric_limits<Index>::max()) refuse("there are too many actions");
  ++choices_of_.back();
  in_choice_ = true;
  choice_line_ = line_number_;
}

void DrnReader::add_successor(std::string_view target, std::string_view probability) {
  if (!in_choice_) refuse("a successor needs an action before it");
  const Index state = whole(target, "a target", 0);
  if (state >= *states_)
    refuse(fmt::format("a target must be in 0..{}, got {}", *states_ - 1, state));
  const double p = number(probability, "a probability");
  if (p < 0.0) refuse(fmt::format("a probability must be >= 0, got {}", p));
  model_.transitions.next_state.push_back(state);
  model_.transitions.probability.push_back(p);
}

void DrnReader::close_choice() {
  if (!in_choice_) return;
  in_choice_ = false;
  Transitions& P = model_.transitions;
  double sum = 0.0;
  for (auto k = static_cast<std::size_t>(P.begin.back()); k < P.probability.size(); ++k)
    sum += P.probability[k];
  if (!(std::abs(sum - 1.0) <= kRowTolerance))
    throw InputError(fmt::format("line {}", choice_line_),
                     fmt::format("probabilities of an action must sum to 1, got {}", sum));
  for (auto k = static_cast<std::size_t>(P.begin.back()); k < P.probability.size(); ++k)
    P.probability[k] /= sum;
  P.begin.push_back(static_cast<Offset>(P.next_state.size()));
}

// The last state has an action.
void DrnReader::check_choices() const {
  if (!choices_of_.empty() && choices_of_.back() == 0)
    throw InputError(fmt::format("line {}", state_line_), "the state has no action");
}

void DrnReader::finish() {
  check_choices();
  ++line_number_;
  if (static_cast<Index>(choices_of_.size()) != *states_)
    refuse(fmt::format("the file ends after {} states, and @nr_states says {}", choices_of_.size(),
                       *states_));
  if (choices_ && *choices_ != pairs_)
    refuse(
        fmt::format("the file ends after {} actions, and @nr_choices says {}", pairs_, *choices_));
  if (model_.initial_states.empty()) refuse("no state has the label init");
  model_.shape.add_layer();
  for (Index actions : choices_of_) model_.shape.add_state(actions);
  model_.transitions.base_weight.assign(pairs_, 0.0);
  model_.transitions.base.assign(choices_of_.size(), 0.0);
}

}  // namespace

ExplicitModel read_drn(std::istream& in, const DrnSettings& settings) {
  return DrnReader(in, settings).read();
}

ExplicitModel read_drn_file(const std::string& path, const DrnSettings& settings) {
  std::ifstream in = open_to_read(path);
  try {
    return read_drn(in, settings);
  } catch (const InputError& error) {
    throw InputError(path, error.what());
  }
}

}  // namespace vapor
