// Reads the problem file as a stream of JSON events. Every event is either expected where it stands
// or ends the reading at once, so nesting, size and kind of what is not a problem never matter.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <istream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vapor/core/error.h"
#include "vapor/mdp/json_source.h"
#include "vapor/mdp/problem_assembly.h"
#include "vapor/mdp/problem_file.h"

namespace vapor {
namespace {

enum class Key { kFormat, kVersion, kInitial, kLayers, kRewardMean, kSigma, kNext, kBase, kWeight };

struct KeyInfo {
  std::string_view name;
  Key key;
  int depth;  // how many lists stand around a number
};

constexpr std::array<KeyInfo, 4> kRootKeys{{{"format", Key::kFormat, 0},
                                            {"version", Key::kVersion, 0},
                                            {"initial", Key::kInitial, 1},
                                            {"layers", Key::kLayers, 1}}};
constexpr std::array<KeyInfo, 5> kLayerKeys{{{"reward_mean", Key::kRewardMean, 2},
                                             {"sigma", Key::kSigma, 2},
                                             {"next", Key::kNext, 4},
                                             {"base", Key::kBase, 1},
                                             {"base_weight", Key::kWeight, 2}}};

// A piece of the input for a message: one line of printable text, cut when it is long.
std::string excerpt(std::string_view text, std::size_t longest = 60) {
  const bool cut = text.size() > longest;
  std::string quoted = nlohmann::json(std::string(text.substr(0, longest)))
                           .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return cut ? quoted + "..." : quoted;
}

// What nlohmann_json says behind "... at line L, column C: ".
std::string reason_of(std::string_view what) {
  const std::size_t column = what.find(", column ");
  const std::size_t reason = what.find(": ", column == std::string_view::npos ? 0 : column);
  if (reason != std::string_view::npos) what.remove_prefix(reason + 2);
  std::string text(what);
  std::replace(text.begin(), text.end(), '"', '\'');
  text = excerpt(text, 200);
  return text.substr(1, text.rfind('"') - 1);
}

// The text ends like the beginning of NaN or Infinity, in any case and with any sign.
bool like_nan_or_infinity(std::string_view text) {
  for (std::string_view ending : {"N", "I", "i", "na", "-n"})
    if (text.ends_with(ending)) return true;
  return false;
}

// The events of nlohmann_json's SAX interface.
class ProblemReader {
 public:
  ProblemReader(const JsonSource& source, double max_memory)
      : source_(source), most_numbers_(max_memory / kBytesOfANumber) {}

  bool null() { refuse("null"); }
  bool boolean(bool value) { refuse(value ? "true" : "false"); }
  bool number_integer(std::int64_t value) { return number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) { return number(static_cast<double>(value)); }
  bool number_float(double value, const std::string& /*text*/) { return number(value); }
  bool binary(std::vector<std::uint8_t>& /*value*/) { refuse("binary"); }
  bool string(std::string& value);

  bool start_object(std::size_t /*size*/);
  bool key(std::string& name);
  bool end_object();
  bool start_array(std::size_t /*size*/);
  bool end_array();

  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error);

  Problem finish() { return assembly_.finish(std::move(initial_)); }

 private:
  enum class Inside { kFile, kRoot, kLayer };

  // In the tables of its layer, which grow, and in the problem.
  static constexpr double kBytesOfANumber = 3 * sizeof(double);

  bool number(double value);
  void successor(double value);
  void open_list();
  void close_list();
  void check_root_complete();
  Rows<double>& rows();
  bool& given(Key key) { return given_[static_cast<std::size_t>(key)]; }
  bool number_expected() const;
  std::string place(int dropped = 0) const;
  std::string expected() const;
  [[noreturn]] void refuse(const char* got) const;

  const JsonSource& source_;
  double most_numbers_;
  double numbers_ = 0.0;
  Inside inside_ = Inside::kFile;
  bool in_layers_ = false;
  Index layer_ = 0;
  std::optional<KeyInfo> key_;  // whose value is being read
  int depth_ = 0;               // open lists of that value
  std::array<Offset, 4> at_{};  // position in each open list

