// Reading what an experiment found. Findings are data from elsewhere: nothing is taken for granted
// about their types.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vapor/report/collection.h"
#include "vapor/report/figure.h"

namespace vapor {

// The value of a name, if it is there and is text, or a finite number.
std::string text_at(const nlohmann::ordered_json& object, const std::string& name);
std::optional<double> number_at(const nlohmann::ordered_json& object, const std::string& name);

// What findings say of a column of theirs: its `unit`, `title`, ...; empty: nothing.
std::string about_column(const nlohmann::ordered_json& findings, const std::string& column,
                         const std::string& name);

std::string experiment_name(const ExperimentFindings& findings);

// The command that the findings name.
std::vector<std::string> commands_of(const ExperimentFindings& findings);

// Whether a folder is the other or lies in it.
bool lies_in(const std::string& folder, const std::string& other);

// Every array of objects as a table: NAME and NAME_se in one column. Maps are not among them.
std::vector<Figure> findings_tables(const ExperimentFindings& findings, const std::string& id);

}  // namespace vapor
