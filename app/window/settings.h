#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "app/text/text.h"
#include "app/ui/palette.h"

namespace loom::window {

/// The user's settings, which are kept between sessions.
struct Settings {
  Theme theme = Theme::kDark;
  int scalePercent = 100;                  ///< scale of the window in percent, 75 to 300
  std::optional<text::Language> language;  ///< nothing: the language that the environment variables name
  bool reducedMotion = false;              ///< whether animations are off
  bool searchFaster = true;                ///< whether faster steps are searched for at the current state
  std::string arrangement = {};            ///< id of the layout preset in use; empty: the user's own layout
  std::set<std::string> unwrapped = {};    ///< ids of the code panels that don't wrap long lines
  bool bothSides = false;                  ///< whether panels draw both states while two are compared

  bool operator==(const Settings&) const = default;
};

inline constexpr int kSmallestScale = 75;  ///< percent
inline constexpr int kLargestScale = 300;  ///< percent

/// Returns the folder of settings and layouts, which needn't exist: $XDG_CONFIG_HOME/tileloom or ~/.config/tileloom;
/// nothing if neither XDG_CONFIG_HOME nor HOME is set.
std::optional<std::filesystem::path> settingsFolder();

/// Reads settings from JSON. A setting that is missing, of another type or out of range keeps its default; an unknown
/// theme counts as dark, an unknown language as English. A text that is no JSON object gives the defaults.
Settings parseSettings(const std::string& json);
/// Returns settings as JSON, which `parseSettings` reads; the caller writes the file settings.json.
std::string format(const Settings& settings);

/// Returns the settings of the file settings.json in `folder`, or the defaults if there is no such file or `folder` is
/// nothing.
Settings loadSettings(const std::optional<std::filesystem::path>& folder);

}  // namespace loom::window