  std::array<bool, kRootKeys.size() + kLayerKeys.size()> given_{};
  std::vector<double> initial_;
  LayerTables tables_;
  ProblemAssembly assembly_;
};

// "layers[3].next[1][0]": where the next value stands, without the last `dropped` positions.
std::string ProblemReader::place(int dropped) const {
  std::string text = in_layers_ ? fmt::format("layers[{}]", layer_) : "";
  if (key_) text += fmt::format("{}{}", in_layers_ ? "." : "", key_->name);
  for (int i = 0; i < depth_ - dropped; ++i) text += fmt::format("[{}]", at_[i]);
  return text.empty() ? "problem file" : text;
}

bool ProblemReader::number_expected() const {
  return key_ && key_->key != Key::kFormat && key_->key != Key::kLayers && depth_ == key_->depth;
}

std::string ProblemReader::expected() const {
  if (inside_ == Inside::kFile) return "a JSON object";
  if (!key_) return "an object";
  if (key_->key == Key::kFormat) return "a string";
  return number_expected() ? "a number" : "a list";
}

void ProblemReader::refuse(const char* got) const {
  throw InputError(place(), fmt::format("must be {}, got {}", expected(), got));
}

bool ProblemReader::string(std::string& value) {
  if (!key_ || key_->key != Key::kFormat) refuse("a string");
  if (value != "vapor-problem")
    throw InputError("format", fmt::format("must be \"vapor-problem\", got {}", excerpt(value)));
  key_.reset();
  return true;
}

bool ProblemReader::number(double value) {
  if (!number_expected()) refuse("a number");
  if (++numbers_ > most_numbers_)
    throw InputError(place(), fmt::format("the problem takes more memory than the {:.3g} bytes "
                                          "that are allowed",
                                          most_numbers_ * kBytesOfANumber));
  switch (key_->key) {
    case Key::kVersion:
      if (value != 1.0) throw InputError("version", fmt::format("must be 1, got {}", value));
      key_.reset();
      return true;
    case Key::kInitial:
      initial_.push_back(value);
      break;
    case Key::kBase:
      tables_.base->push_back(value);
      break;
    case Key::kNext:
      successor(value);
      break;
    default:
      rows().values.push_back(value);
  }
  ++at_[depth_ - 1];
  return true;
}

// One of the two numbers of [next state, probability].
void ProblemReader::successor(double value) {
  std::vector<Successor>& successors = tables_.next->successors.values;
  if (at_[3] == 0) {
    if (value != std::floor(value))
      throw InputError(place(1), fmt::format("next state must be a whole number, got {}", value));
    if (value < 0.0)
      throw InputError(place(1), fmt::format("next state must be >= 0, got {}", value));
    if (value > std::numeric_limits<Index>::max())
      throw InputError(place(1), fmt::format("next state is too large, got {}", value));
    successors.push_back({static_cast<Index>(value), 0.0});
  } else if (at_[3] == 1) {
    successors.back().probability = value;
  } else {
    throw InputError(place(1), "must be [next state, probability], got more than two numbers");
  }
}

Rows<double>& ProblemReader::rows() {
  switch (key_->key) {
    case Key::kRewardMean:
      return *tables_.reward_mean;
    case Key::kSigma:
      return *tables_.sigma;
    default:
      return *tables_.base_weight;
  }
}

bool ProblemReader::start_object(std::size_t /*size*/) {
  if (inside_ == Inside::kFile) {
    inside_ = Inside::kRoot;
  } else if (inside_ == Inside::kRoot && in_layers_) {
    inside_ = Inside::kLayer;
    tables_ = {};
    for (const KeyInfo& info : kLayerKeys) given(info.key) = false;
  } else {
    refuse("an object");
  }
  return true;
}

bool ProblemReader::key(std::string& name) {
  const auto find = [&](const auto& keys) {
    std::string known;
    for (const KeyInfo& info : keys) {
      if (info.name == name) key_ = info;
      known += fmt::format("{}{}", known.empty() ? "" : ", ", info.name);
    }
    if (!key_)
      throw InputError(place(), fmt::format("unknown key {}; known are {}", excerpt(name), known));
  };
  inside_ == Inside::kLayer ? find(kLayerKeys) : find(kRootKeys);
  depth_ = 0;
  if (given(key_->key)) throw InputError(place(), "given twice");
  given(key_->key) = true;
  return true;
}

bool ProblemReader::end_object() {
  if (inside_ == Inside::kLayer) {
    assembly_.add_layer(std::move(tables_));
    inside_ = Inside::kRoot;
    ++layer_;
  } else {
    check_root_complete();
  }
  return true;
}

void ProblemReader::check_root_complete() {
  for (const KeyInfo& info : kRootKeys)
    if (!given(info.key)) throw InputError(std::string(info.name), "missing");
}

bool ProblemReader::start_array(std::size_t /*size*/) {
  if (!key_ || depth_ == key_->depth) refuse("a list");
  if (key_->key == Key::kLayers) {
    in_layers_ = true;
    key_.reset();
    return true;
  }
  if (depth_ == 0) open_list();
  at_[depth_++] = 0;
  return true;
}

// The outermost list of a table.
void ProblemReader::open_list() {
  switch (key_->key) {
    case Key::kInitial:
      break;
    case Key::kRewardMean:
      tables_.reward_mean.emplace();
      break;
    case Key::kSigma:
      tables_.sigma.emplace();
      break;
    case Key::kNext:
      tables_.next.emplace();
      break;
    case Key::kBase:
      tables_.base.emplace();
      break;
    default:
      tables_.base_weight.emplace();
  }
}

bool ProblemReader::end_array() {
  if (!key_) {
    in_layers_ = false;
    return true;
  }
  --depth_;
  close_list();
  if (depth_ == 0)
    key_.reset();
  else
    ++at_[depth_ - 1];
  return true;
}

void ProblemReader::close_list() {
  if (key_->key == Key::kNext) {
    NextTable& next = *tables_.next;
    if (depth_ == 3 && at_[3] != 2)
      throw InputError(place(),
                       fmt::format("must be [next state, probability], got a list of {}", at_[3]));
    if (depth_ == 2) next.successors.close_row();
    if (depth_ == 1) next.actions_end.push_back(next.successors.size());
  } else if (key_->depth == 2 && depth_ == 1) {
    rows().close_row();
    if (key_->key == Key::kRewardMean && at_[1] == 0)
      throw InputError(place(), "must have at least one action");
  } else if (key_->key == Key::kRewardMean && depth_ == 0 && at_[0] == 0) {
    throw InputError(place(), "must have at least one state");
  }
}

bool ProblemReader::parse_error(std::size_t /*position*/, const std::string& token,
                                const nlohmann::detail::exception& error) {
  constexpr int kNumberOverflow = 406;  // of nlohmann_json
  if (source_.failed()) throw InputError("problem file", "cannot be read");
  if (source_.blank()) throw InputError("problem file", "is empty");
  if (error.id == kNumberOverflow)
    throw InputError(place(), fmt::format("must be a finite number, got {}", excerpt(token)));
  if (number_expected() && like_nan_or_infinity(token))
    throw InputError(place(), "must be a finite number; JSON has no NaN or Infinity");
  throw InputError(fmt::format("line {}, column {}", source_.line(), source_.column()),
                   fmt::format("not valid JSON, {}", reason_of(error.what())));
}

}  // namespace

Problem read_problem(std::istream& in, double max_memory) {
  JsonSource source(in);
  ProblemReader reader(source, max_memory);
  nlohmann::json::sax_parse(JsonSource::Iterator(source), JsonSource::Iterator(), &reader);
  return reader.finish();
}

}  // namespace vapor
