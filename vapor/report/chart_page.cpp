#include "vapor/report/chart_page.h"

#include "vapor/report/assets.h"
#include "vapor/report/page.h"

namespace vapor {

std::string chart_page(const std::string& title, const nlohmann::ordered_json& spec) {
  Page page;
  page.title = title;
  page.scripts = with_plots("chart.js");
  page.data = {{"chart", spec}};
  page.body = "<main>\n<h1>" + escape_html(title) + "</h1>\n<div id=\"plot\"></div>\n</main>";
  return html_of(page);
}

}  // namespace vapor
