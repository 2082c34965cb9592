#include "vapor/report/page.h"

#include <fmt/format.h>

#include "vapor/report/assets.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "img-src data: blob:";

// Inside a script element only its end tag means anything to the parser of HTML; JSON writes the
// slash or bracket as an escape and stays the same value.
std::string json_in_script(const ordered_json& value) {
  const std::string text = value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  return safe;
}

std::string html_of(const Page& page) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>\n{}",
      kPolicy, escape_html(page.title), asset("page.css"));
  for (const std::string& style : page.styles) html += asset(style);
  html += "</style>\n</head>\n<body>\n" + page.body + "\n";
  for (const PageData& data : page.data)
    html += fmt::format("<script type=\"application/json\" id=\"{}\">{}</script>\n",
                        escape_html(data.id), json_in_script(data.value));
  for (const std::string& script : page.scripts)
    html += fmt::format("<script>\n{}\n</script>\n", asset(script));
  return html + "</body>\n</html>\n";
}

}  // namespace vapor
