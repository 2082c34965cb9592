// Puts a Problem together from the tables of its layers as a file states them: lists of lists that
// may disagree. Internal to the reader of problem files.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vapor/core/index.h"
#include "vapor/mdp/problem.h"
#include "vapor/mdp/problem_builder.h"

namespace vapor {

// A list of rows: row i is values[end[i - 1]], ..., values[end[i] - 1].
template <typename Value>
struct Rows {
  std::vector<Value> values;
  std::vector<Offset> end;

  Offset size() const { return static_cast<Offset>(end.size()); }
  Offset begin_of(Offset row) const { return row == 0 ? 0 : end[row - 1]; }
  Offset size_of(Offset row) const { return end[row] - begin_of(row); }
  void close_row() { end.push_back(static_cast<Offset>(values.size())); }
};

struct Successor {
  Index state;  // numbered within the next layer
  double probability;
};

// states x actions x successors: the rows of `successors` are the actions of all states in order.
struct NextTable {
  Rows<Successor> successors;
  std::vector<Offset> actions_end;  // by state: the row of `successors` behind its last action
};

// The belief that is stated for a pair, of its reward_mean; null if none is.
using BeliefOfMean = std::function<PairBelief(double mean)>;

// One layer as stated; a table that was not given has no value.
struct LayerTables {
  std::optional<Rows<double>> reward_mean;   // states x actions
  std::optional<Rows<double>> sigma;         // states x actions; NaN where it is null
  std::optional<Rows<BeliefOfMean>> belief;  // states x actions
  std::optional<NextTable> next;
  std::optional<Rows<double>> base_weight;  // states x actions
  std::optional<std::vector<double>> base;  // next layer's states
};

// One constraint as stated: its cost is a table by layer.
struct ConstraintTables {
  ConstraintSpec spec;
  std::optional<std::vector<Rows<double>>> cost;  // layers x states x actions
};

class ProblemAssembly {
 public:
  // Checks that the tables fit each other and the layer before, and appends the layer. Throws
  // InputError.
  void add_layer(LayerTables layer);

  // A constraint may come before the layers that it names.
  void add_constraint(ConstraintTables constraint) {
    constraints_.push_back(std::move(constraint));
  }

  // The validated problem; throws InputError.
  Problem finish(std::vector<double> initial, std::optional<double> discount = {});

 private:
  void add_states(const Rows<double>& reward_mean, const std::string& place);
  void add_beliefs(const LayerTables& layer, const std::string& place);
  void add_transitions(const LayerTables& layer);
  void add_base(Index states);
  void put_constraints();

  Problem problem_;
  std::vector<ConstraintTables> constraints_;
  std::optional<std::vector<double>> base_;  // of the last layer, for the layer that follows
  bool has_successors_ = false;              // the last layer says where it leads
};

}  // namespace vapor
