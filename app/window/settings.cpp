#include "app/window/settings.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/process/home.h"

namespace loom::window {

std::optional<std::filesystem::path> settingsFolder() { return process::userFolder("XDG_CONFIG_HOME", ".config"); }

Settings parseSettings(const std::string& json) {
  const nlohmann::json object = nlohmann::json::parse(json, nullptr, false);
  Settings settings;
  if (!object.is_object()) {
    return settings;
  }
  if (auto theme = object.find("theme"); theme != object.end() && theme->is_string()) {
    settings.theme = notation::themeOf(theme->get<std::string>());
  }
  if (auto scale = object.find("scale"); scale != object.end() && scale->is_number_integer()) {
    const auto percent = scale->get<std::int64_t>();
    if (percent >= kSmallestScale && percent <= kLargestScale) {
      settings.scalePercent = static_cast<int>(percent);
    }
  }
  if (auto language = object.find("language"); language != object.end() && language->is_string()) {
    settings.language = text::languageOf(language->get<std::string>());
  }
  if (auto reduced = object.find("reducedMotion"); reduced != object.end() && reduced->is_boolean()) {
    settings.reducedMotion = reduced->get<bool>();
  }
  if (auto search = object.find("searchFaster"); search != object.end() && search->is_boolean()) {
    settings.searchFaster = search->get<bool>();
  }
  if (auto both = object.find("bothSides"); both != object.end() && both->is_boolean()) {
    settings.bothSides = both->get<bool>();
  }
  if (auto layout = object.find("layout"); layout != object.end() && layout->is_string()) {
    settings.arrangement = layout->get<std::string>();
  }
  if (auto unwrapped = object.find("unwrapped"); unwrapped != object.end() && unwrapped->is_array()) {
    for (const auto& panel : *unwrapped)
      if (panel.is_string()) settings.unwrapped.insert(panel.get<std::string>());
  }
  return settings;
}

std::string format(const Settings& settings) {
  nlohmann::ordered_json object = {{"theme", notation::keyOf(settings.theme)},
                                   {"scale", settings.scalePercent},
                                   {"reducedMotion", settings.reducedMotion},
                                   {"searchFaster", settings.searchFaster},
                                   {"bothSides", settings.bothSides}};
  if (settings.language) {
    object["language"] = text::codeOf(*settings.language);
  }
  if (!settings.arrangement.empty()) object["layout"] = settings.arrangement;
  if (!settings.unwrapped.empty()) object["unwrapped"] = settings.unwrapped;
  return object.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Settings loadSettings(const std::optional<std::filesystem::path>& folder) {
  if (!folder) {
    return {};
  }
  std::ifstream file(*folder / "settings.json");
  return parseSettings(std::string(std::istreambuf_iterator<char>(file), {}));
}

}  // namespace loom::window
