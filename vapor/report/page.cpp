#include "vapor/report/page.h"

#include <fmt/format.h>

#include "vapor/report/assets.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;

// The bytes that hexadecimal digits stand for, in base 64, which content security policies use.
std::string base64_of_hex(std::string_view hex) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto value = [](char c) {
    return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
  };
  std::string text;
  unsigned bits = 0;
  int count = 0;
  for (const char digit : hex) {
    bits = bits << 4 | value(digit);
    count += 4;
    if (count < 6) continue;
    count -= 6;
    text += kDigits[bits >> count & 63];
  }
  if (count > 0) text += kDigits[bits << (6 - count) & 63];
  while (text.size() % 4 != 0) text += '=';
  return text;
}

// Nothing is loaded, and of scripts only these run, told by their checksums: one that got in with
// the data would not.
std::string policy_of(const Page& page) {
  std::string scripts;
  for (const std::string& script : page.scripts)
    scripts += fmt::format(" 'sha256-{}'", base64_of_hex(asset_sha256(script)));
  return fmt::format(
      "default-src 'none'; style-src 'unsafe-inline'; script-src{}; img-src data: blob:; "
      "base-uri 'none'; form-action 'none'",
      scripts.empty() ? " 'none'" : scripts);
}

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
      policy_of(page), escape_html(page.title), asset("page.css"));
  for (const std::string& style : page.styles) html += asset(style);
  html += "</style>\n</head>\n<body>\n" + page.body + "\n";
  for (const PageData& data : page.data)
    html += fmt::format("<script type=\"application/json\" id=\"{}\">{}</script>\n",
                        escape_html(data.id), json_in_script(data.value));
  for (const std::string& script : page.scripts)
    html += fmt::format("<script>{}</script>\n", asset(script));
  return html + "</body>\n</html>\n";
}

}  // namespace vapor
