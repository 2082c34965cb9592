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
#include "vapor/mdp/belief_json.h"
#include "vapor/mdp/json_source.h"
#include "vapor/mdp/problem_assembly.h"
#include "vapor/mdp/problem_file.h"

namespace vapor {
namespace {

enum class Key {
  kNone = -1,
  kFormat,
  kVersion,
  kInitial,
  kDiscount,
  kLayers,
  kConstraints,
  kRewardMean,
  kSigma,
  kBelief,
  kNext,
  kBase,
  kWeight,
  kName,
  kSense,
  kBound,
  kTerms,
  kStateTerms,
  kLayerTerms,
  kCost,
};

struct KeyInfo {
  std::string_view name;
  Key key;
  int depth;  // how many lists stand around a number
};

constexpr std::array<KeyInfo, 6> kRootKeys{{{"format", Key::kFormat, 0},
                                            {"version", Key::kVersion, 0},
                                            {"initial", Key::kInitial, 1},
                                            {"discount", Key::kDiscount, 0},
                                            {"layers", Key::kLayers, 1},
                                            {"constraints", Key::kConstraints, 1}}};
constexpr std::array<KeyInfo, 6> kLayerKeys{{{"reward_mean", Key::kRewardMean, 2},
                                             {"sigma", Key::kSigma, 2},
                                             {"belief", Key::kBelief, 2},
                                             {"next", Key::kNext, 4},
                                             {"base", Key::kBase, 1},
                                             {"base_weight", Key::kWeight, 2}}};
constexpr std::array<KeyInfo, 7> kConstraintKeys{{{"name", Key::kName, 0},
                                                  {"terms", Key::kTerms, 2},
                                                  {"states", Key::kStateTerms, 2},
                                                  {"layers", Key::kLayerTerms, 2},
                                                  {"cost", Key::kCost, 3},
                                                  {"sense", Key::kSense, 0},
                                                  {"bound", Key::kBound, 0}}};

bool is_text(Key key) { return key == Key::kFormat || key == Key::kName || key == Key::kSense; }
bool lists_objects(Key key) { return key == Key::kLayers || key == Key::kConstraints; }

// How many numbers a term of such a list has, and how it is written; 0 for other lists.
struct TermForm {
  int numbers = 0;
  const char* words = "";
};

TermForm form_of(Key key) {
  switch (key) {
    case Key::kTerms:
      return {4, "[layer, state, action, coefficient]"};
    case Key::kStateTerms:
      return {3, "[layer, state, coefficient]"};
    case Key::kLayerTerms:
      return {2, "[layer, coefficient]"};
    default:
      return {};
  }
}

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

// A name that fits into a line of a message or a table.
std::string printable(const std::string& name, const std::string& place) {
  constexpr std::size_t kLongestName = 100;
  if (name.size() > kLongestName)
    throw InputError(place,
                     fmt::format("must have at most {} bytes, got {}", kLongestName, name.size()));
  for (char c : name)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      throw InputError(place, fmt::format("must be printable, got {}", excerpt(name)));
  return name;
}

// The events of nlohmann_json's SAX interface.
class ProblemReader {
 public:
  ProblemReader(const JsonSource& source, double max_memory)
      : source_(source), most_numbers_(max_memory / kBytesOfANumber) {}

  bool null();
  bool boolean(bool value) {
    if (!open_.empty()) return put(value);
    refuse(value ? "true" : "false");
  }
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

  Problem finish() { return assembly_.finish(std::move(initial_), discount_); }

 private:
  enum class Inside { kFile, kRoot, kLayer, kConstraint };

  // In the tables of its layer, which grow, and in the problem.
  static constexpr double kBytesOfANumber = 3 * sizeof(double);

  // A belief is read as a whole, nesting no deeper than a mixture of mixtures would.
  bool put(nlohmann::json value);
  bool open(nlohmann::json value);
  bool close();
  void add_belief(BeliefOfMean belief);
  bool at_pair(Key key) const { return key_ && key_->key == key && depth_ == key_->depth; }

  bool number(double value);
  void count_number();
  void successor(double value);
  void part_of_term(double value);
  Index whole(double value, const char* what) const;
  void open_list();
  void close_list();
  void check_root_complete();
  void check_constraint_complete();
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
  Key list_ = Key::kNone;  // the list of objects that is open
  Index layer_ = 0;
  std::size_t constraint_ = 0;
  std::optional<KeyInfo> key_;  // whose value is being read
  int depth_ = 0;               // open lists of that value
  std::array<Offset, 4> at_{};  // position in each open list

