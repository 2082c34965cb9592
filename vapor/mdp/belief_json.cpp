#include "vapor/mdp/belief_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "vapor/core/error.h"

namespace vapor {
namespace {

using nlohmann::json;

// The parameters of one object, each asked for once; what nobody asked for is unknown.
class Parameters {
 public:
  Parameters(const json& object, std::string place) : object_(object), place_(std::move(place)) {}

  const json* find(const char* name) {
    known_ += fmt::format("{}{}", known_.empty() ? "" : ", ", name);
    const auto at = object_.find(name);
    if (at == object_.end()) return nullptr;
    ++found_;
    return &*at;
  }

  std::optional<double> maybe(const char* name) {
    const json* value = find(name);
    if (!value) return std::nullopt;
    if (!value->is_number()) throw InputError(at(name), "must be a number");
    return value->get<double>();
  }
  double number(const char* name) {
    const std::optional<double> value = maybe(name);
    if (!value) throw InputError(at(name), "missing");
    return *value;
  }

  std::vector<double> list(const char* name, bool required) {
    const json* value = find(name);
    if (!value && required) throw InputError(at(name), "missing");
    if (!value) return {};
    if (!value->is_array() ||
        !std::all_of(value->begin(), value->end(), [](const json& x) { return x.is_number(); }))
      throw InputError(at(name), "must be a list of numbers");
    return value->get<std::vector<double>>();
  }

  void expect_no_more() const {
    if (found_ == object_.size()) return;
    for (const auto& [name, value] : object_.items())
      if (fmt::format(", {},", known_).find(fmt::format(", {},", name)) == std::string::npos)
        throw InputError(place_, fmt::format("unknown key \"{}\"; known are {}", name, known_));
  }

  std::string at(const char* name) const { return fmt::format("{}.{}", place_, name); }

 private:
  const json& object_;
  std::string place_;
  std::string known_;
  std::size_t found_ = 0;
};

PairBelief belief_of(const json& stated, double mean, const std::string& place);
PairBelief mixture_of(Parameters& of, const std::string& place);

PairBelief stated_belief(const std::string& family, Parameters& of, double mean,
                         const std::string& place) {
  if (family == "gaussian") return {mean, of.number("sigma"), {}};
  if (family == "beta") {
    const double alpha = of.number("alpha"), beta = of.number("beta");
    const double low = of.maybe("low").value_or(0.0), high = of.maybe("high").value_or(1.0);
    return beta_belief(alpha, beta, low, high);
  }
  if (family == "gamma") {
    const double shape = of.number("shape"), scale = of.maybe("scale").value_or(1.0);
    return gamma_belief(shape, scale);
  }
  if (family == "exponential") return exponential_belief(of.maybe("scale").value_or(1.0));
  if (family == "laplace") return laplace_belief(0.0, of.maybe("scale").value_or(1.0));
  if (family == "two_point") {
    const double probability = of.number("probability");
    const double low = of.maybe("low").value_or(0.0), high = of.maybe("high").value_or(1.0);
    return two_point_belief(probability, low, high);
  }
  if (family == "bounded") {
    const double low = of.number("low"), high = of.number("high");
    return bounded_belief(mean, low, high);
  }
  if (family == "samples") {
    std::vector<double> values = of.list("values", true), weights = of.list("weights", false);
    return sample_belief(std::move(values), std::move(weights));
  }
  if (family == "mixture") return mixture_of(of, place);
  throw InputError(fmt::format("{}.family", place),
                   fmt::format("must be gaussian, beta, gamma, exponential, laplace, two_point, "
                               "bounded, samples or mixture, got \"{}\"",
                               family));
}

PairBelief mixture_of(Parameters& of, const std::string& place) {
  const json* stated = of.find("components");
  if (!stated || !stated->is_array())
    throw InputError(of.at("components"), stated ? "must be a list of objects" : "missing");
  std::vector<WeightedBelief> components;
  for (const json& component : *stated) {
    const std::string at = fmt::format("{}.components[{}]", place, components.size());
    if (!component.is_object()) throw InputError(at, "must be an object");
    Parameters part(component, at);
    WeightedBelief& weighted = components.emplace_back();
    weighted.weight = part.number("weight");
    const double mean = part.number("mean");
    const json* belief = part.find("belief");
    const std::optional<double> sigma = part.maybe("sigma");
    if (!belief == !sigma) throw InputError(at, "must have either sigma or belief");
    weighted.belief = {mean, sigma.value_or(0.0), {}};
    if (belief) weighted.belief = belief_of(*belief, mean, part.at("belief"));
    part.expect_no_more();
  }
  return mixture_belief(std::move(components));
}

PairBelief belief_of(const json& stated, double mean, const std::string& place) {
  if (!stated.is_object()) throw InputError(place, "must be an object");
  Parameters of(stated, place);
  const json* family = of.find("family");
  if (!family) throw InputError(place + ".family", "missing");
  if (!family->is_string()) throw InputError(place + ".family", "must be a string");
  PairBelief belief;
  try {
    belief = stated_belief(family->get<std::string>(), of, mean, place);
  } catch (const InputError& error) {
    if (error.place().starts_with(place)) throw;
    throw InputError(fmt::format("{}.{}", place, error.place()), error.problem());
  }
  if (*family != "gaussian")
    if (const std::optional<double> sigma = of.maybe("sigma")) {
      if (!(*sigma >= 0.0 && *sigma <= 1e100))
        throw InputError(of.at("sigma"),
                         fmt::format("must be >= 0 and at most 1e100, got {}", *sigma));
      belief.sigma = *sigma;
    }
  of.expect_no_more();
  belief.mean = mean;
  return belief;
}

json object_of(const PairBelief& belief, const std::string& place) {
  if (!belief.family) return {{"family", "gaussian"}, {"sigma", belief.sigma}};
  const FamilySpec spec = belief.family->spec();
  const std::vector<std::string_view> known = {"beta",      "gamma",   "laplace",
                                               "two_point", "samples", "mixture"};
  if (std::find(known.begin(), known.end(), spec.name) == known.end())
    throw InputError(place, fmt::format("{} is a function, which files cannot hold", spec.name));
  json object = {{"family", spec.name}};
  for (const auto& [name, value] : spec.numbers) object[name] = value;
  for (const auto& [name, values] : spec.lists) object[name] = values;
  if (spec.name == "mixture") {
    json components = json::array();
    for (const WeightedBelief& c : spec.components) {
      json& component =
          components.emplace_back(json{{"weight", c.weight}, {"mean", c.belief.mean}});
      if (c.belief.family)
        component["belief"] = object_of(c.belief, place);
      else
        component["sigma"] = c.belief.sigma;
    }
    object["components"] = std::move(components);
  }
  object["sigma"] = belief.sigma;
  return object;
}

}  // namespace

PairBelief belief_of_json(const std::string& text, double mean, const std::string& place) {
  return belief_of(json::parse(text), mean, place);
}

std::string json_of_belief(const PairBelief& belief, const std::string& place) {
  return object_of(belief, place).dump();
}

}  // namespace vapor
