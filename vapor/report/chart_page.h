// One Vega-Lite chart as a page that needs no network.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace vapor {

std::string chart_page(const std::string& title, const nlohmann::ordered_json& spec);

}  // namespace vapor
