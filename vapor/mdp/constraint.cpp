#include "vapor/mdp/constraint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <unordered_set>

namespace vapor {
namespace {

constexpr double kLargestCoefficient = 1e100;
constexpr std::array kSenses = {Sense::kAtMost, Sense::kAtLeast, Sense::kEqual};

void check_number(double x, const std::string& place) {
  if (!std::isfinite(x)) throw InputError(place, fmt::format("must be finite, got {}", x));
  if (std::abs(x) > kLargestCoefficient)
    throw InputError(place, fmt::format("must be between -1e100 and 1e100, got {}", x));
}

// Terms by pair, each pair once, none that counts nothing.
void put_in_order(Constraint& constraint) {
  std::vector<std::size_t> order(constraint.pair.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return constraint.pair[a] < constraint.pair[b];
  });
  std::vector<Index> pair;
  std::vector<double> coefficient;
  for (std::size_t i : order) {
    if (!pair.empty() && pair.back() == constraint.pair[i]) {
      coefficient.back() += constraint.coefficient[i];
      continue;
    }
    pair.push_back(constraint.pair[i]);
    coefficient.push_back(constraint.coefficient[i]);
  }
  constraint.pair.clear();
  constraint.coefficient.clear();
  for (std::size_t i = 0; i < pair.size(); ++i)
    if (coefficient[i] != 0.0) constraint.add(pair[i], coefficient[i]);
}

void validate_terms(Constraint& constraint, const Shape& shape, const std::string& place) {
  if (constraint.coefficient.size() != constraint.pair.size())
    throw InputError(place, fmt::format("must have a coefficient a term, got {} for {}",
                                        constraint.coefficient.size(), constraint.pair.size()));
  for (std::size_t i = 0; i < constraint.pair.size(); ++i) {
    const auto term = [&] { return fmt::format("{}: term {}", place, i); };
    if (constraint.pair[i] < 0 || constraint.pair[i] >= shape.pairs())
      throw InputError(term(), fmt::format("pair must be in 0..{}, got {}", shape.pairs() - 1,
                                           constraint.pair[i]));
    check_number(constraint.coefficient[i], term());
  }
  put_in_order(constraint);
  for (double x : constraint.coefficient) check_number(x, place + ": sum of terms");
}

}  // namespace

std::string_view symbol_of(Sense sense) {
  switch (sense) {
    case Sense::kAtMost:
      return "<=";
    case Sense::kAtLeast:
      return ">=";
    case Sense::kEqual:
      return "=";
  }
  return "unknown";
}

Sense sense_of(std::string_view symbol, const Place& place) {
  for (Sense sense : kSenses)
    if (symbol_of(sense) == symbol) return sense;
  throw InputError(place, fmt::format("must be one of <=, >=, =; got \"{}\"", symbol));
}

void Constraint::add(Index of_pair, double count) {
  pair.push_back(of_pair);
  coefficient.push_back(count);
}

void Constraint::add_state(const Shape& shape, Index state, double count) {
  for (Index p : shape.pairs_of(state)) add(p, count);
}

void Constraint::add_layer(const Shape& shape, Index layer, double count) {
  for (Index p : shape.pairs_of_layer(layer)) add(p, count);
}

void Constraint::add_cost(std::span<const double> by_pair) {
  for (std::size_t p = 0; p < by_pair.size(); ++p)
    if (by_pair[p] != 0.0) add(static_cast<Index>(p), by_pair[p]);
}

std::string constraint_place(std::size_t number, std::string_view name) {
  return name.empty() ? fmt::format("constraints[{}]", number)
                      : fmt::format("constraints[{}] (\"{}\")", number, name);
}

void validate_and_normalise(std::vector<Constraint>& constraints, const Shape& shape) {
  std::unordered_set<std::string_view> names;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    Constraint& constraint = constraints[i];
    const std::string place = constraint_place(i, constraint.name);
    if (constraint.name.empty()) throw InputError(place + ".name", "must not be empty");
    if (!names.insert(constraint.name).second)
      throw InputError(place + ".name", "is the name of a constraint before it");
    check_number(constraint.bound, place + ".bound");
    validate_terms(constraint, shape, place);
  }
}

double used_by(const Constraint& constraint, std::span<const double> occupancy) {
  double sum = 0.0;
  for (std::size_t i = 0; i < constraint.pair.size(); ++i)
    sum += constraint.coefficient[i] * occupancy[constraint.pair[i]];
  return sum;
}

}  // namespace vapor
