// Writes the problem file: one key of a layer a line, each number in the fewest digits that read
// back to the same double.
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ostream>
#include <span>

#include "vapor/mdp/belief_json.h"
#include "vapor/mdp/problem_file.h"

namespace vapor {
namespace {

class Writer {
 public:
  Writer(std::ostream& out, const Problem& problem) : out_(out), problem_(problem) {}

  void write() {
    put("{{\n  \"format\": \"vapor-problem\",\n  \"version\": 1,\n  \"initial\": ");
    list(problem_.initial);
    if (problem_.stationary()) {
      put(",\n  \"discount\": ");
      number(*problem_.discount);
    }
    put(",\n  \"layers\": [\n");
    for (Index l = 0; l < problem_.shape.layers(); ++l) {
      layer(l);
      put("{}\n", l + 1 < problem_.shape.layers() ? "," : "");
    }
    put("  ]");
    constraints();
    put("\n}}\n");
    flush();
  }

 private:
  template <typename... T>
  void put(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<T>(values)...);
    if (buffer_.size() > 65536) flush();
  }

  void flush() {
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
  }

  // -0 would be read as the integer 0.
  void number(double x) { x == 0.0 && std::signbit(x) ? put("-0.0") : put("{}", x); }

  // "[...]" around what `write(i)` puts for each i of a range.
  template <typename Write>
  void list(Range range, const Write& write) {
    put("[");
    for (Index i : range) {
      if (i != range.first()) put(", ");
      write(i);
    }
    put("]");
  }

  void list(std::span<const double> values) {
    list(Range(0, static_cast<Index>(values.size())), [&](Index i) { number(values[i]); });
  }

  // states x actions
  template <typename Write>
  void table(Index layer, const Write& write) {
    list(problem_.shape.states_of(layer),
         [&](Index s) { list(problem_.shape.pairs_of(s), write); });
  }

  void successors(Index pair) {
    const Transitions& P = problem_.transitions;
    put("[");
    for (Offset k = P.begin[pair]; k < P.begin[pair + 1]; ++k) {
      put("{}[{}, ", k == P.begin[pair] ? "" : ", ", P.next_state[k] - first_next_);
      number(P.probability[k]);
      put("]");
    }
    put("]");
  }

  void layer(Index l) {
    put("    {{\n      \"reward_mean\": ");
    table(l, [&](Index p) { number(problem_.reward_mean[p]); });
    put(",\n      \"sigma\": ");
    table(l, [&](Index p) { has_family(p) ? put("null") : number(problem_.sigma[p]); });
    beliefs(l);
    if (const Range next = problem_.next_states_of(l); next.size() > 0) {
      first_next_ = next.first();
      put(",\n      \"next\": ");
      table(l, [&](Index p) { successors(p); });
      if (uses_base(l)) base(l);
    }
    put("\n    }}");
  }

  bool has_family(Index pair) const {
    return !problem_.family.empty() && problem_.family[pair] != nullptr;
  }

  void beliefs(Index l) {
    const Range pairs = problem_.shape.pairs_of_layer(l);
    bool any = false;
    for (Index p : pairs) any = any || has_family(p);
    if (!any) return;
    put(",\n      \"belief\": ");
    table(l, [&](Index p) {
      if (!has_family(p)) return put("null");
      const std::string place = fmt::format("layers[{}].belief", l);
      put("{}", json_of_belief({0.0, problem_.sigma[p], problem_.family[p]}, place));
    });
  }

  void constraints() {
    if (problem_.constraints.empty()) return;
    put(",\n  \"constraints\": [\n");
    for (std::size_t i = 0; i < problem_.constraints.size(); ++i) {
      constraint(problem_.constraints[i]);
      put("{}\n", i + 1 < problem_.constraints.size() ? "," : "");
    }
    put("  ]");
  }

  void constraint(const Constraint& c) {
    put("    {{\n      \"name\": {},\n      \"sense\": \"{}\",\n      \"bound\": ",
        nlohmann::json(c.name).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
        symbol_of(c.sense));
    number(c.bound);
    put(",\n      \"terms\": [");
    Index layer = 0;
    Index state = 0;
    for (std::size_t i = 0; i < c.pair.size(); ++i) {
      while (c.pair[i] >= problem_.shape.pairs_of(state).last()) ++state;
      while (state >= problem_.shape.states_of(layer).last()) ++layer;
      put("{}[{}, {}, {}, ", i == 0 ? "" : ", ", layer,
          state - problem_.shape.states_of(layer).first(),
          c.pair[i] - problem_.shape.pairs_of(state).first());
      number(c.coefficient[i]);
      put("]");
    }
    put("]\n    }}");
  }

  bool uses_base(Index l) const {
    for (Index p : problem_.shape.pairs_of_layer(l))
      if (problem_.transitions.base_weight[p] != 0.0) return true;
    return false;
  }

  void base(Index l) {
    put(",\n      \"base\": ");
    list(problem_.next_states_of(l), [&](Index s) { number(problem_.transitions.base[s]); });
    put(",\n      \"base_weight\": ");
    table(l, [&](Index p) { number(problem_.transitions.base_weight[p]); });
  }

  std::ostream& out_;
  const Problem& problem_;
  fmt::memory_buffer buffer_;
  Index first_next_ = 0;  // the first state that the layer being written may lead to
};

}  // namespace

void write_problem(std::ostream& out, const Problem& problem) { Writer(out, problem).write(); }

}  // namespace vapor
