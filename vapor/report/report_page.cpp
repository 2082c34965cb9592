#include "vapor/report/report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "vapor/core/version.h"
#include "vapor/report/assets.h"
#include "vapor/report/page.h"
#include "vapor/report/plot_style.h"
#include "vapor/report/wording.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;

std::string paragraph(const std::string& text) { return "<p>" + escape_html(text) + "</p>\n"; }

std::string contents_html(const ReportPage& page) {
  std::string html =
      "<nav aria-labelledby=\"contents\">\n<h2 id=\"contents\">Contents</h2>\n<ul>\n";
  for (const Section& section : page.sections) {
    html +=
        fmt::format("<li><a href=\"#section-{}\">{}</a>", section.id, escape_html(section.title));
    if (!section.figures.empty()) html += "\n<ul>\n";
    for (const Figure& figure : section.figures)
      html +=
          fmt::format("<li><a href=\"#{}\">{}</a></li>\n", figure.id, escape_html(figure.title));
    html += section.figures.empty() ? "</li>\n" : "</ul></li>\n";
  }
  if (!page.left_out.empty()) html += "<li><a href=\"#left-out\">Left out</a></li>\n";
  return html + "</ul>\n</nav>\n";
}

// Each word in an element of its own: lines break between words, and never after the dash of an
// option, unless a word is wider than the page.
std::string words_html(const std::string& command) {
  std::istringstream words(command);
  std::string html;
  for (std::string word; words >> word;)
    html += fmt::format("{}<span>{}</span>", html.empty() ? "" : " ", escape_html(word));
  return html;
}

std::string commands_html(const std::vector<std::string>& commands) {
  if (commands.empty()) return "";
  const bool varies = std::ranges::any_of(
      commands, [](const std::string& command) { return command.find('{') != std::string::npos; });
  std::string html = varies ? "<p>The records were made by, with each choice of what stands in "
                              "braces,</p>\n<pre>"
                            : "<p>The records were made by</p>\n<pre>";
  for (std::size_t i = 0; i < commands.size(); ++i)
    html += (i > 0 ? "\n" : "") + words_html(commands[i]);
  return html + "</pre>\n";
}

std::string links_html(const Figure& figure) {
  std::string html = fmt::format(
      "<p class=\"links\"><a class=\"picture-data\" href=\"data/{0}.csv\" "
      "download=\"{0}-picture.csv\">"
      "data of this picture (CSV)</a> <a href=\"data/{0}.csv\" download>full data (CSV)</a>",
      figure.id);
  if (!figure.spec.is_null())
    html += fmt::format(
        " <a class=\"picture-svg\" href=\"#{0}\" download=\"{0}.svg\">picture (SVG)</a>",
        figure.id);
  return html + "</p>\n";
}

std::string table_html(const Figure& figure) {
  std::string table = fmt::format(
      "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"Numbers: "
      "{}\">\n{}\n</div>\n",
      escape_html(figure.title),
      html_table(figure.picture, figure.table, figure.table_rows, figure.title));
  if (figure.spec.is_null()) return table;
  return "<details>\n<summary>Table of the numbers</summary>\n" + table + "</details>\n";
}

std::string figure_html(const Figure& figure) {
  std::string html = fmt::format(
      "<figure id=\"{0}\" aria-labelledby=\"{0}-title\">\n"
      "<h3 id=\"{0}-title\">{1}</h3>\n",
      figure.id, escape_html(figure.title));
  if (figure.spec.is_null())
    html += table_html(figure);
  else
    html += fmt::format(
        "<div class=\"plot\" role=\"img\" aria-label=\"{}\">"
        "<div aria-hidden=\"true\"></div></div>\n",
        escape_html(figure.summary));
  html += "<figcaption>\n<p>";
  for (std::size_t i = 0; i < figure.caption.size(); ++i)
    html += (i > 0 ? " " : "") + escape_html(figure.caption[i]);
  html += "</p>\n" + links_html(figure) + "</figcaption>\n";
  if (!figure.spec.is_null()) html += table_html(figure);
  return html + "</figure>\n";
}

std::string section_html(const Section& section) {
  std::string html =
      fmt::format("<section aria-labelledby=\"section-{0}\">\n<h2 id=\"section-{0}\">{1}</h2>\n",
                  section.id, escape_html(section.title));
  for (const std::string& text : section.paragraphs) html += paragraph(text);
  html += commands_html(section.commands);
  for (const Figure& figure : section.figures) html += figure_html(figure);
  return html + "</section>\n";
}

std::string left_out_html(const ReportPage& page) {
  if (page.left_out.empty()) return "";
  std::string html =
      "<section aria-labelledby=\"left-out\">\n<h2 id=\"left-out\">Left out</h2>\n<ul>\n";
  for (const LeftOut& item : page.left_out)
    html += fmt::format("<li><code>{}</code>: {}</li>\n", escape_html(item.path),
                        escape_html(item.reason));
  return html + "</ul>\n</section>\n";
}

ordered_json figure_data(const Figure& figure) {
  ordered_json rows = ordered_json::array();
  for (const std::vector<ordered_json>& row : figure.picture.rows) rows.push_back(row);
  return {{"id", figure.id},
          {"spec", figure.spec},
          {"columns", figure.picture.columns},
          {"rows", rows}};
}

}  // namespace

std::string html_of(const ReportPage& report) {
  Page page;
  page.title = report.title;
  page.styles = {"report.css"};
  page.scripts = with_plots("report.js");
  ordered_json figures = ordered_json::array();
  page.body = fmt::format(
      "{}\n<a class=\"skip-link\" href=\"#main\">Skip to the figures</a>\n<header>\n<h1>{}</h1>\n{}"
      "<noscript><p>The plots need JavaScript; the tables have their numbers.</p></noscript>\n"
      "</header>\n",
      kReportMark, escape_html(report.title), paragraph(report.read));
  page.body += "<main id=\"main\">\n" + contents_html(report);
  for (const Section& section : report.sections) {
    page.body += section_html(section);
    for (const Figure& figure : section.figures) figures.push_back(figure_data(figure));
  }
  page.body += left_out_html(report) + "</main>\n";
  page.body += fmt::format(
      "<footer>\n<p>Made by vapor {} from records alone. Every run with its command: <a "
      "href=\"data/runs.csv\" download>data/runs.csv</a>.</p>\n</footer>\n",
      kVersion);
  page.data.push_back(
      {"figures",
       {{"palettes", {{"light", palette(false)}, {"dark", palette(true)}}}, {"figures", figures}}});
  return html_of(page);
}

}  // namespace vapor