  std::array<bool, kRootKeys.size() + kLayerKeys.size() + kConstraintKeys.size()> given_{};
  std::vector<double> initial_;
  nlohmann::json belief_;              // that is being read
  std::vector<nlohmann::json*> open_;  // its lists and objects that are open
  std::string belief_key_;
  std::optional<double> discount_;
  LayerTables tables_;
  ConstraintTables limit_;
  ProblemAssembly assembly_;
};

// "layers[3].next[1][0]": where the next value stands, without the last `dropped` positions.
std::string ProblemReader::place(int dropped) const {
  std::string text;
  if (list_ == Key::kLayers) text = fmt::format("layers[{}]", layer_);
  if (list_ == Key::kConstraints) text = constraint_place(constraint_, limit_.spec.name);
  if (key_) text += fmt::format("{}{}", text.empty() ? "" : ".", key_->name);
  for (int i = 0; i < depth_ - dropped; ++i) text += fmt::format("[{}]", at_[i]);
  return text.empty() ? "problem file" : text;
}

bool ProblemReader::number_expected() const {
  return key_ && !is_text(key_->key) && !lists_objects(key_->key) && key_->key != Key::kBelief &&
         depth_ == key_->depth;
}

std::string ProblemReader::expected() const {
  if (inside_ == Inside::kFile) return "a JSON object";
  if (!key_) return "an object";
  if (is_text(key_->key)) return "a string";
  if (at_pair(Key::kBelief)) return "an object or null";
  return number_expected() ? "a number" : "a list";
}

void ProblemReader::refuse(const char* got) const {
  throw InputError(place(), fmt::format("must be {}, got {}", expected(), got));
}

void ProblemReader::add_belief(BeliefOfMean belief) {
  tables_.belief->values.push_back(std::move(belief));
  ++at_[depth_ - 1];
}

// Where a sigma is null a belief stands in its place.
bool ProblemReader::null() {
  if (!open_.empty()) return put(nullptr);
  if (at_pair(Key::kBelief)) {
    add_belief({});
    return true;
  }
  if (!at_pair(Key::kSigma)) refuse("null");
  rows().values.push_back(std::numeric_limits<double>::quiet_NaN());
  ++at_[depth_ - 1];
  return true;
}

bool ProblemReader::put(nlohmann::json value) {
  count_number();
  nlohmann::json& into = *open_.back();
  if (into.is_array())
    into.push_back(std::move(value));
  else
    into[belief_key_] = std::move(value);
  return true;
}

bool ProblemReader::open(nlohmann::json value) {
  constexpr std::size_t kDeepest = 16;
  if (open_.empty()) {
    belief_ = std::move(value);
    open_.push_back(&belief_);
    return true;
  }
  if (open_.size() >= kDeepest) throw InputError(place(), "is nested too deep");
  nlohmann::json& into = *open_.back();
  put(std::move(value));
  open_.push_back(into.is_array() ? &into.back() : &into[belief_key_]);
  return true;
}

bool ProblemReader::close() {
  open_.pop_back();
  if (!open_.empty()) return true;
  const std::string text = belief_.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  add_belief([text, at = place()](double mean) { return belief_of_json(text, mean, at); });
  return true;
}

bool ProblemReader::string(std::string& value) {
  if (!open_.empty()) return put(value);
  if (!key_ || !is_text(key_->key)) refuse("a string");
  if (key_->key == Key::kSense)
    limit_.spec.sense = sense_of(value.size() > 8 ? value.substr(0, 8) : value, place());
  else if (key_->key == Key::kName)
    limit_.spec.name = printable(value, place());
  else if (value != "vapor-problem")
    throw InputError("format", fmt::format("must be \"vapor-problem\", got {}", excerpt(value)));
  key_.reset();
  return true;
}

void ProblemReader::count_number() {
  if (++numbers_ > most_numbers_)
    throw InputError(place(), fmt::format("the problem takes more memory than the {:.3g} bytes "
                                          "that are allowed",
                                          most_numbers_ * kBytesOfANumber));
}

bool ProblemReader::number(double value) {
  if (!open_.empty()) return put(value);
  if (!number_expected()) refuse("a number");
  count_number();
  switch (key_->key) {
    case Key::kVersion:
      if (value != 1.0) throw InputError("version", fmt::format("must be 1, got {}", value));
      key_.reset();
      return true;
    case Key::kDiscount:
      discount_ = value;
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
    case Key::kBound:
      limit_.spec.bound = value;
      key_.reset();
      return true;
    case Key::kTerms:
    case Key::kStateTerms:
    case Key::kLayerTerms:
      part_of_term(value);
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
    successors.push_back({whole(value, "next state"), 0.0});
  } else if (at_[3] == 1) {
    successors.back().probability = value;
  } else {
    throw InputError(place(1), "must be [next state, probability], got more than two numbers");
  }
}

// A number that counts layers, states or actions.
Index ProblemReader::whole(double value, const char* what) const {
  if (value != std::floor(value))
    throw InputError(place(1), fmt::format("{} must be a whole number, got {}", what, value));
  if (value < 0.0) throw InputError(place(1), fmt::format("{} must be >= 0, got {}", what, value));
  if (value > std::numeric_limits<Index>::max())
    throw InputError(place(1), fmt::format("{} is too large, got {}", what, value));
  return static_cast<Index>(value);
}

// One of the numbers of a term, the last of which is the coefficient.
void ProblemReader::part_of_term(double value) {
  const auto [numbers, words] = form_of(key_->key);
  std::vector<TermSpec>& terms = limit_.spec.terms;
  const Offset at = at_[1];
  if (at >= numbers)
    throw InputError(place(1), fmt::format("must be {}, got more than {} numbers", words, numbers));
  if (at == 0) terms.emplace_back();
  if (at == numbers - 1)
    terms.back().coefficient = value;
  else if (at == 0)
    terms.back().layer = whole(value, "layer");
  else if (at == 1)
    terms.back().state = whole(value, "state");
  else
    terms.back().action = whole(value, "action");
}

Rows<double>& ProblemReader::rows() {
  switch (key_->key) {
    case Key::kCost:
      return limit_.cost->back();
    case Key::kRewardMean:
      return *tables_.reward_mean;
    case Key::kSigma:
      return *tables_.sigma;
    default:
      return *tables_.base_weight;
  }
}

bool ProblemReader::start_object(std::size_t /*size*/) {
  if (!open_.empty() || at_pair(Key::kBelief)) return open(nlohmann::json::object());
  if (inside_ == Inside::kFile) {
    inside_ = Inside::kRoot;
  } else if (inside_ == Inside::kRoot && list_ == Key::kLayers) {
    inside_ = Inside::kLayer;
    tables_ = {};
    for (const KeyInfo& info : kLayerKeys) given(info.key) = false;
  } else if (inside_ == Inside::kRoot && list_ == Key::kConstraints) {
    inside_ = Inside::kConstraint;
    limit_ = {};
    for (const KeyInfo& info : kConstraintKeys) given(info.key) = false;
  } else {
    refuse("an object");
  }
  return true;
}

bool ProblemReader::key(std::string& name) {
  if (!open_.empty()) {
    if (open_.back()->contains(name))
      throw InputError(place(), fmt::format("{} is given twice", excerpt(name)));
    belief_key_ = name;
    return true;
  }
  const auto find = [&](const auto& keys) {
    std::string known;
    for (const KeyInfo& info : keys) {
      if (info.name == name) key_ = info;
      known += fmt::format("{}{}", known.empty() ? "" : ", ", info.name);
    }
    if (!key_)
      throw InputError(place(), fmt::format("unknown key {}; known are {}", excerpt(name), known));
  };
  if (inside_ == Inside::kLayer)
    find(kLayerKeys);
  else if (inside_ == Inside::kConstraint)
    find(kConstraintKeys);
  else
    find(kRootKeys);
  depth_ = 0;
  if (given(key_->key)) throw InputError(place(), "given twice");
  given(key_->key) = true;
  return true;
}

bool ProblemReader::end_object() {
  if (!open_.empty()) return close();
  if (inside_ == Inside::kLayer) {
    assembly_.add_layer(std::move(tables_));
    inside_ = Inside::kRoot;
    ++layer_;
  } else if (inside_ == Inside::kConstraint) {
    check_constraint_complete();
    assembly_.add_constraint(std::move(limit_));
    limit_ = {};
    inside_ = Inside::kRoot;
    ++constraint_;
  } else {
    check_root_complete();
  }
  return true;
}

void ProblemReader::check_root_complete() {
  for (const KeyInfo& info : kRootKeys)
    if (!given(info.key) && info.key != Key::kConstraints && info.key != Key::kDiscount)
      throw InputError(std::string(info.name), "missing");
}

void ProblemReader::check_constraint_complete() {
  for (const KeyInfo& info : kConstraintKeys)
    if (!given(info.key) && info.depth == 0)
      throw InputError(fmt::format("{}.{}", place(), info.name), "missing");
  if (!given(Key::kTerms) && !given(Key::kStateTerms) && !given(Key::kLayerTerms) &&
      !given(Key::kCost))
    throw InputError(place() + ".terms", "missing, and so are states, layers and cost");
}

bool ProblemReader::start_array(std::size_t /*size*/) {
  if (!open_.empty()) return open(nlohmann::json::array());
  if (!key_ || depth_ == key_->depth) refuse("a list");
  if (lists_objects(key_->key)) {
    list_ = key_->key;
    key_.reset();
    return true;
  }
  if (depth_ == 0) open_list();
  if (key_->key == Key::kCost && depth_ == 1) limit_.cost->emplace_back();
  at_[depth_++] = 0;
  return true;
}

// The outermost list of a table.
void ProblemReader::open_list() {
  switch (key_->key) {
    case Key::kInitial:
    case Key::kTerms:
    case Key::kStateTerms:
    case Key::kLayerTerms:
      break;
    case Key::kCost:
      limit_.cost.emplace();
      break;
    case Key::kRewardMean:
      tables_.reward_mean.emplace();
      break;
    case Key::kSigma:
      tables_.sigma.emplace();
      break;
    case Key::kBelief:
      tables_.belief.emplace();
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
  if (!open_.empty()) return close();
  if (!key_) {
    list_ = Key::kNone;
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
  } else if (const auto [numbers, words] = form_of(key_->key); numbers > 0) {
    if (depth_ == 1 && at_[1] != numbers)
      throw InputError(place(), fmt::format("must be {}, got a list of {}", words, at_[1]));
  } else if (key_->key == Key::kCost) {
    if (depth_ == 2) rows().close_row();
  } else if (key_->key == Key::kBelief) {
    if (depth_ == 1) tables_.belief->close_row();
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
