// One HTML page that needs nothing but itself: styles, scripts and data are inlined, and its
// content security policy forbids it to load anything or to evaluate text as code.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace vapor {

struct PageData {
  std::string id;  // of the element that holds it
  nlohmann::ordered_json value;
};

struct Page {
  std::string title;
  std::vector<std::string> styles;   // assets, after page.css
  std::vector<std::string> scripts;  // assets, run in this order when the body stands
  std::vector<PageData> data;        // JSON.parse(document.getElementById(id).textContent)
  std::string body;                  // HTML
};

std::string html_of(const Page& page);

// Text as it may stand in an element or in a quoted attribute.
std::string escape_html(std::string_view text);

}  // namespace vapor
