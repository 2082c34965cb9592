// A figure of a report as data: a Vega-Lite specification, the numbers it shows, and the words that
// say how it was made. What draws it (assets/report.js) computes nothing.
//
// In a specification, the data set is called `picture`, and a colour may be "theme:N" (of the
// palette), "theme:ink", "theme:faint", "theme:line" or "theme:raised": the page puts in what suits
// light or dark.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "vapor/report/data_table.h"

namespace vapor {

struct Figure {
  std::string id;  // unique in the report, and the name of its files
  std::string title;
  std::string summary;  // a sentence with the main numbers, for those who do not see the plot
  std::vector<std::string> caption;     // sentences: measure, band, seeds, cap
  nlohmann::ordered_json spec;          // null: the table is the figure
  DataTable picture;                    // the numbers in the plot
  std::vector<TableColumn> table;       // how they are shown to a reader
  std::vector<std::size_t> table_rows;  // which of them; empty: all
  DataTable full;                       // what `picture` was made from; data/ID.csv
};

struct Section {
  std::string id;
  std::string title;
  std::vector<std::string> paragraphs;
  std::vector<std::string> commands;  // that make the records of its figures
  std::vector<Figure> figures;
};

// Of every curve, which is a run of rows of one `panel` and one `agent`, the last row and some
// before it, at most `most` (>= 1) and evenly as they stand.
std::vector<std::size_t> rows_of_curves(const DataTable& table, std::size_t most);

// `text` with whatever is not a letter, digit or dash as dashes, for ids and file names.
std::string id_of(std::string_view text);

}  // namespace vapor
