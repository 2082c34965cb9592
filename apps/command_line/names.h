// What the words on the command line may be. An option says by the name of its type (ENV, METHOD,
// FILE) what it takes; help, checks, suggestions and shell completion all go by that.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace vapor::command {

// What one value of a setting means.
struct Choice {
  std::string setting;  // transform=paper
  std::string summary;  // one line
};

struct Kind {
  std::string name;      // deep_sea
  std::string settings;  // "depth=10, stochastic=false": every setting with its default
  std::string summary;   // one line
  std::vector<Choice> choices = {};
};

enum class Form {
  kFree,    // a number, a text
  kName,    // one of the kinds
  kSpec,    // one of the kinds, with settings: name:key=value,key=value
  kSpecs,   // several of those, after commas
  kFile,    // a file that exists or not
  kFolder,  // a folder
};

struct Values {
  Form form = Form::kFree;
  std::vector<Kind> kinds;

  std::vector<std::string> names() const;
};

// A type that one command alone has.
void define_type(const std::string& name, std::function<Values()> values);

// Of a type name; dots at its end ("FILE...") do not matter.
Values values_of(std::string_view type);

// "vapor-lite:c=2,schedule=false,thompson" -> two specs: a comma that is followed by key=value
// belongs to the settings of the spec before it. Throws InputError that names `place` if a name is
// none of the type's kinds.
std::vector<std::string> split_specs(const std::string& place, std::string_view text,
                                     std::string_view type);

}  // namespace vapor::command
