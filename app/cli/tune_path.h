#pragma once

#include <optional>
#include <string>

#include "core/tune/search/winner_path.h"

namespace loom::cli {

/// Prints the path to the winner of a search: a line a state with its time and what it gained, or with `json` one line
/// `{"path": […]}`. `language`: "en" or "zh".
void printPath(const tune::PreparedSearch& prepared, const tune::WinnerPath& path, const std::string& language,
               bool json);

}  // namespace loom::cli
