#pragma once

#include <optional>
#include <string>

namespace loom::panels {

/// The time predicted for an option of a list, for a column in the face of code: always of one width, blank while it
/// isn't known.
std::string optionTimeText(std::optional<double> microseconds);

}  // namespace loom::panels
