#include "vapor/atari/human_scores.h"

#include <cctype>
#include <sstream>
#include <vector>

#include "vapor/core/check.h"
#include "vapor/core/spec.h"

namespace vapor::atari {

extern const char* const kHumanScoresFile;

namespace {

constexpr std::size_t kGames = 57;

std::vector<GameScores> read_scores() {
  std::istringstream file(kHumanScoresFile);
  std::string line;
  std::getline(file, line);
  if (line != "game,random,human") throw InternalError("human scores: the header is " + line);
  std::vector<GameScores> scores;
  while (std::getline(file, line)) {
    const std::size_t first = line.find(',');
    const std::size_t second = line.find(',', first + 1);
    scores.push_back({line.substr(0, first),
                      parse_number("human scores", line.substr(first + 1, second - first - 1)),
                      parse_number("human scores", line.substr(second + 1))});
  }
  VAPOR_CHECK_EQ(scores.size(), kGames);
  return scores;
}

// MontezumaRevenge, montezuma-revenge, montezuma_revenge -> montezumarevenge.
std::string letters_of(std::string_view name) {
  std::string letters;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return letters;
}

// MontezumaRevenge -> montezuma_revenge, so that a suggestion sees how close it is.
std::string snake_case(std::string_view name) {
  std::string snake;
  for (const char c : name) {
    if (std::isupper(static_cast<unsigned char>(c)) != 0 && !snake.empty()) snake += '_';
    snake += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return snake;
}

}  // namespace

std::span<const GameScores> game_scores() {
  static const std::vector<GameScores> scores = read_scores();
  return scores;
}

const GameScores& scores_of(const Place& place, std::string_view game) {
  const std::string letters = letters_of(game);
  std::vector<std::string> names;
  for (const GameScores& scores : game_scores()) {
    if (letters_of(scores.game) == letters) return scores;
    names.push_back(scores.game);
  }
  throw unknown_name(place, snake_case(game), names);
}

double human_normalised_score(const Place& place, std::string_view game, double score) {
  const GameScores& scores = scores_of(place, game);
  return (score - scores.random) / (scores.human - scores.random);
}

}  // namespace vapor::atari
