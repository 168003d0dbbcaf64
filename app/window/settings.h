#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "app/text/text.h"
#include "app/ui/palette.h"

namespace loom::window {

/// What the user chose once and expects to find again.
struct Settings {
  Theme theme = Theme::kDark;
  int scalePercent = 100;                  ///< 75…300
  std::optional<text::Language> language;  ///< none: the environment's
  bool reducedMotion = false;
  bool searchFaster = true;              ///< search states that one rests at for faster steps
  std::string arrangement = {};          ///< id of the layout of the program's that is in use; empty: the user's own
  std::set<std::string> unwrapped = {};  ///< ids of the code panels whose long lines run on
  bool bothSides = false;                ///< panels draw both states while two are compared

  bool operator==(const Settings&) const = default;
};

inline constexpr int kSmallestScale = 75;
inline constexpr int kLargestScale = 300;

/// The folder for settings and layouts: $XDG_CONFIG_HOME/tileloom or ~/.config/tileloom; none without either.
std::optional<std::filesystem::path> settingsFolder();

/// Reads settings as `format` writes them. Whatever can't be read or is out of range keeps its default.
Settings parseSettings(const std::string& json);
std::string format(const Settings& settings);

/// The settings of `folder`; the defaults where there are none.
Settings loadSettings(const std::optional<std::filesystem::path>& folder);

}  // namespace loom::window
