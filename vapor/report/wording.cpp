#include "vapor/report/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>

namespace vapor {
namespace {

bool usable(double error) { return std::isfinite(error) && error > 0.0; }

std::string decimals_text(double value, double error) {
  const int decimals = std::max(0, -second_digit(error));
  if (decimals > 9 || std::abs(value) >= 1e9) return fmt::format("{:.4g}", value);
  return fmt::format("{:.{}f}", value, decimals);
}

// "reward=beta,counts=layer" of the spec "tabular:reward=beta,counts=layer", one by one.
std::vector<std::string> settings_of(const std::string& spec) {
  std::vector<std::string> settings;
  std::istringstream rest(spec.substr(std::min(spec.find(':'), spec.size() - 1) + 1));
  for (std::string setting; std::getline(rest, setting, ',');) settings.push_back(setting);
  return settings;
}

std::vector<std::string> words_of(const std::string& command) {
  std::istringstream stream(command);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::optional<std::int64_t> whole_number(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// {101..104} if that is what they are.
std::optional<std::string> as_range(const std::vector<std::string>& words) {
  std::vector<std::int64_t> numbers;
  for (const std::string& word : words) {
    const std::optional<std::int64_t> number = whole_number(word);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  std::ranges::sort(numbers);
  if (numbers.size() < 3 || numbers.back() - numbers.front() + 1 != std::ssize(numbers))
    return std::nullopt;
  return fmt::format("{{{}..{}}}", numbers.front(), numbers.back());
}

// The length of what all words begin with, up to the last of `:`, `=`, `,` or a quote.
std::size_t common_head(const std::vector<std::string>& words) {
  std::size_t length = words.front().size();
  for (const std::string& word : words) {
    const auto [a, b] = std::ranges::mismatch(words.front(), word);
    length = std::min(length, static_cast<std::size_t>(a - words.front().begin()));
  }
  while (length > 0 &&
         std::string_view(":=,'\"").find(words.front()[length - 1]) == std::string_view::npos)
    --length;
  return length;
}

// And the length of what they end with, from the first `,`, `)` or quote on.
std::size_t common_tail(const std::vector<std::string>& words, std::size_t head) {
  const std::string& first = words.front();
  std::size_t length = first.size() - head;
  for (const std::string& word : words) {
    std::size_t same = 0;
    while (same < word.size() - head && same < length &&
           word[word.size() - 1 - same] == first[first.size() - 1 - same])
      ++same;
    length = std::min(length, same);
  }
  while (length > 0 &&
         std::string_view(",)'\"").find(first[first.size() - length]) == std::string_view::npos)
    --length;
  return length;
}

std::string braced(std::vector<std::string> distinct) {
  if (distinct.size() == 1) return distinct.front();
  const std::size_t head = common_head(distinct);
  const std::size_t tail = common_tail(distinct, head);
  const std::string before = distinct.front().substr(0, head);
  const std::string after = distinct.front().substr(distinct.front().size() - tail);
  for (std::string& word : distinct) word = word.substr(head, word.size() - head - tail);
  if (const std::optional<std::string> range = as_range(distinct)) return before + *range + after;
  if (std::ranges::all_of(distinct, [](const auto& w) { return whole_number(w).has_value(); }))
    std::ranges::sort(distinct, {}, [](const auto& w) { return *whole_number(w); });
  return fmt::format("{}{{{}}}{}", before, fmt::join(distinct, ","), after);
}

// A command with what may stand at each of its words.
using Alternatives = std::vector<std::vector<std::string>>;

// Lines that are equal but for the words at one place are one, so that a line means each choice of
// what stands in it and nothing else.
std::vector<Alternatives> joined_at(std::size_t place, const std::vector<Alternatives>& lines) {
  std::vector<Alternatives> joined;
  std::map<Alternatives, std::size_t> known;  // without the words at the place
  for (const Alternatives& line : lines) {
    if (line.size() <= place) {
      joined.push_back(line);
      continue;
    }
    Alternatives others = line;
    others[place].clear();
    for (std::vector<std::string>& words : others) std::ranges::sort(words);
    const auto [first, is_new] = known.try_emplace(std::move(others), joined.size());
    if (is_new) {
      joined.push_back(line);
      continue;
    }
    std::vector<std::string>& words = joined[first->second][place];
    for (const std::string& word : line[place])
      if (std::ranges::find(words, word) == words.end()) words.push_back(word);
  }
  return joined;
}

}  // namespace

std::string rounded_to_error(double value, double error) {
  return usable(error) ? decimals_text(value, error) : number_text(value);
}

std::string error_text(double error) {
  return usable(error) ? decimals_text(error, error) : number_text(error);
}

std::string seeds_text(std::vector<std::uint64_t> seeds) {
  std::ranges::sort(seeds);
  seeds.erase(std::ranges::unique(seeds).begin(), seeds.end());
  std::string text;
  for (std::size_t i = 0; i < seeds.size();) {
    std::size_t last = i;
    while (last + 1 < seeds.size() && seeds[last + 1] == seeds[last] + 1) ++last;
    if (!text.empty()) text += ", ";
    text += std::to_string(seeds[i]);
    if (last > i) text += "-" + std::to_string(seeds[last]);
    i = last + 1;
  }
  return text;
}

std::string counted(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string listed(std::span<const std::string> items) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += i + 1 == items.size() ? " and " : ", ";
    text += items[i];
  }
  return text;
}

std::vector<std::string> short_names(std::span<const std::string> specs) {
  std::map<std::string, std::size_t> specs_with;
  for (const std::string& spec : specs) {
    ++specs_with[spec.substr(0, spec.find(':'))];
    for (const std::string& setting : settings_of(spec)) ++specs_with[setting];
  }
  std::vector<std::string> names;
  for (const std::string& spec : specs) {
    const std::string name = spec.substr(0, spec.find(':'));
    const std::vector<std::string> settings = settings_of(spec);
    const auto own = std::ranges::find(settings, std::size_t{1},
                                       [&](const auto& setting) { return specs_with[setting]; });
    if (specs_with[name] == 1)
      names.push_back(name);
    else
      names.push_back(own != settings.end() ? *own : spec);
  }
  return names;
}

std::vector<std::string> common_commands(std::span<const std::string> commands) {
  std::vector<Alternatives> lines;
  for (const std::string& command : commands) {
    Alternatives line;
    for (std::string& word : words_of(command)) line.push_back({std::move(word)});
    if (!line.empty()) lines.push_back(std::move(line));
  }
  // From the last word on, which is the seed as a rule, until nothing can be joined.
  for (std::size_t before = lines.size() + 1; lines.size() < before;) {
    before = lines.size();
    std::size_t longest = 0;
    for (const Alternatives& line : lines) longest = std::max(longest, line.size());
    for (std::size_t at = longest; at-- > 1;) lines = joined_at(at, lines);
  }
  std::vector<std::string> texts;
  for (const Alternatives& line : lines) {
    std::vector<std::string> words;
    for (const std::vector<std::string>& at : line) words.push_back(braced(at));
    texts.push_back(fmt::format("{}", fmt::join(words, " ")));
  }
  return texts;
}

}  // namespace vapor
