#pragma once

#include <optional>
#include <string>

#include "core/tune/search/winner_path.h"

namespace loom::cli {

/// Prints on stdout the path to the winner of a search: for each state a line with its time and what its step gained,
/// or with `json` one line `{"path": […]}`. `language` is "en" or "zh".
void printPath(const tune::PreparedSearch& prepared, const tune::WinnerPath& path, const std::string& language,
               bool json);

}  // namespace loom::cli
